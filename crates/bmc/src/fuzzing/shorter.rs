//! Shorter and simpler inputs for a violation.
//!
//! Idea: inputs that evolved hold much that does not matter. Parts of them are left out, ever smaller ones,
//! and single values become zero, as long as the run ends in the same violation and gets no longer.
//!
//! Source: Zeller, Hildebrandt: Simplifying and isolating failure-inducing input (IEEE TSE 28, 2002).

use std::time::{Duration, Instant};

use kripke_elts::interpreter::{End, Runner};
use kripke_elts::{PropertyId, ScalarValue, Type};
use kripke_limits::stretched;

use super::Fuzzer;
use super::coverage::Coverage;
use super::inputs::Given;
use crate::limits;
use crate::options::Options;
use crate::replay::Script;

/// How long that may take.
const TIME: Duration = Duration::from_millis(200);

impl Fuzzer<'_> {
    /// Simpler inputs for the same violation.
    pub(super) fn shortened(&mut self, property: PropertyId, given: Given, options: &Options) -> Given {
        let mut shortening = Shortening {
            runner: &mut self.runner,
            coverage: &mut self.coverage,
            options,
            property,
            until: Instant::now() + stretched(TIME),
            steps: u64::MAX / 2,
            best: given,
        };
        shortening.shorten();
        shortening.best
    }
}

struct Shortening<'f, 'p> {
    runner: &'f mut Runner<'p>,
    coverage: &'f mut Coverage,
    options: &'f Options,
    property: PropertyId,
    until: Instant,
    /// How long the best run is.
    steps: u64,
    best: Given,
}

impl Shortening<'_, '_> {
    fn shorten(&mut self) {
        // How long the run is that is to be no longer.
        self.improves(self.best.clone());
        self.improves(Given {
            values: self.best.values.clone(),
            ..Given::default()
        });
        let mut size = self.best.values.len();
        while size > 0 && self.has_time() {
            self.leave_out(size);
            size /= 2;
        }
        for at in 0..self.best.values.len() {
            self.simplify(at);
        }
    }

    /// Leaves out parts of this size, from the end on.
    fn leave_out(&mut self, size: usize) {
        let mut end = self.best.values.len();
        while end >= size && self.has_time() {
            let mut fewer = self.best.clone();
            fewer.values.drain(end - size..end);
            self.improves(fewer);
            end = (end - size).min(self.best.values.len());
        }
    }

    fn simplify(&mut self, at: usize) {
        let zero = match &self.best.values[at] {
            ScalarValue::Int(bits) if !bits.is_zero() => ScalarValue::zero(Type::Int(bits.width())),
            _ => return,
        };
        let mut simpler = self.best.clone();
        simpler.values[at] = zero;
        self.improves(simpler);
    }

    fn has_time(&self) -> bool {
        Instant::now() < self.until && limits::check(self.options, false).is_ok()
    }

    /// Keeps the inputs if they violate the property in no more statements.
    fn improves(&mut self, given: Given) {
        if !self.has_time() {
            return;
        }
        let (end, steps) = self
            .runner
            .run(self.steps, &mut Script::of(&given), self.coverage);
        self.coverage.end_run();
        if matches!(end, End::Violation { property, .. } if property == self.property) {
            self.steps = steps + 1;
            self.best = given;
        }
    }
}
