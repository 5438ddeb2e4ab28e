//! Branch and prune over float inputs.
//!
//! Idea: a formula over one to a few float inputs is evaluated over a *box* (an interval per input)
//! in interval arithmetic. A box where it is certainly false is dropped; in another the formula is
//! tried at the box's middle, and the box is split in the order of floats (by encoding, so every
//! split is between two neighbouring floats and the search ends). No box left: unsatisfiable.
//!
//! Bit-blasting multiplies and divides symbolically; this only ever computes numbers, which settles
//! polynomials and Newton steps in milliseconds that take a SAT solver minutes.
//!
//! Invariants: *unsat* only when every float of every input lay in a dropped box; *sat* only with
//! values under which [`Terms::evaluate`] says true.
//!
//! Source: D'Silva, Haller, Kroening, Tautschnig, "Numeric bounds analysis with conflict-driven
//! learning" (TACAS 2012), for the problem and its intervals over floats; the search is the interval
//! community's branch and prune.

mod interval;
mod tape;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::terms::{TermId, Terms};
use crate::value::Value;
use interval::Truth;
use tape::{Domain, Tape};

/// More variables than this are not searched but left unknown.
const MAX_INPUTS: usize = 4;

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Values of the searched variables under which the formula is true (others are zero).
    Sat(FxHashMap<TermId, Value>),
    /// No values.
    Unsat,
    /// The budget is used up, or some points could not be decided.
    Unknown,
}

/// When to give up.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// At this many boxes.
    pub boxes: u64,
    /// At this time.
    pub deadline: Option<Instant>,
    /// When this becomes true.
    pub stop: Option<&'a AtomicBool>,
}

/// A search over one formula; it can be resumed with a larger budget.
pub struct IntervalSearch {
    tape: Tape,
    boxes: Vec<Vec<Domain>>,
    incomplete: bool,
    visited: u64,
}

impl IntervalSearch {
    /// Prepares the search for a conjunction; `None` when there is no float arithmetic on a
    /// searchable input.
    pub fn new(terms: &Terms, conjuncts: &[TermId]) -> Option<Self> {
        if !terms.has_float_terms() || has_many_variables(terms, conjuncts) {
            return None;
        }
        let tape = Tape::compile(terms, conjuncts, MAX_INPUTS);
        if tape.float_operations == 0 || tape.inputs.is_empty() {
            return None;
        }
        let mut boxes = vec![Vec::new()];
        for input in &tape.inputs {
            let domains: &[Domain] = match input.kind {
                tape::InputKind::Float(_) => &[Domain::Nan, input.whole()],
                _ => &[input.whole()],
            };
            boxes = boxes
                .into_iter()
                .flat_map(|rest: Vec<Domain>| {
                    domains.iter().map(move |&domain| {
                        let mut longer = rest.clone();
                        longer.push(domain);
                        longer
                    })
                })
                .collect();
        }
        Some(IntervalSearch {
            tape,
            boxes,
            incomplete: false,
            visited: 0,
        })
    }

    /// Boxes evaluated so far.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// True when a further run would find nothing new.
    pub fn is_finished(&self) -> bool {
        self.boxes.is_empty()
    }

    /// Searches until the question is settled or the budget is used up.
    pub fn run(&mut self, terms: &Terms, conjuncts: &[TermId], budget: &Budget) -> Outcome {
        let end = self.visited.saturating_add(budget.boxes);
        while let Some(domains) = self.boxes.pop() {
            if self.visited >= end || self.visited.is_multiple_of(1024) && out_of_time(budget) {
                self.boxes.push(domains);
                return Outcome::Unknown;
            }
            self.visited += 1;
            let truth = self.tape.evaluate(&domains);
            if !truth.can_be_true() {
                continue;
            }
            let middle: Vec<Domain> = domains.iter().map(|&domain| middle_of(domain)).collect();
            if (truth == Truth::TRUE || self.tape.evaluate(&middle).can_be_true())
                && let Some(model) = self.confirm(terms, conjuncts, &middle)
            {
                return Outcome::Sat(model);
            }
            match split(&domains) {
                Some((low, high)) => {
                    self.boxes.push(high);
                    self.boxes.push(low);
                }
                None => self.incomplete |= !self.decides_points(&domains),
            }
        }
        if self.incomplete {
            Outcome::Unknown
        } else {
            Outcome::Unsat
        }
    }

    /// The values of a point when the formula is true under them.
    fn confirm(
        &self,
        terms: &Terms,
        conjuncts: &[TermId],
        point: &[Domain],
    ) -> Option<FxHashMap<TermId, Value>> {
        let model: FxHashMap<TermId, Value> = self
            .tape
            .values(point)
            .into_iter()
            .map(|(variable, value)| match (terms.sort(variable), value) {
                (crate::Sort::BitVec(_), Value::Float(float)) => (variable, Value::BitVec(float.to_bits())),
                (_, value) => (variable, value),
            })
            .collect();
        let assignment = |variable: TermId| {
            model
                .get(&variable)
                .cloned()
                .unwrap_or_else(|| Value::zero(terms.sort(variable)))
        };
        let mut evaluator = crate::Evaluator::new(terms, &assignment);
        conjuncts
            .iter()
            .all(|&conjunct| evaluator.evaluate(conjunct) == Value::Bool(true))
            .then_some(model)
    }

    /// True when evaluating the formula at a box of one point settles it for all the box stands for.
    fn decides_points(&self, point: &[Domain]) -> bool {
        !(self.tape.has_other_variables || self.tape.reads_float_bits && point.contains(&Domain::Nan))
    }
}

/// Looks for more variables than are searched, and stops at the first too many.
fn has_many_variables(terms: &Terms, roots: &[TermId]) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = roots.to_vec();
    let mut variables = 0;
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            variables += usize::from(matches!(terms.op(term), Op::Variable(_)));
            if variables > MAX_INPUTS {
                return true;
            }
            stack.extend_from_slice(terms.children(term));
        }
    }
    false
}

fn out_of_time(budget: &Budget) -> bool {
    budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
        || budget.deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

fn middle_of(domain: Domain) -> Domain {
    match domain {
        Domain::Nan => Domain::Nan,
        Domain::Keys(low, high) => {
            let middle = low + (high - low) / 2;
            Domain::Keys(middle, middle)
        }
    }
}

/// Two halves of the input with the most values; `None` for a single point.
fn split(domains: &[Domain]) -> Option<(Vec<Domain>, Vec<Domain>)> {
    let size = |domain: &Domain| match domain {
        Domain::Nan => 0,
        Domain::Keys(low, high) => high - low,
    };
    let (widest, domain) = domains
        .iter()
        .enumerate()
        .max_by_key(|(_, domain)| size(domain))?;
    let &Domain::Keys(low, high) = domain else {
        return None;
    };
    if low == high {
        return None;
    }
    let middle = low + (high - low) / 2;
    let (mut lower, mut upper) = (domains.to_vec(), domains.to_vec());
    lower[widest] = Domain::Keys(low, middle);
    upper[widest] = Domain::Keys(middle + 1, high);
    Some((lower, upper))
}
