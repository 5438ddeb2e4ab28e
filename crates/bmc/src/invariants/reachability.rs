//! Property-directed reachability: lemmas that exclude the states from which what is open is reached.
//!
//! Idea: templates say what invariants may look like; here the states that stand in the way do. A model in
//! which an open property is violated names a state at a loop's head. If no state of the frame before arrives
//! there, that is a lemma of this frame, as general as the solver's reasons, the program's constants and the
//! states of concrete runs allow; else those states are to be excluded first. When the lemmas of a frame are
//! all lemmas of the next, they are inductive together. Loops within loops are one system: an arrival may
//! rest on states at several heads, and is impossible once one of these is.
//!
//! What there was no time for goes on later from the frames that it came to.
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

use std::rc::Rc;
use std::time::Instant;

use kripke_smt::{TermId, Value};
use rustc_hash::FxHashSet;

use crate::decide::Decider;
use crate::engine::Engine;
use crate::invariants::atoms::Mined;
use crate::invariants::heads::Head;
use crate::invariants::memory;
use crate::invariants::reachability::frames::{Answer, Frames, Lemma, Oracle};
use crate::invariants::reachability::vocabulary::{Literal, Vocabulary};
use crate::limits;
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

/// How far a search came that there was no time for, and what it is of.
pub(crate) struct Suspended {
    heads: Rc<[Head]>,
    vocabularies: Vec<Vocabulary>,
    frames: Frames,
    /// The last frame from which all goals are excluded.
    frontier: u32,
    /// The first goal, and those of the others that are open.
    goals: Vec<TermId>,
    /// How many goals there were.
    of: usize,
}

impl Suspended {
    /// A search that has not begun.
    pub(super) fn new(engine: &mut Engine<'_>, task: &Task<'_>) -> Self {
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
        Suspended {
            heads: heads.into(),
            vocabularies,
            frames,
            frontier: 0,
            goals: task.goals.to_vec(),
            of: task.goals.len(),
        }
    }

    /// Is it of heads that have these names and places, and of as many goals?
    pub fn is_of(&self, heads: &[Head], goals: usize) -> bool {
        self.of == goals
            && self
                .heads
                .iter()
                .map(memory::key)
                .eq(heads.iter().map(memory::key))
    }

    /// How far it is: the last frame, and how many lemmas there are.
    pub(super) fn progress(&self) -> (u32, usize) {
        (self.frontier, self.frames.lemmas.len())
    }
}

/// What a search finds: predicates by the names of the heads at which they may hold, as many as are found in
/// time; they may not be inductive. And where it goes on, where there was no time for all.
pub(super) struct Found {
    pub lemmas: Vec<(Vec<u32>, TermId)>,
    pub suspended: Option<Suspended>,
}

