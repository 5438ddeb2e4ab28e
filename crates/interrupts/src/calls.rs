//! The kind `handler-call`: a handler, or what it calls, calls what is not safe there.
//!
//! Idea: such calls are marked where the program makes them. In the copies of functions that run inside
//! handlers a mark becomes an assertion that may be false, which a run reaches if the call is made; elsewhere
//! it is dropped. Where it is true the run goes on, to the calls behind it.

use std::collections::BTreeMap;

use kripke_elts::handler_calls::{NOT_IN_HANDLERS, unsafe_in_handlers, written};
use kripke_elts::{
    Callee, Expr, FunctionId, Position, Program, PropertyId, PropertySite, Statement, StatementKind, Type,
    name_in_its_file,
};
use kripke_model::PropertyKind;

use crate::rewrite::Variant;
use crate::terms::choose;
use crate::torn::add_empty_property;
use crate::writer::Writer;

/// The properties so far: one for each call, whichever handler makes it.
#[derive(Debug, Default)]
pub struct Calls {
    known: BTreeMap<(FunctionId, Position, String), PropertyId>,
}

impl Calls {
    /// Where no handler calls any of them there is still an answer.
    pub fn add_empty_property(&self, program: &mut Program) {
        if self.known.is_empty() {
            let description = "a handler calls what is not safe in handlers";
            add_empty_property(program, PropertyKind::HandlerCall, description);
        }
    }
}

impl Writer<'_, '_> {
    /// Asserts that a call is not made in a handler, if the statement marks one.
    pub fn unsafe_call(&mut self, statement: &Statement) -> bool {
        let StatementKind::Call {
            callee: Callee::Direct(callee),
            ..
        } = &statement.kind
        else {
            return false;
        };
        let marker = self.rewriter.original.functions[*callee].name.as_str();
        let Some(name) = marker.strip_prefix(NOT_IN_HANDLERS) else {
            return false;
        };
        let asserted = self.refused(name, statement.position);
        self.statements.extend(asserted);
        true
    }

    /// The same of a call through a pointer to a function of the library.
    pub fn refused_callee(&mut self, callee: FunctionId, position: Position) -> Vec<Statement> {
        let original = self.rewriter.original;
        let function = &original.functions[callee];
        match original.is_library(function.position) {
            true => self.refused(name_in_its_file(&function.name), position),
            false => Vec::new(),
        }
    }

    fn refused(&mut self, name: &str, position: Position) -> Vec<Statement> {
        let is_in_handler = matches!(self.variant, Variant::Level(level) if level > 0);
        let Some(reason) = unsafe_in_handlers(name).filter(|_| is_in_handler) else {
            return Vec::new();
        };
        let (function, name) = (self.id, written(name));
        let Some(calls) = &mut self.rewriter.calls else {
            return Vec::new();
        };
        let properties = &mut self.rewriter.program.properties;
        let key = (function, position, name.to_owned());
        let property = *calls.known.entry(key).or_insert_with(|| {
            properties.push(PropertySite {
                kind: PropertyKind::HandlerCall,
                description: format!(
                    "`{name}` is called in a handler, where it is not safe: {}",
                    reason.text()
                ),
                position,
                function,
            })
        });
        let goes_on = self.variable(Type::BOOL);
        let condition = Expr::Variable(goes_on);
        let kinds = [choose(goes_on), StatementKind::Assert { condition, property }];
        kinds.map(|kind| Statement { kind, position }).into()
    }
}
