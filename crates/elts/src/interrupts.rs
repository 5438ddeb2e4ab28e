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
/// Called where something begins that the processor does at once.
pub const ATOMIC_BEGINS: &str = "kripke atomic begins";
/// Called where that ends.
pub const ATOMIC_ENDS: &str = "kripke atomic ends";
/// How the names of the functions begin that let handlers run.
pub const DISPATCHER: &str = "kripke dispatcher";
/// How the names of those begin that let any number of handlers run.
pub const ENDLESS_DISPATCHER: &str = "kripke dispatcher of any number";
/// How the names of the memory begin that says which interrupts are enabled; traces do not show it.
pub const FLAGS: &str = "kripke.frame.interrupts";
/// What the choices are called that say which handlers come; traces show the handlers instead.
pub const CHOICE: &str = "interrupt";
/// What stands behind the names of functions that run as part of a handler.
pub const IN_HANDLER: &str = " (interrupt";

/// Functions that enable or disable interrupts on machines where nothing else says so (CMSIS).
pub const KNOWN_FUNCTIONS: [&str; 8] = [
    "__enable_irq",
    "__disable_irq",
    "__get_PRIMASK",
    "__set_PRIMASK",
    "NVIC_EnableIRQ",
    "NVIC_DisableIRQ",
    "__NVIC_EnableIRQ",
    "__NVIC_DisableIRQ",
];

/// The name of a function as the user wrote it, also where it runs as part of a handler.
pub fn plain_name(name: &str) -> &str {
    name.split_once(IN_HANDLER).map_or(name, |(name, _)| name)
}

/// What inline assembly does to interrupts: `Some(true)` where it enables them.
pub fn effect_of_assembly(template: &str) -> Option<bool> {
    // Line ends and tabulators as LLVM IR writes them.
    let template = template.replace("\\0A", "\n").replace("\\09", "\t");
    let words: Vec<String> = template
        .split(|c: char| c.is_whitespace() || c == ';')
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["sei" | "sti" | "eint"] | ["cpsie", "i"] => Some(true),
        ["cli" | "dint"] | ["cpsid", "i"] => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::effect_of_assembly;

    #[test]
    fn only_whole_instructions_count() {
        assert_eq!(effect_of_assembly("sei"), Some(true));
        assert_eq!(effect_of_assembly(" CPSIE  i\n"), Some(true));
        assert_eq!(effect_of_assembly("cpsid i"), Some(false));
        assert_eq!(effect_of_assembly("sei\\0A\\09"), Some(true));
        assert_eq!(effect_of_assembly("cli\n\tnop"), None);
        assert_eq!(effect_of_assembly("cpsid f"), None);
        assert_eq!(effect_of_assembly(""), None);
    }
}
