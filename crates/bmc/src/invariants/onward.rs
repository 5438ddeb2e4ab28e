//! States to which the program goes on from one in which an iteration breaks candidates.
//!
//! Idea: an iteration changes few places, so a model breaks the guesses about one or two, and a fixpoint over
//! many places takes as many questions. But the formulas say what follows: where the iteration ends, the next
//! one begins, and in it the loops inside and after it begin as they are entered. So the iterations that
//! follow are executed by evaluation, which costs a small part of a question, and what does not hold then is
//! dropped as well.
//!
//! Invariant: what is inductive together, given the support, is never dropped. It holds in the state of the
//! model, so it does where the iteration ends, and in the loops after that as they are entered, one after the
//! other; nothing speaks of places whose values there cannot be told.

use std::time::Instant;

use kripke_smt::{Evaluator, Op, Sort, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use crate::invariants::heads::{Arrival, Head};
use crate::invariants::nearby::{Assignment, Situation};

/// How many writes an array is made of whose elements are followed.
const MAX_WRITES: usize = 24;

/// A state in which an iteration begins.
struct Onward {
    /// What variables hold,
    state: Assignment,
    /// or what they stand for: places of loops as they are entered.
    entered: FxHashMap<TermId, TermId>,
    /// The head whose iteration begins; those after it are entered.
    first: usize,
}

impl Situation<'_> {
    /// Marks more of the candidates as broken: those that iterations after the state break, until then.
    pub(super) fn go_on(&self, are_broken: &mut [bool], until: Instant) {
        let mut onward = Onward {
            state: self.state.clone(),
            entered: FxHashMap::default(),
            first: self.heads.len(),
        };
        let mut is_first = true;
        while Instant::now() < until {
            let state = &onward.state;
            let variable = |variable: TermId| match state.get(&variable) {
                Some(value) => value.clone(),
                None => Value::zero(self.terms.sort(variable)),
            };
            let mut evaluator = Evaluator::new(self.terms, &variable).with_definitions(&onward.entered);
            if !is_first && !self.break_after(&mut evaluator, onward.first, are_broken) {
                break;
            }
            let Some(next) = self.iteration(&mut evaluator, &onward) else {
                break;
            };
            is_first = false;
            onward = next;
        }
    }

    /// Marks what does not hold at the heads from a first one on; false where the state does not follow from
    /// one in which the support and all that is not broken hold.
    fn break_after(&self, evaluator: &mut Evaluator<'_>, first: usize, are_broken: &mut [bool]) -> bool {
        let mut holds = |term: TermId| evaluator.evaluate(term).as_bool() == Some(true);
        if !self.support.iter().all(|term| holds(*term)) {
            return false;
        }
        for (candidate, is_broken) in self.candidates.iter().zip(are_broken) {
            if *is_broken || holds(candidate.assumption) {
                continue;
            }
            // Of what speaks of any index, the state need not hold more than was told.
            if candidate.head < first || candidate.speaks_of_any {
                return false;
            }
            *is_broken = true;
        }
        true
    }

    /// The state in which an iteration begins to which the state comes.
    fn iteration(&self, evaluator: &mut Evaluator<'_>, from: &Onward) -> Option<Onward> {
        let mut is_taken = |arrival: &&Arrival| evaluator.evaluate(arrival.path).as_bool() == Some(true);
        let mut heads = self.heads.iter().enumerate();
        let (number, arrival) = heads.find_map(|(number, head)| {
            let mut later = head.arrivals.iter().skip(1);
            Some((number, later.find(&mut is_taken)?))
        })?;
        let mut state = from.state.clone();
        let entered = from.entered.keys().copied();
        state.extend(entered.map(|variable| (variable, evaluator.evaluate(variable))));
        let values = told(self.terms, &self.heads[number], arrival);
        state.extend(values.map(|(variable, value)| (variable, evaluator.evaluate(value))));
        Some(self.enter(state, number))
    }

    /// The state in which an iteration begins of the loop with the number, and those after it are entered.
    fn enter(&self, mut state: Assignment, first: usize) -> Onward {
        let entered = &self.heads[first + 1..];
        let real = entered.iter().filter_map(|head| head.real);
        state.extend(real.map(|variable| (variable, Value::Bool(false))));
        let entries = entered
            .iter()
            .filter_map(|head| Some((head, head.arrivals.first()?)));
        Onward {
            state,
            entered: entries
                .flat_map(|(head, arrival)| told(self.terms, head, arrival))
                .collect(),
            first,
        }
    }
}

/// The variables of a loop's places and arrays, and their values at an arrival, as far as they can be told.
fn told<'h>(
    terms: &'h Terms,
    head: &'h Head,
    arrival: &'h Arrival,
) -> impl Iterator<Item = (TermId, TermId)> {
    let known = head.variables().zip(arrival.held());
    let known = known.filter_map(|(variable, value)| Some((variable, value?)));
    known.filter(|(_, value)| !matches!(terms.sort(*value), Sort::Array { .. }) || is_short(terms, *value))
}

