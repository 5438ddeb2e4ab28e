//! Registers that conditions of handlers read.
//!
//! Idea: reading a register gives any value, so a condition over one would say nothing. The registers that
//! the conditions name become memory: they begin with 0, and keep what the program writes. That is an
//! assumption, which is listed; whoever names a register that the device changes assumes too much.
//!
//! Invariant: what is written by an address that is computed, or by a copy, and may meet such a register
//! leaves any value there.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use kripke_elts::interrupts::FLAGS;
use kripke_elts::{
    BinaryOp, CastOp, Expr, FunctionId, Global, GlobalId, InitialRest, Position, Program, Statement,
    StatementKind, Type, Variable,
};

use crate::contents::Targets;
use crate::control::constant_address;
use crate::effects::Effects;
use crate::terms::{and, assign, binary, choose, int, load, select, store, temporary};

/// Where a Cortex-M has the registers that say themselves which interrupts come.
const OWN_OF_CORTEX_M: Range<u64> = 0xE000_E000..0xE000_F000;
/// The same of an AVR: its status register, at one of two addresses.
const OWN_OF_AVR: [u64; 2] = [0x3F, 0x5F];
/// So many bytes are one register, or neighbours that are accessed together.
const WIDEST: u64 = 16;

/// Makes memory of the registers that some functions read. Returns what they are called.
pub fn keep_registers(program: &mut Program, conditions: &[FunctionId]) -> Result<Vec<String>, String> {
    let effects = Effects::new(program);
    let closure = effects.closure(conditions);
    let regions = regions(program, &closure)?;
    let objects = objects(&effects, &closure);
    let unclear = unclear_writes(&effects, !regions.is_empty());
    let mut names: Vec<String> = regions
        .iter()
        .map(|region| format!("{:#x}", region.start))
        .collect();
    for object in objects {
        let global = &mut program.globals[object];
        let name = global.c_name.as_ref().unwrap_or(&global.name);
        if global.constant {
            return Err(format!("`{name}` is const, so only the device changes it"));
        }
        names.push(format!("`{name}`"));
        global.rest = InitialRest::Zero;
    }
    let kept: Vec<(Range<u64>, GlobalId)> = { regions.into_iter() }
        .map(|region| (region.clone(), add_memory(program, &region)))
        .collect();
    if !kept.is_empty() {
        redirect(program, &kept);
        for (function, places) in unclear {
            forget(program, function, &places, &kept);
        }
    }
    Ok(names)
}

/// The bytes that a statement reads or writes at a constant address.
fn fixed_bytes(program: &Program, function: FunctionId, kind: &StatementKind) -> Option<Range<u64>> {
    let (address, ty) = match kind {
        StatementKind::Load { target, address, .. } => {
            (address, program.functions[function].variables[*target].ty)
        }
        StatementKind::Store { address, ty, .. } => (address, *ty),
        _ => return None,
    };
    let at = constant_address(address)?;
    Some(at..at.checked_add(ty.bytes(&program.data_model))?)
}

/// The registers at constant addresses, with what is accessed together with them.
fn regions(program: &Program, closure: &BTreeSet<FunctionId>) -> Result<Vec<Range<u64>>, String> {
    let mut wanted = Vec::new();
    let mut all = Vec::new();
    for (id, function) in program.functions.enumerate() {
        for statement in function.statements() {
            if let Some(bytes) = fixed_bytes(program, id, &statement.kind) {
                if closure.contains(&id) {
                    wanted.push(bytes.clone());
                }
                all.push(bytes);
            }
        }
    }
    let mut regions: Vec<Range<u64>> = Vec::new();
    for mut region in wanted {
        // What meets it may meet more in turn.
        loop {
            let meets = |bytes: &&Range<u64>| bytes.start < region.end && region.start < bytes.end;
            let met = all.iter().chain(&regions).filter(meets);
            let (start, end) = met.fold((region.start, region.end), |(start, end), bytes| {
                (start.min(bytes.start), end.max(bytes.end))
            });
            if (start, end) == (region.start, region.end) {
                break;
            }
            region = start..end;
        }
        regions.retain(|other| other.end <= region.start || region.end <= other.start);
        regions.push(region);
    }
    let is_avr = program.data_model.triple.starts_with("avr");
    for region in &regions {
        let is_own = match is_avr {
            true => OWN_OF_AVR.iter().any(|own| region.contains(own)),
            false => region.start < OWN_OF_CORTEX_M.end && OWN_OF_CORTEX_M.start < region.end,
        };
        if is_own {
            return Err(format!(
                "the register at {:#x} is one by which the processor enables interrupts: that is followed \
                 anyway",
                region.start
            ));
        }
        if region.end - region.start > WIDEST {
            return Err(format!(
                "the register at {:#x} is accessed as part of {} bytes",
                region.start,
                region.end - region.start
            ));
        }
    }
    Ok(regions)
}

/// The registers that are declared as objects.
fn objects(effects: &Effects<'_>, closure: &BTreeSet<FunctionId>) -> BTreeSet<GlobalId> {
    let mut found = BTreeSet::new();
    for id in closure {
        for statement in effects.program.functions[*id].statements() {
            let StatementKind::Load { address, .. } = &statement.kind else {
                continue;
            };
            let objects = effects.points_to.of(*id, address);
            let globals = objects
                .objects()
                .filter_map(|object| effects.points_to.as_global(object));
            found.extend(
                globals.filter(|global| effects.program.globals[*global].rest == InitialRest::Registers),
            );
        }
    }
    found
}

