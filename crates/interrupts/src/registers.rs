//! The registers by which a Cortex-M is told of interrupts.
//!
//! Idea: a program may write there what it else lets functions do. The bits by which interrupts are enabled
//! are followed; what is not is said with the verdict.
//!
//! Source: Arm v7-M architecture reference manual, B3.2.2 (VTOR, SHPR) and B3.4.3 (NVIC_ISER, NVIC_IPR).

use std::ops::Range;

use kripke_elts::{BinaryOp, CastOp, Expr, Program, StatementKind, Type};

use crate::control::{constant_address, constant_part};
use crate::terms::{and, binary, int, not, or, truth};

/// What enables by number, 32 at a word.
const ENABLING: Range<u64> = 0xE000_E100..0xE000_E140;
/// The priorities of the numbers.
const PRIORITIES: Range<u64> = 0xE000_E400..0xE000_E800;
/// Those of the exceptions.
const SYSTEM_PRIORITIES: Range<u64> = 0xE000_ED18..0xE000_ED24;
/// The address of the table of vectors.
const TABLE: u64 = 0xE000_ED08;

/// Does a store by this address, of so many bytes, enable what has the number? `None`: certainly not.
/// `elsewhere`: it is known to write to an object.
pub fn enables(
    number: i64,
    (address, value, ty): (&Expr, &Expr, Type),
    bytes: u64,
    width: u32,
    elsewhere: bool,
) -> Option<Expr> {
    let known = constant_address(address);
    let is_out = match known {
        Some(at) => at >= ENABLING.end || at.saturating_add(bytes) <= ENABLING.start,
        None => elsewhere || width < 32,
    };
    let number = u64::try_from(number).ok()?;
    if is_out {
        return None;
    }
    let at = match known {
        Some(at) => int(width, u128::from(at)),
        None => Expr::Cast(CastOp::PointerToInt, Box::new(address.clone()), Type::Int(width)),
    };
    // A whole word sets what its bits say; anything else may set all.
    let word = ENABLING.start + number / 32 * 4;
    let bit = (number % 32) as u32;
    let meets = meets(&at, int(width, u128::from(bytes)), width);
    Some(match ty {
        Type::Int(32) => {
            let is_word = |at: &Expr| {
                let low = Expr::Extract {
                    high: 1,
                    low: 0,
                    value: Box::new(at.clone()),
                };
                binary(BinaryOp::Eq, low, int(2, 0))
            };
            let set = Expr::Extract {
                high: bit,
                low: bit,
                value: Box::new(value.clone()),
            };
            let here = binary(BinaryOp::Eq, at.clone(), int(width, u128::from(word)));
            match known {
                Some(known) if known % 4 == 0 => and(truth(known == word), set),
                Some(_) => truth(true),
                None => or(and(here, set), and(meets, not(is_word(&at)))),
            }
        }
        _ if known.is_some() => truth(true),
        _ => meets,
    })
}

/// Does a copy or a fill meet the registers that enable?
pub fn meets_enabling(target: &Expr, length: &Expr, width: u32) -> Option<Expr> {
    if width < 32 {
        return None;
    }
    let at = Expr::Cast(CastOp::PointerToInt, Box::new(target.clone()), Type::Int(width));
    Some(meets(&at, length.clone(), width))
}

/// Do so many bytes from an address on meet the registers that enable? None that exist lie at the end of
/// the addresses.
fn meets(at: &Expr, length: Expr, width: u32) -> Expr {
    let first = int(width, u128::from(ENABLING.start));
    let behind = int(width, u128::from(ENABLING.end));
    let end = binary(BinaryOp::Add, at.clone(), length);
    and(
        binary(BinaryOp::ULt, at.clone(), behind),
        binary(BinaryOp::ULt, first, end),
    )
}

/// The address of the priority of a number, or of an exception, which is below zero.
fn priority_address(number: i64) -> Option<u64> {
    let (registers, place) = match number {
        0.. => (PRIORITIES, number),
        _ => (SYSTEM_PRIORITIES, number + 12),
    };
    let at = registers.start + u64::try_from(place).ok()?;
    registers.contains(&at).then_some(at)
}

/// When does a store change the priority of a number, and to which byte? No byte: it is not known to which.
pub fn writes_priority(
    number: i64,
    (address, value, ty): (&Expr, &Expr, Type),
    bytes: u64,
    width: u32,
    elsewhere: bool,
) -> Vec<(Expr, Option<Expr>)> {
    let Some(own) = priority_address(number) else {
        return Vec::new();
    };
    let byte = |index: u64| match (ty, u32::try_from(index)) {
        (Type::Int(width), Ok(index)) if u64::from(width) == bytes * 8 => Some(Expr::Extract {
            high: 8 * index + 7,
            low: 8 * index,
            value: Box::new(value.clone()),
        }),
        _ => None,
    };
    match constant_address(address) {
        Some(at) if (at..at.saturating_add(bytes)).contains(&own) => vec![(truth(true), byte(own - at))],
        Some(_) => Vec::new(),
        None if elsewhere || width < 32 => Vec::new(),
        None => {
            let at = Expr::Cast(CastOp::PointerToInt, Box::new(address.clone()), Type::Int(width));
            let is_at = |index: u64| binary(BinaryOp::Eq, at.clone(), int(width, u128::from(own - index)));
            (0..bytes).map(|index| (is_at(index), byte(index))).collect()
        }
    }
}

/// Does a copy or a fill meet the priority of a number?
pub fn meets_priority(number: i64, target: &Expr, length: &Expr, width: u32) -> Option<Expr> {
    let own = priority_address(number).filter(|_| width >= 32)?;
    let at = Expr::Cast(CastOp::PointerToInt, Box::new(target.clone()), Type::Int(width));
    let inside = binary(BinaryOp::Sub, int(width, u128::from(own)), at);
    Some(binary(BinaryOp::ULt, inside, length.clone()))
}

/// What sets priorities, if anything does: functions, as a user writes them, or the registers.
pub fn sets_priorities(program: &Program) -> Option<String> {
    let own = program.functions.iter().map(|function| function.name.as_str());
    let external = program.external_functions.iter().map(String::as_str);
    let is_meant = |name: &&str| name.to_ascii_lowercase().contains("nvic_setpriority");
    let mut names: Vec<&str> = own.chain(external).filter(is_meant).collect();
    names.sort_unstable();
    let stores = || {
        writes_to(program, |at| {
            PRIORITIES.contains(&at) || SYSTEM_PRIORITIES.contains(&at)
        })
    };
    let plain = names
        .iter()
        .find(|name| **name == "NVIC_SetPriority")
        .or(names.first());
    match plain {
        Some(name) => Some(format!("`{name}`")),
        None => stores().then(|| "the program".to_owned()),
    }
}

/// Does the program say where the table of vectors is?
pub fn sets_table(program: &Program) -> bool {
    writes_to(program, |at| at == TABLE)
}

/// Does some store write to such an address, or on from one?
fn writes_to(program: &Program, is_meant: impl Fn(u64) -> bool) -> bool {
    let mut statements = program
        .functions
        .iter()
        .flat_map(|function| function.statements());
    statements.any(|statement| match &statement.kind {
        StatementKind::Store { address, .. } => constant_part(address).is_some_and(&is_meant),
        _ => false,
    })
}
