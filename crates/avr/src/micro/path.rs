//! Runs without a choice: path reduction.
//!
//! Idea: of a state whose only successor looks the same nothing can be said that cannot be said of the
//! successor. So a step goes on for as long as that is so, and only the state at its end is handed out. In
//! between, interrupts wait for an instruction that does not commute with their handlers
//! ([`crate::independence`]).
//!
//! Invariant: a state that is handed out has the successors that it has without the reduction, each followed
//! to the end of its path. A path that goes round in a circle ends in the circle.
//!
//! Source: section 6.4.2 of Schlich's thesis; Yorav and Grumberg, "Static Analysis for State-Space
//! Reductions Preserving Temporal Logics" (2004). Circles are found after Brent, "An improved Monte Carlo
//! factorization algorithm" (1980).

use kripke_model::Choice;

use super::Micro;
use super::choices::Choices;
use crate::state::faults;

/// Steps of a path, at the most: what is longer has states in between.
const MOST_STEPS: u64 = 1 << 22;

/// What following a path needs, kept from one to the next.
#[derive(Default)]
pub(crate) struct Following {
    before: Vec<u8>,
    /// A state that was met, to find circles.
    mark: Vec<u8>,
    choices: Choices,
}

/// A run, step by step: its states, the choices that lead from each to the next one, and of a lasso the index
/// of the first state of its loop, with the choice that leads from the last state to it (none where the last
/// state repeats).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// The states.
    pub states: Vec<Box<[u8]>>,
    /// The choices.
    pub choices: Vec<Choice>,
    /// The loop.
    pub lasso: Option<(usize, Option<Choice>)>,
}

impl Micro {
    /// Whether steps are followed to the end of their paths.
    pub(crate) fn follows_paths(&self) -> bool {
        self.options.path_reduction && !self.prefix.under_way
    }

    /// Follows the only run from the draft's state, which some step from `origin` has made.
    pub(crate) fn follow(&mut self, origin: &[u8]) {
        if self.draft.ended || self.draft.faults != 0 || self.footprint.outgrown() {
            return;
        }
        let deepest = self.independence.passed.then(|| self.stack_in(origin));
        let mut following = std::mem::take(&mut self.following);
        std::mem::swap(&mut self.choices, &mut following.choices);
        following.mark.clone_from(&self.draft.state);
        let (mut steps, mut until) = (0_u64, 64);
        while steps < MOST_STEPS {
            following.before.clone_from(&self.draft.state);
            if !self.goes_on(&following.before, deepest) {
                self.draft.state.clone_from(&following.before);
                break;
            }
            steps += 1;
            if self.draft.state == following.mark || self.draft.state == origin {
                break;
            }
            if steps == until {
                until *= 2;
                following.mark.clone_from(&self.draft.state);
            }
        }
        std::mem::swap(&mut self.choices, &mut following.choices);
        self.following = following;
    }

    /// Takes the only step from a state, if there is just one and it leads to a state that looks the same.
    fn goes_on(&mut self, before: &[u8], deepest: Option<u16>) -> bool {
        self.choices.start();
        self.begin(before);
        self.independence.waits = self.independence.is_on();
        let effect = self.step();
        self.independence.waits = false;
        self.choices.is_empty()
            && !self.draft.ended
            && self.draft.faults == 0
            && !self.footprint.outgrown()
            && self.labels_are_those_of(before)
            && (!self.independence.left_out || self.commutes(before, effect, deepest))
    }

    fn labels_are_those_of(&self, before: &[u8]) -> bool {
        let labels = self.labelling.bytes();
        self.draft.state[labels.clone()] == before[labels] && faults(before) == 0
    }

    /// The same run with every step in it, as it is without reductions; none if it is not repeated.
    ///
    /// A loop is gone round until it repeats.
    pub fn unfold(&mut self, run: &Run) -> Option<Run> {
        if !self.options.path_reduction {
            return Some(run.clone());
        }
        let mut steps = Run {
            states: vec![run.states.first()?.clone()],
            ..Run::default()
        };
        let mut starts = Vec::new();
        for (index, choice) in run.choices.iter().enumerate() {
            starts.push(steps.states.len() - 1);
            self.unfold_step(&mut steps, *choice, &run.states[index + 1])?;
        }
        starts.push(steps.states.len() - 1);
        steps.lasso = match run.lasso {
            None => None,
            Some((_, None)) => Some((steps.states.len() - 1, None)),
            Some((start, Some(back))) => {
                let first = starts[start];
                self.unfold_step(&mut steps, back, &run.states[start])?;
                // The last step leads back: its state is the loop's first.
                steps.states.pop()?;
                Some((first, Some(steps.choices.pop()?)))
            }
        };
        Some(steps)
    }

    /// Appends the steps from the last state to one that is told from `next` by nothing.
    fn unfold_step(&mut self, steps: &mut Run, choice: Choice, next: &[u8]) -> Option<()> {
        let mut choice = choice;
        for _ in 0..MOST_STEPS + 1 {
            let last = steps.states.last()?.clone();
            self.choices.start();
            for _ in 0..choice {
                self.begin(&last);
                self.step();
                if !self.choices.advance() {
                    return None;
                }
            }
            self.begin(&last);
            self.step();
            steps.choices.push(choice);
            steps.states.push(self.draft.state.as_slice().into());
            if self.draft.state == next {
                return Some(());
            }
            // A path has no choices; interrupts that may come do not in the first of all possible steps.
            choice = 0;
        }
        None
    }
}
