//! Invariants that were found, looked at in random runs.
//!
//! Idea: what is found holds because formulas say so, and these are the engine's own. So builds with debug
//! assertions, which the tests are, run the program in the interpreter with other inputs than those that the
//! guesses are from, and look whether all that was found at a loop's head holds whenever a run comes there. A
//! loop may have several heads, by the calls and iterations in which it is entered; an arrival is at one of
//! them.
//!
//! Invariant: nothing is concluded from this; an invariant that does not hold is an error of the engine.

use std::rc::Rc;
use std::time::{Duration, Instant};

use kripke_elts::interpreter::{Detail, Event, Observer, Runner, View};
use kripke_elts::random::Random;
use kripke_limits::stretched;

use crate::engine::Engine;
use crate::fuzzing::constants::Constants;
use crate::fuzzing::inputs::RandomInputs;
use crate::invariants::candidate::Candidate;
use crate::invariants::columns::Columns;
use crate::invariants::heads::Head;
use crate::invariants::print::Printer;
use crate::invariants::samples::{Places, Sample, short_runs};

/// The numbers of the runs, which are not those of the guesses' runs.
const RUNS: std::ops::Range<u64> = 1000..1030;
/// How long each may be, in statements.
const STATEMENTS: u64 = 3_000;
/// How long all of them may take.
const TIME: Duration = Duration::from_millis(100);
/// How many arrivals at a head are kept.
const MAX_ARRIVALS: usize = 1000;
/// With how many of them what arrays of how many elements hold.
const WITH_ARRAYS: usize = 100;
const MAX_ELEMENTS: u64 = 512;

/// What was found at some loop's heads and does not hold in a run that comes there.
pub(super) fn contradicted(
    engine: &Engine<'_>,
    heads: &[Head],
    found: &[Candidate],
    pool: &Constants,
) -> Option<String> {
    let mut watcher = Watcher {
        places: Places::new(engine, heads),
        arrivals: vec![Vec::new(); heads.len()],
        random: Random::new(0),
    };
    let until = Instant::now() + stretched(TIME);
    let mut runner = Runner::new(engine.program, short_runs());
    for number in RUNS.take_while(|_| Instant::now() < until) {
        runner.run(STATEMENTS, &mut RandomInputs::new(number, pool), &mut watcher);
    }
    let Watcher { places, arrivals, .. } = watcher;
    let arrivals: Vec<Rc<Vec<Sample>>> = arrivals.into_iter().map(Rc::new).collect();
    let mut loops = places.of_loops();
    loops.find_map(|indexes| contradicted_at(engine, heads, found, indexes, &arrivals))
}

/// The same at the heads of one loop.
fn contradicted_at(
    engine: &Engine<'_>,
    heads: &[Head],
    found: &[Candidate],
    indexes: &[usize],
    arrivals: &[Rc<Vec<Sample>>],
) -> Option<String> {
    let head = &heads[*indexes.first()?];
    let all = engine.run.record.heads.iter();
    let all = all.filter(|other| (other.function, other.of) == (head.function, head.of));
    if all.count() != indexes.len() {
        return None;
    }
    let mut nowhere: Option<Vec<u64>> = None;
    for &index in indexes {
        let mut columns = Columns::new(arrivals[index].clone());
        let mut wrong = vec![0; arrivals[index].len().div_ceil(64)];
        for candidate in found.iter().filter(|candidate| candidate.head == index) {
            let is_false = columns.false_in(&engine.terms, candidate.predicate);
            wrong.iter_mut().zip(is_false).for_each(|(all, one)| *all |= one);
        }
        nowhere = Some(match nowhere {
            Some(others) => others
                .iter()
                .zip(wrong)
                .map(|(others, own)| others & own)
                .collect(),
            None => wrong,
        });
    }
    let word = nowhere?.into_iter().enumerate().find(|(_, word)| *word != 0);
    let arrival = word.map(|(at, word)| at * 64 + word.trailing_zeros() as usize)?;
    let seen = Rc::new(vec![arrivals[indexes[0]][arrival].clone()]);
    let mut columns = Columns::new(seen.clone());
    let broken = found.iter().find(|candidate| {
        candidate.head == indexes[0] && columns.refute(&engine.terms, candidate.predicate)
    })?;
    let said = Printer::new(engine, head).condition(broken.predicate);
    Some(format!("{said:?} where {seen:?}"))
}

/// Keeps what the places of the heads hold whenever a run comes to one.
struct Watcher<'e, 'p> {
    places: Places<'e, 'p>,
    /// Of each head; those of one loop have the same number of them.
    arrivals: Vec<Vec<Sample>>,
    /// Chooses indices of arrays.
    random: Random,
}

impl Observer for Watcher<'_, '_> {
    fn detail(&self) -> Detail {
        Detail::Locations
    }

    fn event(&mut self, view: &View<'_>, event: &Event<'_>) {
        for &index in self.places.at(view, event) {
            if self.arrivals[index].len() < MAX_ARRIVALS {
                let mut sample = self.places.sample(view, index);
                if self.arrivals[index].len() < WITH_ARRAYS {
                    let arrays = self.places.arrays(view, index, MAX_ELEMENTS, &mut self.random);
                    sample.extend(arrays);
                }
                self.arrivals[index].push(sample);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};
    use std::time::{Duration, Instant};

    use super::contradicted;
    use crate::engine::Engine;
    use crate::fuzzing::constants::Constants;
    use crate::invariants::candidate::Maker;
    use crate::options::Options;

    /// A counter that goes on from 4 to 0.
    const PROGRAM: &str = "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\n\
        file0 \"test.c\"\np0 assertion \"small\" in main @1:1\n\
        function main() -> () entry l0 exit l1 @1:1 {\nlocal i32 x;\nlocal i1 in;\n\
        l0 \"\": when true { x = 0i32; } goto l2;\nl1 \"\":\n\
        l2 \"\": when true { in = nondet input \"in\"; } goto l3;\n\
        l3 \"\": when in {} goto l4;\nwhen !in {} goto l5;\n\
        l4 \"\": when x == 4i32 { x = 0i32; } goto l5;\n\
        when !(x == 4i32) { x = x + 1i32; } goto l5;\n\
        l5 \"\": when true { assert(x <u 100i32) p0; } goto l2;\n}\n";

    /// Does a run contradict that the counter is at most so large?
    fn is_contradicted(bound: u64) -> bool {
        let program = kripke_elts::text::parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
        let options = Options::default();
        let mut engine = Engine::new(&program, &options);
        engine.unwind(1).expect("no limit stops it");
        let cuts = engine.run.record.cuts.clone();
        let loops = engine.loops_of(&cuts);
        assert_eq!(engine.run_induction(1, 1, &loops), Ok(true));
        let heads = engine.run.record.heads.clone();
        assert_eq!(heads.len(), 1);
        let until = Instant::now() + Duration::from_secs(100);
        let mut maker = Maker::new(&engine, 0, &heads[0], until);
        let places: HashSet<_> = heads[0].places.iter().map(|place| place.variable).collect();
        assert_eq!(places.len(), 1);
        for place in places {
            let bound = engine.terms.bv_u64(32, bound);
            let predicate = engine.terms.bv_ule(place, bound);
            let candidate = maker
                .make(&mut engine, predicate)
                .expect("it speaks of the counter");
            maker.candidates.push(candidate);
        }
        contradicted(
            &engine,
            &heads,
            &maker.candidates,
            &Constants::new(BTreeSet::new()),
        )
        .is_some()
    }

    #[test]
    fn what_does_not_hold_is_noticed() {
        assert!(!is_contradicted(4));
        assert!(is_contradicted(3));
    }
}
