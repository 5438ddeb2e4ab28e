//! Property-directed reachability: lemmas that exclude the states from which what is open is reached.
//!
//! Idea: templates say what invariants may look like; here the states that stand in the way do. A model in
//! which an open property is violated names a state at a loop's head. If no state of the frame before arrives
//! there, that is a lemma of this frame, as general as the solver's reasons, the program's constants and the
//! states of concrete runs allow; else those states are to be excluded first. When the lemmas of a frame are
//! all lemmas of the next, they are inductive together. Loops within loops are one system: an arrival may
//! rest on states at several heads, and is impossible once one of these is.
//!
//! Invariant: nothing is concluded from what is said here. What is found are candidates, which the same
//! fixpoint and the same induction prove as any other. A state from which a violation is really reached is
//! left to unwinding.
//!
//! Source: Bradley: SAT-based model checking without unrolling (VMCAI 2011); Eén, Mishchenko, Brayton:
//! Efficient implementation of property directed reachability (FMCAD 2011); Hoder, Bjørner: Generalized
//! property directed reachability (SAT 2012) for several heads; Welp, Kuehlmann: QF_BV model checking with
//! property directed reachability (DATE 2013) for bounds in place of bits.

mod frames;
mod generalise;
mod vocabulary;

use std::time::Instant;

use kripke_smt::{TermId, Value};
use rustc_hash::FxHashSet;

use crate::decide::Decider;
use crate::engine::Engine;
use crate::invariants::atoms::Mined;
use crate::invariants::candidate::Candidate;
use crate::invariants::heads::Head;
use crate::invariants::reachability::frames::{Answer, Frames, Lemma, Oracle};
use crate::invariants::reachability::vocabulary::{Literal, Vocabulary};
use crate::replay::Model;

/// The part of the time that is left which a goal gets in one frame, and a single question of it.
const SHARES: u32 = 2;
const SHARES_OF_QUESTION: u32 = 4;

/// Of what lemmas are looked for.
pub(super) struct Task<'t> {
    pub heads: &'t [Head],
    /// What the program's conditions say of each head.
    pub mined: Vec<&'t Mined>,
    /// What is to be shown impossible, one by one; without the first the others are of no use.
    pub goals: &'t [TermId],
    /// What is known to hold.
    pub support: TermId,
}

/// Lemmas, as many as are found in time; they may not be inductive.
pub(super) fn lemmas(
    engine: &mut Engine<'_>,
    decider: &mut Decider<'_>,
    task: Task<'_>,
    until: Instant,
) -> Vec<Candidate> {
    let started = Instant::now();
    let goals = task.goals.to_vec();
    let mut search = Search::new(engine, task, until);
    search.run(goals);
    decider.queries += search.oracle.queries;
    decider.time += started.elapsed();
    let lemmas = search.frames.lemmas.into_iter();
    lemmas.map(|lemma| lemma.candidate).collect()
}

/// A state at a head.
type State = (usize, Vec<Literal>);

/// What comes of an attempt to exclude a state, or a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Excluded,
    /// It is reached, as far as what describes states can tell.
    Reached,
    /// There is no time left.
    Late,
}

/// Whether a state is arrived at from a frame.
enum Arrival {
    /// It is not, for the sake of these literals.
    Never(Vec<Literal>),
    /// From states at several heads, innermost first; from none where the program begins.
    From(Vec<State>),
    /// That is not known.
    Open,
}

struct Search<'s, 'e> {
    engine: &'s mut Engine<'e>,
    heads: &'s [Head],
    vocabularies: Vec<Vocabulary>,
    /// For each head what only its arbitrary iteration can mention.
    own: Vec<FxHashSet<TermId>>,
    frames: Frames,
    /// The last frame.
    frontier: u32,
    oracle: Oracle,
    until: Instant,
}