/// Looks for lemmas from where a search was suspended, or from the beginning.
pub(super) fn lemmas(
    engine: &mut Engine<'_>,
    decider: &mut Decider<'_>,
    suspended: Suspended,
    until: Instant,
) -> Found {
    let started = Instant::now();
    let (goals, of) = (suspended.goals.clone(), suspended.of);
    let mut search = Search::new(engine, suspended, until);
    let goals = search.run(goals);
    decider.queries += search.oracle.queries;
    decider.time += started.elapsed();
    let name = |lemma: &Lemma| (search.heads[lemma.head].key.clone(), lemma.candidate.predicate);
    let lemmas = search.frames.lemmas.iter().map(name).collect();
    let suspended = (!goals.is_empty()).then(|| search.suspended(goals, of));
    Found { lemmas, suspended }
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
    heads: Rc<[Head]>,
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
    fn new(engine: &'s mut Engine<'e>, from: Suspended, until: Instant) -> Self {
        let heads = from.heads;
        Search {
            own: heads.iter().map(|head| own_variables(engine, head)).collect(),
            engine,
            heads,
            vocabularies: from.vocabularies,
            frames: from.frames,
            frontier: from.frontier,
            oracle: Oracle::default(),
            until,
        }
    }

    /// What is needed to go on later.
    fn suspended(mut self, goals: Vec<TermId>, of: usize) -> Suspended {
        for (vocabulary, head) in self.vocabularies.iter_mut().zip(self.heads.iter()) {
            vocabulary.maker.forget_columns(head);
        }
        Suspended {
            heads: self.heads,
            vocabularies: self.vocabularies,
            frames: self.frames,
            frontier: self.frontier,
            goals,
            of,
        }
    }

    /// Excludes the goals from one frame after the other, until the lemmas of one are those of the next; then
    /// only those are left. A goal that is reached is given up. Says what there was no time for: the first
    /// goal, and others.
    fn run(&mut self, mut goals: Vec<TermId>) -> Vec<TermId> {
        let first = goals[0];
        let mut late = Vec::new();
        while !self.is_late() && limits::check(self.engine.options, true).is_ok() {
            self.frontier += 1;
            let mut excluded = Vec::new();
            for &goal in &goals {
                match self.exclude(goal) {
                    Outcome::Excluded => excluded.push(goal),
                    Outcome::Reached if goal == first => return Vec::new(),
                    Outcome::Late if goal == first => {
                        self.frontier -= 1;
                        return [goals, late].concat();
                    }
                    Outcome::Reached => {}
                    Outcome::Late => late.push(goal),
                }
            }
            goals = excluded;
            let is_useful = goals.len() > 1 || self.engine.terms.as_bool(first) != Some(false);
            if !is_useful {
                self.frontier -= 1;
            }
            if !is_useful || self.is_closed(late.is_empty()) {
                return match late.is_empty() {
                    true => Vec::new(),
                    false => [vec![first], late].concat(),
                };
            }
        }
        [goals, late].concat()
    }

    /// Are the lemmas of a frame those of the next? Where nothing is left to do, those that are not go.
    fn is_closed(&mut self, is_last: bool) -> bool {
        let Some(closed) = (1..=self.frontier).find(|frame| self.push(*frame)) else {
            return false;
        };
        if is_last {
            self.frames.lemmas.retain(|lemma| lemma.last > closed);
        }
        for lemma in self.frames.lemmas.iter_mut().filter(|lemma| lemma.last > closed) {
            lemma.last = self.frontier + 1;
        }
        true
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::{Duration, Instant};

    use kripke_elts::{FunctionId, Id};
    use kripke_smt::{SatResult, TermId};

    use super::{Found, Suspended, Task, lemmas};
    use crate::decide::Decider;
    use crate::engine::Engine;
    use crate::invariants::atoms::Atoms;
    use crate::invariants::candidate::Maker;
    use crate::invariants::fixpoint::{Broken, fixpoint};
    use crate::invariants::questions::Questions;
    use crate::invariants::tests::after_induction;
    use crate::limits;

    /// A flag is set in the first of five states that follow each other, and has to be in the last.
    const PROGRAM: &str = "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\n\
        file0 \"test.c\"\np0 assertion \"set\" in main @1:1\n\
        function main() -> () entry l0 exit l1 @1:1 {\nlocal i32 s;\nlocal i32 f;\n\
        l0 \"\": when true { s = 0i32; f = 0i32; } goto l2;\nl1 \"\":\n\
        l2 \"\": when true { assert((s != 5i32) | (f == 1i32)) p0; } goto l3;\n\
        l3 \"\": when s == 0i32 { s = 1i32; f = 1i32; } goto l2;\n\
        when (s != 0i32) & (s <u 5i32) { s = s + 1i32; } goto l2;\n\
        when !(s <u 5i32) { s = 0i32; f = 0i32; } goto l2;\n}\n";

    /// What is to be shown impossible of the present run: that a path goes on, and the violation.
    fn goals(engine: &mut Engine<'_>) -> [TermId; 2] {
        let record = &engine.run.record;
        let cuts: Vec<TermId> = record.cuts.iter().map(|cut| cut.condition).collect();
        let violations = record.violations.iter().map(|violation| violation.condition);
        let violations = violations.collect();
        [cuts, violations].map(|conditions| engine.terms.or_all(conditions))
    }

    /// Is the violation possible where the lemmas hold, as far as they are inductive?
    fn is_open(engine: &mut Engine<'_>, decider: &mut Decider<'_>, found: &Found) -> bool {
        let (truth, until) = (engine.terms.true_(), Instant::now() + Duration::from_secs(100));
        let head = engine.run.record.heads[0].clone();
        let mut maker = Maker::new(engine, 0, &head, until);
        let predicates = found.lemmas.iter();
        let made = predicates.filter_map(|(_, predicate)| maker.make(engine, *predicate));
        let made = made.collect();
        let mut questions = Questions::new(decider);
        let kept = fixpoint(engine, &mut questions, truth, (made, Broken::OnPath), until);
        let kept = kept.expect("there is time enough").expect("there is time enough");
        let mut conditions: Vec<TermId> = kept.iter().map(|candidate| candidate.assumption).collect();
        conditions.push(goals(engine)[1]);
        let limits = limits::of(engine.options).until(until);
        !matches!(decider.ask(engine, &conditions, &limits), Ok(SatResult::Unsat))
    }

    /// Is the violation open at first, and after a search that had no time and goes on after a larger bound?
    fn are_open(program: &str) -> [bool; 2] {
        let mut are_open = [true; 2];
        after_induction(program, (1, 1), |engine, decider| {
            let heads = engine.run.record.heads.clone();
            let mined = Atoms::new(engine).of_head(engine, &heads[0]);
            let task = Task {
                heads: &heads,
                mined: vec![&mined],
                goals: &goals(engine),
                support: engine.terms.true_(),
            };
            let begin = Suspended::new(engine, &task);
            let mut found = lemmas(engine, decider, begin, Instant::now());
            are_open[0] = is_open(engine, decider, &found);
            let loops = BTreeSet::from([(FunctionId::new(0), 0)]);
            assert_eq!(engine.run_induction(2, 2, &loops), Ok(true));
            let mut turns = 0;
            while let Some(suspended) = found.suspended.take() {
                let heads = &engine.run.record.heads;
                assert!(suspended.is_of(heads, 2) && !suspended.is_of(heads, 1));
                turns += 1;
                let until = Instant::now() + Duration::from_millis(20 * turns);
                found = lemmas(engine, decider, suspended, until);
            }
            assert!(turns > 0);
            are_open[1] = is_open(engine, decider, &found);
        });
        are_open
    }

    #[test]
    fn a_search_goes_on_where_there_was_no_time_for_it() {
        assert_eq!(are_open(PROGRAM), [true, false]);
    }

    #[test]
    fn what_is_reached_stays_open_where_a_search_goes_on() {
        let cleared = PROGRAM.replace("s = s + 1i32;", "s = s + 1i32; f = (s <u 4i32) ? 1i32 : 0i32;");
        assert_ne!(cleared, PROGRAM);
        assert_eq!(are_open(&cleared), [true, true]);
    }
}
