//! Arrays that are filled up to a count: what holds of the elements before it.
//!
//! Idea: queues, stacks and lists of fields keep their elements at the start of an array, and a variable
//! counts them. What is behind the count is left over from before, so what holds of the others holds under a
//! condition on their place: `i < count` implies that element `i` is bounded, also by a variable, that it
//! does not come before its neighbour, that no other is equal to it, that the flag which it is the index of
//! is set, that it was written at all, that it is the index of an earlier one, that one field of it is at
//! most another. As the arrays are small, each of these is a conjunction over all elements.
//!
//! Source: Gopan, Reps, Sagiv: A framework for numeric analysis of array operations (POPL 2005) for segments
//! between index variables; here they are guessed.

use std::collections::{BTreeMap, BTreeSet};

use kripke_smt::{Sort, TermId, Value};
use kripke_value::BitVec;

use crate::engine::Engine;
use crate::invariants::elements::parts;
use crate::invariants::heads::{Head, Location, Place};
use crate::invariants::templates::{Shapes, bounds_by};
use crate::object::ObjectId;

/// How many elements are spoken of at once.
const MAX_ELEMENTS: usize = 48;
/// Of so many at most that none are equal, or what the flags are whose indices they are.
const MAX_COMPARED: usize = 16;
/// How many variables may be the count of one array.
const MAX_COUNTS: usize = 4;
/// How many variables elements are compared with.
const MAX_OTHERS: usize = 6;
/// How many cases of other places are told apart.
const MAX_CASES: usize = 24;
/// The widest places that are flags.
const MAX_FLAG_BITS: u32 = 8;

/// Elements by their indices: the places, and what stands for them.
type Elements = BTreeMap<u64, (usize, TermId)>;

/// One field of the elements of an array.
struct Column {
    /// The object and the array in it that they are elements of.
    array: (ObjectId, String),
    elements: Elements,
}

impl Column {
    fn first(&self) -> TermId {
        self.elements
            .first_key_value()
            .expect("columns have elements")
            .1
            .1
    }

    /// How many elements the array has at least.
    fn len(&self) -> u64 {
        self.elements.last_key_value().map_or(0, |(last, _)| last + 1)
    }
}

/// What may hold of each element: predicates by its index, each of which implies those after it.
type Claim = BTreeMap<u64, Vec<TermId>>;

/// The array, the index and the field that a name speaks of.
fn split(name: &str) -> Option<(&str, u64, &str)> {
    let (array, rest) = name.rsplit_once('[')?;
    let (index, field) = rest.split_once(']')?;
    Some((array, index.parse().ok()?, field))
}

/// Is the place, or a part of it, an element of an array?
pub(super) fn is_element(engine: &mut Engine<'_>, head: &Head, place: &Place) -> bool {
    let mut parts = parts(engine, head, place).into_iter();
    parts.any(|(name, _)| split(&name).is_some())
}