impl<'s, 'e> Search<'s, 'e> {
    fn new(engine: &'s mut Engine<'e>, task: Task<'s>, until: Instant) -> Self {
        let heads = task.heads;
        let vocabularies = (0..heads.len())
            .map(|index| Vocabulary::new(engine, index, (heads, &task.mined)))
            .collect();
        let unpassed = heads
            .iter()
            .map(|head| engine.terms.not(head.arbitrary))
            .collect();
        let frames = Frames {
            background: vec![task.support, engine.address_facts()],
            unpassed,
            lemmas: Vec::new(),
        };
        Search {
            own: heads.iter().map(|head| own_variables(engine, head)).collect(),
            engine,
            heads,
            vocabularies,
            frames,
            frontier: 0,
            oracle: Oracle::default(),
            until,
        }
    }

    /// Excludes the goals from one frame after the other, until the lemmas of one are those of the next; then
    /// only those are left. A goal that is reached is given up.
    fn run(&mut self, mut goals: Vec<TermId>) {
        let first = goals[0];
        while goals.first() == Some(&first) && !self.is_late() {
            self.frontier += 1;
            let frontier = self.frontier;
            goals.retain(|goal| self.exclude(*goal) == Outcome::Excluded);
            let is_useful = goals.len() > 1 || self.engine.terms.as_bool(first) != Some(false);
            if !is_useful {
                return;
            }
            if let Some(closed) = (1..=frontier).find(|frame| self.push(*frame)) {
                self.frames.lemmas.retain(|lemma| lemma.last > closed);
                return;
            }
        }
    }

    fn is_late(&self) -> bool {
        Instant::now() >= self.until
    }

    /// Makes lemmas that end with a frame lemmas of the next where they hold there; are all of them?
    fn push(&mut self, frame: u32) -> bool {
        let mut all = true;
        for number in 0..self.frames.lemmas.len() {
            let lemma = &self.frames.lemmas[number];
            if lemma.last != frame {
                continue;
            }
            let (head, excluded) = (lemma.head, lemma.excluded.clone());
            match self.arrival(head, &excluded, frame + 1) {
                Arrival::Never(_) => self.frames.lemmas[number].last = frame + 1,
                _ => all = false,
            }
        }
        all && !self.is_late()
    }

    /// Excludes a goal from the last frame.
    fn exclude(&mut self, goal: TermId) -> Outcome {
        if self.engine.terms.as_bool(goal) == Some(false) {
            return Outcome::Excluded;
        }
        let until = self.until;
        let now = Instant::now();
        self.until = now + until.saturating_duration_since(now) / SHARES;
        let outcome = loop {
            let mut conditions = self.frames.known(self.frontier);
            conditions.push(goal);
            let states = match self.ask(&conditions) {
                Answer::Impossible(_) => break Outcome::Excluded,
                Answer::Open => break Outcome::Late,
                Answer::Possible => self.states(&[goal]),
            };
            match self.exclude_one(states, self.frontier) {
                Outcome::Excluded => {}
                outcome => break outcome,
            }
        };
        self.until = until;
        outcome
    }

    /// Excludes one of several states from a frame.
    fn exclude_one(&mut self, states: Option<Vec<State>>, frame: u32) -> Outcome {
        for (head, state) in states.into_iter().flatten() {
            match self.exclude_state(head, &state, frame) {
                Outcome::Reached => {}
                outcome => return outcome,
            }
        }
        Outcome::Reached
    }

    /// Excludes a state at a head from a frame.
    fn exclude_state(&mut self, head: usize, state: &[Literal], frame: u32) -> Outcome {
        if frame == 0 || self.is_seen(head, state) {
            return Outcome::Reached;
        }
        while !self.is_late() {
            match self.arrival(head, state, frame) {
                Arrival::Never(reasons) => {
                    self.learn(head, state, reasons, frame);
                    return Outcome::Excluded;
                }
                Arrival::From(states) => match self.exclude_one(Some(states), frame - 1) {
                    Outcome::Excluded => {}
                    outcome => return outcome,
                },
                Arrival::Open => return Outcome::Late,
            }
        }
        Outcome::Late
    }

    /// Does a concrete run come to a state of which all this is true?
    fn is_seen(&mut self, head: usize, state: &[Literal]) -> bool {
        let predicate = self.lemma_of(state);
        self.vocabularies[head].maker.is_refuted(self.engine, predicate)
    }

    /// The predicate that excludes what all literals are true of.
    fn lemma_of(&mut self, literals: &[Literal]) -> TermId {
        let terms = &mut self.engine.terms;
        let all = terms.and_all(literals.iter().map(|literal| literal.term));
        terms.not(all)
    }

