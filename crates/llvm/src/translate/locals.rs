//! Which `alloca`s become variables.
//!
//! Idea: a scalar `alloca` all of whose uses are loads and stores of exactly its type is a variable of the
//! function. Its C name, type and position come from its declaration in the debug information. A
//! parameter's `x.addr` is the parameter itself when that is its only purpose.
//!
//! Invariant: nothing else can reach a promoted variable: its address is never a value.

use kripke_elts::{Type as Scalar, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::debug_info::LocalVariable;
use crate::ir::{Function, InstructionKind, Value};

use super::layout::Types;
use super::operands::for_each_operand;
use super::scopes::{Marker, MarkerCasts, marker};

/// A promoted `alloca`.
#[derive(Clone, Debug)]
pub struct Local {
    /// The variable.
    pub variable: VariableId,
    /// Its type.
    pub ty: Scalar,
    /// Holds 1 once the variable was given a value; only where that is not certain.
    pub assigned: Option<VariableId>,
    /// The parameter whose value it starts with, when the variable is that parameter itself.
    pub parameter: Option<String>,
    /// The name that messages use.
    pub name: String,
    /// The hidden slot of the function's result.
    pub is_result_slot: bool,
}

/// What the analysis of a function's `alloca`s found.
#[derive(Debug, Default)]
pub struct Allocas<'m> {
    /// Scalar `alloca`s that become variables, in order of appearance.
    pub promoted: Vec<(&'m str, Scalar)>,
    /// For promoted parameter slots: the parameter (by its LLVM name).
    pub parameters: FxHashMap<&'m str, &'m str>,
    /// Declarations by the LLVM name of what they declare: metadata node.
    pub declarations: FxHashMap<&'m str, u32>,
}

impl<'m> Allocas<'m> {
    /// Analyses a function.
    pub fn new(function: &'m Function, types: &Types<'_>, casts: &MarkerCasts<'m>) -> Self {
        let mut found = Allocas::default();
        let mut candidates: FxHashMap<&str, Scalar> = FxHashMap::default();
        let entry = function.blocks.first();
        for instruction in entry.iter().flat_map(|block| &block.instructions) {
            if let (InstructionKind::Alloca { ty, count: None, .. }, Some(name)) =
                (&instruction.kind, &instruction.result)
                && let Some(scalar) = types.scalar(ty)
            {
                candidates.insert(name, scalar);
                found.promoted.push((name, scalar));
            }
        }
        let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            if let InstructionKind::DebugDeclare {
                address: Value::Local(name),
                variable,
                indirect: false,
            } = &instruction.kind
            {
                found.declarations.insert(name, *variable);
            }
            let allowed = match &instruction.kind {
                InstructionKind::Load { ty, pointer, .. } => slot(pointer, types.scalar(ty), &candidates),
                InstructionKind::Store {
                    ty, value, pointer, ..
                } if value != pointer => slot(pointer, types.scalar(ty), &candidates),
                InstructionKind::Cast {
                    value: Value::Local(slot),
                    ..
                } => {
                    let name = instruction.result.as_deref();
                    name.filter(|name| casts.contains_key(name)).map(|_| &**slot)
                }
                kind => match marker(kind, casts) {
                    Some(Marker::Begins(slot) | Marker::Ends(slot)) => Some(slot),
                    None => None,
                },
            };
            let mut seen_allowed = false;
            for_each_operand(&instruction.kind, |operand| {
                let Some(name) = local_name(operand) else { return };
                *uses.entry(name).or_default() += 1;
                if Some(name) == allowed && !seen_allowed {
                    seen_allowed = true;
                } else {
                    candidates.remove(name);
                }
            });
        }
        found.promoted.retain(|(name, _)| candidates.contains_key(name));
        found.match_parameters(function, types, &uses);
        found
    }

    fn match_parameters(&mut self, function: &'m Function, types: &Types<'_>, uses: &FxHashMap<&str, usize>) {
        let promoted: FxHashMap<&str, Scalar> = self.promoted.iter().copied().collect();
        let parameters: FxHashMap<&str, Option<Scalar>> = function
            .parameters
            .iter()
            .filter(|parameter| parameter.byval.is_none())
            .map(|parameter| (&*parameter.name, types.scalar(&parameter.ty)))
            .collect();
        let mut taken = FxHashSet::default();
        let mut stored_before = FxHashSet::default();
        let entry = function.blocks.first();
        for instruction in entry.iter().flat_map(|block| &block.instructions) {
            let InstructionKind::Store {
                value,
                pointer: Value::Local(slot),
                ..
            } = &instruction.kind
            else {
                continue;
            };
            let first_store = stored_before.insert(&**slot);
            let Some(name) = local_name(value) else { continue };
            if let (Some(scalar), Some(Some(parameter))) = (promoted.get(&**slot), parameters.get(name))
                && first_store
                && scalar == parameter
                && uses.get(name) == Some(&1)
                && self.declarations.contains_key(&**slot)
                && taken.insert(name)
            {
                self.parameters.insert(slot, name);
            }
        }
    }
}

fn local_name(value: &Value) -> Option<&str> {
    match value {
        Value::Local(name) => Some(name),
        _ => None,
    }
}

fn slot<'m>(pointer: &'m Value, ty: Option<Scalar>, candidates: &FxHashMap<&str, Scalar>) -> Option<&'m str> {
    let name = local_name(pointer)?;
    (candidates.get(name).copied() == ty && ty.is_some()).then_some(name)
}

/// True when the slot of this declaration becomes indeterminate each time the declaration is reached:
/// that of a local, not of a parameter (declared after its value was stored).
pub fn is_reset_by_declaration(declaration: &LocalVariable) -> bool {
    declaration.argument.is_none() && !declaration.artificial
}
