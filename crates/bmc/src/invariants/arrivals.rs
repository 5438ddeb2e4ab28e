//! The largest inductive part of candidates at many heads, asked one arrival after the other.
//!
//! Idea: whether an arrival breaks one depends on little of what is said at the other heads. So each arrival
//! is a question of its own, to a solver of its own, which is told nothing at first; where its answer is a
//! state in which something does not hold that is assumed, it is told that. So questions stay small where one
//! about all arrivals and with all that is assumed would be about the whole program. An arrival is asked
//! again where a candidate of which its solver was told has been dropped since, until none breaks any.
//!
//! Invariant: a candidate is dropped only where an arrival breaks it from a state in which all holds of what
//! is assumed that speaks of what the question is about, or where that is too hard to find out. In the end
//! each arrival was found to break none, given no more than what is left.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use kripke_limits::stretched;
use kripke_model::Reason;
use kripke_smt::{TermId, conjuncts};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::Engine;
use crate::invariants::candidate::Candidate;
use crate::invariants::fixpoint::{Broken, Outcome, Round, drop_broken, strongest};
use crate::invariants::questions::Questions;
use crate::invariants::told::{Assumed, Told};
use crate::kept::Kept;
use crate::limits;

/// From so many heads, and so many candidates at them, arrivals are asked one by one.
const MANY_HEADS: usize = 3;
const MANY_CANDIDATES: usize = 100;
/// What a question gets the first time. Each time after that it gets twice as much as the time before.
const PATIENCE: Duration = Duration::from_millis(500);
/// The last of so many parts of the memory is left free, as long as there are solvers to be given up.
const SHARES_OF_MEMORY: u64 = 4;

/// The solvers that were asked, by the paths of the arrivals.
#[derive(Default)]
pub(crate) struct Solvers(FxHashMap<TermId, Kept>);

/// An arrival at a head.
struct Arrival {
    head: usize,
    number: usize,
    path: TermId,
    /// What its solver was told.
    told: Told,
    /// It is not known that it breaks no candidate.
    is_open: bool,
    patience: Duration,
}

/// What became of an arrival.
enum Became {
    Unbroken,
    Broken,
    Open,
}

/// Are arrivals to be asked one by one about these?
pub(super) fn are_many(candidates: &[Candidate]) -> bool {
    let heads = || candidates.iter().map(|candidate| candidate.head);
    candidates.len() >= MANY_CANDIDATES
        && heads().collect::<FxHashSet<usize>>().len() >= MANY_HEADS
        && candidates.iter().all(|candidate| candidate.class.is_none())
}

/// What is asked, and of what.
pub(super) struct Search<'s, 'q, 'd> {
    questions: &'s mut Questions<'q, 'd>,
    /// What holds besides, with the variables in it.
    known: Vec<(TermId, Vec<TermId>)>,
    until: Instant,
}

impl<'s, 'q, 'd> Search<'s, 'q, 'd> {
    /// Given the support.
    pub fn new(
        engine: &mut Engine<'_>,
        questions: &'s mut Questions<'q, 'd>,
        support: TermId,
        until: Instant,
    ) -> Self {
        let facts = engine.address_facts();
        let known = conjuncts(&engine.terms, &[support, facts]).into_iter();
        let known = known.map(|fact| (fact, engine.terms.variables_of(&[fact])));
        Search {
            known: known.collect(),
            questions,
            until,
        }
    }

    /// Drops candidates until no arrival breaks one of those that are left; false when there is no time to
    /// see that through.
    pub fn shrink(
        &mut self,
        engine: &mut Engine<'_>,
        candidates: &mut Vec<Candidate>,
    ) -> Result<bool, Reason> {
        let mut arrivals = arrivals(engine, candidates);
        while arrivals.iter().any(|arrival| arrival.is_open) {
            let before = candidates.len();
            for at in 0..arrivals.len() {
                let mut is_hard = false;
                while arrivals[at].is_open && !is_hard {
                    // Questions that end at a limit would be asked again and again.
                    let is_over = Instant::now() >= self.until;
                    if is_over || limits::check(engine.options, true).is_err() {
                        return Ok(false);
                    }
                    let became = self.ask(engine, candidates, (&mut arrivals, at), false)?;
                    is_hard = matches!(became, Became::Open);
                }
            }
            let hard = arrivals.iter().position(|arrival| arrival.is_open);
            if let Some(hard) = hard.filter(|_| candidates.len() == before) {
                self.ask(engine, candidates, (&mut arrivals, hard), true)?;
            }
        }
        Ok(true)
    }