impl Shapes<'_> {
    /// All shapes that speak of the elements before a count.
    pub fn prefixes(&mut self, engine: &mut Engine<'_>) {
        let columns = self.columns(engine);
        for column in &columns {
            let claims = self.claims(engine, column, &columns);
            let variables = self.compared_with_variables(engine, column);
            let others = self.compared_with_fields(engine, column, &columns);
            for claim in claims.iter().skip(4) {
                self.claim(engine, claim, |_, _| None);
            }
            for count in self.counts(engine, column) {
                for claim in claims.iter().chain(&variables).chain(&others) {
                    self.claim(engine, claim, |engine, index| Some(before(engine, count, index)));
                }
            }
        }
    }

    /// Bounds of the elements before a count, and of the last of them, in each case of another place.
    pub fn prefixes_in_cases(&mut self, engine: &mut Engine<'_>) {
        let columns = self.columns(engine);
        let cases = self.cases_of_places(engine);
        for column in &columns {
            let claims = self.claims(engine, column, &columns);
            let variables = self.compared_with_variables(engine, column);
            for count in self.counts(engine, column) {
                let about_others = cases.iter().filter(|(variable, _)| *variable != count);
                for (_, case) in about_others {
                    for claim in &variables {
                        self.claim(engine, claim, |engine, index| {
                            let before = before(engine, count, index);
                            Some(engine.terms.and(*case, before))
                        });
                    }
                    for claim in &claims[..4] {
                        self.claim(engine, claim, |engine, index| {
                            let last = last(engine, count, index);
                            Some(engine.terms.and(*case, last))
                        });
                    }
                }
            }
        }
    }

    /// A claim of all elements, each under its condition.
    fn claim(
        &mut self,
        engine: &mut Engine<'_>,
        claim: &Claim,
        condition: impl Fn(&mut Engine<'_>, u64) -> Option<TermId>,
    ) {
        if self.is_full() {
            return;
        }
        let links = claim.values().map(Vec::len).min().unwrap_or(0);
        let conditions: Vec<Option<TermId>> = claim.keys().map(|index| condition(engine, *index)).collect();
        let mut chain = Vec::with_capacity(links);
        for link in 0..links {
            let everywhere = claim.values().map(|predicates| predicates[link]);
            let everywhere = engine.terms.and_all(everywhere);
            let mut each = claim.values().map(|predicates| predicates[link]);
            if self.known.contains(&everywhere) || each.all(|predicate| self.known.contains(&predicate)) {
                break;
            }
            let of_each: Vec<TermId> = claim
                .values()
                .zip(&conditions)
                .map(|(predicates, condition)| match condition {
                    Some(condition) => engine.terms.implies(*condition, predicates[link]),
                    None => predicates[link],
                })
                .collect();
            chain.push(engine.terms.and_all(of_each));
        }
        self.add_chain(engine, chain);
    }

    /// The fields of the arrays that the loop modifies.
    fn columns(&self, engine: &mut Engine<'_>) -> Vec<Column> {
        let mut found: BTreeMap<(ObjectId, String, String, Option<u32>), Elements> = BTreeMap::new();
        for (index, place) in self.head.places.iter().enumerate() {
            let Location::Cell { object, .. } = place.location else {
                continue;
            };
            for (name, term) in parts(engine, self.head, place) {
                let Some((array, at, field)) = split(&name) else {
                    continue;
                };
                let width = self.width(engine, term);
                let column = found
                    .entry((object, array.to_string(), field.to_string(), width))
                    .or_default();
                column.insert(at, (index, term));
            }
        }
        let columns = found.into_iter().map(|((object, array, ..), elements)| Column {
            array: (object, array),
            elements,
        });
        let in_bounds = |column: &Column| (2..=MAX_ELEMENTS).contains(&column.elements.len());
        columns.filter(in_bounds).collect()
    }

    /// Places that are no elements of arrays, with their widths.
    pub(super) fn single_numbers(&self, engine: &mut Engine<'_>) -> Vec<(usize, TermId, u32)> {
        let mut numbers = self.numbers(&engine.terms);
        numbers.retain(|(index, ..)| !is_element(engine, self.head, &self.head.places[*index]));
        numbers
    }

    /// The variables that may count elements: in concrete runs they have several values, none above the
    /// number of elements.
    fn counts(&self, engine: &mut Engine<'_>, column: &Column) -> Vec<TermId> {
        let numbers = self.single_numbers(engine).into_iter();
        let may_count = |variable: &TermId| {
            let samples = self.head.samples.iter();
            let values = samples.filter_map(|sample| sample.get(variable)?.as_bv()?.to_u64());
            let values: BTreeSet<u64> = values.collect();
            values.len() > 1 && values.last().is_some_and(|last| *last <= column.len())
        };
        let counts = numbers.map(|(_, variable, _)| variable).filter(may_count);
        counts.take(MAX_COUNTS).collect()
    }

    /// Conditions on single places by which the program decides, with the variables of the places.
    fn cases_of_places(&self, engine: &mut Engine<'_>) -> Vec<(TermId, TermId)> {
        let mut cases = Vec::new();
        for (index, variable, _) in self.single_numbers(engine) {
            let members = &self.mined.members[index];
            for member in members.iter().take(MAX_COMPARED) {
                let constant = engine.terms.bv(member.clone());
                let equal = engine.terms.eq(variable, constant);
                let different = engine.terms.not(equal);
                cases.extend([(variable, equal), (variable, different)]);
            }
        }
        for flag in self.truths(&engine.terms) {
            let clear = engine.terms.not(flag);
            cases.extend([(flag, flag), (flag, clear)]);
        }
        cases.truncate(MAX_CASES);
        cases
    }

    /// What may hold of the elements of a column: bounds (the first four), order, difference, flags.
    fn claims(&self, engine: &mut Engine<'_>, column: &Column, all: &[Column]) -> Vec<Claim> {
        let Some(width) = self.width(engine, column.first()) else {
            return [vec![Claim::new(); 4], set(engine, column)].concat();
        };
        let fields: Vec<_> = column.elements.values().copied().collect();
        let constants = self.constants_of(&fields, width);
        let mut claims = vec![Claim::new(); 4];
        for (at, (_, element)) in &column.elements {
            let bounds = bounds_by(&mut engine.terms, *element, &constants);
            for (claim, chain) in claims.iter_mut().zip(bounds) {
                claim.insert(*at, chain);
            }
        }
        claims.extend(sorted(engine, column));
        claims.push(of_earlier(engine, column, width));
        if column.elements.len() <= MAX_COMPARED {
            claims.push(distinct(engine, column));
            let flags = all.iter().filter(|other| other.array != column.array);
            for flags in flags.filter(|flags| flags.elements.len() <= MAX_COMPARED) {
                claims.extend(self.flags_of_indices(engine, column, flags, width));
            }
        }
        claims
    }

    /// Elements on one side of a variable.
    fn compared_with_variables(&self, engine: &mut Engine<'_>, column: &Column) -> Vec<Claim> {
        let Some(width) = self.width(engine, column.first()) else {
            return Vec::new();
        };
        let mut claims = Vec::new();
        let others = self.single_numbers(engine).into_iter();
        let others = others.filter(|other| other.2 == width).map(|other| other.1);
        let unchanging = self.stable_within(&engine.terms, width);
        let others: Vec<TermId> = others.take(MAX_OTHERS).chain(unchanging).collect();
        let are_signed = self.has_negative(column);
        for other in others {
            let (mut below, mut above) = (Claim::new(), Claim::new());
            let (mut signed_below, mut signed_above) = (Claim::new(), Claim::new());
            for (at, (_, element)) in &column.elements {
                let (terms, element) = (&mut engine.terms, *element);
                below.insert(
                    *at,
                    vec![terms.bv_ult(element, other), terms.bv_ule(element, other)],
                );
                above.insert(
                    *at,
                    vec![terms.bv_ult(other, element), terms.bv_ule(other, element)],
                );
                signed_below.insert(
                    *at,
                    vec![terms.bv_slt(element, other), terms.bv_sle(element, other)],
                );
                signed_above.insert(
                    *at,
                    vec![terms.bv_slt(other, element), terms.bv_sle(other, element)],
                );
            }
            claims.extend([below, above]);
            if are_signed {
                claims.extend([signed_below, signed_above]);
            }
        }
        claims
    }

    /// Did runs show a negative number in it?
    fn has_negative(&self, column: &Column) -> bool {
        let mut samples = self.head.samples.iter();
        samples.any(|sample| {
            let mut elements = column.elements.values();
            elements.any(|(index, _)| {
                let value = sample.get(&self.head.places[*index].variable);
                value.and_then(Value::as_bv).is_some_and(BitVec::sign_bit)
            })
        })
    }

    /// Elements that are at most another field of the same record, or where that has no value yet, for which
    /// -1 stands.
    fn compared_with_fields(
        &self,
        engine: &mut Engine<'_>,
        column: &Column,
        columns: &[Column],
    ) -> Vec<Claim> {
        let Some(width) = self.width(engine, column.first()) else {
            return Vec::new();
        };
        let mut claims = Vec::new();
        for other in columns.iter().filter(|other| other.array == column.array) {
            let is_alike = self.width(engine, other.first()) == Some(width);
            if !is_alike || other.first() == column.first() {
                continue;
            }
            let (mut unsigned, mut signed, mut optional) = (Claim::new(), Claim::new(), Claim::new());
            for (at, (_, element)) in &column.elements {
                if let Some((_, field)) = other.elements.get(at) {
                    let terms = &mut engine.terms;
                    let is_at_most = terms.bv_sle(*element, *field);
                    let none = terms.bv(BitVec::ones(width));
                    let is_none = terms.eq(*field, none);
                    unsigned.insert(*at, vec![terms.bv_ule(*element, *field)]);
                    signed.insert(*at, vec![is_at_most]);
                    optional.insert(*at, vec![terms.or(is_none, is_at_most)]);
                }
            }
            claims.extend([unsigned, signed]);
            if self.has_negative(other) {
                claims.push(optional);
            }
        }
        claims.retain(|claim| !claim.is_empty());
        claims
    }

    /// The flag whose index an element is, is set, or is not; and there is one.
    fn flags_of_indices(
        &self,
        engine: &mut Engine<'_>,
        column: &Column,
        flags: &Column,
        width: u32,
    ) -> Vec<Claim> {
        let bits = match engine.terms.sort(flags.first()) {
            Sort::Bool => 1,
            Sort::BitVec(bits) => bits,
            _ => return Vec::new(),
        };
        let fits = |index: u64| width >= 64 || index >> width == 0;
        if bits > MAX_FLAG_BITS || !fits(flags.len()) {
            return Vec::new();
        }
        let (mut set, mut clear) = (Claim::new(), Claim::new());
        for (at, (_, element)) in &column.elements {
            let terms = &mut engine.terms;
            let count = terms.bv_u64(width, flags.len());
            let is_index = terms.bv_ult(*element, count);
            let (mut all_set, mut all_clear) = (is_index, is_index);
            for (index, (_, flag)) in &flags.elements {
                let index = terms.bv_u64(width, *index);
                let is_meant = terms.eq(*element, index);
                let is_clear = match terms.sort(*flag) {
                    Sort::Bool => terms.not(*flag),
                    _ => {
                        let nothing = terms.bv_u64(bits, 0);
                        terms.eq(*flag, nothing)
                    }
                };
                let is_set = terms.not(is_clear);
                let (if_set, if_clear) = (terms.implies(is_meant, is_set), terms.implies(is_meant, is_clear));
                all_set = terms.and(all_set, if_set);
                all_clear = terms.and(all_clear, if_clear);
            }
            set.insert(*at, vec![all_set]);
            clear.insert(*at, vec![all_clear]);
        }
        vec![set, clear]
    }
}

