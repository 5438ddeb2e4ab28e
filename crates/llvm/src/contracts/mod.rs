//! Loop invariants that a user writes, in the spellings of CBMC, ESBMC and SV-COMP.
//!
//! Idea: an invariant is an assertion where the loop's head is passed, before the loop's condition is
//! evaluated: the first time, after each iteration, and when the loop ends. Induction assumes it in the
//! iteration before, as it does with every assertion, so what is *checked* here is thereby *used*. A header
//! (`contracts.h`) makes the spellings calls that mark where an expression begins and where its value
//! is known. Those instructions stand where the user wrote the invariant (between the loop's head and its
//! body, first in the body, or before the loop); they are moved to the head, before anything is translated,
//! so that all analyses see them where they are evaluated.
//!
//! Invariant: an expression is moved only where it has no effect, all its values are known at the head, and
//! control leaves it only at its end. Otherwise the program is refused, with the place. An invariant that
//! stands elsewhere in a loop's body stays there: an assertion, which nothing has to trust.
//!
//! Alternative rejected: rewriting the source text. Columns in messages would move, and clauses that stand
//! behind macros of the user's would not be found.
//!
//! Source: CBMC's user documentation, "Loop Invariant Clauses"; ESBMC's documentation, "Loop Invariants".

mod effects;
mod flow;
pub(crate) mod functions;
mod places;
mod region;
mod scope;
mod spelling;
mod tokens;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::debug_info::{DebugInfo, SourceTables};
use crate::error::Error;
use crate::ir::{
    Argument, Constant, ConstantExpression, Function, Instruction, InstructionKind, Linkage, Module,
    OpenCall, Type, Value,
};
use crate::link;
use crate::loader::shortened;

use self::flow::Flow;
use self::places::{Place, Places};
use self::region::Region;

/// The header that defines the spellings.
pub(crate) const HEADER: &str = include_str!("contracts.h");

/// The macro with which `__CPROVER_assigns` is a clause of loops, not of functions.
pub(crate) const ASSIGNS_OF_LOOPS: &str = "KRIPKE_ASSIGNS_OF_LOOPS";

/// Does clang refuse a source because the clause, which is an attribute of functions, stands in a loop?
pub(crate) fn has_assigns_of_loops(messages: &[u8]) -> bool {
    String::from_utf8_lossy(messages).contains("'annotate' attribute cannot be applied to a statement")
}

/// The functions whose call begins an invariant; the first is CBMC's clause, the others are statements.
const MARKERS: [&str; 3] = [
    "__CPROVER_loop_invariant",
    "__ESBMC_loop_invariant",
    "__VERIFIER_loop_invariant",
];
/// The function that takes an invariant's value; the translation asserts it.
pub(crate) const CHECK: &str = "__kripke_loop_invariant";

/// An invariant, by the name of the value that its first marker leaves.
struct Marker {
    name: Arc<str>,
    debug: Option<u32>,
    spelling: &'static str,
}

/// Why an invariant cannot be checked, for the user.
type Refusal = String;

/// Puts all invariants of a module where they are checked.
pub(crate) fn place_loop_invariants(module: &mut Module) -> Result<(), Error> {
    let is_known = |function: &Function| MARKERS.contains(&&*function.name);
    if !module.functions.iter().any(is_known) {
        return Ok(());
    }
    let mut found = false;
    for index in 0..module.functions.len() {
        let markers = markers(&module.functions[index]);
        if markers.is_empty() {
            continue;
        }
        found = true;
        // The function is taken out, so that what it calls can be looked at meanwhile.
        let blocks = std::mem::take(&mut module.functions[index].blocks);
        let mut function = Function {
            blocks,
            ..module.functions[index].clone()
        };
        let placed = place_in(module, &mut function, &markers);
        let placed = placed.map_err(|(marker, why)| refusal(module, marker, &why))?;
        if placed.may_run_on {
            module.unbounded_conditions.insert(function.name.clone());
        }
        module.open_calls.extend(placed.open_calls);
        module.functions[index] = function;
    }
    if found {
        module.functions.push(check_function());
    }
    Ok(())
}

/// The invariants of a function, in the order of its blocks.
fn markers(function: &Function) -> Vec<Marker> {
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    let marker = |instruction: &Instruction| {
        let callee = callee(&instruction.kind)?;
        let spelling = MARKERS.into_iter().find(|spelling| *spelling == callee)?;
        Some(Marker {
            name: instruction.result.clone()?,
            debug: instruction.debug,
            spelling,
        })
    };
    instructions.filter_map(marker).collect()
}

