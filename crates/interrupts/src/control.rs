//! What enables and disables interrupts.
//!
//! Idea: a flag for all of them, and one for each handler with a number where the program enables by numbers.
//! Calls of functions that are known, or that the user names, change them. Between the call and what it does
//! handlers may come as soon as they ever could: a function that enables does so when it is entered, one that
//! disables when it returns. So that is part of its body, and calls through pointers do it, too.
//!
//! At the start all are enabled, unless the program enables them anywhere by what a processor needs after its
//! reset: `sei` of an AVR or a write that sets the bit, numbers of a Cortex-M's NVIC, or functions that the
//! user names. Those are enabled, too, if what an AVR runs before `main` says so.
//!
//! An AVR keeps its flag cleared while a handler runs. What would set it there, and let the same handler come
//! again, is not followed.
//!
//! A handler may disable interrupts and return. `RETI` of an AVR sets the flag, but those of the cores AVRxm
//! and AVRxt leave it, as the return from an exception leaves PRIMASK on a Cortex-M; most others restore what
//! was saved. Where the machine is not known, both are tried. That makes a difference only where the program
//! reads the flag (or a formula counts its letters): else what handlers may do while disabled, nothing, is
//! part of what they may do while enabled.
//!
//! Source: Microchip, AVR instruction set manual, `SEI`, `RETI` and its note on AVRxm and AVRxt; Arm v7-M
//! architecture reference manual, B1.4.3 (PRIMASK), B1.5.8 (exception return) and B3.4 (NVIC).

use std::collections::{BTreeMap, BTreeSet};

pub use kripke_elts::interrupts::Control;
use kripke_elts::interrupts::{ENABLES, FLAGS, STARTS_ENABLED, control_by_name, is_unmaskable};
use kripke_elts::{
    BinaryOp, CastOp, Expr, Function, FunctionId, Global, GlobalId, Id, InitialCell, InitialRest, Position,
    Program, StatementKind, Type, VariableId, name_in_its_file,
};

use kripke_value::BitVec;

use crate::base::{Base, kept_bits};
use crate::dispatcher::Returning;
use crate::effects::Effects;
use crate::gaps::starts;
use crate::named::{Named, NumberParameter};
use crate::terms::{binary, int, or, truth};
use crate::{Interrupts, Known};

/// The address of the status register of an AVR in its data memory; bit 7 is its interrupt flag.
const AVR_STATUS: u64 = 0x5f;
/// Where those that number their I/O registers from 0 on have it (XMEGA, ATtiny 0 and 1, AVR DA).
const AVR_STATUS_OF_SOME: u64 = 0x3f;

/// The type of the flags.
pub const FLAG: Type = Type::Int(8);

/// The number of handlers; `None`: of those that have none.
pub type Number = Option<i64>;

/// Which calls do what, and what is so at the start.
pub struct Controls {
    calls: BTreeMap<FunctionId, Control>,
    /// The machine has a status register in memory, and its flag is cleared in handlers.
    pub is_avr: bool,
    enabled_at_start: bool,
    /// What a handler disables stays disabled when it returns.
    pub is_cortex_m: bool,
    /// The program looks at whether interrupts are enabled.
    pub reads_mask: bool,
    /// Handlers may change what says whether interrupts are enabled, or by which priority they are masked.
    pub handlers_change_mask: bool,
    pub handlers_change_base: bool,
    /// A handler that comes while all are disabled looks at that, or changes it.
    pub unmaskable_tells_mask: bool,
    /// The numbers that the program may enable, and those that it may disable.
    enabled_numbers: BTreeSet<Number>,
    disabled_numbers: BTreeSet<Number>,
    /// What enables, as the program calls it.
    enabling: BTreeSet<String>,
    /// What enables by number.
    by_number: BTreeSet<String>,
    flag: Option<GlobalId>,
    numbered: BTreeMap<Number, GlobalId>,
    /// Where the number stands in calls of functions that the user names.
    parameters: BTreeMap<FunctionId, NumberParameter>,
    /// The program masks by priorities.
    uses_base: bool,
    priority_bits: Option<u32>,
    pub base: Option<Base>,
}