/// The statements of a function that may write to a register by an address that is no constant: by
/// location, transition and number.
type Places = BTreeSet<(usize, usize, usize)>;

fn unclear_writes(effects: &Effects<'_>, is_wanted: bool) -> BTreeMap<FunctionId, Places> {
    let mut found: BTreeMap<FunctionId, Places> = BTreeMap::new();
    if !is_wanted {
        return found;
    }
    for (id, function) in effects.program.functions.enumerate() {
        for (at, location) in function.locations.iter().enumerate() {
            for (way, transition) in location.transitions.iter().enumerate() {
                for (number, statement) in transition.statements.iter().enumerate() {
                    if is_unclear(effects, id, &statement.kind) {
                        found.entry(id).or_default().insert((at, way, number));
                    }
                }
            }
        }
    }
    found
}

fn is_unclear(effects: &Effects<'_>, id: FunctionId, kind: &StatementKind) -> bool {
    let target = match kind {
        StatementKind::Store { address, .. } if constant_address(address).is_some() => return false,
        StatementKind::Store { address, .. } => address,
        StatementKind::CopyMemory { target, .. } | StatementKind::SetMemory { target, .. } => target,
        _ => return false,
    };
    let objects = effects.points_to.of(id, target);
    objects.is_any() || objects.contains(Targets::FIXED)
}

fn add_memory(program: &mut Program, region: &Range<u64>) -> GlobalId {
    program.globals.push(Global {
        name: format!("register at {:#x}", region.start),
        c_name: None,
        size: region.end - region.start,
        align: 8,
        cells: Vec::new(),
        rest: InitialRest::Zero,
        constant: false,
        thread_local: false,
        c_type: None,
        position: Position::default(),
    })
}

/// Accesses at constant addresses are ones to the memory.
fn redirect(program: &mut Program, kept: &[(Range<u64>, GlobalId)]) {
    let width = program.data_model.pointer_width;
    let ids: Vec<FunctionId> = program.functions.ids().collect();
    for id in ids {
        let mut changes = Vec::new();
        for statement in program.functions[id].statements() {
            let bytes = fixed_bytes(program, id, &statement.kind);
            let own = bytes.and_then(|bytes| {
                let (region, global) = kept.iter().find(|(region, _)| region.contains(&bytes.start))?;
                Some(Expr::PointerAdd(
                    Box::new(Expr::GlobalAddress(*global)),
                    Box::new(int(width, u128::from(bytes.start - region.start))),
                ))
            });
            changes.push(own);
        }
        let mut changes = changes.into_iter();
        each_statement(program, id, |statement| {
            if let (
                Some(Some(own)),
                StatementKind::Load { address, .. } | StatementKind::Store { address, .. },
            ) = (changes.next(), &mut statement.kind)
            {
                *address = own;
            }
        });
    }
}

fn each_statement(program: &mut Program, id: FunctionId, mut change: impl FnMut(&mut Statement)) {
    for location in program.functions[id].locations.iter_mut() {
        for transition in &mut location.transitions {
            transition.statements.iter_mut().for_each(&mut change);
        }
    }
}

/// Behind some statements the memory has any value if they met it.
fn forget(program: &mut Program, id: FunctionId, places: &Places, kept: &[(Range<u64>, GlobalId)]) {
    let width = program.data_model.pointer_width;
    let model = program.data_model.clone();
    let function = &mut program.functions[id];
    let variables = &mut function.variables;
    let mut variable = |ty: Type| {
        let name = format!("{FLAGS}.register.{}", variables.len());
        let made: Variable = temporary(name, ty);
        variables.push(made)
    };
    for (at, location) in function.locations.iter_mut().enumerate() {
        for (way, transition) in location.transitions.iter_mut().enumerate() {
            let statements = std::mem::take(&mut transition.statements);
            for (number, statement) in statements.into_iter().enumerate() {
                let position = statement.position;
                let mut behind = Vec::new();
                let written = match &statement.kind {
                    StatementKind::Store { address, ty, .. } => {
                        Some((address.clone(), int(width, u128::from(ty.bytes(&model)))))
                    }
                    StatementKind::CopyMemory { target, length, .. }
                    | StatementKind::SetMemory { target, length, .. } => {
                        Some((target.clone(), length.clone()))
                    }
                    _ => None,
                };
                if let Some((target, length)) = written.filter(|_| places.contains(&(at, way, number))) {
                    // Its address may be a variable that it sets: it is kept.
                    let first = variable(Type::Int(width));
                    let first_value = Expr::Cast(CastOp::PointerToInt, Box::new(target), Type::Int(width));
                    behind.push(assign(first, first_value));
                    for (region, global) in kept {
                        let ty = Type::Int(8 * (region.end - region.start) as u32);
                        let (old, any) = (variable(ty), variable(ty));
                        let is_met = and(
                            binary(
                                BinaryOp::ULt,
                                Expr::Variable(first),
                                int(width, u128::from(region.end)),
                            ),
                            binary(
                                BinaryOp::ULt,
                                int(width, u128::from(region.start)),
                                binary(BinaryOp::Add, Expr::Variable(first), length.clone()),
                            ),
                        );
                        let new = select(is_met, Expr::Variable(any), Expr::Variable(old));
                        behind.extend([load(old, *global), choose(any), store(*global, new, ty)]);
                    }
                }
                transition.statements.push(statement);
                let behind = behind.into_iter().map(|kind| Statement { kind, position });
                transition.statements.extend(behind);
            }
        }
    }
}
