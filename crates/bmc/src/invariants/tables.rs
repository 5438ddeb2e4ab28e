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
use kripke_smt::{SatResult, Sort, TermId, Value};
use kripke_value::BitVec;

use crate::decide::{Decider, solver_failed};
use crate::engine::Engine;
use crate::invariants::candidate::{Candidate, Maker};
use crate::invariants::heads::Head;
use crate::invariants::prefixes::is_element;
use crate::invariants::templates::one_of;
use crate::replay::Model;

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
    fn add(&mut self, first: BitVec, second: BitVec) {
        self.seen.entry(first).or_default().insert(second);
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
        match decider.ask_by_cases(engine, &conditions, until) {
            Ok(SatResult::Unsat) => return Ok(candidates),
            Ok(SatResult::Sat) => {}
            Ok(SatResult::Unknown(_)) | Err(Reason::Time) => break,
            Err(reason) => return Err(reason),
        }
        if !see(engine, decider, head, &mut tables)? {
            break;
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

/// Adds what the arrivals of the solver's model have; false where there is none.
fn see(
    engine: &Engine<'_>,
    decider: &mut Decider<'_>,
    head: &Head,
    tables: &mut [Table],
) -> Result<bool, Reason> {
    let model = Model::new(decider.solver.as_mut());
    let mut happened = false;
    for arrival in &head.arrivals {
        let mut wanted = vec![arrival.path];
        let places = tables
            .iter()
            .flat_map(|table| [table.places.0.0, table.places.1.0]);
        wanted.extend(places.filter_map(|place| arrival.values[place]));
        let values = model
            .evaluate(engine, &wanted)
            .map_err(|error| solver_failed(&error))?;
        if values[0].as_bool() != Some(true) {
            continue;
        }
        for (table, pair) in tables.iter_mut().zip(values[1..].chunks(2)) {
            if let [Value::BitVec(first), Value::BitVec(second)] = pair {
                table.add(first.clone(), second.clone());
                happened = true;
            }
        }
    }
    Ok(happened)
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