impl Controls {
    pub fn new(effects: &Effects<'_>, wanted: &Interrupts, handlers: &[Known]) -> Self {
        let program = effects.program;
        let controls = program.functions.enumerate().filter_map(|(id, function)| {
            let control = control_of(&function.name, wanted)?;
            Some((id, control))
        });
        let calls: BTreeMap<FunctionId, Control> = controls.collect();
        let is_avr = program.data_model.triple.starts_with("avr");
        let of_handlers = { handlers.iter() }.map(|handler| handler.function);
        let begins: Vec<FunctionId> = of_handlers.chain([program.entry]).collect();
        let threads = starts(effects, &begins);
        let of_program: Vec<FunctionId> = threads.iter().copied().chain([program.entry]).collect();
        let roots: Vec<FunctionId> = begins.into_iter().chain(threads).collect();
        let called = effects.closure(&roots);
        let of_program = effects.closure(&of_program);
        let of_handlers = closure_of(effects, handlers, |_| true);
        let of_unmaskable = closure_of(effects, handlers, Known::is_unmaskable);
        let does = |all: &BTreeSet<FunctionId>, wanted: &[Control]| {
            all.iter()
                .any(|id| calls.get(id).is_some_and(|control| wanted.contains(control)))
        };
        let mask = [Control::Enable, Control::Disable, Control::WriteMask];
        let name = |id: &FunctionId| name_in_its_file(&program.functions[*id].name).to_owned();
        let starts = |id: &&FunctionId| {
            let function = name(id);
            let by_user =
                { wanted.enabling.iter() }.any(|given| given.number.is_none() && given.name == function);
            let by_reset = function == ENABLES && is_avr || by_user;
            by_reset && of_program.contains(*id)
        };
        let enabling = calls.keys().filter(starts).map(name);
        let mut enabling: BTreeSet<String> = enabling.collect();
        if is_avr && of_program.iter().any(|id| sets_status(program, *id)) {
            enabling.insert("SREG".to_owned());
        }
        let is_before = { program.functions.iter() }.any(|function| function.name == STARTS_ENABLED);
        let parameters: BTreeMap<FunctionId, NumberParameter> = { calls.keys() }
            .filter_map(|id| Some((*id, parameter_of(&program.functions[*id].name, wanted)?.clone())))
            .collect();
        let numbers = |control| numbers_given(effects, handlers, (&calls, control, &parameters), &called);
        Controls {
            enabled_at_start: enabling.is_empty() || is_before,
            is_cortex_m: is_cortex_m(&program.data_model.triple),
            reads_mask: reads_mask(program, &calls, &called),
            handlers_change_mask: does(&of_handlers, &mask)
                || is_avr && of_handlers.iter().any(|id| writes_to_status(program, *id)),
            handlers_change_base: does(&of_handlers, &[Control::WriteBase, Control::RaiseBase]),
            unmaskable_tells_mask: does(&of_unmaskable, &mask) || does(&of_unmaskable, &[Control::ReadMask]),
            enabled_numbers: numbers(Control::EnableNumber),
            disabled_numbers: numbers(Control::DisableNumber),
            enabling,
            flag: None,
            numbered: BTreeMap::new(),
            by_number: by_number(program, &calls, &called),
            uses_base: { calls.iter() }.any(|(id, control)| {
                matches!(control, Control::WriteBase | Control::RaiseBase) && called.contains(id)
            }),
            priority_bits: wanted.priority_bits,
            base: None,
            parameters,
            calls,
            is_avr,
        }
    }

    /// Adds the flags to the program.
    pub fn add_flags(&mut self, program: &mut Program, handlers: &[Known], position: Position) {
        let start = u128::from(self.enabled_at_start);
        self.flag = Some(add_flag(program, FLAGS, start, position));
        for number in handlers.iter().map(|handler| handler.number) {
            let waits = self.enabled_numbers.contains(&number);
            let is_new = !self.numbered.contains_key(&number);
            if is_new && (waits || self.disabled_numbers.contains(&number)) {
                let name = match number {
                    Some(number) => format!("{FLAGS}.{number}"),
                    None => format!("{FLAGS}.others"),
                };
                let flag = add_flag(program, &name, u128::from(!waits), position);
                self.numbered.insert(number, flag);
            }
        }
        self.base = self.uses_base.then(|| self.add_base(program, handlers, position));
    }

