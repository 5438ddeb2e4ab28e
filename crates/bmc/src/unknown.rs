//! Values that the program does not determine: inputs, and what is read before it is written.
//!
//! Idea: each is a variable whose name comes from the place and the calls and iterations around it (see
//! [`crate::names`]), so that a run with a larger bound meets the same variables again.
//!
//! Invariant: whatever a concrete run would have to be given is an event of the record.

use kripke_elts::{Id, NondetSource, Type, VariableId};
use kripke_smt::{Sort, TermId};

use crate::engine::Engine;
use crate::record::Event;
use crate::state::State;
use crate::value::{Case, Pointer, Target, Value, sort_of};

impl Engine<'_> {
    /// A number for something that is created here, the same in every run.
    pub(crate) fn fresh_name(&mut self) -> u32 {
        let context = self.run.stack.last().map_or(0, |top| top.context);
        let mut key = vec![
            context,
            self.run.cursor.location.index() as u32,
            self.run.cursor.transition,
            self.run.cursor.statement,
        ];
        key.extend_from_slice(&self.run.cursor.key);
        self.names.fresh(&key)
    }

    /// A variable that is created here, the same in every run. Its name tells its sort: what is created first
    /// at a place in one run may be an array, in a run that knows more a byte.
    pub(crate) fn fresh_variable(&mut self, role: &str, sort: Sort) -> TermId {
        let number = self.fresh_name();
        self.sorted_variable(&format!("{role}!{number}"), sort)
    }

    fn sorted_variable(&mut self, name: &str, sort: Sort) -> TermId {
        let name = match sort {
            Sort::Bool => format!("{name}?"),
            Sort::BitVec(width) => format!("{name}:{width}"),
            Sort::Array { index, element } => format!("{name}:{index}[{element}]"),
            Sort::Float(_) | Sort::RoundingMode => format!("{name}:{sort:?}"),
        };
        self.terms.variable(&name, sort)
    }

    /// A new nondeterministic value that a run reads here where the guard holds.
    pub(crate) fn nondet(&mut self, guard: TermId, source: &NondetSource, ty: Type) -> Value {
        let label = match source {
            NondetSource::Input(name)
            | NondetSource::External(name)
            | NondetSource::Library(name)
            | NondetSource::Device(name) => name.as_str(),
            NondetSource::Uninitialised => "uninitialised",
        };
        let name = format!("{label}!{}", self.fresh_name());
        let (term, value) = self.unknown(&name, ty);
        self.run.record.events.push(Event::Input {
            guard,
            value: term,
            ty,
        });
        value
    }

    /// A variable as a value of a type: the term a model is asked for, and the value.
    pub(crate) fn unknown(&mut self, name: &str, ty: Type) -> (TermId, Value) {
        match ty {
            Type::Float(format) => {
                let bits = self.sorted_variable(name, Sort::BitVec(format.bits()));
                let value = self.terms.fp_from_bits(format, bits);
                (bits, Value::Term(value))
            }
            Type::Pointer => {
                let address = self.sorted_variable(name, Sort::BitVec(self.pointer_width));
                let zero = self.terms.bv_u64(self.pointer_width, 0);
                let null = self.terms.eq(address, zero);
                let other = self.terms.not(null);
                let cases = [
                    Case {
                        guard: null,
                        target: Target::Null,
                        offset: zero,
                        individual: None,
                    },
                    Case {
                        guard: other,
                        target: Target::Raw,
                        offset: address,
                        individual: None,
                    },
                ];
                (
                    address,
                    Value::Pointer(Pointer::from_cases(&mut self.terms, cases)),
                )
            }
            _ => {
                let term = self.sorted_variable(name, sort_of(ty, self.pointer_width));
                (term, Value::Term(term))
            }
        }
    }

    /// The value of a variable of the running function.
    pub(crate) fn read_variable(&mut self, state: &State, variable: VariableId) -> Value {
        match state.frame.get(variable.index() as u64) {
            Some(value) => value.clone(),
            None => self.uninitialised_variable(variable),
        }
    }

    /// What a variable holds before it is assigned: any value, the same for the whole activation.
    pub(crate) fn uninitialised_variable(&mut self, variable: VariableId) -> Value {
        let program = self.program;
        let top = self.top();
        if let Some(value) = top.uninitialised.get(&variable) {
            return value.clone();
        }
        let (function, context) = (top.function, top.context);
        let ty = program.functions[function].variables[variable].ty;
        let number = self.names.fresh(&[context, u32::MAX, variable.index() as u32]);
        let (term, value) = self.unknown(&format!("uninitialised!{number}"), ty);
        self.run.record.events.push(Event::Local {
            context,
            variable,
            value: term,
            ty,
        });
        self.top().uninitialised.insert(variable, value.clone());
        value
    }
}