/// Is the array made of a variable or a constant by few writes? Each makes an array of its own when it is
/// evaluated, and one that a body gives is only read.
fn is_short(terms: &Terms, array: TermId) -> bool {
    let mut waiting = vec![array];
    for _ in 0..MAX_WRITES {
        match waiting
            .pop()
            .map(|array| (terms.op(array), terms.children(array)))
        {
            None => return true,
            Some((Op::Store, [below, ..])) => waiting.push(*below),
            Some((Op::Ite, [_, then, otherwise])) => waiting.extend([*then, *otherwise]),
            Some((Op::Variable(_) | Op::ConstArray(_), _)) => {}
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeSet;
    use std::time::{Duration, Instant};

    use kripke_elts::{FunctionId, Id};
    use kripke_smt::{TermId, Terms, Value};
    use kripke_value::BitVec;

    use crate::engine::Engine;
    use crate::invariants::candidate::Maker;
    use crate::invariants::fixpoint::Broken;
    use crate::invariants::heads::Location;
    use crate::invariants::nearby::{Assignment, Situation};
    use crate::options::Options;

    /// A counter that goes on to 9 beside another that begins anywhere.
    const PROGRAM: &str = "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\n\
        file0 \"test.c\"\np0 assertion \"small\" in main @1:1\n\
        function main() -> () entry l0 exit l1 @1:1 {\nlocal i32 x;\nlocal i32 y;\n\
        l0 \"\": when true { x = 0i32; y = nondet input \"y\"; } goto l2;\nl1 \"\":\n\
        l2 \"\": when x <u 9i32 {} goto l3;\nwhen !(x <u 9i32) {} goto l1;\n\
        l3 \"\": when true { x = x + 1i32; y = y + 2i32; assert(x <u 100i32) p0; } goto l2;\n}\n";

    /// Which of these is broken once the work has looked at a state of the program in which each of these
    /// places holds the number and of which it is known that the first is: of the entry, or of any iteration.
    pub(in crate::invariants) fn broken_by(
        numbers: [u128; 2],
        is_entry: bool,
        predicates: impl Fn(&mut Terms, [TermId; 2]) -> Vec<TermId>,
        work: impl Fn(&Situation<'_>, &mut [bool]),
    ) -> Vec<bool> {
        let program = kripke_elts::text::parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
        let options = Options::default();
        let mut engine = Engine::new(&program, &options);
        let loops = BTreeSet::from([(FunctionId::new(0), 0)]);
        assert_eq!(engine.run_induction(1, 0, &loops), Ok(true));
        let head = engine.run.record.heads[0].clone();
        let place = |number: usize| {
            let is_it = |location| matches!(location, Location::Variable(of) if of.index() == number);
            let place = head.places.iter().position(|place| is_it(place.location));
            place.expect("the loop modifies it")
        };
        let places = [place(0), place(1)].map(|place| head.places[place].variable);
        let mut state =
            Assignment::from_iter([(head.real.expect("it is none of threads"), Value::Bool(is_entry))]);
        let holders = match is_entry {
            false => places.to_vec(),
            true => engine
                .terms
                .variables_of(&[head.arrivals[0].values[place(1)].expect("it is told")]),
        };
        let numbers = numbers.into_iter().skip(usize::from(is_entry));
        let numbers = numbers.map(|number| Value::BitVec(BitVec::new(32, number)));
        state.extend(holders.into_iter().zip(numbers));
        let mut maker = Maker::new(&engine, 0, &head, Instant::now() + Duration::from_secs(100));
        for predicate in predicates(&mut engine.terms, places) {
            let candidate = maker.make(&mut engine, predicate).expect("it speaks of places");
            maker.candidates.push(candidate);
        }
        let truth = engine.terms.true_();
        let situation = Situation {
            terms: &engine.terms,
            heads: &engine.run.record.heads,
            support: [truth; 2],
            candidates: &maker.candidates,
            broken_by: Broken::OnPath,
            state: state.clone(),
        };
        let mut are_broken = vec![false; maker.candidates.len()];
        situation.break_from(&state, &mut are_broken);
        let only_first = are_broken
            .iter()
            .enumerate()
            .all(|(at, is_broken)| *is_broken == (at == 0));
        assert!(only_first, "{are_broken:?}");
        work(&situation, &mut are_broken);
        are_broken
    }

    #[test]
    fn what_later_iterations_break_falls() {
        let predicates = |terms: &mut Terms, [x, y]: [TermId; 2]| {
            let is_not = |terms: &mut Terms, of, number| {
                let number = terms.bv_u64(32, number);
                let is = terms.eq(of, number);
                terms.not(is)
            };
            let nine = terms.bv_u64(32, 9);
            vec![
                is_not(terms, x, 5),
                is_not(terms, x, 8),
                is_not(terms, x, 9),
                is_not(terms, y, 27),
                // What always holds, and what the program does not come to from there.
                terms.bv_ule(x, nine),
                is_not(terms, x, 10),
                is_not(terms, y, 28),
            ]
        };
        let later = Instant::now() + Duration::from_secs(100);
        let broken = broken_by([4, 17], false, predicates, |situation, are_broken| {
            situation.go_on(are_broken, later);
        });
        assert_eq!(broken, [true, true, true, true, false, false, false]);
    }
}
