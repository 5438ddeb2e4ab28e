//! Pairs of places of few values: which combinations there are.
//!
//! Idea: a state and a counter, or an index and the number of elements, each have a handful of values, and
//! the program comes to few of their combinations. No shape has to be guessed for that: the combinations that
//! concrete runs show are taken for all there are, for all pairs of places at once, and as long as an arrival
//! at the loop's head has others, these are added. So the sets grow from below until no arrival, from a state
//! that they all allow, leaves them. A pair of which nearly everything is possible is given up.
//!
//! Invariant: what is returned was found inductive together, given the support.
//!
//! Source: Reps, Sagiv, Yorsh: Symbolic implementation of the best transformer (VMCAI 2004) for growing from
//! below by models.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use kripke_model::Reason;
use kripke_smt::{Evaluator, Sort, TermId, Terms, Value};
use kripke_value::BitVec;

use crate::decide::Decider;
use crate::engine::Engine;
use crate::invariants::candidate::{Candidate, Maker};
use crate::invariants::heads::Head;
use crate::invariants::nearby::Assignment;
use crate::invariants::prefixes::is_element;
use crate::invariants::questions::{Answer, Questions};
use crate::invariants::templates::one_of;

/// How many places are combined.
const MAX_PLACES: usize = 10;
/// How many values such a place has.
const VALUES: std::ops::RangeInclusive<usize> = 2..=16;
/// How many states have to be seen for a few values to be all.
const LEAST_SAMPLES: usize = 20;
/// How often combinations are added.
const MAX_ROUNDS: usize = 60;

/// A place of few values: its index among the head's, and its variable.
type Place = (usize, TermId);

/// The combinations of two places that were seen: for each value of the first those of the second.
struct Table {
    places: (Place, Place),
    seen: BTreeMap<BitVec, BTreeSet<BitVec>>,
}

impl Table {
    /// True where it did not have that combination.
    fn add(&mut self, first: BitVec, second: BitVec) -> bool {
        self.seen.entry(first).or_default().insert(second)
    }

    /// Says the table anything that the values of the places alone do not?
    fn says_something(&self) -> bool {
        let seconds: BTreeSet<&BitVec> = self.seen.values().flatten().collect();
        let few = VALUES.contains(&self.seen.len()) && VALUES.contains(&seconds.len());
        few && self.seen.values().any(|values| values.len() < seconds.len())
    }

    fn predicate(&self, engine: &mut Engine<'_>) -> TermId {
        let terms = &mut engine.terms;
        let ((_, first), (_, second)) = self.places;
        let mut any = terms.false_();
        for (value, seconds) in &self.seen {
            let value = terms.bv(value.clone());
            let equal = terms.eq(first, value);
            let one_of = one_of(terms, second, seconds);
            let both = terms.and(equal, one_of);
            any = terms.or(any, both);
        }
        any
    }
}

/// The tables of one head that hold together, given the support. None where that is not decided in time.
pub(crate) fn relations(
    engine: &mut Engine<'_>,
    decider: &mut Decider<'_>,
    (index, head): (usize, &Head),
    support: TermId,
    until: Instant,
) -> Result<Vec<Candidate>, Reason> {
    let mut maker = Maker::new(engine, index, head, until);
    let mut tables = seen_in_runs(engine, head, &maker);
    let mut questions = Questions::new(decider);
    for _ in 0..MAX_ROUNDS {
        tables.retain(Table::says_something);
        let predicates: Vec<TermId> = tables.iter().map(|table| table.predicate(engine)).collect();
        let candidates: Option<Vec<Candidate>> = predicates
            .into_iter()
            .map(|predicate| maker.make(engine, predicate))
            .collect();
        let candidates = candidates.unwrap_or_default();
        if candidates.is_empty() {
            break;
        }
        let broken = candidates.iter().map(|candidate| candidate.broken);
        let mut conditions = vec![engine.terms.or_all(broken), support, engine.address_facts()];
        conditions.extend(candidates.iter().map(|candidate| candidate.assumption));
        match questions.ask(engine, &conditions, &[], until)? {
            Answer::Impossible => return Ok(candidates),
            Answer::Possible(_, state) if see(&engine.terms, head, &mut tables, &state) => {}
            Answer::Possible(..) | Answer::Open => break,
        }
    }
    Ok(Vec::new())
}

/// The tables of what concrete runs showed.
fn seen_in_runs(engine: &mut Engine<'_>, head: &Head, maker: &Maker) -> Vec<Table> {
    if head.samples.len() < LEAST_SAMPLES {
        return Vec::new();
    }
    let value = |sample: &crate::invariants::samples::Sample, variable: TermId| {
        sample.get(&variable).and_then(Value::as_bv).cloned()
    };
    let mut places: Vec<Place> = Vec::new();
    for (index, place) in head.places.iter().enumerate() {
        let is_number = matches!(engine.terms.sort(place.variable), Sort::BitVec(width) if width <= 64);
        if !is_number || !maker.tells(place.variable) || is_element(engine, head, place) {
            continue;
        }
        let values: BTreeSet<BitVec> = head
            .samples
            .iter()
            .filter_map(|sample| value(sample, place.variable))
            .collect();
        if VALUES.contains(&values.len()) && places.len() < MAX_PLACES {
            places.push((index, place.variable));
        }
    }
    let mut tables = Vec::new();
    for (position, first) in places.iter().enumerate() {
        for second in &places[position + 1..] {
            let mut table = Table {
                places: (*first, *second),
                seen: BTreeMap::new(),
            };
            for sample in head.samples.iter() {
                if let (Some(x), Some(y)) = (value(sample, first.1), value(sample, second.1)) {
                    table.add(x, y);
                }
            }
            tables.push(table);
        }
    }
    tables
}

/// Adds what the arrivals have that are taken from a state; false where that is nothing new.
fn see(terms: &Terms, head: &Head, tables: &mut [Table], state: &Assignment) -> bool {
    let value = |variable: TermId| {
        let known = state.get(&variable).cloned();
        known.unwrap_or_else(|| Value::zero(terms.sort(variable)))
    };
    let mut evaluator = Evaluator::new(terms, &value);
    let mut is_new = false;
    for arrival in &head.arrivals {
        if evaluator.evaluate(arrival.path).as_bool() != Some(true) {
            continue;
        }
        for table in tables.iter_mut() {
            let (first, second) = (table.places.0.0, table.places.1.0);
            let values = [first, second].map(|place| Some(evaluator.evaluate(arrival.values[place]?)));
            if let [Some(Value::BitVec(first)), Some(Value::BitVec(second))] = values {
                is_new |= table.add(first, second);
            }
        }
    }
    is_new
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use kripke_smt::{Sort, Terms};
    use kripke_value::BitVec;

    use super::Table;

    #[test]
    fn a_table_of_everything_says_nothing() {
        let mut terms = Terms::new();
        let places = (
            (0, terms.variable("x", Sort::BitVec(8))),
            (1, terms.variable("y", Sort::BitVec(8))),
        );
        let mut table = Table {
            places,
            seen: BTreeMap::new(),
        };
        for (x, y) in [(0, 1), (1, 0), (1, 1)] {
            table.add(BitVec::new(8, x), BitVec::new(8, y));
        }
        assert!(table.says_something());
        table.add(BitVec::new(8, 0), BitVec::new(8, 0));
        assert!(!table.says_something());
    }
}
