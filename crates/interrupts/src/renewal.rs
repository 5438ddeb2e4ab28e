//! Handlers that come at most once between two calls of a function.
//!
//! Idea: a byte of memory says whether the handler has come. It is set where a dispatcher lets the handler
//! come, and cleared where the function begins; and where it is cleared the handler may come at once.
//!
//! Invariant: the bytes change nowhere else, so between two beginnings of the function, and before the first,
//! the handler comes once at the most.

use std::collections::BTreeMap;

use kripke_elts::interrupts::FLAGS;
use kripke_elts::{FunctionId, GlobalId, Location, Position, Program, Transition};

use crate::control::{FLAG, add_flag};
use crate::effects::Effects;
use crate::rewrite::Variant;
use crate::terms::{int, store, truth};
use crate::writer::Writer;
use crate::{Interrupts, Known, Problem, find, handlers_called, named};

/// Which handlers come once, and what lets them come again.
#[derive(Default)]
pub struct Renewals {
    /// For each handler the bytes that say that it has come.
    came: BTreeMap<usize, Vec<GlobalId>>,
    /// The bytes that each function clears.
    cleared: BTreeMap<FunctionId, Vec<GlobalId>>,
    /// The handlers of which no handler lets any come again.
    ends: bool,
}

impl Renewals {
    /// Adds the bytes to the program.
    pub fn new(
        effects: &Effects<'_>,
        wanted: &Interrupts,
        handlers: &[Known],
        program: &mut Program,
        position: Position,
    ) -> Result<Renewals, Problem> {
        let mut all = Renewals::default();
        let roots: Vec<FunctionId> = handlers.iter().map(|handler| handler.function).collect();
        let in_handlers = effects.closure(&roots);
        for (index, (handler, function)) in wanted.once_per.iter().enumerate() {
            let flag = add_flag(program, &format!("{FLAGS}.came.{index}"), 0, position);
            for handler in handlers_called(wanted, handler)? {
                all.came.entry(handler).or_default().push(flag);
            }
            find(effects.program, function, "what lets a handler come again")?;
            for id in named(effects.program, function) {
                all.cleared.entry(id).or_default().push(flag);
            }
        }
        all.ends = !all.cleared.keys().any(|id| in_handlers.contains(id));
        Ok(all)
    }

    /// The bytes that say that a handler has come.
    pub fn came(&self, handler: usize) -> &[GlobalId] {
        self.came.get(&handler).map_or(&[], Vec::as_slice)
    }

    /// Does the handler come only so often while nothing else runs?
    pub fn is_bounded(&self, handler: usize) -> bool {
        self.ends && self.came.contains_key(&handler)
    }
}

impl Writer<'_, '_> {
    /// Writes that some handlers may come again where the function begins.
    pub fn renew(&mut self, id: FunctionId) {
        let cleared = self.rewriter.renewals.cleared.get(&id).cloned();
        let Some(cleared) = cleared.filter(|_| self.variant != Variant::Undisturbed) else {
            return;
        };
        if self.function.locations.is_empty() {
            return;
        }
        let position = self.function.position;
        let entry = self.function.entry;
        let first = self.function.locations.push(Location {
            name: "handlers may come again".to_owned(),
            transitions: vec![Transition {
                guard: truth(true),
                statements: Vec::new(),
                target: entry,
                position,
            }],
            position,
        });
        self.at = (first, 0);
        for flag in cleared {
            self.emit(store(flag, int(8, 0), FLAG), position);
        }
        self.gap(position);
        self.end_transition(entry);
        self.function.entry = first;
    }
}
