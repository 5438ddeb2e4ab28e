//! What is heard of a check while it goes on.
//!
//! Invariant: events come in the order in which things happen, from one thread at a time; every result of the
//! report was announced before the check returns, and its property was asked before (or is
//! another place where one that was asked is violated).

use std::sync::Arc;

use kripke_limits::Gauge;
use kripke_model::{Open, Property, PropertyResult};

use crate::functions::Gathering;

/// Listens to a check. Whoever does not care about something leaves its method out.
pub trait Events: Send {
    /// The user should know this; the sentence says where it is about, and that it is a warning.
    fn warning(&mut self, text: &str) {
        let _ = text;
    }
    /// What the compiler said, as it said it: warnings, and before a failure the errors.
    fn compiler(&mut self, text: &str) {
        let _ = text;
    }
    /// A search ended early: how far it came, and what may help.
    fn stopped(&mut self, text: &str) {
        let _ = text;
    }
    /// How a verdict is come to, for whoever wants to know it.
    fn remarked(&mut self, text: &str) {
        let _ = text;
    }
    /// The check goes on.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }
    /// The states of a firmware are explored from now on; the gauge says how far that is, whenever it is
    /// looked at.
    fn exploring(&mut self, gauge: &Arc<Gauge>) {
        let _ = gauge;
    }
    /// These properties are to be decided from now on; others may follow. Where something is asked that the
    /// subject does not tell (accesses of lines that nobody knows), there is no result.
    fn asked(&mut self, properties: &[Property]) {
        let _ = properties;
    }
    /// This function is looked at next, as so many-th in the turn of so many.
    fn function(&mut self, name: &str, number: usize, of: usize) {
        let _ = (name, number, of);
    }
    /// Functions are checked one by one, and what is found is gathered here, instead of being asked and
    /// settled: a property has another verdict for each function that runs start in.
    fn gathering(&mut self, gathering: &Gathering) {
        let _ = gathering;
    }
    /// The search for a property's verdict goes on; so far it came, in case that it has to be ended.
    fn open(&mut self, property: &Property, open: &Open) {
        let _ = (property, open);
    }
    /// A property has its verdict.
    fn settled(&mut self, result: &PropertyResult) {
        let _ = result;
    }
}

/// How far a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The loops of a program are unwound.
    Unwinding {
        /// So many times.
        bound: u32,
        /// The solver's query that is asked next, from 1 on.
        query: u64,
        /// Properties without a verdict.
        undecided: usize,
    },
}

/// Passes on how a part of a check goes, but not what it finds out.
pub(crate) struct Muted<'e>(pub &'e mut dyn Events);

impl Events for Muted<'_> {
    fn warning(&mut self, text: &str) {
        self.0.warning(text);
    }

    fn stopped(&mut self, text: &str) {
        self.0.stopped(text);
    }

    fn progress(&mut self, progress: &Progress) {
        self.0.progress(progress);
    }
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Events for Silent {}