    /// Asks whether the arrival breaks a candidate, and drops those that it does; in parts and to the end of
    /// its time where that is what it needs.
    fn ask(
        &mut self,
        engine: &mut Engine<'_>,
        candidates: &mut Vec<Candidate>,
        (arrivals, at): (&mut [Arrival], usize),
        in_parts: bool,
    ) -> Result<Became, Reason> {
        let arrival = &mut arrivals[at];
        let mut solver = self.solver(engine, arrival);
        self.questions.exchange(&mut solver);
        self.questions.keeps_to_one = !in_parts;
        let outcome = self.outcome(engine, candidates, arrival, in_parts);
        self.questions.exchange(&mut solver);
        self.questions.solvers.0.insert(arrival.path, solver);
        let are_broken: Vec<bool> = match outcome? {
            Outcome::Unbroken => {
                arrival.is_open = false;
                return Ok(Became::Unbroken);
            }
            Outcome::Broken(are_broken, _) => are_broken,
            Outcome::Hard(hard) if in_parts => candidates.iter().map(|one| one.is_like(&hard)).collect(),
            Outcome::Hard(_) => Vec::new(),
        };
        if !are_broken.contains(&true) {
            arrival.patience *= 2;
            return Ok(Became::Open);
        }
        let dropped = candidates
            .iter()
            .zip(&are_broken)
            .filter(|(_, is_broken)| **is_broken);
        let dropped: Vec<TermId> = dropped.map(|(candidate, _)| candidate.assumption).collect();
        drop_broken(candidates, &are_broken);
        for arrival in arrivals.iter_mut() {
            arrival.is_open |= dropped
                .iter()
                .any(|assumption| arrival.told.contains(*assumption));
        }
        Ok(Became::Broken)
    }

    /// The solver of an arrival. Where memory is getting short, those of the others make room for a new one.
    fn solver(&mut self, engine: &Engine<'_>, arrival: &Arrival) -> Kept {
        let solvers = &mut self.questions.solvers.0;
        if let Some(solver) = solvers.remove(&arrival.path) {
            return solver;
        }
        let limits = limits::of(engine.options);
        let most = limits
            .memory
            .map(|limit| limit / SHARES_OF_MEMORY * (SHARES_OF_MEMORY - 1));
        if most.is_some_and(|most| kripke_limits::resident().is_some_and(|now| now > most)) {
            solvers.clear();
        }
        Kept::default()
    }

    /// Which candidates the arrival breaks, from a state in which everything holds that is assumed.
    fn outcome(
        &mut self,
        engine: &mut Engine<'_>,
        candidates: &[Candidate],
        arrival: &mut Arrival,
        in_parts: bool,
    ) -> Result<Outcome, Reason> {
        let broken_by = Broken::At(arrival.number);
        let active = strongest(candidates);
        let here = active.iter().filter(|candidate| candidate.head == arrival.head);
        let asked: Vec<Candidate> = here.map(|candidate| (*candidate).clone()).collect();
        let never = engine.terms.false_();
        let about = candidates
            .iter()
            .map(|candidate| match candidate.head == arrival.head {
                true => broken_by.of(candidate),
                false => never,
            });
        let about: Vec<TermId> = about.collect();
        let until = self.until.min(Instant::now() + arrival.patience);
        loop {
            let assumptions = active.iter().map(|candidate| candidate.assumption);
            let assumed = self.known.iter().map(|(fact, _)| *fact).chain(assumptions);
            let mut round = Round {
                broken_by,
                assumed: assumed
                    .filter(|assumed| arrival.told.contains(*assumed))
                    .collect(),
                about: about.clone(),
                questions: self.questions,
            };
            let outcome = match in_parts {
                true => round.ask(engine, &asked, until)?,
                false => round.ask_whole(engine, &asked, until)?,
            };
            let Outcome::Broken(_, state) = &outcome else {
                return Ok(outcome);
            };
            let known = self.known.iter().map(|(fact, variables)| Assumed {
                distance: 0,
                condition: *fact,
                variables,
            });
            let candidates = active.iter().map(|candidate| Assumed {
                distance: arrival.head.abs_diff(candidate.head),
                condition: candidate.assumption,
                variables: &candidate.variables,
            });
            if !arrival.told.tell(engine, known.chain(candidates), state) {
                return Ok(outcome);
            }
        }
    }
}