    fn add_base(&self, program: &mut Program, handlers: &[Known], position: Position) -> Base {
        let bits = self.priority_bits;
        let register = add_flag(program, &format!("{FLAGS}.base"), 0, position);
        let priorities = handlers.iter().enumerate().map(|(index, handler)| {
            let kept = bits.map_or(u128::MAX, kept_bits);
            let start = u128::from(handler.register_priority) & kept;
            let name = format!("{FLAGS}.priority.{index}");
            (!handler.is_unmaskable()).then(|| (handler.number, add_flag(program, &name, start, position)))
        });
        Base {
            register,
            priorities: priorities.collect(),
            bits,
        }
    }

    /// What is taken for granted of the mask by priorities.
    pub fn assumption_of_base(&self) -> Option<String> {
        let base = self.base.as_ref()?;
        let bits = match base.bits {
            Some(_) => "",
            None => "; the device keeps all bits that are written to it",
        };
        Some(format!(
            "BASEPRI masks handlers by the priorities that the program gives them; until then they have 0, \
             which it does not mask, or what --interrupt-register-priority says{bits}"
        ))
    }

    /// The flag of all.
    pub fn flag(&self) -> GlobalId {
        self.flag.unwrap_or(GlobalId::new(0))
    }

    /// The flag of the handlers with a number, or of those without.
    pub fn numbered(&self, number: Number) -> Option<GlobalId> {
        self.numbered.get(&number).copied()
    }

    /// All flags of numbers that the processor's own registers enable and disable. Those of the processor
    /// itself are below zero, and always enabled there.
    pub fn numbers(&self) -> impl Iterator<Item = (i64, GlobalId)> + '_ {
        let flags = self.numbered.iter();
        flags.filter_map(|(number, flag)| Some((number.filter(|number| *number >= 0)?, *flag)))
    }

    /// All flags of numbers.
    pub fn numbered_flags(&self) -> impl Iterator<Item = (Number, GlobalId)> + '_ {
        self.numbered.iter().map(|(number, flag)| (*number, *flag))
    }

    /// Where a function has the number, if the user names it.
    pub fn parameter(&self, function: FunctionId) -> Option<&NumberParameter> {
        self.parameters.get(&function)
    }

    /// What a call of the function does.
    pub fn of(&self, function: FunctionId) -> Option<Control> {
        self.calls.get(&function).copied()
    }

    /// What the return from a handler that may have cleared the flag does to it. The handlers of an AVR clear
    /// it, or not, where they disable interrupts.
    pub fn returning(&self, atoms: &[FunctionId]) -> Returning {
        match () {
            () if self.is_avr || self.is_cortex_m => Returning::Leaves,
            () if self.reads_mask || !atoms.is_empty() => Returning::Any,
            () => Returning::Restores,
        }
    }

    /// May interrupts come before the first statement?
    pub fn enabled_at_start(&self) -> bool {
        self.enabled_at_start
    }

    /// What is taken for granted of the start.
    pub fn assumption(&self, program: &Program) -> String {
        let mut said = match self.enabled_at_start {
            true => "interrupts are enabled when the program starts".to_owned(),
            false => {
                let names = self.enabling.iter().map(|name| match name.as_str() {
                    ENABLES => "`sei`".to_owned(),
                    name => format!("`{name}`"),
                });
                let names: Vec<String> = names.collect();
                format!(
                    "interrupts are disabled until {} enables them",
                    names.join(" or ")
                )
            }
        };
        let waiting = self
            .numbered
            .keys()
            .filter(|number| self.enabled_numbers.contains(number));
        let (numbers, others): (Vec<Number>, Vec<Number>) = waiting.partition(|number| number.is_some());
        let numbers: Vec<String> = numbers
            .into_iter()
            .flatten()
            .map(|number| number.to_string())
            .collect();
        let mut those = Vec::new();
        if !numbers.is_empty() {
            those.push(format!("with the numbers {}", numbers.join(", ")));
        }
        if !others.is_empty() {
            those.push("without a number".to_owned());
        }
        if !those.is_empty() {
            let names: Vec<String> = self.by_number.iter().map(|name| format!("`{name}`")).collect();
            said.push_str(&format!(
                "; those {} are disabled until {} is called",
                those.join(" and those "),
                names.join(" or ")
            ));
        }
        if !program.external_functions.is_empty() {
            said.push_str("; functions without a body do not enable them");
        }
        said
    }
}

