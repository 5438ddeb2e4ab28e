//! What is asserted of writes, and the memory that says what they may write.
//!
//! Invariant: the memory has outside of a call what it had before it, also where calls are nested.

use kripke_elts::{
    BinaryOp as Op, Expr, FunctionId, GlobalId, Position, Statement, StatementKind, Type as Scalar,
    VariableId,
};
use kripke_model::PropertyKind;

use super::rewriting::Rewriting;
use super::{Frame, Frames, Guard, MOST_FRESH, Target, Translator, Write};
use crate::translate::expressions::{all, any, binary, int, not, pointer_add, pointer_offset, select};

impl Translator<'_> {
    /// Asserts that a write goes where all functions that are executed allow it.
    pub(super) fn check_write(
        &mut self,
        out: &mut Rewriting,
        id: FunctionId,
        made: &Frames,
        guards: &[&Guard],
        write: &Write,
        position: Position,
    ) {
        if guards.is_empty() {
            return;
        }
        out.position = position;
        let names: Vec<String> = guards
            .iter()
            .map(|guard| format!("`{}`", self.functions[guard.own].name))
            .collect();
        let what = if write.frees {
            "an object is freed"
        } else {
            "a write"
        };
        let text = format!(
            "{what} that the contract of {} does not name (assigns)",
            names.join(" or ")
        );
        if !self.checks(PropertyKind::Assigns) {
            return;
        }
        let property = self.properties.add(id, PropertyKind::Assigns, position, text);
        let relevant = guards.iter().filter(|guard| !guard.private.has(&write.address));
        let conditions = relevant.map(|guard| made.allows(out, guard, write));
        let condition = all(conditions.collect());
        out.emit(StatementKind::Assert { condition, property });
    }

    /// The call of the function itself: what it may write is noted before, and forgotten behind it.
    pub(super) fn guard_call(
        &mut self,
        out: &mut Rewriting,
        made: &Frames,
        frame: &Frame,
        passed: &[Target],
        call: Statement,
    ) {
        let Some(guard) = made.guards.iter().find(|guard| guard.own == frame.own) else {
            return out.push(call);
        };
        out.position = call.position;
        let pointer = Scalar::Int(made.width);
        let before = out.load(Expr::GlobalAddress(guard.active), Scalar::Int(8));
        let is_recursive = binary(Op::Ne, before.clone(), int(8, 0));
        let mut kept = vec![(guard.active, before, Scalar::Int(8))];
        let targets = frame.targets.iter().chain(passed);
        if made.recursive.contains(&frame.own) {
            self.check_inclusion(out, made, guard, frame, &is_recursive);
        }
        let new_base = self.begin_list(out, made, guard, &mut kept);
        for (place, target) in guard.places.iter().zip(targets) {
            kept.push((
                place.0,
                out.load(Expr::GlobalAddress(place.0), Scalar::Pointer),
                Scalar::Pointer,
            ));
            kept.push((place.1, out.load(Expr::GlobalAddress(place.1), pointer), pointer));
            out.store(
                Expr::GlobalAddress(place.0),
                target.start.clone(),
                Scalar::Pointer,
            );
            out.store(Expr::GlobalAddress(place.1), target.size.clone(), pointer);
        }
        out.store(Expr::GlobalAddress(guard.base), new_base, pointer);
        out.store(Expr::GlobalAddress(guard.active), int(8, 1), Scalar::Int(8));
        out.push(call);
        for (memory, value, ty) in kept {
            out.store(Expr::GlobalAddress(memory), value, ty);
        }
    }

    /// The list begins anew where nothing is executed that it is for.
    pub(super) fn begin_list(
        &mut self,
        out: &mut Rewriting,
        made: &Frames,
        guard: &Guard,
        kept: &mut Vec<(GlobalId, Expr, Scalar)>,
    ) -> Expr {
        let pointer = Scalar::Int(made.width);
        let active = made.guards.iter().map(|guard| is_active(out, guard));
        let is_any_active = any(active.collect());
        let count = out.load(Expr::GlobalAddress(made.count), pointer);
        let count = select(is_any_active, count, int(made.width, 0));
        let count = out.hold(pointer, count);
        out.store(Expr::GlobalAddress(made.count), count.clone(), pointer);
        kept.push((
            guard.base,
            out.load(Expr::GlobalAddress(guard.base), pointer),
            pointer,
        ));
        count
    }

    /// A recursive call names nothing that the call around it may not write.
    pub(super) fn check_inclusion(
        &mut self,
        out: &mut Rewriting,
        made: &Frames,
        guard: &Guard,
        frame: &Frame,
        is_recursive: &Expr,
    ) {
        if !self.checks(PropertyKind::Assigns) {
            return;
        }
        let text = "a recursive call assigns what the call around it may not".to_owned();
        for target in &frame.targets {
            let kind = PropertyKind::Assigns;
            let property = self
                .properties
                .add(frame.own, kind, target.position, text.clone());
            let write = Write {
                address: target.start.clone(),
                length: target.size.clone(),
                frees: false,
            };
            let condition = any(vec![not(is_recursive.clone()), made.allows(out, guard, &write)]);
            out.emit(StatementKind::Assert { condition, property });
        }
    }
}