    /// Does a state that is not described by the literals arrive in a frame at one that is?
    fn arrival(&mut self, head: usize, literals: &[Literal], frame: u32) -> Arrival {
        let predicate = self.lemma_of(literals);
        let Some(candidate) = self.vocabularies[head].maker.make(self.engine, predicate) else {
            return Arrival::Open;
        };
        let mut needed = FxHashSet::default();
        // Most of what is asked is arrived at from another iteration.
        for number in (0..self.heads[head].arrivals.len()).rev() {
            let path = self.heads[head].arrivals[number].path;
            let mut arrives = vec![path];
            for literal in literals {
                let maker = &mut self.vocabularies[head].maker;
                arrives.push(maker.at_arrival(self.engine, number, literal.term));
            }
            let mut conditions = self.frames.known(frame - 1);
            conditions.push(candidate.assumption);
            conditions.extend(&arrives);
            match self.ask(&conditions) {
                Answer::Open => return Arrival::Open,
                Answer::Possible => return self.states(&arrives).map_or(Arrival::Open, Arrival::From),
                Answer::Impossible(reasons) => {
                    let there = literals.iter().zip(&arrives[1..]);
                    let of_reasons = there.filter(|(_, arrives)| reasons.contains(arrives));
                    needed.extend(of_reasons.map(|(literal, _)| literal.term));
                }
            }
        }
        let needed = literals.iter().filter(|literal| needed.contains(&literal.term));
        Arrival::Never(needed.copied().collect())
    }

    fn ask(&mut self, conditions: &[TermId]) -> Answer {
        let now = Instant::now();
        let share = self.until.saturating_duration_since(now) / SHARES_OF_QUESTION;
        self.oracle.ask(self.engine, conditions, now + share)
    }

    /// The states at heads on which conditions rest in the model of the last answer, innermost first.
    fn states(&mut self, conditions: &[TermId]) -> Option<Vec<State>> {
        let mentioned: FxHashSet<TermId> = self.engine.terms.variables_of(conditions).into_iter().collect();
        let may_rest = |head: &usize| !mentioned.is_disjoint(&self.own[*head]);
        let heads: Vec<usize> = (0..self.heads.len()).rev().filter(may_rest).collect();
        let mut wanted = Vec::new();
        for &head in &heads {
            wanted.push(self.heads[head].arbitrary);
            wanted.extend(self.vocabularies[head].terms());
        }
        let values = Model::new(self.oracle.model()?).evaluate(self.engine, &wanted);
        let mut values: &[Value] = &values.ok()?;
        let mut states = Vec::new();
        for head in heads {
            let vocabulary = &self.vocabularies[head];
            let (own, others) = values.split_at(1 + vocabulary.terms().len());
            values = others;
            if own[0].as_bool() == Some(true) {
                states.push((head, vocabulary.state(&mut self.engine.terms, &own[1..])));
            }
        }
        Some(states)
    }

    /// Adds a lemma that excludes a state.
    fn learn(&mut self, head: usize, state: &[Literal], reasons: Vec<Literal>, frame: u32) {
        let (excluded, mut last) = self.generalised(head, state, reasons, frame);
        while last <= self.frontier && matches!(self.arrival(head, &excluded, last + 1), Arrival::Never(_)) {
            last += 1;
        }
        let predicate = self.lemma_of(&excluded);
        let candidate = self.vocabularies[head].maker.make(self.engine, predicate);
        if let Some(candidate) = candidate {
            self.frames.add(Lemma {
                head,
                excluded,
                candidate,
                last,
            });
        }
    }
}

/// What stands for the state of a head's arbitrary iteration, and what chooses that one.
fn own_variables(engine: &Engine<'_>, head: &Head) -> FxHashSet<TermId> {
    let terms = &engine.terms;
    let before = terms.variables_of(&[head.arrivals[0].path]);
    let choices = terms.variables_of(&[head.arbitrary]).into_iter();
    let choices = choices.filter(|variable| !before.contains(variable));
    let places = head.places.iter().map(|place| place.variable);
    choices.chain(places).collect()
}