/// All that some of the handlers call.
fn closure_of(
    effects: &Effects<'_>,
    handlers: &[Known],
    is_meant: impl Fn(&Known) -> bool,
) -> BTreeSet<FunctionId> {
    let meant = handlers.iter().filter(|handler| is_meant(handler));
    let roots: Vec<FunctionId> = meant.map(|handler| handler.function).collect();
    effects.closure(&roots)
}

/// Does a function write to the status register of an AVR?
fn writes_to_status(program: &Program, id: FunctionId) -> bool {
    let mut statements = program.functions[id].statements();
    statements.any(|statement| writes_status(&statement.kind).is_some())
}

/// Does a function set the flag in the status register of an AVR, whatever stands there before?
fn sets_status(program: &Program, id: FunctionId) -> bool {
    let function = &program.functions[id];
    function
        .statements()
        .any(|statement| match writes_status(&statement.kind) {
            Some((value, true)) => is_set(program, function, value, 7),
            _ => false,
        })
}

/// Is a bit of a value certainly set?
fn is_set(program: &Program, function: &Function, value: &Expr, bit: u32) -> bool {
    let again = |value: &Expr, bit| is_set(program, function, value, bit);
    let types = |id: VariableId| function.variables[id].ty;
    match value {
        Expr::Variable(variable) => match assigned(function, *variable)[..] {
            // Temporaries are assigned once, and before they are used.
            [Some(value)] => again(value, bit),
            _ => false,
        },
        Expr::Int(bits) => bits.to_u64().is_some_and(|bits| bit < 64 && bits >> bit & 1 == 1),
        Expr::Binary(BinaryOp::Or, a, b) => again(a, bit) || again(b, bit),
        Expr::Extract { low, value, .. } => again(value, bit + low),
        Expr::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc, inner, _) => {
            match inner.type_with(&program.data_model, &types) {
                Type::Int(width) => bit < width && again(inner, bit),
                _ => false,
            }
        }
        _ => false,
    }
}

/// What a variable is assigned to; nothing where that is no expression.
fn assigned(function: &Function, variable: VariableId) -> Vec<Option<&Expr>> {
    let statements = function.statements();
    let values = statements.filter_map(|statement| match &statement.kind {
        StatementKind::Assign { target, value } if *target == variable => Some(Some(value)),
        StatementKind::Load { target, .. } | StatementKind::Nondet { target, .. } if *target == variable => {
            Some(None)
        }
        _ => None,
    });
    values.collect()
}

/// The handlers' numbers with which the program may call what has an effect.
fn numbers_given(
    effects: &Effects<'_>,
    handlers: &[Known],
    (calls, wanted, parameters): (
        &BTreeMap<FunctionId, Control>,
        Control,
        &BTreeMap<FunctionId, NumberParameter>,
    ),
    called: &BTreeSet<FunctionId>,
) -> BTreeSet<Number> {
    let mut numbers = BTreeSet::new();
    let all: Vec<Number> = handlers.iter().map(|handler| handler.number).collect();
    for (caller, statement) in effects.statements(called) {
        let StatementKind::Call {
            callee, arguments, ..
        } = &statement.kind
        else {
            continue;
        };
        for callee in effects.points_to.callees(caller, callee) {
            if calls.get(&callee) == Some(&wanted) {
                numbers.extend(numbers_of_call(&all, parameters.get(&callee), arguments));
            }
        }
    }
    numbers
}

