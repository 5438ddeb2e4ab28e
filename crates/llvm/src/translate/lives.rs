//! Writing where the lives of stack objects begin and end.
//!
//! Idea: each beginning makes a new object, uninitialised, and puts its address into the temporary that
//! stands for the `alloca`; each end is a statement of its own. Where the declaration of an object that
//! goes on living is reached again, only its contents become indeterminate.

use kripke_elts::{AccessChecks, Expr, Statement, StatementKind, VariableId};

use crate::ir::{self, Value};

use super::blocks::Crossing;
use super::expressions::int;
use super::function::FunctionTranslator;
use super::memory::KnownObject;
use super::scopes::{Marker, marker_of_call};
use super::{Step, unsupported};

impl<'m> FunctionTranslator<'_, 'm> {
    /// The slot that a marker speaks of.
    pub fn lifetime_marker(&self, call: &'m ir::Call) -> Option<Marker<'m>> {
        marker_of_call(call, &self.marker_casts)
    }

    /// A marker of an object's life.
    pub fn write_marker(&mut self, marker: Marker<'m>) {
        let (Marker::Begins(slot) | Marker::Ends(slot)) = marker;
        let Some((target, known)) = self.slot_object(slot).filter(|_| self.scopes.is_scoped(slot)) else {
            return;
        };
        if let (Marker::Begins(_), Some(size)) = (marker, known.size) {
            let size = int(self.types.pointer_bits(), i128::from(size));
            self.begin_stack_object(slot, target, size, known.align);
        } else {
            let pointer = Expr::Variable(target);
            self.builder.emit(StatementKind::EndObject { pointer });
        }
        self.scopes.pass(slot, matches!(marker, Marker::Begins(_)));
    }

    /// `llvm.stackrestore`: the variable length arrays that were made since the stack was saved die.
    pub fn restore_stack(&mut self, saved: &Value) -> Step<()> {
        let arrays = match saved {
            Value::Local(name) => self.scopes.restored_to(name),
            _ => None,
        };
        let Some(arrays) = arrays.map(<[&str]>::to_vec) else {
            return unsupported("a stack that is restored to an unknown place");
        };
        for name in arrays {
            let Some([Expr::Variable(target)]) = self.values.get(name).map(Vec::as_slice) else {
                continue;
            };
            let target = *target;
            let pointer = Expr::Variable(target);
            self.builder.emit(StatementKind::EndObject { pointer });
            self.builder.assign(target, Expr::Null);
        }
        Ok(())
    }

    /// Ends and begins the lives of objects of blocks.
    pub fn write_crossing(&mut self, crossing: Crossing<'m>) {
        for statement in self.crossing_statements(crossing) {
            self.builder.emit(statement.kind);
        }
    }

    /// The statements that end and begin the lives of objects of blocks.
    pub fn crossing_statements(&mut self, crossing: Crossing<'m>) -> Vec<Statement> {
        let mut statements = Vec::new();
        for slot in crossing.ends {
            if let Some((target, _)) = self.slot_object(slot) {
                let pointer = Expr::Variable(target);
                statements.push(self.builder.statement(StatementKind::EndObject { pointer }));
            }
        }
        for slot in crossing.begins {
            if let Some((target, known)) = self.slot_object(slot)
                && let Some(size) = known.size
            {
                let size = int(self.types.pointer_bits(), i128::from(size));
                let site = self.stack_site(slot, known.align);
                let kind = StatementKind::StackObject { target, size, site };
                statements.push(self.builder.statement(kind));
            }
        }
        statements
    }

    /// The declaration of an object without markers is reached again: its bytes are those of an object that
    /// was never written.
    pub fn forget_contents(&mut self, slot: &str) {
        let Some((target, known)) = self.slot_object(slot) else {
            return;
        };
        let Some(bytes) = known
            .size
            .filter(|_| self.is_repeated && !self.scopes.is_scoped(slot))
        else {
            return;
        };
        let source = self.hidden_stack_object("indeterminate", bytes, 1);
        self.builder.emit(StatementKind::CopyMemory {
            target: Expr::Variable(target),
            source: source.clone(),
            length: int(self.types.pointer_bits(), i128::from(bytes)),
            overlap: false,
            checks: AccessChecks::default(),
        });
        self.builder.emit(StatementKind::EndObject { pointer: source });
    }

    /// The temporary that holds the address of a slot's object, and what is known of the object.
    fn slot_object(&self, slot: &str) -> Option<(VariableId, KnownObject)> {
        let Some([Expr::Variable(target)]) = self.values.get(slot).map(Vec::as_slice) else {
            return None;
        };
        Some((*target, self.objects.get(target)?.clone()))
    }
}
