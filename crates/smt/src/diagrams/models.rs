//! Values for which a diagram is true.
//!
//! Idea: where unknowns stand for terms a path through the diagram is a guess: it gives values to the bits of
//! the variables on it, and all others get those that it was made with. Whether the conditions are true then
//! is found by evaluating them.
//!
//! Invariant: what is given as a model was evaluated, or depends on nothing but variables.

use std::cell::RefCell;

use kripke_value::BitVec;
use rustc_hash::FxHashMap;

use super::effort::Failed;
use super::functions::{Functions, MAX_WIDTH, width_of};
use super::store::Edge;
use crate::evaluate::Evaluator;
use crate::op::Sort;
use crate::terms::{TermId, Terms};
use crate::value::Value;

/// How many guesses take bits at random.
const RANDOM: u64 = 2;
/// The steps that evaluating a term takes.
const STEPS_OF_AN_EVALUATION: usize = 4;

/// Which bits are taken where there is a choice.
#[derive(Clone, Copy)]
pub(super) enum Choice {
    Low,
    High,
    Random(u64),
}

impl Choice {
    /// The next bit.
    fn next(&mut self) -> bool {
        match self {
            Choice::Low => false,
            Choice::High => true,
            Choice::Random(state) => {
                *state ^= *state << 13;
                *state ^= *state >> 7;
                *state ^= *state << 17;
                *state >> 40 & 1 == 1
            }
        }
    }

    /// So many of them.
    fn number(&mut self, width: u32) -> u128 {
        match self {
            Choice::Low => 0,
            // As large as a number with a sign can be; true, where it is one bit.
            Choice::High => u128::MAX >> (129 - width.clamp(2, 128)),
            Choice::Random(_) => {
                (0..width.min(128)).fold(0, |number, _| number << 1 | u128::from(self.next()))
            }
        }
    }
}

impl Functions {
    /// Values of the variables on a path on which the function is true, and of which of their bits that says
    /// something: earlier variables are chosen first.
    pub fn path(&self, function: Edge, choice: &mut Choice) -> FxHashMap<TermId, (u128, u128)> {
        let mut chosen: FxHashMap<TermId, (u128, u128)> = FxHashMap::default();
        let mut at = function;
        while !at.is_constant() {
            let level = self.store.level(at);
            let (high, low) = self.store.cofactors(at, level);
            let takes_high = low == Edge::FALSE || (high != Edge::FALSE && choice.next());
            if let Some((variable, place)) = self.levels[level as usize] {
                let of_variable = chosen.entry(variable).or_default();
                of_variable.0 |= u128::from(takes_high) << place;
                of_variable.1 |= 1 << place;
            }
            at = if takes_high { high } else { low };
        }
        chosen
    }

    /// The smallest values for which a function is true that depends on nothing but variables.
    pub fn least_model(&self, terms: &Terms, function: Edge) -> FxHashMap<TermId, Value> {
        let path = self.path(function, &mut Choice::Low).into_iter();
        path.map(|(variable, (ones, _))| (variable, value(terms.sort(variable), ones)))
            .collect()
    }

    /// Values for which all conditions are true, if one of some guesses about their diagram is right.
    pub fn guess(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        all: Edge,
    ) -> Result<Option<FxHashMap<TermId, Value>>, Failed> {
        let random = (1..=RANDOM).map(|seed| Choice::Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        for choice in [Choice::High, Choice::Low].into_iter().chain(random) {
            let found = self.confirmed(terms, conditions, all, choice)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn confirmed(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        all: Edge,
        mut choice: Choice,
    ) -> Result<Option<FxHashMap<TermId, Value>>, Failed> {
        let path = self.path(all, &mut choice);
        let others = RefCell::new(choice);
        let model = RefCell::new(FxHashMap::default());
        let variable = |variable: TermId| {
            let sort = terms.sort(variable);
            let value = match width_of(terms, variable) {
                Some(width) if width <= MAX_WIDTH => {
                    let (ones, known) = path.get(&variable).copied().unwrap_or_default();
                    value(sort, ones | (others.borrow_mut().number(width) & !known))
                }
                _ => Value::zero(sort),
            };
            model.borrow_mut().insert(variable, value.clone());
            value
        };
        let mut evaluator = Evaluator::new(terms, &variable);
        let is_true = conditions
            .iter()
            .all(|condition| evaluator.evaluate(*condition).as_bool() == Some(true));
        let evaluated = evaluator.into_known().len();
        let has_time = self.store.effort.steps(STEPS_OF_AN_EVALUATION * evaluated);
        if is_true {
            return Ok(Some(model.into_inner()));
        }
        has_time.map(|()| None)
    }
}

fn value(sort: Sort, ones: u128) -> Value {
    match sort {
        Sort::Bool => Value::Bool(ones & 1 != 0),
        sort => Value::BitVec(BitVec::new(sort.width(), ones)),
    }
}

#[cfg(test)]
mod tests {
    use super::Choice;

    #[test]
    fn numbers_fit_their_widths() {
        for width in [1, 2, 3, 8, 64, 127, 128] {
            let largest = u128::MAX >> (128 - width);
            assert_eq!(Choice::Low.number(width), 0);
            let positive = if width == 1 { 1 } else { largest >> 1 };
            assert_eq!(Choice::High.number(width), positive);
            assert!(Choice::Random(7).number(width) <= largest);
        }
    }
}