/// The element comes before the count.
fn before(engine: &mut Engine<'_>, count: TermId, index: u64) -> TermId {
    let width = engine.terms.width(count);
    let index = engine.terms.bv_u64(width, index);
    engine.terms.bv_ult(index, count)
}

/// The element is the last one before the count.
fn last(engine: &mut Engine<'_>, count: TermId, index: u64) -> TermId {
    let width = engine.terms.width(count);
    let index = engine.terms.bv_u64(width, index + 1);
    engine.terms.eq(index, count)
}

/// Each element comes after the one before it, or is equal to it.
fn sorted(engine: &mut Engine<'_>, column: &Column) -> [Claim; 2] {
    let (mut rising, mut falling) = (Claim::new(), Claim::new());
    for (at, (_, element)) in &column.elements {
        let Some((_, previous)) = at.checked_sub(1).and_then(|at| column.elements.get(&at)) else {
            continue;
        };
        let terms = &mut engine.terms;
        rising.insert(
            *at,
            vec![
                terms.bv_ult(*previous, *element),
                terms.bv_ule(*previous, *element),
            ],
        );
        falling.insert(
            *at,
            vec![
                terms.bv_ult(*element, *previous),
                terms.bv_ule(*element, *previous),
            ],
        );
    }
    [rising, falling]
}