/// Refuses conditions that call what another module defines: only there it could be seen what that does.
pub(crate) fn check_open_calls(modules: &[Module]) -> Result<(), Error> {
    let own = || modules.iter().filter(|module| !module.is_library_model);
    for (module, call) in own().flat_map(|module| module.open_calls.iter().map(move |call| (module, call))) {
        let is_other = |other: &&Module| match std::ptr::eq(*other, module) {
            true => link::is_alias(other, &call.name),
            false => link::defines(other, &call.name),
        };
        let Some(other) = own().find(is_other) else {
            continue;
        };
        let (file, line, column) = call.place.clone();
        return Err(Error::Contract {
            file: shortened(&file),
            line,
            column,
            message: format!(
                "{} calls `{}`, which {} defines: it must stand in the same file, and be no alias",
                call.condition, call.name, other.source_filename
            ),
        });
    }
    Ok(())
}

/// What is known of the invariants of a function.
#[derive(Default)]
struct Placed {
    /// Do they have loops or recursion in them?
    may_run_on: bool,
    open_calls: Vec<OpenCall>,
}

/// Moves the invariants of one function; where that cannot be done: of which, and why.
fn place_in<'m>(
    module: &Module,
    function: &mut Function,
    markers: &'m [Marker],
) -> Result<Placed, (&'m Marker, Refusal)> {
    let flow = Flow::new(function);
    let mut regions = Vec::new();
    let mut placed = Placed::default();
    for marker in markers {
        let region = Region::find(function, &flow, &marker.name).map_err(|why| (marker, why))?;
        effects::check(module, function, &region).map_err(|why| (marker, why))?;
        let inside = region.instructions(function).into_iter().collect();
        placed.may_run_on |= effects::may_run_on(module, function, &inside, &region.inner);
        let open_calls = effects::open_calls(module, function, &inside);
        placed
            .open_calls
            .extend(open_calls.into_iter().map(|(_, name)| OpenCall {
                name: name.into(),
                place: marker.place(module),
                condition: format!("this `{}`", marker.spelling),
            }));
        regions.push(region);
    }
    let places = Places::new(module, function, &flow, &regions);
    let mut decided = Vec::new();
    for (marker, region) in markers.iter().zip(&regions) {
        let is_clause = marker.spelling == MARKERS[0];
        let place = places.of(region, is_clause).map_err(|why| (marker, why))?;
        decided.push(place);
    }
    // Behind which instruction of which block the next invariant of a head comes.
    let mut behind: FxHashMap<Arc<str>, (Arc<str>, usize)> = FxHashMap::default();
    for (marker, place) in markers.iter().zip(decided) {
        let flow = Flow::new(function);
        let region = Region::find(function, &flow, &marker.name).map_err(|why| (marker, why))?;
        match place {
            Place::Head(head) => {
                let at = behind.get(&head).cloned().unwrap_or((head.clone(), 0));
                let end = region
                    .move_to(function, &flow, &at)
                    .map_err(|why| (marker, why))?;
                behind.insert(head, end);
            }
            Place::Here => region.stay(function),
        }
    }
    Ok(placed)
}

impl Marker {
    /// File, line and column.
    fn place(&self, module: &Module) -> (String, u32, u32) {
        let mut tables = SourceTables::for_module(module);
        DebugInfo::new(module).place(self.debug, &mut tables)
    }
}

fn refusal(module: &Module, marker: &Marker, why: &str) -> Error {
    let (file, line, column) = marker.place(module);
    Error::Contract {
        file: shortened(&file),
        line,
        column,
        message: format!("this `{}` {why}", marker.spelling),
    }
}

/// The name of the function that an instruction calls.
fn callee(kind: &InstructionKind) -> Option<&str> {
    let InstructionKind::Call(call) = kind else {
        return None;
    };
    let Value::Constant(callee) = &call.callee else {
        return None;
    };
    match callee {
        Constant::Global(name) => Some(name),
        // For some targets clang casts functions without a prototype.
        Constant::Expression(expression) => match &**expression {
            ConstantExpression::Cast {
                value: Constant::Global(name),
                ..
            } => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Does the instruction call `CHECK` or what stands for it?
fn takes_value<'i>(kind: &'i InstructionKind, name: &str) -> Option<&'i [Argument]> {
    match kind {
        InstructionKind::Call(call) if matches!(&call.callee, Value::Local(callee) if **callee == *name) => {
            Some(&call.arguments)
        }
        _ => None,
    }
}

fn check_function() -> Function {
    Function {
        name: CHECK.into(),
        linkage: Linkage::External,
        result: Type::Void,
        parameters: Vec::new(),
        variadic: true,
        blocks: Vec::new(),
        debug: None,
        attributes: Vec::new(),
        section: None,
        line: 0,
    }
}
