//! What matters to some properties, found backwards.
//!
//! Invariant: of what is kept, all that it reads is relevant; of what is relevant, all that writes it is
//! kept; of what is kept, all branches that decide whether it is executed are relevant, and all calls by
//! which its function is reached are kept.

use kripke_elts::{Callee, Expr, FunctionId, Id, Program, PropertyId, StatementKind, Type, VariableId};
use kripke_interrupts::PointsTo;

use crate::control::{Control, Meeting};
use crate::kept::{Kept, Place, is_unknown, statements};

/// The search for it.
pub(crate) struct Relevance<'p> {
    program: &'p Program,
    points_to: &'p PointsTo<'p>,
    control: &'p [Control],
    wanted: Vec<bool>,
    kept: Kept,
    /// Something was found since this was reset.
    grown: bool,
}

impl<'p> Relevance<'p> {
    /// What matters to the properties, and to the accesses at these places.
    pub fn of(
        (program, points_to, control): (&'p Program, &'p PointsTo<'p>, &'p [Control]),
        properties: &[PropertyId],
        unchecked: &[Place],
    ) -> Kept {
        let mut wanted = vec![false; program.properties.len()];
        properties.iter().for_each(|id| wanted[id.index()] = true);
        let mut relevance = Relevance {
            program,
            points_to,
            control,
            wanted,
            kept: Kept::nothing_of(program),
            grown: true,
        };
        unchecked.iter().for_each(|place| relevance.keep(*place));
        relevance.mark_branches_that_never_meet();
        while std::mem::take(&mut relevance.grown) {
            relevance.round();
        }
        relevance.keep_other_checks();
        relevance.kept
    }

    /// The run ends on some ways from there, and on others it may not: that matters to the callers.
    fn mark_branches_that_never_meet(&mut self) {
        for (id, function) in self.program.functions.enumerate() {
            for (location, content) in function.locations.enumerate() {
                let meeting = self.control[id.index()].meeting(location);
                let is_branch = content.transitions.len() > 1;
                self.kept.branches[id.index()][location.index()] |= is_branch && meeting == Meeting::Nowhere;
            }
        }
    }

    fn round(&mut self) {
        let program = self.program;
        for (place, kind) in statements(program) {
            if self.kept.keeps(place) || self.is_needed(place.0, kind) {
                self.keep(place);
                self.require(place.0, kind);
            }
        }
        for (id, function) in program.functions.enumerate() {
            for (location, content) in function.locations.enumerate() {
                if self.kept.is_branch(id, location) {
                    for transition in &content.transitions {
                        self.read(id, &transition.guard);
                    }
                }
            }
        }
    }

    fn keep(&mut self, place: Place) {
        if std::mem::replace(self.kept.statement(place), true) {
            return;
        }
        self.grown = true;
        let (id, location, transition, _) = place;
        self.kept.functions[id.index()] = true;
        let control = &self.control[id.index()];
        let mut open = control.of_transition(location, transition).to_vec();
        while let Some(branch) = open.pop() {
            if !std::mem::replace(&mut self.kept.branches[id.index()][branch.index()], true) {
                open.extend(control.of_location(branch));
            }
        }
    }

    /// Does a statement matter?
    fn is_needed(&self, id: FunctionId, kind: &StatementKind) -> bool {
        let mut is_wanted = false;
        each_check(kind, &mut |property| is_wanted |= self.wanted[property.index()]);
        let assigns = |variable: &VariableId| self.kept.is_relevant(id, *variable);
        if is_wanted || kind.targets().iter().any(assigns) {
            return true;
        }
        match kind {
            StatementKind::Store { address: target, .. }
            | StatementKind::CopyMemory { target, .. }
            | StatementKind::SetMemory { target, .. } => self.has_relevant_contents(id, target),
            StatementKind::Free { pointer, .. } | StatementKind::EndObject { pointer } => {
                self.has_relevant_life(id, pointer)
            }
            StatementKind::Call { callee, .. } => {
                let callees = self.points_to.callees(id, callee);
                callees.iter().any(|callee| self.kept.functions[callee.index()])
            }
            StatementKind::Assume { .. }
            | StatementKind::Stop { .. }
            | StatementKind::SetRounding { .. }
            | StatementKind::Unsupported { .. } => true,
            _ => false,
        }
    }