impl Frames {
    /// Is a write allowed as far as a function is concerned?
    pub(super) fn allows(&self, out: &mut Rewriting, guard: &Guard, write: &Write) -> Expr {
        let width = self.width;
        let address = out.hold(Scalar::Pointer, write.address.clone());
        let offset = Expr::PointerOffset(Box::new(address.clone()));
        let offset = out.hold(Scalar::Int(width), offset);
        let mut ways = vec![not(is_active(out, guard))];
        if write.frees {
            ways.push(same_object(&address, &Expr::Null));
        } else {
            // A write to no object is reported as such.
            let size = Expr::ObjectSize(Box::new(address.clone()));
            ways.push(binary(Op::Eq, size, int(width, 0)));
            ways.push(binary(Op::Eq, write.length.clone(), int(width, 0)));
            for (start, size) in &guard.places {
                let start = out.load(Expr::GlobalAddress(*start), Scalar::Pointer);
                let size = out.load(Expr::GlobalAddress(*size), Scalar::Int(width));
                let begin = Expr::PointerOffset(Box::new(start.clone()));
                let distance = binary(Op::Sub, offset.clone(), begin.clone());
                let room = binary(Op::Sub, size.clone(), write.length.clone());
                ways.push(all(vec![
                    same_object(&address, &start),
                    binary(Op::ULe, begin, offset.clone()),
                    binary(Op::ULe, write.length.clone(), size),
                    binary(Op::ULe, distance, room),
                ]));
            }
            for variable in &guard.private.shared {
                ways.push(same_object(&address, &Expr::GlobalAddress(*variable)));
            }
            for memory in &guard.locals {
                let object = out.load(Expr::GlobalAddress(*memory), Scalar::Pointer);
                ways.push(same_object(&address, &object));
            }
        }
        ways.extend(self.is_fresh(out, guard, &address));
        any(ways)
    }

    /// Is it an object of the list that came to it since the function was called?
    pub(super) fn is_fresh(&self, out: &mut Rewriting, guard: &Guard, address: &Expr) -> Vec<Expr> {
        if !guard.lists {
            return Vec::new();
        }
        let width = self.width;
        let base = out.load(Expr::GlobalAddress(guard.base), Scalar::Int(width));
        let count = out.load(Expr::GlobalAddress(self.count), Scalar::Int(width));
        let one = |index: u64| {
            let at = int(width, i128::from(index));
            let slot = pointer_offset(
                Expr::GlobalAddress(self.list),
                width,
                index * u64::from(width / 8),
            );
            let object = out.load(slot, Scalar::Pointer);
            all(vec![
                binary(Op::ULe, base.clone(), at.clone()),
                binary(Op::ULt, at, count.clone()),
                same_object(address, &object),
            ])
        };
        (0..MOST_FRESH).map(one).collect()
    }
}

/// Adds an object to the list, where one of the functions is executed that it is for.
pub(super) fn note_fresh(out: &mut Rewriting, made: &Frames, guards: &[&Guard], target: VariableId) {
    let width = made.width;
    let ty = Scalar::Int(width);
    let active: Vec<Expr> = guards.iter().map(|guard| is_active(out, guard)).collect();
    let is_active = out.hold(Scalar::BOOL, any(active));
    let count = out.load(Expr::GlobalAddress(made.count), ty);
    let is_full = binary(Op::ULe, int(width, i128::from(MOST_FRESH)), count.clone());
    let what = format!("more than {MOST_FRESH} objects that a function with an assigns clause makes");
    out.leave_where(
        all(vec![is_active.clone(), is_full.clone()]),
        StatementKind::Unsupported { what },
    );
    let distance = binary(Op::Mul, count.clone(), int(width, i128::from(width / 8)));
    let distance = select(is_full, int(width, 0), distance);
    let slot = pointer_add(Expr::GlobalAddress(made.list), distance);
    let slot = out.hold(Scalar::Pointer, slot);
    let old = out.load(slot.clone(), Scalar::Pointer);
    let new = select(is_active.clone(), Expr::Variable(target), old);
    out.store(slot, new, Scalar::Pointer);
    let more = binary(Op::Add, count.clone(), int(width, 1));
    out.store(
        Expr::GlobalAddress(made.count),
        select(is_active, more, count),
        ty,
    );
}

pub(super) fn is_active(out: &mut Rewriting, guard: &Guard) -> Expr {
    let active = out.load(Expr::GlobalAddress(guard.active), Scalar::Int(8));
    binary(Op::Ne, active, int(8, 0))
}

pub(super) fn same_object(a: &Expr, b: &Expr) -> Expr {
    Expr::SameObject(Box::new(a.clone()), Box::new(b.clone()))
}
