//! What is known of the states that a number of iterations reaches.
//!
//! Idea: a frame is a set of lemmas, each of which holds at its head in all states that so many steps reach.
//! A lemma of one frame is one of all frames before it, so it is kept once, with the last. In the frame
//! before all others no head was passed yet.

use std::time::Instant;

use kripke_smt::{SatResult, Solver, TermId, create_solver_with_cores};
use rustc_hash::FxHashSet;

use crate::engine::Engine;
use crate::invariants::candidate::Candidate;
use crate::invariants::reachability::vocabulary::Literal;
use crate::limits;

/// States that are excluded at a head.
pub(super) struct Lemma {
    pub head: usize,
    /// What they have in common.
    pub excluded: Vec<Literal>,
    pub candidate: Candidate,
    /// The last frame to which it belongs.
    pub last: u32,
}

impl Lemma {
    /// Does it exclude all that the other does?
    fn implies(&self, other: &Lemma) -> bool {
        let has = |literal: &Literal| other.excluded.iter().any(|known| known.term == literal.term);
        self.head == other.head && self.last >= other.last && self.excluded.iter().all(has)
    }
}

/// All frames.
pub(super) struct Frames {
    /// What holds in any case.
    pub background: Vec<TermId>,
    /// That no head was passed.
    pub unpassed: Vec<TermId>,
    pub lemmas: Vec<Lemma>,
}

impl Frames {
    /// What is known of the states in a frame.
    pub fn known(&self, frame: u32) -> Vec<TermId> {
        let mut known = self.background.clone();
        match frame {
            0 => known.extend(&self.unpassed),
            _ => {
                let lemmas = self.lemmas.iter().filter(|lemma| lemma.last >= frame);
                known.extend(lemmas.map(|lemma| lemma.candidate.assumption));
            }
        }
        known
    }

    pub fn add(&mut self, lemma: Lemma) {
        self.lemmas.retain(|known| !lemma.implies(known));
        self.lemmas.push(lemma);
    }
}

/// Whether conditions can hold together.
pub(super) enum Answer {
    /// Not even these of them.
    Impossible(FxHashSet<TermId>),
    /// In the solver's model.
    Possible,
    /// There is no answer in time.
    Open,
}

/// The solver that is asked, which tells the conditions that exclude each other.
#[derive(Default)]
pub(super) struct Oracle {
    solver: Option<Box<dyn Solver>>,
    pub queries: u64,
}

impl Oracle {
    pub fn ask(&mut self, engine: &Engine<'_>, conditions: &[TermId], until: Instant) -> Answer {
        let is_false = |term: &&TermId| engine.terms.as_bool(**term) == Some(false);
        if let Some(never) = conditions.iter().find(is_false) {
            return Answer::Impossible(FxHashSet::from_iter([*never]));
        }
        let mut seen = FxHashSet::default();
        let open = conditions.iter().copied();
        let open: Vec<TermId> = open
            .filter(|term| !engine.terms.is_const(*term) && seen.insert(*term))
            .collect();
        self.queries += 1;
        self.ask_solver(engine, &open, until).unwrap_or(Answer::Open)
    }

    fn ask_solver(&mut self, engine: &Engine<'_>, conditions: &[TermId], until: Instant) -> Option<Answer> {
        let solver = self.solver.take();
        let mut solver = solver.or_else(|| create_solver_with_cores().ok())?;
        let limits = limits::of(engine.options).until(until);
        let answer = match solver.check(&engine.terms, conditions, &limits).ok()? {
            SatResult::Sat => Answer::Possible,
            SatResult::Unsat => {
                let numbers = solver.excluding().ok()??;
                Answer::Impossible(numbers.into_iter().map(|number| conditions[number]).collect())
            }
            SatResult::Unknown(_) => return None,
        };
        self.solver = Some(solver);
        Some(answer)
    }

    /// The solver with the model of the last answer.
    pub fn model(&mut self) -> Option<&mut dyn Solver> {
        match &mut self.solver {
            Some(solver) => Some(solver.as_mut()),
            None => None,
        }
    }
}