    /// What a kept statement needs becomes relevant.
    fn require(&mut self, id: FunctionId, kind: &StatementKind) {
        match kind {
            StatementKind::Call {
                callee,
                arguments,
                results,
                ..
            } => self.require_call(id, callee, arguments, results),
            StatementKind::Load {
                target,
                address,
                checks,
                ..
            } => {
                self.read(id, address);
                self.live(id, address);
                if self.kept.is_relevant(id, *target) || self.is_wanted(checks.uninitialised) {
                    self.fill(id, address);
                }
            }
            StatementKind::Store { address, value, .. } => {
                self.read(id, address);
                self.live(id, address);
                if self.has_relevant_contents(id, address) {
                    self.read(id, value);
                }
            }
            StatementKind::CopyMemory {
                target,
                source,
                checks,
                ..
            } => {
                kind.each_expr(&mut |expr| self.read(id, expr));
                self.live(id, target);
                self.live(id, source);
                if self.has_relevant_contents(id, target) || self.is_wanted(checks.uninitialised) {
                    self.fill(id, source);
                }
            }
            StatementKind::SetMemory { target, .. } => {
                kind.each_expr(&mut |expr| self.read(id, expr));
                self.live(id, target);
            }
            StatementKind::Free { pointer, .. } => {
                self.read(id, pointer);
                self.live(id, pointer);
            }
            StatementKind::Output { .. } => {
                kind.each_expr(&mut |expr| self.read(id, expr));
                self.grown |= !std::mem::replace(&mut self.kept.is_all, true);
            }
            StatementKind::Stop { .. } => {}
            _ => kind.each_expr(&mut |expr| self.read(id, expr)),
        }
    }

    fn require_call(&mut self, id: FunctionId, callee: &Callee, arguments: &[Expr], results: &[VariableId]) {
        if let Callee::Indirect(pointer) = callee {
            self.read(id, pointer);
        }
        let program = self.program;
        for callee in self.points_to.callees(id, callee) {
            let function = &program.functions[callee];
            for (index, argument) in arguments.iter().enumerate() {
                // A function without a body, or without such a parameter, does nothing with it.
                if self.kept.reads_parameter(program, callee, index) {
                    self.read(id, argument);
                }
            }
            for (own, its) in results.iter().zip(&function.results) {
                if self.kept.is_relevant(id, *own) {
                    self.mark(callee, *its);
                }
            }
        }
    }

    /// Assertions of which all is known anyway exclude runs.
    fn keep_other_checks(&mut self) {
        for (place, kind) in statements(self.program) {
            let mut is_known = matches!(kind, StatementKind::Assert { .. });
            kind.each_read(&mut |read| is_known &= self.kept.is_relevant(place.0, read));
            if is_known {
                *self.kept.statement(place) = true;
            }
        }
    }

    fn is_wanted(&self, check: Option<PropertyId>) -> bool {
        check.is_some_and(|property| self.wanted[property.index()])
    }

    /// A variable matters. Where it is a pointer, its address may be looked at, and others may have the same
    /// after what it points to is dead.
    fn mark(&mut self, id: FunctionId, variable: VariableId) {
        let own = &mut self.kept.variables[id.index()][variable.index()];
        if std::mem::replace(own, true) {
            return;
        }
        self.grown = true;
        if self.program.functions[id].variables[variable].ty == Type::Pointer {
            self.live(id, &Expr::Variable(variable));
        }
    }

    fn read(&mut self, id: FunctionId, expr: &Expr) {
        expr.each_variable(&mut |variable| self.mark(id, variable));
    }

    /// It matters whether what the pointer points to lives.
    fn live(&mut self, id: FunctionId, pointer: &Expr) {
        let targets = self.points_to.of(id, pointer);
        if is_unknown(&targets) {
            self.grown |= !std::mem::replace(&mut self.kept.are_all_lives, true);
        }
        for object in targets.objects() {
            self.grown |= self.kept.lives.insert(object);
        }
    }

    /// It matters what the pointer points to holds.
    fn fill(&mut self, id: FunctionId, pointer: &Expr) {
        self.live(id, pointer);
        let targets = self.points_to.of(id, pointer);
        if is_unknown(&targets) {
            self.grown |= !std::mem::replace(&mut self.kept.is_all, true);
        }
        for object in targets.objects() {
            self.grown |= self.kept.contents.insert(object);
        }
    }

    fn has_relevant_contents(&self, id: FunctionId, pointer: &Expr) -> bool {
        self.kept.has_relevant_contents(self.points_to, id, pointer)
    }

    fn has_relevant_life(&self, id: FunctionId, pointer: &Expr) -> bool {
        self.kept.are_all_lives || self.kept.meets(self.points_to, &self.kept.lives, id, pointer)
    }
}

/// Calls `visit` for each property that a statement checks.
pub(crate) fn each_check(kind: &StatementKind, visit: &mut impl FnMut(PropertyId)) {
    match kind {
        StatementKind::Assert { property, .. } => visit(*property),
        StatementKind::Load { checks, .. }
        | StatementKind::Store { checks, .. }
        | StatementKind::CopyMemory { checks, .. }
        | StatementKind::SetMemory { checks, .. } => {
            checks
                .pointer
                .into_iter()
                .chain(checks.uninitialised)
                .for_each(visit);
        }
        StatementKind::Free { check, .. } | StatementKind::Call { check, .. } => {
            check.iter().copied().for_each(visit);
        }
        _ => {}
    }
}
