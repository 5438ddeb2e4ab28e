//! Inputs that lead to a state of threads, known while the state comes about.
//!
//! Idea: whether some run comes to a state is asked where another state is left for its sake, for each state
//! of the threads. Mostly the inputs that lead there are those that led to the state before it, and which
//! thread goes on. So a state carries them along: with each decision they are extended by what it asks of
//! variables that nobody has asked for yet, and lost where that does not satisfy it. Where paths meet, those
//! of either lead to both. Only where they are lost a solver is asked.
//!
//! Invariant: the values satisfy all conjuncts of the path beside which they stand; variables without a value
//! are zero, and none of these conjuncts was evaluated with one. No conjunct speaks of what a function of
//! analysis gives, which cannot be any value.

use std::cell::RefCell;
use std::rc::Rc;

use kripke_smt::{Evaluator, Op, TermId, Terms, Value};
use kripke_value::BitVec;

use crate::engine::Engine;
use crate::path::PathId;
use crate::persistent::PersistentMap;
use crate::state::State;

/// Inputs, and the path that they take.
#[derive(Clone)]
pub(crate) struct Sample {
    path: PathId,
    values: PersistentMap<Value>,
}

impl Sample {
    /// What leads to the start.
    pub fn of_start(path: PathId) -> Self {
        Sample {
            path,
            values: PersistentMap::default(),
        }
    }

    fn key(variable: TermId) -> u64 {
        variable.index() as u64
    }

    /// Gives variables that have no value those that conditions demand: first what they have to be, then what
    /// they must not be.
    fn adopt(&mut self, terms: &Terms, conditions: &[TermId]) {
        for condition in conditions {
            match (terms.op(*condition), terms.children(*condition)) {
                (Op::Eq, &[a, b]) => {
                    self.adopt_value(terms, a, terms.as_value(b));
                    self.adopt_value(terms, b, terms.as_value(a));
                }
                (Op::Variable(_), _) => self.adopt_value(terms, *condition, Some(Value::Bool(true))),
                _ => {}
            }
        }
        let denied = conditions
            .iter()
            .filter(|condition| terms.op(**condition) == Op::Not);
        for equation in denied.map(|condition| terms.children(*condition)[0]) {
            if let (Op::Eq, &[a, b]) = (terms.op(equation), terms.children(equation)) {
                self.adopt_value(terms, a, other(terms.as_value(b)));
                self.adopt_value(terms, b, other(terms.as_value(a)));
            }
        }
    }

    fn adopt_value(&mut self, terms: &Terms, variable: TermId, value: Option<Value>) {
        let is_free =
            matches!(terms.op(variable), Op::Variable(_)) && self.values.get(Self::key(variable)).is_none();
        if let Some(value) = value.filter(|_| is_free) {
            self.values.set(Self::key(variable), value);
        }
    }

    /// Do the values satisfy the conditions? Those that were asked for are kept then.
    fn satisfies(&mut self, terms: &Terms, conditions: &[TermId]) -> bool {
        let asked = RefCell::new(Vec::new());
        let value = |variable: TermId| match self.values.get(Self::key(variable)) {
            Some(known) => known.clone(),
            None => {
                asked.borrow_mut().push(variable);
                Value::zero(terms.sort(variable))
            }
        };
        let mut evaluator = Evaluator::new(terms, &value);
        let mut conditions = conditions.iter();
        let satisfied = conditions.all(|condition| evaluator.evaluate(*condition).as_bool() == Some(true));
        for variable in asked.into_inner() {
            self.values
                .set(Self::key(variable), Value::zero(terms.sort(variable)));
        }
        satisfied
    }
}

/// What is not that number.
fn other(value: Option<Value>) -> Option<Value> {
    let Some(Value::BitVec(bits)) = value else {
        return None;
    };
    Some(Value::BitVec(BitVec::new(
        bits.width(),
        u128::from(bits.is_zero()),
    )))
}

impl Engine<'_> {
    /// Are inputs known that lead to the state? What it carries is brought up to its path.
    pub(crate) fn has_sample(&mut self, state: &mut State) -> bool {
        state.sample = state
            .sample
            .take()
            .and_then(|sample| self.followed(sample, state.path));
        state.sample.is_some()
    }

    /// Are inputs known that lead to the state and satisfy a condition there?
    pub(crate) fn has_sample_of(&mut self, state: &State, condition: TermId) -> bool {
        let known = state.sample.clone();
        let known = known.and_then(|sample| self.followed(sample, state.path));
        known.is_some_and(|mut sample| {
            let sample = Rc::make_mut(&mut sample);
            if self.speak_of_math(&[condition]) {
                return false;
            }
            sample.adopt(&self.terms, &[condition]);
            sample.satisfies(&self.terms, &[condition])
        })
    }

    /// One for the state of two that meet.
    pub(crate) fn joined_sample(&mut self, a: &State, b: &State, path: PathId) -> Option<Rc<Sample>> {
        let mut known = [a, b].into_iter().find_map(|state| {
            let sample = state.sample.clone()?;
            self.followed(sample, state.path)
        })?;
        Rc::make_mut(&mut known).path = path;
        Some(known)
    }

    fn followed(&mut self, mut sample: Rc<Sample>, path: PathId) -> Option<Rc<Sample>> {
        if sample.path == path {
            return Some(sample);
        }
        if !self.run.paths.extends(sample.path, path) {
            return None;
        }
        let new = self.run.paths.since(sample.path, path);
        if self.speak_of_math(&new) {
            return None;
        }
        let known = Rc::make_mut(&mut sample);
        known.adopt(&self.terms, &new);
        known.path = path;
        known.satisfies(&self.terms, &new).then_some(sample)
    }
}