/// All arrivals at the heads that have candidates.
fn arrivals(engine: &Engine<'_>, candidates: &[Candidate]) -> Vec<Arrival> {
    let mut by_head: BTreeMap<usize, Vec<&Candidate>> = BTreeMap::new();
    for candidate in candidates {
        by_head.entry(candidate.head).or_default().push(candidate);
    }
    let mut arrivals = Vec::new();
    for (head, candidates) in by_head {
        for (number, arrival) in engine.run.record.heads[head].arrivals.iter().enumerate() {
            let fails = candidates.iter().map(|candidate| candidate.fails[number]);
            let formulas: Vec<TermId> = fails.chain([arrival.path]).collect();
            arrivals.push(Arrival {
                head,
                number,
                path: arrival.path,
                told: Told::about(engine, &formulas),
                is_open: true,
                patience: stretched(PATIENCE),
            });
        }
    }
    arrivals
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::Ordering;
    use std::time::{Duration, Instant};

    use kripke_elts::random::Random;
    use kripke_smt::{TermId, Terms};

    use super::{Search, are_many};
    use crate::decide::Decider;
    use crate::engine::Engine;
    use crate::invariants::candidate::{Candidate, Maker};
    use crate::invariants::fixpoint::{Broken, shrink};
    use crate::invariants::questions::Questions;
    use crate::invariants::tests::after_induction;
    use crate::invariants::told::impossible_given;
    use crate::kept::Kept;

    /// Three loops after each other: what the later ones do depends on where the earlier ones ended.
    const PROGRAM: &str = "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\n\
        file0 \"test.c\"\np0 assertion \"small\" in main @1:1\n\
        function main() -> () entry l0 exit l1 @1:1 {\nlocal i32 x;\nlocal i32 y;\n\
        l0 \"\": when true { x = 0i32; y = 0i32; } goto l2;\nl1 \"\":\n\
        l2 \"\": when x <u 9i32 {} goto l3;\nwhen !(x <u 9i32) {} goto l4;\n\
        l3 \"\": when true { x = x + 1i32; } goto l2;\n\
        l4 \"\": when y <u x {} goto l5;\nwhen !(y <u x) {} goto l6;\n\
        l5 \"\": when true { y = y + 2i32; } goto l4;\n\
        l6 \"\": when x <u y {} goto l7;\nwhen !(x <u y) {} goto l1;\n\
        l7 \"\": when true { x = x + 1i32; assert(y <u 11i32) p0; } goto l6;\n}\n";

    /// A random statement about two numbers.
    fn random_predicate(terms: &mut Terms, random: &mut Random, places: &[TermId]) -> TermId {
        let number = terms.bv_u64(32, random.below(13) as u64);
        let (one, other) = (random.pick(places), random.pick(&[places, &[number]].concat()));
        let predicate = match random.below(4) {
            0 => terms.bv_ule(one, other),
            1 => terms.bv_ule(other, one),
            2 => terms.eq(one, other),
            _ => {
                let (bit, zero) = (terms.bv_u64(32, 1), terms.bv_u64(32, 0));
                let low = terms.bv_and(one, bit);
                terms.eq(low, zero)
            }
        };
        match random.one_in(4) {
            true => terms.not(predicate),
            false => predicate,
        }
    }

    fn random_candidates(engine: &mut Engine<'_>, random: &mut Random) -> Vec<Candidate> {
        let later = Instant::now() + Duration::from_secs(1000);
        let mut all = Vec::new();
        for (index, head) in engine.run.record.heads.clone().iter().enumerate() {
            let places: Vec<TermId> = head.places.iter().map(|place| place.variable).collect();
            let stable: Vec<TermId> = head.stable_variables(engine).iter().copied().collect();
            let numbers = places.iter().chain(&stable).copied();
            let numbers: Vec<TermId> = numbers
                .filter(|one| engine.terms.sort(*one) == kripke_smt::Sort::BitVec(32))
                .collect();
            let mut maker = Maker::new(engine, index, head, later);
            for _ in 0..60 {
                let predicate = random_predicate(&mut engine.terms, random, &numbers);
                maker.add(engine, predicate);
            }
            all.extend(maker.candidates);
        }
        all
    }

    fn identities(candidates: &[Candidate]) -> BTreeSet<(usize, TermId)> {
        candidates.iter().map(Candidate::identity).collect()
    }

    /// The engine after an induction in which loops are entered in any state.
    fn in_any_state(work: impl FnOnce(&mut Engine<'_>, &mut Decider<'_>)) {
        after_induction(PROGRAM, (0, 3), work);
    }

    #[test]
    fn one_by_one_arrivals_leave_what_all_at_once_do() {
        in_any_state(|engine, decider| {
            let (mut random, mut kept) = (Random::new(11), 0);
            let (truth, later) = (engine.terms.true_(), Instant::now() + Duration::from_secs(1000));
            for _ in 0..12 {
                let mut apart = random_candidates(engine, &mut random);
                apart.truncate(99);
                let (mut whole, all) = (apart.clone(), apart.len());
                assert!(!are_many(&whole));
                let mut questions = Questions::new(decider);
                let of = (&mut whole, Broken::OnPath);
                assert_eq!(shrink(engine, &mut questions, truth, of, later), Ok(true));
                let mut search = Search::new(engine, &mut questions, truth, later);
                assert_eq!(search.shrink(engine, &mut apart), Ok(true));
                assert_eq!(identities(&apart), identities(&whole));
                assert!(whole.len() < all);
                kept += whole.len();
            }
            assert!(kept > 20, "{kept}");
        });
    }

    #[test]
    fn what_is_cancelled_ends() {
        in_any_state(|engine, decider| {
            let mut candidates = random_candidates(engine, &mut Random::new(3));
            let (truth, later) = (engine.terms.true_(), Instant::now() + Duration::from_secs(1000));
            engine.options.cancel.store(true, Ordering::Relaxed);
            let mut questions = Questions::new(decider);
            let mut search = Search::new(engine, &mut questions, truth, later);
            assert_eq!(search.shrink(engine, &mut candidates), Ok(false));
        });
    }

    #[test]
    fn what_is_told_where_it_matters_excludes_what_all_does() {
        in_any_state(|engine, decider| {
            let mut random = Random::new(5);
            let later = Instant::now() + Duration::from_secs(1000);
            let (mut impossible, mut possible) = (0, 0);
            for _ in 0..12 {
                let given = random_candidates(engine, &mut random);
                let asked = random_candidates(engine, &mut random);
                let conditions: Vec<TermId> = asked.iter().map(|candidate| candidate.broken).collect();
                let mut solver = Kept::default();
                let of = (&conditions[..], &given[..]);
                let found = impossible_given(engine, decider, of, &mut solver, later).expect("an answer");
                let all = given.iter().map(|candidate| candidate.assumption);
                let all = engine.terms.and_all(all.collect::<Vec<_>>());
                assert!(found.is_proved);
                for (condition, is_impossible) in conditions.iter().zip(found.are_left) {
                    let whole = engine.terms.and(*condition, all);
                    assert_eq!(decider.is_impossible(engine, whole, later), is_impossible);
                    impossible += usize::from(is_impossible);
                    possible += usize::from(!is_impossible);
                }
                assert!(decider.is_impossible(engine, found.whole, later));
            }
            assert!(impossible > 20 && possible > 20, "{impossible} {possible}");
        });
    }
}