/// Each element is the index of an earlier one, or negative.
fn of_earlier(engine: &mut Engine<'_>, column: &Column, width: u32) -> Claim {
    let mut claim = Claim::new();
    for (at, (_, element)) in &column.elements {
        let own = engine.terms.bv_u64(width, *at);
        claim.insert(*at, vec![engine.terms.bv_slt(*element, own)]);
    }
    claim
}

/// Each element is set, where elements are truths.
fn set(engine: &Engine<'_>, column: &Column) -> Vec<Claim> {
    if engine.terms.sort(column.first()) != Sort::Bool {
        return Vec::new();
    }
    let elements = column.elements.iter();
    vec![elements.map(|(at, (_, element))| (*at, vec![*element])).collect()]
}

/// No element is equal to one before it.
fn distinct(engine: &mut Engine<'_>, column: &Column) -> Claim {
    let mut claim = Claim::new();
    for (at, (_, element)) in &column.elements {
        let earlier = column.elements.range(..at);
        let different: Vec<TermId> = earlier
            .map(|(_, (_, other))| engine.terms.distinct(*element, *other))
            .collect();
        claim.insert(*at, vec![engine.terms.and_all(different)]);
    }
    claim
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn names_fall_into_array_index_and_field() {
        assert_eq!(split("queue[3].when"), Some(("queue", 3, ".when")));
        assert_eq!(split("queue[3].data[12]"), Some(("queue[3].data", 12, "")));
        assert_eq!(split("count"), None);
    }
}
