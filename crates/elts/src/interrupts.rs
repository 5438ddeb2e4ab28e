//! Names by which the parts that deal with interrupts know each other's functions.
//!
//! Idea: what enables and disables interrupts is a call in the program model, of a function that does
//! nothing, until handlers are put into the program; without any it has nothing to do.

/// Called where inline assembly enables interrupts.
pub const ENABLES: &str = "kripke enable interrupts";
/// Called where inline assembly disables interrupts.
pub const DISABLES: &str = "kripke disable interrupts";
/// Called where the program asks whether interrupts are disabled: returns 1 or 0.
pub const READS_MASK: &str = "kripke interrupts disabled";
/// Called where the program writes the mask of all.
pub const SETS_MASK: &str = "kripke set interrupts disabled";
/// Called where it reads the mask by priorities.
pub const READS_BASE: &str = "kripke interrupts masked";
/// Called where it writes that.
pub const SETS_BASE: &str = "kripke mask interrupts";
/// Called where it writes that if it masks more then.
pub const RAISES_BASE: &str = "kripke mask more interrupts";
/// A function that is there, and called nowhere, where interrupts are enabled before `main`.
pub const STARTS_ENABLED: &str = "kripke interrupts enabled at the start";
/// Called where something begins that the processor does at once.
pub const ATOMIC_BEGINS: &str = "kripke atomic begins";
/// Called where that ends.
pub const ATOMIC_ENDS: &str = "kripke atomic ends";
/// How the names of the functions begin that let handlers run.
pub const DISPATCHER: &str = "kripke dispatcher";
/// How the names of the functions begin that evaluate what a user says of the program's memory: atoms of
/// formulas, and conditions of handlers.
pub const ATOM: &str = "kripke_atom_";
/// How the names of those begin that let any number of handlers run.
pub const ENDLESS_DISPATCHER: &str = "kripke dispatcher of any number";
/// How the names of the memory begin that says which interrupts are enabled; traces do not show it.
pub const FLAGS: &str = "kripke.frame.interrupts";
/// What the choices are called that say which handlers come; traces show the handlers instead.
pub const CHOICE: &str = "interrupt";
/// What stands behind the names of functions that run as part of a handler.
pub const IN_HANDLER: &str = " (interrupt";

/// The number of the interrupt of a Cortex-M that nothing masks, and no priority reaches.
pub const NMI: i64 = -14;
/// That of a hard fault, which only the other interrupts.
pub const HARD_FAULT: i64 = -13;

/// Does what has the number come while all interrupts are disabled, too?
pub fn is_unmaskable(number: i64) -> bool {
    matches!(number, NMI | HARD_FAULT)
}

/// What a call does to the interrupts that are enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Enables all.
    Enable,
    /// Disables all.
    Disable,
    /// Enables the one whose number is the argument.
    EnableNumber,
    /// Disables it.
    DisableNumber,
    /// Returns 1 where interrupts are disabled, in its lowest bit.
    ReadMask,
    /// Disables interrupts where the lowest bit of its argument is set, enables them else.
    WriteMask,
    /// Returns the mask by priorities.
    ReadBase,
    /// Sets it.
    WriteBase,
    /// Sets it where that masks more.
    RaiseBase,
    /// Gives the handlers whose number is the argument a priority.
    SetPriority,
}

/// What a function of that name does: one of our own, of CMSIS, or of ST's library, which calls that.
pub fn control_by_name(name: &str) -> Option<Control> {
    match name {
        ENABLES | "__enable_irq" => Some(Control::Enable),
        DISABLES | "__disable_irq" => Some(Control::Disable),
        "NVIC_EnableIRQ" | "__NVIC_EnableIRQ" | "HAL_NVIC_EnableIRQ" => Some(Control::EnableNumber),
        "NVIC_DisableIRQ" | "__NVIC_DisableIRQ" | "HAL_NVIC_DisableIRQ" => Some(Control::DisableNumber),
        READS_MASK | "__get_PRIMASK" => Some(Control::ReadMask),
        SETS_MASK | "__set_PRIMASK" => Some(Control::WriteMask),
        READS_BASE | "__get_BASEPRI" => Some(Control::ReadBase),
        SETS_BASE | "__set_BASEPRI" => Some(Control::WriteBase),
        RAISES_BASE | "__set_BASEPRI_MAX" => Some(Control::RaiseBase),
        "NVIC_SetPriority" | "__NVIC_SetPriority" | "HAL_NVIC_SetPriority" => Some(Control::SetPriority),
        _ => None,
    }
}