/// The numbers that a call with some arguments may mean, of those that there are.
fn numbers_of_call(all: &[Number], parameter: Option<&NumberParameter>, arguments: &[Expr]) -> Vec<Number> {
    let special = parameter.and_then(|parameter| parameter.all);
    let is_controlled = |number: &Number| is_controlled(*number, parameter.is_some(), special.is_some());
    let controlled = all.iter().copied().filter(is_controlled);
    match arguments.get(parameter.map_or(0, |parameter| parameter.place)) {
        Some(Expr::Int(bits)) => {
            let is = |number: i64| BitVec::new(bits.width(), number as u128 & mask(bits.width())) == *bits;
            let is_all = special.is_some_and(is);
            controlled
                .filter(|number| is_all || number.is_some_and(is))
                .collect()
        }
        _ => controlled.collect(),
    }
}

/// May a function that enables or disables by number do so to those with the number? One that the user names
/// does it to all but those that nothing masks, and to those without a number if a value means all of them.
pub fn is_controlled(number: Number, by_user: bool, has_all: bool) -> bool {
    match number {
        Some(number) if by_user => !is_unmaskable(number),
        Some(number) => number >= 0,
        None => has_all,
    }
}

/// The names of what enables by number, as far as it is called.
fn by_number(
    program: &Program,
    calls: &BTreeMap<FunctionId, Control>,
    called: &BTreeSet<FunctionId>,
) -> BTreeSet<String> {
    let enabling = { calls.iter() }
        .filter(|(id, control)| **control == Control::EnableNumber && called.contains(id))
        .map(|(id, _)| name_in_its_file(&program.functions[*id].name));
    let name = |name: &str| match control_by_name(name) {
        Some(_) => "NVIC_EnableIRQ".to_owned(),
        None => name.to_owned(),
    };
    enabling.map(name).collect()
}

/// Has the machine PRIMASK? Its instruction sets are v6-M, v7-M, v7E-M, v8-M and v8.1-M.
fn is_cortex_m(triple: &str) -> bool {
    let architecture = triple.split('-').next().unwrap_or_default();
    let version = { architecture.strip_prefix("thumbv") }.or_else(|| architecture.strip_prefix("armv"));
    version.is_some_and(|version| {
        let profile = version.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        profile.starts_with('m') || profile.starts_with("em")
    })
}

/// May one of the functions look at whether interrupts are enabled?
fn reads_mask(
    program: &Program,
    calls: &BTreeMap<FunctionId, Control>,
    called: &BTreeSet<FunctionId>,
) -> bool {
    let mut controls = calls.iter().filter(|(id, _)| called.contains(id));
    let reads_status = |kind: &StatementKind| match kind {
        StatementKind::Load { address, .. } => is_status_register(address).is_some(),
        _ => false,
    };
    controls.any(|(_, control)| *control == Control::ReadMask) || {
        called.iter().flat_map(|id| program.functions[*id].statements())
    }
    .any(|statement| reads_status(&statement.kind))
}

/// So many ones.
fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width.min(128))
}

/// What a call of a function of that name does.
pub fn control_of(name: &str, wanted: &Interrupts) -> Option<Control> {
    let name = name_in_its_file(name);
    let given = |all: &[Named]| {
        let given = all.iter().find(|given| given.name == name)?;
        Some(given.number.is_some())
    };
    let by_name = || match (given(&wanted.enabling), given(&wanted.disabling)) {
        (Some(false), _) => Some(Control::Enable),
        (Some(true), _) => Some(Control::EnableNumber),
        (None, Some(false)) => Some(Control::Disable),
        (None, Some(true)) => Some(Control::DisableNumber),
        (None, None) => None,
    };
    control_by_name(name).or_else(by_name)
}

/// Where a function of that name has the number, if the user says so.
fn parameter_of<'w>(name: &str, wanted: &'w Interrupts) -> Option<&'w NumberParameter> {
    let name = name_in_its_file(name);
    let mut given = wanted.enabling.iter().chain(&wanted.disabling);
    given.find(|given| given.name == name)?.number.as_ref()
}

