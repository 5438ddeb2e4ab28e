//! Calls that a contract replaces: any values for what is assigned and for the result.
//!
//! Invariant: what such a call may write is held against the contracts of the functions around it, like any
//! write.

use std::collections::BTreeSet;

use kripke_elts::{
    AccessChecks, BinaryOp as Op, Callee, Expr, Function, FunctionId, LocationId, NondetSource, Position,
    PropertyId, StatementKind, Type as Scalar, VariableId,
};
use kripke_graph::reachable;
use kripke_model::PropertyKind;

use super::guards::same_object;
use super::rewriting::Rewriting;
use super::{Frame, Frames, Guard, MOST_AT_ONCE, Target, Translator, Write};
use crate::translate::expressions::{as_unsigned, binary, int, pointer_add, pointer_offset, select};

impl Translator<'_> {
    /// Any values for what the callee assigns, and for its result.
    pub(super) fn replace_call(
        &mut self,
        out: &mut Rewriting,
        made: &Frames,
        frame: &Frame,
        passed: &[Target],
        results: &[VariableId],
        position: Position,
    ) {
        out.position = position;
        let name = self.functions[frame.own].name.clone();
        if !frame.returns {
            let what = format!("a contract in the place of a call of `{name}`, which does not return");
            return out.emit(StatementKind::Unsupported { what });
        }
        self.check_cover(out, made, frame);
        out.position = position;
        let guard = made.guards.iter().find(|guard| guard.own == frame.own);
        let around = made
            .guards
            .iter()
            .filter(|guard| guard.reached.contains(&frame.wrapper));
        let around: Vec<&Guard> = around.collect();
        for target in &frame.targets {
            let write = Write {
                address: target.start.clone(),
                length: target.size.clone(),
                frees: false,
            };
            self.check_write(out, frame.own, made, &around, &write, target.position);
            out.position = target.position;
            let property = self.checks(PropertyKind::Pointer).then(|| {
                let text = format!("what the contract of `{name}` names (assigns) is no object");
                self.properties
                    .add(frame.own, PropertyKind::Pointer, target.position, text)
            });
            made.give_any_value(out, target, property, &name);
        }
        for target in passed {
            made.give_any_value(out, target, None, &name);
        }
        for id in guard.map_or(&[][..], |guard| &guard.private.changed) {
            let target = Target {
                start: Expr::GlobalAddress(*id),
                size: int(made.width, i128::from(self.globals[*id].size)),
                position,
            };
            made.give_any_value(out, &target, None, &name);
        }
        out.position = position;
        if guard.is_some_and(|guard| guard.sets_rounding) {
            set_any_rounding(out, &name);
        }
        for target in results {
            let source = NondetSource::Input(format!("result of {name}"));
            out.emit(StatementKind::Nondet {
                target: *target,
                source,
            });
        }
        self.assumptions
            .insert(format!("calls of `{name}` do what its contract says"));
    }
}

impl Frames {
    /// Gives a place any value; a null pointer names none.
    pub(super) fn give_any_value(
        &self,
        out: &mut Rewriting,
        target: &Target,
        property: Option<PropertyId>,
        name: &str,
    ) {
        let width = self.width;
        let is_null = same_object(&target.start, &Expr::Null);
        let source = NondetSource::Input(format!("assigned by {name}"));
        let checks = AccessChecks {
            pointer: property,
            uninitialised: None,
        };
        let constant = as_unsigned(&target.size).filter(|size| *size <= MOST_AT_ONCE);
        if let Some(size) = constant {
            let nowhere = Expr::GlobalAddress(self.nowhere);
            let start = select(is_null, nowhere, target.start.clone());
            let start = out.hold(Scalar::Pointer, start);
            let mut offset = 0;
            while offset < size {
                let bytes = [8, 4, 2, 1]
                    .into_iter()
                    .find(|bytes| offset + bytes <= size)
                    .unwrap_or(1);
                let address = pointer_offset(start.clone(), width, offset);
                store_any(out, address, bytes, &source, checks);
                offset += bytes;
            }
            return;
        }
        let size = select(is_null, int(width, 0), target.size.clone());
        let size = out.hold(Scalar::Int(width), size);
        let index = out.variable(Scalar::Int(width));
        out.emit(StatementKind::Assign {
            target: index,
            value: int(width, 0),
        });
        out.begin_loop(binary(Op::ULt, Expr::Variable(index), size));
        let address = pointer_add(target.start.clone(), Expr::Variable(index));
        store_any(out, address, 1, &source, checks);
        let value = binary(Op::Add, Expr::Variable(index), int(width, 1));
        out.emit(StatementKind::Assign { target: index, value });
        out.end_loop();
    }
}

/// The statements that are executed after a call only.
pub(super) struct Behind {
    locations: BTreeSet<LocationId>,
    /// How often the function is called, its clauses included.
    pub calls: usize,
    /// The transition of the call, and its place there.
    call: Option<(LocationId, usize, usize)>,
}

impl Behind {
    pub(super) fn call(function: &Function, own: FunctionId) -> Behind {
        let is_call = |kind: &StatementKind| match kind {
            StatementKind::Call { callee, .. } => *callee == Callee::Direct(own),
            _ => false,
        };
        let mut behind = Behind {
            locations: BTreeSet::new(),
            calls: 0,
            call: None,
        };
        let mut after = Vec::new();
        for (id, location) in function.locations.enumerate() {
            for (at, transition) in location.transitions.iter().enumerate() {
                let statements = &transition.statements;
                behind.calls += statements
                    .iter()
                    .filter(|statement| is_call(&statement.kind))
                    .count();
                if let Some(index) = statements.iter().position(|statement| is_call(&statement.kind)) {
                    behind.call = Some((id, at, index));
                    after.push(transition.target);
                }
            }
        }
        behind.locations = reachable(after, |location| {
            let transitions = function.locations[location].transitions.iter();
            transitions.map(|transition| transition.target)
        });
        behind
    }

    pub(super) fn contains(&self, (location, transition, index): (LocationId, usize, usize)) -> bool {
        let is_same =
            |call: &(LocationId, usize, usize)| (call.0, call.1) == (location, transition) && call.2 < index;
        self.locations.contains(&location) || self.call.as_ref().is_some_and(is_same)
    }
}

/// Any of the four rounding modes.
fn set_any_rounding(out: &mut Rewriting, name: &str) {
    let target = out.variable(Scalar::Int(32));
    let source = NondetSource::Input(format!("rounding mode that {name} leaves"));
    out.emit(StatementKind::Nondet { target, source });
    let mode = binary(Op::And, Expr::Variable(target), int(32, 3));
    out.emit(StatementKind::SetRounding { mode });
}

fn store_any(out: &mut Rewriting, address: Expr, bytes: u64, source: &NondetSource, checks: AccessChecks) {
    let ty = Scalar::Int(8 * bytes as u32);
    let target = out.variable(ty);
    let source = source.clone();
    out.emit(StatementKind::Nondet { target, source });
    out.store_checked(address, Expr::Variable(target), ty, checks);
}
