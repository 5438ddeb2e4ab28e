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
use crate::state::{ASLEEP, faults, header, set_waited};

/// Steps of a path, at the most: what is longer has states in between.
const MOST_STEPS: u64 = 1 << 18;

/// The same, while values are counted: what a long path does is to be seen in states.
const MOST_COUNTED: u64 = 1 << 12;

/// Steps of a path that is told, at the most.
const MOST_TOLD: usize = 300_000;

/// Words of a loop that only counts, at the most.
const MOST_WORDS: u32 = 16;

/// Rounds of a loop until it repeats, at the most.
const MOST_ROUNDS: usize = 40;

/// What following a path needs, kept from one to the next.
#[derive(Default)]
pub(crate) struct Following {
    before: Vec<u8>,
    /// A state that was met, to find circles.
    mark: Vec<u8>,
    choices: Choices,
    /// The states on the way, if they are wanted, and where it ends.
    way: Option<Way>,
    /// The first instruction of a loop, and the step in which it was next.
    head: (u32, u64),
}

/// The states of a path, and the one at which it ends.
#[derive(Default)]
struct Way {
    states: Vec<Box<[u8]>>,
    end: Box<[u8]>,
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
        following.head = (u32::MAX, 0);
        let (mut steps, mut until) = (0_u64, 64);
        let most = match self.variety.is_some() && following.way.is_none() {
            true => MOST_COUNTED,
            false => MOST_STEPS,
        };
        while steps < most {
            following.before.clone_from(&self.draft.state);
            if !self.goes_on(&following.before, deepest) {
                self.draft.state.clone_from(&following.before);
                break;
            }
            steps += 1;
            match &mut following.way {
                Some(way) => {
                    way.states.push(self.draft.state.as_slice().into());
                    if way.states.len() > MOST_TOLD || self.comes_back(&way.end) {
                        break;
                    }
                }
                None => self.look_for_rounds(&following.before, steps, &mut following.head),
            }
            if self.draft.state == following.mark || self.comes_back(origin) {
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

    /// Passes the rounds of a loop that only counts, where the last step led back to its head.
    fn look_for_rounds(&mut self, before: &[u8], steps: u64, head: &mut (u32, u64)) {
        let (from, to) = (self.pc_of(before), self.pc_of(&self.draft.state));
        if to >= from || from - to > MOST_WORDS {
            return;
        }
        if head.0 == to {
            self.pass_rounds(steps - head.1);
        }
        *head = (to, steps);
    }

    /// Whether the draft is handed out as the state where the path began.
    fn comes_back(&mut self, origin: &[u8]) -> bool {
        if self.pc_of(&self.draft.state) != self.pc_of(origin) {
            return false;
        }
        let state = std::mem::take(&mut self.draft.state);
        let same = self.hands_out(&state, origin);
        self.draft.state = state;
        same
    }

    /// Takes the only step from a state, if there is just one and it leads to a state that looks the same.
    fn goes_on(&mut self, before: &[u8], deepest: Option<u16>) -> bool {
        self.choices.start();
        self.begin(before);
        self.independence.waits = self.independence.is_on();
        let effect = self.step();
        self.independence.waits = false;
        let has_waited = self.independence.left_out;
        let goes_on = self.choices.is_empty()
            && !self.draft.ended
            && self.draft.faults == 0
            && !self.footprint.outgrown()
            && self.labels_are_those_of(before)
            && (!has_waited || self.commutes(before, effect, deepest));
        if goes_on && has_waited && !self.options.spaced_handlers && before[header::FLAGS] & ASLEEP == 0 {
            set_waited(&mut self.draft.state, true);
        }
        goes_on
    }

    fn labels_are_those_of(&self, before: &[u8]) -> bool {
        let labels = self.labelling.bytes();
        self.draft.state[labels.clone()] == before[labels] && faults(before) == 0
    }

    /// The same run with every step in it, as it is without reductions; none if it is not repeated.
    ///
    /// What was dead in its states has the value that the chip has there. So a loop is gone round until it
    /// repeats.
    pub fn unfold(&mut self, run: &Run) -> Option<Run> {
        let mut steps = Run {
            states: vec![run.states.first()?.clone()],
            ..Run::default()
        };
        let mut first = 0;
        for (index, choice) in run.choices.iter().enumerate() {
            if run.lasso.is_some_and(|(start, _)| start == index) {
                first = steps.states.len() - 1;
            }
            self.unfold_step(&mut steps, &run.states[index], *choice, &run.states[index + 1])?;
        }
        let last = steps.states.len() - 1;
        match run.lasso {
            None => {}
            Some((_, None)) => steps.lasso = Some((last, None)),
            Some((start, Some(back))) => {
                let first = if start == run.choices.len() { last } else { first };
                self.unfold_loop(&mut steps, run, (start, back), first)?;
            }
        }
        Some(steps)
    }

    /// Goes round a loop until its first state is one that it was before. The loop's first state is the step
    /// `first`, and the run has come to the last one of the loop.
    fn unfold_loop(
        &mut self,
        steps: &mut Run,
        run: &Run,
        (start, back): (usize, Choice),
        first: usize,
    ) -> Option<()> {
        let mut firsts = vec![first];
        for _ in 0..MOST_ROUNDS {
            self.unfold_step(steps, run.states.last()?, back, &run.states[start])?;
            let at = steps.states.len() - 1;
            let same = |before: &&usize| steps.states[**before] == steps.states[at];
            if let Some(before) = firsts.iter().find(same) {
                steps.states.pop()?;
                steps.lasso = Some((*before, Some(steps.choices.pop()?)));
                return Some(());
            }
            firsts.push(at);
            for (index, choice) in run.choices.iter().enumerate().skip(start) {
                self.unfold_step(steps, &run.states[index], *choice, &run.states[index + 1])?;
            }
        }
        None
    }

    /// Appends the steps of the path that leads from one state to the next, beginning with the last state of
    /// the run, which differs from `from` in what is dead.
    fn unfold_step(&mut self, steps: &mut Run, from: &[u8], choice: Choice, next: &[u8]) -> Option<()> {
        self.choices.start();
        for _ in 0..choice {
            self.begin(from);
            self.step();
            if !self.choices.advance() {
                return None;
            }
        }
        self.begin(from);
        self.step();
        let mut way: Vec<Box<[u8]>> = vec![self.draft.state.as_slice().into()];
        if self.follows_paths() && self.without_dead(way.last()?) != next {
            let end = next.into();
            self.following.way = Some(Way {
                end,
                ..Way::default()
            });
            self.follow(from);
            way.append(&mut self.following.way.take()?.states);
        }
        if self.without_dead(way.last()?) != next {
            return None;
        }
        for state in way {
            let last = steps.states.last()?.clone();
            let (choice, real) = self.step_alike(&last, &state)?;
            steps.choices.push(choice);
            steps.states.push(real);
        }
        Some(())
    }

    /// A step to a state that differs from another one in what is dead.
    fn step_alike(&mut self, from: &[u8], to: &[u8]) -> Option<(Choice, Box<[u8]>)> {
        self.choices.start();
        for choice in 0.. {
            self.begin(from);
            self.step();
            let state = std::mem::take(&mut self.draft.state);
            let is_found = self.is_alike(&state, to);
            self.draft.state = state;
            if is_found {
                return Some((choice, self.draft.state.as_slice().into()));
            }
            if !self.choices.advance() {
                break;
            }
        }
        None
    }

    /// Whether a state is handed out as `next`.
    fn hands_out(&mut self, state: &[u8], next: &[u8]) -> bool {
        self.pc_of(state) == self.pc_of(next) && (state == next || self.without_dead(state) == next)
    }
}