/// The name of a function as the user wrote it, also where it runs as part of a handler.
pub fn plain_name(name: &str) -> &str {
    name.split_once(IN_HANDLER).map_or(name, |(name, _)| name)
}

/// What an instruction of inline assembly does, as far as a program without threads can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssemblyEffect {
    /// Enables interrupts.
    Enables,
    /// Disables them.
    Disables,
    /// Waits, perhaps until one comes.
    Waits,
    /// Nothing: it orders accesses to memory, which a single processor does not see, or passes time.
    Nothing,
}

/// What inline assembly does, instruction by instruction; none where one of them is not known on the machine.
pub fn effects_of_assembly(template: &str, triple: &str) -> Option<Vec<AssemblyEffect>> {
    let machine = machine(triple);
    let instructions = instructions_of_assembly(template, triple)?;
    let effects = instructions.iter().map(|instruction| {
        let instruction = instruction.to_ascii_lowercase();
        let words: Vec<&str> = instruction.split_whitespace().collect();
        effect_of_instruction(&words, machine)
    });
    effects.collect()
}

/// The instructions of inline assembly, without comments; none where it is not known how the machine's
/// assembler separates them.
pub fn instructions_of_assembly(template: &str, triple: &str) -> Option<Vec<String>> {
    let machine = machine(triple);
    // Apple's assembler for Arm takes it for a comment, and others do not.
    let is_unclear = machine == Machine::Other || is_arm(triple) && triple.contains("-apple-");
    // Line ends and tabulators as LLVM IR writes them.
    let template = template.replace("\\0A", "\n").replace("\\09", "\t");
    let mut instructions = Vec::new();
    for line in template.lines() {
        let parts: Vec<&str> = match line.split_once(';') {
            // For these assemblers a comment begins there.
            Some((code, _)) if matches!(machine, Machine::Avr | Machine::Msp430) => vec![code],
            Some((_, rest)) if is_unclear && !rest.trim().is_empty() => return None,
            _ => line.split(';').collect(),
        };
        let parts = parts.into_iter().map(str::trim).filter(|part| !part.is_empty());
        instructions.extend(parts.map(str::to_owned));
    }
    Some(instructions)
}

/// What a call of one of LLVM's functions for the instructions of Arm's machines does, if it is one;
/// `argument` is its first one, in decimal digits.
pub fn effect_of_intrinsic(name: &str, argument: Option<&str>) -> Option<AssemblyEffect> {
    let name = { name.strip_prefix("llvm.arm.") }.or_else(|| name.strip_prefix("llvm.aarch64."))?;
    match (name, argument) {
        ("dmb" | "dsb" | "isb", _) => Some(AssemblyEffect::Nothing),
        // nop, yield, sev, sevl; wfe and wfi.
        ("hint", Some("0" | "1" | "4" | "5")) => Some(AssemblyEffect::Nothing),
        ("hint", Some("2" | "3")) => Some(AssemblyEffect::Waits),
        _ => None,
    }
}

/// Machines whose instructions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    Arm,
    Avr,
    Msp430,
    RiscV,
    X86,
    Other,
}

fn machine(triple: &str) -> Machine {
    match triple.split('-').next().unwrap_or_default() {
        name if is_arm(name) => Machine::Arm,
        "avr" => Machine::Avr,
        "msp430" => Machine::Msp430,
        name if name.starts_with("riscv") => Machine::RiscV,
        "x86_64" | "i386" | "i486" | "i586" | "i686" => Machine::X86,
        _ => Machine::Other,
    }
}

/// Is it a machine of Arm's?
pub fn is_arm(triple: &str) -> bool {
    ["arm", "thumb", "aarch64"]
        .iter()
        .any(|name| triple.starts_with(name))
}

fn effect_of_instruction(words: &[&str], machine: Machine) -> Option<AssemblyEffect> {
    let effect = match (machine, words) {
        (_, ["sei" | "sti" | "eint"] | ["cpsie", "i"]) => AssemblyEffect::Enables,
        (_, ["cli" | "dint"] | ["cpsid", "i"]) => AssemblyEffect::Disables,
        (_, ["nop"]) => AssemblyEffect::Nothing,
        (Machine::Arm, ["wfi" | "wfe"]) => AssemblyEffect::Waits,
        (Machine::Arm, ["dsb" | "dmb" | "isb" | "sev" | "sevl" | "yield" | "nop.n" | "nop.w"]) => {
            AssemblyEffect::Nothing
        }
        (Machine::Arm, ["dsb" | "dmb" | "isb", kind]) if is_plain(kind) => AssemblyEffect::Nothing,
        (Machine::Avr, ["sleep"]) => AssemblyEffect::Waits,
        (Machine::Avr, ["wdr"]) => AssemblyEffect::Nothing,
        (Machine::RiscV, ["wfi"]) => AssemblyEffect::Waits,
        (Machine::RiscV, ["fence", kinds @ ..]) if kinds.iter().all(|kind| is_plain(kind)) => {
            AssemblyEffect::Nothing
        }
        (Machine::RiscV, ["fence.i" | "pause"]) => AssemblyEffect::Nothing,
        (Machine::X86, ["hlt"]) => AssemblyEffect::Waits,
        (Machine::X86, ["pause" | "mfence" | "lfence" | "sfence"]) => AssemblyEffect::Nothing,
        _ => return None,
    };
    Some(effect)
}

