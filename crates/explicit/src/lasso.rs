//! Lasso-shaped runs: a stem, then a cycle for ever.
//!
//! A run of the product is longer than the run of the model has to be: the automaton may need several rounds.
//! Folding removes what repeats; the infinite word stays the same, so its truth does.

use std::ops::ControlFlow;

use kripke_logic::evaluate::holds_on_lasso;
use kripke_logic::{Formula, Lasso, Letter};
use kripke_model::{Choice, KripkeStructure};

use crate::invariant::Path;

/// A run that goes on for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LassoPath {
    /// Stem and cycle, one behind the other.
    pub path: Path,
    /// The first state of the cycle.
    pub loop_start: usize,
    /// What leads from the last state to the first one of the cycle; `None` where the last state ends the run
    /// and repeats.
    pub back: Option<Choice>,
}

impl LassoPath {
    /// From a walk whose last state equals the one at `loop_start`; a step without a choice stays in a
    /// terminal state.
    pub(crate) fn fold(
        mut states: Vec<Box<[u8]>>,
        mut choices: Vec<Option<Choice>>,
        loop_start: usize,
    ) -> Self {
        if let Some(end) = choices.iter().position(Option::is_none) {
            states.truncate(end + 1);
            let choices = choices[..end].iter().copied().flatten().collect();
            return LassoPath {
                path: Path { states, choices },
                loop_start: end,
                back: None,
            };
        }
        states.pop();
        let mut start = loop_start;
        let period = shortest_period(&states[start..]);
        states.truncate(start + period);
        choices.truncate(start + period);
        while start > 0 && states[start - 1] == states[states.len() - 1] {
            start -= 1;
            states.pop();
            choices.pop();
        }
        let back = choices.pop().flatten();
        LassoPath {
            path: Path {
                states,
                choices: choices.into_iter().flatten().collect(),
            },
            loop_start: start,
            back,
        }
    }

    /// The infinite word of its labels.
    pub fn word<M: KripkeStructure>(&self, model: &mut M) -> Lasso {
        let mut letters: Vec<Letter> = self
            .path
            .states
            .iter()
            .map(|state| Letter(model.labels(state)))
            .collect();
        let cycle = letters.split_off(self.loop_start);
        Lasso { stem: letters, cycle }
    }

    /// Whether the model can do this: asked of the model alone, step by step.
    pub fn replays<M: KripkeStructure>(&self, model: &mut M) -> bool {
        let states = &self.path.states;
        let Some(last) = states.last() else {
            return false;
        };
        if self.loop_start >= states.len() || !self.path.replays(model) {
            return false;
        }
        match self.back {
            Some(choice) => leads_to(model, last, choice, &states[self.loop_start]),
            None => self.loop_start + 1 == states.len() && is_terminal(model, last),
        }
    }

    /// Whether it is a run of the model on which the LTL formula is false.
    pub fn refutes<M: KripkeStructure>(&self, model: &mut M, formula: &Formula) -> bool {
        self.replays(model) && holds_on_lasso(formula, &self.word(model)) == Ok(false)
    }
}

impl Path {
    /// Whether the model can do this, from an initial state, by these choices.
    pub fn replays<M: KripkeStructure>(&self, model: &mut M) -> bool {
        let Some(first) = self.states.first() else {
            return false;
        };
        let mut starts = false;
        model.initial_states(&mut |state| {
            starts = *state == **first;
            more(!starts)
        });
        starts
            && self.choices.len() + 1 == self.states.len()
            && self
                .choices
                .iter()
                .zip(self.states.windows(2))
                .all(|(&choice, step)| leads_to(model, &step[0], choice, &step[1]))
    }
}

/// Whether a choice leads from one state to the other.
pub(crate) fn leads_to<M: KripkeStructure>(model: &mut M, from: &[u8], choice: Choice, to: &[u8]) -> bool {
    let mut found = false;
    model.successors(from, &mut |by, state| {
        found = by == choice && state == to;
        more(!found)
    });
    found
}

/// The first choice that leads from one state to the other.
pub(crate) fn choice_between<M: KripkeStructure>(model: &mut M, from: &[u8], to: &[u8]) -> Option<Choice> {
    let mut found = None;
    model.successors(from, &mut |by, state| {
        found = (state == to).then_some(by);
        more(found.is_none())
    });
    found
}

/// Whether a run ends in a state.
pub(crate) fn is_terminal<M: KripkeStructure>(model: &mut M, state: &[u8]) -> bool {
    let mut terminal = true;
    model.successors(state, &mut |_, _| {
        terminal = false;
        more(false)
    });
    terminal
}

fn more(wanted: bool) -> ControlFlow<()> {
    match wanted {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    }
}

/// The length of the shortest prefix of which the sequence is a power.
fn shortest_period(states: &[Box<[u8]>]) -> usize {
    (1..states.len())
        .find(|period| {
            states.len().is_multiple_of(*period)
                && (*period..states.len()).all(|i| states[i] == states[i - period])
        })
        .unwrap_or(states.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(walk: &[u8], loop_start: usize, expected: &[u8], expected_start: usize) {
        let states = walk.iter().map(|&state| Box::from([state])).collect();
        let choices = vec![Some(7); walk.len() - 1];
        let lasso = LassoPath::fold(states, choices, loop_start);
        let bytes: Vec<u8> = lasso.path.states.iter().map(|state| state[0]).collect();
        assert_eq!((bytes.as_slice(), lasso.loop_start), (expected, expected_start));
        assert_eq!(lasso.path.choices.len() + 1, lasso.path.states.len());
        assert_eq!(lasso.back, Some(7));
    }

    #[test]
    fn walks_fold() {
        check(&[0, 1, 2, 1], 1, &[0, 1, 2], 1);
        check(&[0, 1, 2, 1, 2, 1], 1, &[0, 1, 2], 1);
        check(&[0, 1, 2, 1, 2, 1, 2], 2, &[0, 1, 2], 1);
        check(&[3, 3], 0, &[3], 0);
        check(&[0, 1, 0, 2, 0], 0, &[0, 1, 0, 2], 0);
    }

    #[test]
    fn a_run_that_ends_repeats_its_last_state() {
        let states = [0, 1, 1, 1].map(|state| Box::from([state])).to_vec();
        let lasso = LassoPath::fold(states, vec![Some(0), None, None], 2);
        assert_eq!(
            (lasso.path.states.len(), lasso.loop_start, lasso.back),
            (2, 1, None)
        );
    }
}
