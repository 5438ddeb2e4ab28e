//! What a loop computes from the elements that it goes past, one after the other: checksums, sums, counts.
//!
//! Idea: where a place's next value is a function of itself, of how many iterations there were, and of what
//! does not change in the loop, its values are a sequence: a first one, and each made of the one before. The
//! sequence is an array of our own, and the place is its element at the number of iterations. So what one
//! loop computed is known to be what another one computes: two sequences that begin alike either agree up to
//! an element, or part in a first step before it, where their functions differ. That is told of the numbers
//! of iterations at the heads, so a checksum is what it was when it was appended however long the data are.
//!
//! Invariant: what is told of a sequence excludes nothing, as whatever the other variables are there is one
//! such sequence: its elements from the first on, but for the step from the last possible number of
//! iterations to none. Its name says what it is made of.
//!
//! Source: McCarthy: Towards a mathematical science of computation (IFIP 1962) for functions over arrays by
//! recursion; Daca, Henzinger, Kupriyanov: Array folds logic (CAV 2016) for folds of unknown length.

use std::rc::Rc;

use kripke_smt::{Op, Sort, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::Engine;
use crate::invariants::candidate::Candidate;
use crate::invariants::heads::Head;
use crate::invariants::steps::{Counted, advancing_at};
use crate::value::resized;

/// The width of the number of iterations.
const WIDTH: u32 = 64;
/// How many sequences there are at most.
const MAX_FOLDS: usize = 6;
/// How many terms a step may be made of.
const MAX_TERMS: usize = 400;

/// How many elements before the last one are told of, where there are few numbers: a checksum may be as long.
const MOST_PREVIOUS: u64 = 4;
const FEW: usize = 2;

/// A place, what it held when the loop was entered, and what it holds after an iteration.
type Place = (TermId, TermId, TermId);

/// A place whose values are a sequence.
struct Fold {
    head: usize,
    place: TermId,
    sequence: TermId,
    first: TermId,
    /// The element after one, in terms of that one and of the number of iterations before it.
    next: TermId,
    /// That number at the head.
    count: TermId,
    /// The variables of which all this is made, beside those: while they stay as they are, it is one.
    made_of: Rc<[TermId]>,
}

/// The sequences at the heads of a run.
#[derive(Default)]
pub(super) struct Folds {
    folds: Vec<Fold>,
    /// Where two of them part.
    partings: Vec<TermId>,
    /// What they are, as far as inductions need it,
    in_loops: Vec<TermId>,
    /// and the rest.
    behind: Vec<TermId>,
}

/// Is the next value of a place made of itself and an element of an array, and is it short?
fn is_made_of_element(terms: &Terms, place: TermId, value: TermId) -> bool {
    if !matches!(terms.sort(place), Sort::BitVec(width) if width <= 64) {
        return false;
    }
    let (mut seen, mut stack) = (FxHashSet::default(), vec![value]);
    let mut reads = false;
    while let Some(term) = stack.pop() {
        if matches!(terms.sort(term), Sort::Array { .. }) || !seen.insert(term) {
            continue;
        }
        if seen.len() > MAX_TERMS {
            return false;
        }
        reads |= terms.op(term) == Op::Select;
        stack.extend_from_slice(terms.children(term));
    }
    reads && seen.contains(&place)
}

impl Folds {
    /// Those of a run's heads.
    pub fn of(engine: &mut Engine<'_>, heads: &[Head]) -> Self {
        let mut folds = Folds::default();
        for head in heads.iter().enumerate() {
            folds.look_at(engine, head);
        }
        folds.define(&mut engine.terms);
        folds
    }

    /// Finds those of one head: first what needs no other, then what is made of these.
    fn look_at(&mut self, engine: &mut Engine<'_>, (index, head): (usize, &Head)) {
        let leads = advancing_at(&engine.terms, head);
        let ([entry, next], Some(lead)) = (&head.arrivals[..], leads.iter().max_by_key(|lead| lead.width))
        else {
            return;
        };
        let count = count(&mut engine.terms, lead);
        let iterations = iterations(&mut engine.terms);
        let mut values: FxHashMap<TermId, TermId> = leads
            .iter()
            .map(|lead| (lead.place, after(&mut engine.terms, lead, iterations)))
            .collect();
        let places = head.places.iter().map(|place| place.variable);
        let held = entry.values.iter().zip(&next.values);
        let mut places: Vec<Place> = places
            .zip(held)
            .filter_map(|(variable, (first, next))| Some((variable, (*first)?, (*next)?)))
            .filter(|(variable, _, next)| is_made_of_element(&engine.terms, *variable, *next))
            .collect();
        loop {
            let before = places.len();
            places.retain(|place| {
                let found = self.fold(engine, (index, head), (*place, count), &values);
                let Some(fold) = found.filter(|_| self.folds.len() < MAX_FOLDS) else {
                    return true;
                };
                let element = engine.terms.select(fold.sequence, iterations);
                values.insert(fold.place, element);
                self.folds.push(fold);
                false
            });
            if places.len() == before {
                return;
            }
        }
    }

    /// The sequence of a place, where it is made of what these values are told of.
    fn fold(
        &self,
        engine: &mut Engine<'_>,
        (index, head): (usize, &Head),
        ((place, first, next), count): (Place, TermId),
        values: &FxHashMap<TermId, TermId>,
    ) -> Option<Fold> {
        let element = engine.terms.width(place);
        let (state, iterations) = (state(&mut engine.terms, element), iterations(&mut engine.terms));
        let mut values = values.clone();
        values.insert(place, state);
        let next = engine.terms.substitute(next, &mut values);
        let stable = head.stable_variables(engine);
        let mut made_of = Vec::new();
        for variable in engine.terms.variables_of(&[next, first]) {
            match self.folds.iter().find(|fold| fold.sequence == variable) {
                Some(fold) => made_of.extend_from_slice(&fold.made_of),
                None if ![state, iterations].contains(&variable) => made_of.push(variable),
                None => {}
            }
        }
        if !made_of.iter().all(|variable| stable.contains(variable)) {
            return None;
        }
        let name = format!("fold!{}!{}", first.index(), next.index());
        let index_and_element = Sort::Array {
            index: WIDTH,
            element,
        };
        Some(Fold {
            head: index,
            place,
            sequence: engine.terms.variable(&name, index_and_element),
            first,
            next,
            count,
            made_of: made_of.into(),
        })
    }

    /// Says what the sequences are: what an iteration needs, and what is needed after the loops.
    fn define(&mut self, terms: &mut Terms) {
        let mut counts: Vec<TermId> = self.folds.iter().map(|fold| fold.count).collect();
        counts.sort_unstable();
        counts.dedup();
        let numbers = with_previous(terms, &counts);
        for (position, fold) in self.folds.iter().enumerate() {
            let (none, first) = (terms.bv_u64(WIDTH, 0), fold.first);
            let begin = terms.select(fold.sequence, none);
            self.in_loops.push(terms.eq(begin, first));
            self.in_loops.push(fold.step(terms, fold.count));
            for number in &numbers {
                self.behind.push(fold.step(terms, *number));
            }
            for other in &self.folds[..position] {
                if other.sequence == fold.sequence || other.width(terms) != fold.width(terms) {
                    continue;
                }
                let parting = parting(terms, fold, other);
                self.partings.push(parting);
                for number in with_previous(terms, &[fold.count, other.count]) {
                    let agreement = agreement(terms, (fold, other), parting, number);
                    self.behind.push(agreement);
                }
            }
        }
        for definitions in [&mut self.in_loops, &mut self.behind] {
            definitions.sort_unstable();
            definitions.dedup();
            definitions.retain(|definition| !terms.is_const(*definition));
        }
    }

    /// What the sequences are.
    pub fn definitions(&self) -> impl Iterator<Item = TermId> {
        self.in_loops.iter().chain(&self.behind).copied()
    }

    /// What inductions need of that, as what holds at the heads.
    pub fn in_loops(&self, terms: &mut Terms) -> Vec<Candidate> {
        self.as_known(terms, &self.in_loops)
    }

    /// What else matters behind the loops.
    pub fn behind(&self, terms: &mut Terms) -> Vec<Candidate> {
        self.as_known(terms, &self.behind)
    }

    fn as_known(&self, terms: &mut Terms, definitions: &[TermId]) -> Vec<Candidate> {
        let never = terms.false_();
        let known = definitions.iter().map(|definition| Candidate {
            head: self.folds[0].head,
            predicate: *definition,
            variables: terms.variables_of(&[*definition]).into(),
            assumption: *definition,
            fails: [never, never].into(),
            broken: never,
            broken_off_path: None,
            chain: None,
            speaks_of_any: false,
            class: None,
        });
        known.collect()
    }

    /// The variables that stand for sequences, each with those that it is made of.
    pub fn sequences(&self) -> FxHashMap<TermId, Rc<[TermId]>> {
        let folds = self.folds.iter();
        folds.map(|fold| (fold.sequence, fold.made_of.clone())).collect()
    }

    /// The variables that say where sequences part.
    pub fn partings(&self) -> &[TermId] {
        &self.partings
    }

    /// That places of a head are elements of their sequences.
    pub fn guesses(&self, terms: &mut Terms, head: usize) -> Vec<TermId> {
        let mut guesses = Vec::new();
        for fold in self.folds.iter().filter(|fold| fold.head == head) {
            let element = terms.select(fold.sequence, fold.count);
            guesses.push(terms.eq(fold.place, element));
        }
        guesses
    }
}

impl Fold {
    /// The element after that many iterations and the one before.
    fn step(&self, terms: &mut Terms, number: TermId) -> TermId {
        let one = terms.bv_u64(WIDTH, 1);
        let after = terms.bv_add(number, one);
        let element = terms.select(self.sequence, after);
        let before = terms.select(self.sequence, number);
        let next = self.after(terms, before, number);
        let is_next = terms.eq(element, next);
        let none = terms.bv_u64(WIDTH, 0);
        let wraps = terms.eq(after, none);
        terms.or(wraps, is_next)
    }

    /// What comes after an element at a number.
    fn after(&self, terms: &mut Terms, element: TermId, number: TermId) -> TermId {
        let width = self.width(terms);
        let (state, iterations) = (state(terms, width), iterations(terms));
        let mut values = FxHashMap::from_iter([(state, element), (iterations, number)]);
        terms.substitute(self.next, &mut values)
    }

    fn width(&self, terms: &Terms) -> u32 {
        terms.width(self.place)
    }
}

/// What says for each element in which step before it two sequences part, if they do.
fn parting(terms: &mut Terms, a: &Fold, b: &Fold) -> TermId {
    let name = format!("part!{}!{}", a.sequence.index(), b.sequence.index());
    let sort = Sort::Array {
        index: WIDTH,
        element: WIDTH,
    };
    terms.variable(&name, sort)
}

/// Two sequences agree in an element, or else they begin with something else, or part before it: in a step
/// that begins alike and ends differently.
fn agreement(terms: &mut Terms, (a, b): (&Fold, &Fold), parting: TermId, number: TermId) -> TermId {
    let [x, y] = [a, b].map(|fold| terms.select(fold.sequence, number));
    let agree = terms.eq(x, y);
    let begin_alike = terms.eq(a.first, b.first);
    let step = terms.select(parting, number);
    let is_before = terms.bv_ult(step, number);
    let [x, y] = [a, b].map(|fold| terms.select(fold.sequence, step));
    let are_alike = terms.eq(x, y);
    let [x, y] = [a, b].map(|fold| fold.after(terms, x, step));
    let are_equal = terms.eq(x, y);
    let differ = terms.not(are_equal);
    let part = terms.and_all([is_before, are_alike, differ]);
    let begin_otherwise = terms.not(begin_alike);
    terms.or_all([agree, begin_otherwise, part])
}

/// Numbers, and each less some small numbers.
fn with_previous(terms: &mut Terms, numbers: &[TermId]) -> Vec<TermId> {
    let most = if numbers.len() <= FEW { MOST_PREVIOUS } else { 1 };
    let mut all = numbers.to_vec();
    for less in 1..=most {
        let less = terms.bv_u64(WIDTH, less);
        all.extend(numbers.iter().map(|number| terms.bv_sub(*number, less)));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// What stands for an element in what follows it.
fn state(terms: &mut Terms, width: u32) -> TermId {
    terms.variable(&format!("state!{width}"), Sort::BitVec(width))
}

/// What stands for the number of iterations in steps.
fn iterations(terms: &mut Terms) -> TermId {
    terms.variable("iterations", Sort::BitVec(WIDTH))
}

/// A place that counts, after so many iterations.
fn after(terms: &mut Terms, lead: &Counted, iterations: TermId) -> TermId {
    let distance = resized(terms, iterations, lead.width);
    match lead.rises {
        true => terms.bv_add(lead.first, distance),
        false => terms.bv_sub(lead.first, distance),
    }
}

/// How many iterations there were, as a place tells that counts them.
fn count(terms: &mut Terms, lead: &Counted) -> TermId {
    let distance = match lead.rises {
        true => terms.bv_sub(lead.place, lead.first),
        false => terms.bv_sub(lead.first, lead.place),
    };
    resized(terms, distance, WIDTH)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kripke_elts::random::Random;
    use kripke_smt::{ArrayValue, Value};
    use kripke_value::BitVec;

    use super::*;

    /// How many elements sequences have.
    const LENGTH: usize = 20;

    /// The first element, and what a step makes of one and of what is read, as a term and as a number.
    type Function = (u64, fn(&mut Terms, TermId, TermId) -> TermId, fn(u64, u64) -> u64);

    const FUNCTIONS: [Function; 4] = [
        (3, Terms::bv_add, |state, read| (state + read) & 255),
        (3, Terms::bv_add, |state, read| (state + read) & 255),
        (3, Terms::bv_xor, |state, read| state ^ read),
        (4, Terms::bv_add, |state, read| (state + read) & 255),
    ];

    fn fold(terms: &mut Terms, number: usize) -> Fold {
        let array = |element| Sort::Array {
            index: WIDTH,
            element,
        };
        let (first, step, _) = FUNCTIONS[number];
        let data = terms.variable(&format!("data {number}"), array(8));
        let (state, iterations) = (state(terms, 8), iterations(terms));
        let read = terms.select(data, iterations);
        Fold {
            head: 0,
            place: terms.variable(&format!("place {number}"), Sort::BitVec(8)),
            sequence: terms.variable(&format!("sequence {number}"), array(8)),
            first: terms.bv_u64(8, first),
            next: step(terms, state, read),
            count: terms.variable(&format!("count {number}"), Sort::BitVec(WIDTH)),
            made_of: [data].into(),
        }
    }

    fn array(elements: &[u64], width: u32) -> Value {
        let number = |width, value: u64| BitVec::new(width, u128::from(value));
        let entries = (0..).zip(elements);
        let entries = entries.map(|(index, value)| (number(WIDTH, index), number(width, *value)));
        Value::Array(ArrayValue {
            entries: Arc::new(entries.collect()),
            ..ArrayValue::constant(WIDTH, BitVec::new(width, 0))
        })
    }

    /// Before which element each of the elements two sequences part.
    fn partings(a: &[u64], b: &[u64]) -> Vec<u64> {
        let part = |element: usize| (0..=element).find(|at| a[*at] != b[*at]);
        let before = |first: Option<usize>| first.map_or(0, |first| first.saturating_sub(1) as u64);
        (0..LENGTH).map(|element| before(part(element))).collect()
    }

    /// Whatever the data are, there are sequences and partings of which all holds that is told of them.
    #[test]
    fn definitions_exclude_nothing() {
        let mut terms = Terms::new();
        let mut all = Folds {
            folds: (0..FUNCTIONS.len())
                .map(|number| fold(&mut terms, number))
                .collect(),
            ..Folds::default()
        };
        all.define(&mut terms);
        let definitions: Vec<TermId> = all.definitions().collect();
        let mut random = Random::new(1);
        for _ in 0..200 {
            let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
            let mut sequences: Vec<Vec<u64>> = Vec::new();
            let common: Vec<u64> = (0..LENGTH).map(|_| random.bits() & 3).collect();
            for (fold, (first, _, step)) in all.folds.iter().zip(FUNCTIONS) {
                let mut data = common.clone();
                data[random.below(LENGTH)] += random.bits() & 1;
                let mut sequence = vec![first];
                sequence.extend(data.iter().scan(first, |state, read| {
                    *state = step(*state, *read);
                    Some(*state)
                }));
                let count = BitVec::new(WIDTH, 4 + random.below(LENGTH - 5) as u128);
                values.insert(fold.made_of[0], array(&data, 8));
                values.insert(fold.sequence, array(&sequence, 8));
                values.insert(fold.count, Value::BitVec(count));
                for (other, of_other) in all.folds.iter().zip(&sequences) {
                    let parting = parting(&mut terms, fold, other);
                    values.insert(parting, array(&partings(&sequence, of_other), WIDTH));
                }
                sequences.push(sequence);
            }
            let given = |variable: TermId| values[&variable].clone();
            for definition in &definitions {
                assert_eq!(terms.evaluate(*definition, &given).as_bool(), Some(true));
            }
        }
    }
}