/// Adds a byte of memory of our own.
pub fn add_flag(program: &mut Program, name: &str, start: u128, position: Position) -> GlobalId {
    program.globals.push(Global {
        name: name.to_owned(),
        c_name: None,
        size: 1,
        align: 1,
        cells: vec![InitialCell {
            offset: 0,
            ty: FLAG,
            value: int(8, start),
        }],
        rest: InitialRest::Zero,
        constant: false,
        thread_local: false,
        c_type: None,
        position,
    })
}

/// Is it the status register of an AVR? `Some(false)`: of some AVRs, and another register of others.
pub fn is_status_register(address: &Expr) -> Option<bool> {
    match constant_address(address)? {
        AVR_STATUS => Some(true),
        AVR_STATUS_OF_SOME => Some(false),
        _ => None,
    }
}

/// The constant part of an address: what it is where distances that are computed are 0.
pub fn constant_part(pointer: &Expr) -> Option<u64> {
    match pointer {
        Expr::PointerAdd(inner, distance) if !matches!(**distance, Expr::Int(_)) => constant_part(inner),
        Expr::PointerAdd(inner, distance) => {
            let distance = match &**distance {
                Expr::Int(bits) => i64::try_from(bits.to_i128()?).ok()?,
                _ => 0,
            };
            constant_part(inner)?.checked_add_signed(distance)
        }
        _ => constant_address(pointer),
    }
}

/// The number of a constant address.
pub fn constant_address(pointer: &Expr) -> Option<u64> {
    match pointer {
        Expr::Cast(CastOp::IntToPointer, address, _) => match &**address {
            Expr::Int(bits) => bits.to_u64(),
            _ => None,
        },
        Expr::PointerAdd(pointer, distance) => match &**distance {
            Expr::Int(bits) => {
                let distance = i64::try_from(bits.to_i128()?).ok()?;
                constant_address(pointer)?.checked_add_signed(distance)
            }
            _ => None,
        },
        _ => None,
    }
}

/// May a write of so many bytes change the status register of an AVR, other than one byte at its address?
/// Then under which condition; `None`: it does not. `elsewhere`: it is known to write to an object.
pub fn may_write_status(address: &Expr, bytes: u64, width: u32, elsewhere: bool) -> Option<Expr> {
    let is_met = |at: u64| {
        let statuses = [AVR_STATUS, AVR_STATUS_OF_SOME];
        statuses
            .into_iter()
            .any(|status| (at..at + bytes).contains(&status))
    };
    match constant_address(address) {
        Some(at) => (is_met(at) && (bytes > 1 || is_status_register(address).is_none())).then(|| truth(true)),
        None if elsewhere => None,
        None => {
            let at = Expr::Cast(CastOp::PointerToInt, Box::new(address.clone()), Type::Int(width));
            let first = AVR_STATUS_OF_SOME.saturating_sub(bytes - 1);
            let met = (first..=AVR_STATUS).filter(|at| is_met(*at));
            let same = |number: u64| binary(BinaryOp::Eq, at.clone(), int(width, u128::from(number)));
            met.map(same).reduce(or)
        }
    }
}

/// Is the argument of a call the number?
pub fn is_number(argument: &Expr, width: u32, number: i64) -> Expr {
    binary(
        BinaryOp::Eq,
        argument.clone(),
        int(width, number as u128 & mask(width)),
    )
}

/// The value that a statement writes to the status register, and whether it certainly is that.
pub fn writes_status(kind: &StatementKind) -> Option<(&Expr, bool)> {
    match kind {
        StatementKind::Store {
            address,
            value,
            ty: Type::Int(8),
            ..
        } => Some((value, is_status_register(address)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_cortex_m;

    #[test]
    fn machines_with_primask() {
        for triple in [
            "thumbv6m-none-eabi",
            "thumbv7em-none-unknown-eabi",
            "thumbv8.1m.main-none-eabi",
        ] {
            assert!(is_cortex_m(triple), "{triple}");
        }
        for triple in [
            "thumbv7a-none-eabi",
            "thumb-none-eabi",
            "armv7r-none-eabi",
            "x86_64-linux-gnu",
            "avr",
        ] {
            assert!(!is_cortex_m(triple), "{triple}");
        }
    }
}