/// Is it an operand that only says which accesses are ordered?
fn is_plain(operand: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || c == '#' || c == ',';
    operand.chars().all(known)
}

#[cfg(test)]
mod tests {
    use super::{AssemblyEffect, effect_of_intrinsic, effects_of_assembly};

    fn check(template: &str, triple: &str, expected: Option<&[AssemblyEffect]>) {
        let effects = effects_of_assembly(template, triple);
        assert_eq!(effects.as_deref(), expected, "{template} on {triple}");
    }

    #[test]
    fn only_whole_instructions_count() {
        check("sei", "avr", Some(&[AssemblyEffect::Enables]));
        check(
            " CPSIE  i\n",
            "thumbv7m-none-eabi",
            Some(&[AssemblyEffect::Enables]),
        );
        check("cpsid i", "thumbv7m-none-eabi", Some(&[AssemblyEffect::Disables]));
        check("sei\\0A\\09", "avr", Some(&[AssemblyEffect::Enables]));
        check("cpsid f", "thumbv7m-none-eabi", None);
        check("", "", Some(&[]));
        check("nopx", "", None);
    }

    #[test]
    fn one_after_the_other() {
        check(
            "cli\n\tnop",
            "avr",
            Some(&[AssemblyEffect::Disables, AssemblyEffect::Nothing]),
        );
        check(
            "sei\\0Asleep",
            "avr",
            Some(&[AssemblyEffect::Enables, AssemblyEffect::Waits]),
        );
        check(
            "sti; hlt",
            "x86_64-pc-linux-gnu",
            Some(&[AssemblyEffect::Enables, AssemblyEffect::Waits]),
        );
        check("dsb\\0A mov r0, r1", "thumbv7m-none-eabi", None);
    }

    #[test]
    fn calls_that_are_instructions() {
        let check = |name, argument, expected| {
            assert_eq!(effect_of_intrinsic(name, argument), expected, "{name}");
        };
        check("llvm.arm.dsb", Some("15"), Some(AssemblyEffect::Nothing));
        check("llvm.arm.hint", Some("3"), Some(AssemblyEffect::Waits));
        check("llvm.aarch64.hint", Some("0"), Some(AssemblyEffect::Nothing));
        check("llvm.arm.hint", Some("20"), None);
        check("llvm.arm.hint", None, None);
        check("llvm.trap", None, None);
    }

    #[test]
    fn a_comment_of_some_is_none_elsewhere() {
        check("cli ; sei", "avr", Some(&[AssemblyEffect::Disables]));
        check("eint ; dint", "msp430-none-elf", Some(&[AssemblyEffect::Enables]));
        check("cli ; sei", "", None);
        check("nop;", "", Some(&[AssemblyEffect::Nothing]));
        check(
            "cpsid i ; cpsie i",
            "thumbv6m",
            Some(&[AssemblyEffect::Disables, AssemblyEffect::Enables]),
        );
    }

    #[test]
    fn each_machine_has_its_own() {
        for barrier in ["dsb", "dsb 0xF", "DMB sy", "isb", "dsb #15"] {
            check(barrier, "thumbv7m-none-eabi", Some(&[AssemblyEffect::Nothing]));
            check(barrier, "avr", None);
        }
        check("wfi", "armv8m.main-none-eabi", Some(&[AssemblyEffect::Waits]));
        check("wfi", "riscv32", Some(&[AssemblyEffect::Waits]));
        check("wfi", "x86_64-pc-linux-gnu", None);
        check("wdr", "avr", Some(&[AssemblyEffect::Nothing]));
        check("sleep", "thumbv7m-none-eabi", None);
        check(
            "fence rw, rw",
            "riscv64-unknown-elf",
            Some(&[AssemblyEffect::Nothing]),
        );
        check("dsb [r0]", "thumbv7m-none-eabi", None);
    }
}
