//! Arrays of records: what holds of every element.
//!
//! Idea: the elements of an array are treated alike by most programs, so one guess is made of all of them at
//! once: a field is bounded by a multiple of another, one field's value implies a bound of another (also of
//! its distance to a variable, as of a deadline to the clock), a variable counts the elements whose flag is
//! set. As conjunctions over the elements these are as few as the fields are, and each is a single predicate
//! that holds or falls as a whole.

use std::collections::{BTreeMap, BTreeSet};

use kripke_smt::{Sort, TermId};
use kripke_value::BitVec;

use crate::engine::Engine;
use crate::invariants::heads::{Head, Location, Place};
use crate::invariants::print::Printer;
use crate::invariants::templates::{MAX_MEMBERS, Shapes, bounds_by, is_set};
use crate::object::ObjectId;

/// How many elements are spoken of at once.
const MAX_ELEMENTS: usize = 128;
/// The largest factor between two fields.
const MAX_FACTOR: u64 = 1 << 20;
/// How many of the values of a field split cases.
const MAX_CASES: usize = 6;
/// Of how many elements a field is compared with variables, and with how many of these.
const MAX_COMPARED: usize = 48;
const MAX_VARIABLES: usize = 6;
/// The widest fields whose values are counted.
const MAX_FLAG_BITS: u32 = 8;

/// A field of one element: which place it is, and what stands for it.
type Field = (usize, TermId);

/// A place that is a number: which it is, what stands for it, and its width.
type Number = (usize, TermId, u32);

/// What a field is called, and its width: memory may be used as another type meanwhile.
type Name = (String, u32);

/// The elements of an array, each with its modified fields by their names.
struct Array {
    elements: Vec<BTreeMap<Name, Field>>,
}

impl Array {
    /// The names of fields that several elements have.
    fn fields(&self) -> Vec<&Name> {
        let mut counts: BTreeMap<&Name, usize> = BTreeMap::new();
        for name in self.elements.iter().flat_map(BTreeMap::keys) {
            *counts.entry(name).or_default() += 1;
        }
        let shared = counts.into_iter().filter(|(_, count)| *count > 1);
        shared.map(|(name, _)| name).collect()
    }

    /// The field of each element that has it.
    fn column(&self, name: &Name) -> Vec<Field> {
        let fields = self.elements.iter().filter_map(|element| element.get(name));
        fields.copied().collect()
    }

    /// The two fields of each element that has both.
    fn pairs(&self, names: (&Name, &Name)) -> Vec<(Field, Field)> {
        let fields = self.elements.iter();
        fields
            .filter_map(|element| Some((*element.get(names.0)?, *element.get(names.1)?)))
            .collect()
    }
}

/// The name without what its last index chooses, and what comes after that index.
fn split(name: &str) -> Option<(&str, &str)> {
    let end = name.rfind(']')? + 1;
    Some((&name[..end], &name[end..]))
}

/// The name with all its indices forgotten.
fn pattern(element: &str) -> String {
    let mut inside = false;
    element
        .chars()
        .filter(|&c| {
            inside = (inside || c == '[') && c != ']';
            !inside
        })
        .collect()
}

/// The parts of a place by their names: several where one cell holds more than one element.
pub(super) fn parts(engine: &mut Engine<'_>, head: &Head, place: &Place) -> Vec<(String, TermId)> {
    let named = Printer::new(engine, head).parts(place);
    let Sort::BitVec(width) = engine.terms.sort(place.variable) else {
        let name = Printer::new(engine, head).name(place);
        return name.map(|name| (name, place.variable)).into_iter().collect();
    };
    let bytes = u64::from(width.div_ceil(8));
    let mut parts = Vec::new();
    for (name, start, size) in named {
        let part = match size == bytes {
            true => place.variable,
            false => {
                let first = engine.byte_shift(start, bytes);
                let low = first.min(engine.byte_shift(start + size - 1, bytes));
                let high = low + size as u32 * 8 - 1;
                engine.terms.bv_extract(place.variable, high, low)
            }
        };
        parts.push((name, part));
    }
    parts
}

impl Shapes<'_> {
    /// What holds of every element of an array: of a field, or of two that are in proportion.
    pub fn elements(&mut self, engine: &mut Engine<'_>) {
        let (numbers, single) = (self.numbers(&engine.terms), self.single_numbers(engine));
        let factors = self.factors();
        for array in self.arrays(engine) {
            for field in array.fields() {
                let column = array.column(field);
                self.bounded(engine, &column);
                self.bounded_by_variables(engine, &column, &single);
                if column.iter().all(|field| self.is_cell(field)) {
                    self.counted(engine, &column, &numbers);
                    self.at_distance(engine, &column, &[], &numbers);
                }
            }
            for pairs in self.pairs_of_fields(&array) {
                self.ordered(engine, &pairs);
                self.proportional(engine, &pairs, &factors);
            }
        }
    }

    /// What one field of every element says of another.
    pub fn fields(&mut self, engine: &mut Engine<'_>) {
        let numbers = self.numbers(&engine.terms);
        for array in self.arrays(engine) {
            for pairs in self.pairs_of_fields(&array) {
                self.implied(engine, &pairs, &numbers);
            }
        }
    }

    /// For each two fields that have cells of their own: those of each element.
    fn pairs_of_fields(&self, array: &Array) -> Vec<Vec<(Field, Field)>> {
        let mut fields = array.fields();
        fields.retain(|field| array.column(field).iter().all(|field| self.is_cell(field)));
        let mut all = Vec::new();
        for first in &fields {
            let others = fields.iter().filter(|second| *second != first);
            all.extend(others.map(|second| array.pairs((first, second))));
        }
        all.retain(|pairs| pairs.len() > 1);
        all
    }

    /// Has the field a cell of its own?
    fn is_cell(&self, (index, term): &Field) -> bool {
        self.head.places[*index].variable == *term
    }

    /// The arrays whose elements the loop modifies.
    fn arrays(&self, engine: &mut Engine<'_>) -> Vec<Array> {
        let mut found: BTreeMap<(ObjectId, String), BTreeMap<String, BTreeMap<Name, Field>>> =
            BTreeMap::new();
        for (index, place) in self.head.places.iter().enumerate() {
            let Location::Cell { object, .. } = place.location else {
                continue;
            };
            for (name, term) in parts(engine, self.head, place) {
                let Some((element, field)) = split(&name) else {
                    continue;
                };
                let array = found.entry((object, pattern(element))).or_default();
                let fields = array.entry(element.to_string()).or_default();
                let bits = match engine.terms.sort(term) {
                    Sort::BitVec(width) => width,
                    _ => 0,
                };
                fields.insert((field.to_string(), bits), (index, term));
            }
        }
        let arrays = found.into_values().map(|elements| Array {
            elements: elements.into_values().collect(),
        });
        let in_bounds = |array: &Array| (2..=MAX_ELEMENTS).contains(&array.elements.len());
        arrays.filter(in_bounds).collect()
    }

    /// A chain of predicates of one element each as a chain of what holds of all.
    fn add_for_all(&mut self, engine: &mut Engine<'_>, chains: Vec<Vec<TermId>>) {
        if self.is_full() {
            return;
        }
        let links = chains.iter().map(Vec::len).min().unwrap_or(0);
        let conjunctions: Vec<TermId> = (0..links)
            .map(|link| engine.terms.and_all(chains.iter().map(|chain| chain[link])))
            .collect();
        self.add_chain(engine, conjunctions);
    }

    pub(super) fn width(&self, engine: &Engine<'_>, variable: TermId) -> Option<u32> {
        match engine.terms.sort(variable) {
            Sort::BitVec(width) if width <= 64 => Some(width),
            _ => None,
        }
    }

    /// The constants that fields of one width meet, with those beside them. Of what shares a cell with others
    /// they are not known: there all are taken that the program compares something with.
    pub(super) fn constants_of(&self, column: &[Field], width: u32) -> BTreeSet<BitVec> {
        if !column.iter().all(|field| self.is_cell(field)) {
            return self.mined.compared_constants(width);
        }
        let fields = column.iter();
        fields
            .flat_map(|(index, _)| self.thresholds(*index, width))
            .collect()
    }

    /// The constants by which one field may be a multiple of another.
    fn factors(&self) -> Vec<u64> {
        let compared = self.mined.constants.iter().flatten().filter_map(BitVec::to_u64);
        let mut all: Vec<u64> = compared.chain(self.mined.factors().iter().copied()).collect();
        all.retain(|factor| (2..=MAX_FACTOR).contains(factor));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The field is bounded by what any of the elements meets.
    fn bounded(&mut self, engine: &mut Engine<'_>, column: &[Field]) {
        let Some(width) = self.width(engine, column[0].1) else {
            return;
        };
        let constants = self.constants_of(column, width);
        let fields = column.iter();
        let bounds: Vec<_> = fields
            .map(|(_, field)| bounds_by(&mut engine.terms, *field, &constants))
            .collect();
        for shape in 0..4 {
            let chains = bounds.iter().map(|chains| chains[shape].clone());
            self.add_for_all(engine, chains.collect());
        }
    }

    /// The field is on one side of a variable.
    fn bounded_by_variables(&mut self, engine: &mut Engine<'_>, column: &[Field], variables: &[Number]) {
        let few = (2..=MAX_COMPARED).contains(&column.len());
        let Some(width) = self.width(engine, column[0].1).filter(|_| few) else {
            return;
        };
        let others = variables.iter().filter(|other| other.2 == width);
        for (_, other, _) in others.take(MAX_VARIABLES) {
            let (mut below, mut above) = (Vec::new(), Vec::new());
            for (_, field) in column {
                let terms = &mut engine.terms;
                below.push(vec![terms.bv_ult(*field, *other), terms.bv_ule(*field, *other)]);
                above.push(vec![terms.bv_ult(*other, *field), terms.bv_ule(*other, *field)]);
            }
            self.add_for_all(engine, below);
            self.add_for_all(engine, above);
        }
    }

    /// One field is at most the other.
    fn ordered(&mut self, engine: &mut Engine<'_>, pairs: &[(Field, Field)]) {
        let terms = &mut engine.terms;
        if terms.sort(pairs[0].0.1) != terms.sort(pairs[0].1.1) || terms.sort(pairs[0].0.1) == Sort::Bool {
            return;
        }
        let chains = pairs
            .iter()
            .map(|((_, x), (_, y))| vec![terms.eq(*x, *y), terms.bv_ule(*x, *y)])
            .collect();
        self.add_for_all(engine, chains);
    }

    /// One field is at most a multiple of the other.
    fn proportional(&mut self, engine: &mut Engine<'_>, pairs: &[(Field, Field)], factors: &[u64]) {
        let (x, y) = (pairs[0].0.1, pairs[0].1.1);
        let (Some(x_width), Some(y_width)) = (self.width(engine, x), self.width(engine, y)) else {
            return;
        };
        let Some(largest) = factors.last().filter(|_| !self.is_full()) else {
            return;
        };
        let width = match x_width.max(y_width + 64 - largest.leading_zeros()) {
            0..=32 => 32,
            33..=64 => 64,
            _ => return,
        };
        let chains = pairs
            .iter()
            .map(|((_, x), (_, y))| {
                let terms = &mut engine.terms;
                let (x, y) = (terms.bv_zext(*x, width), terms.bv_zext(*y, width));
                let bounded = factors.iter().map(|factor| {
                    let factor = terms.bv_u64(width, *factor);
                    let product = terms.bv_mul(y, factor);
                    terms.bv_ule(x, product)
                });
                bounded.collect()
            })
            .collect();
        self.add_for_all(engine, chains);
    }

    /// In each case of the first field something holds of the second.
    fn implied(&mut self, engine: &mut Engine<'_>, pairs: &[(Field, Field)], numbers: &[Number]) {
        if self.is_full() {
            return;
        }
        let (firsts, seconds): (Vec<Field>, Vec<Field>) = pairs.iter().copied().unzip();
        let conclusions: Vec<Vec<Vec<TermId>>> = seconds
            .iter()
            .map(|field| self.conclusions_of(engine, *field))
            .collect();
        let count = conclusions.iter().map(Vec::len).min().unwrap_or(0);
        // What holds in any case is no conclusion, nor is what follows from it.
        let new = |conclusion: usize| {
            let links = conclusions
                .iter()
                .map(|conclusions| conclusions[conclusion].len());
            let links = links.min().unwrap_or(0);
            let is_known = |link: &usize| {
                let mut all = conclusions.iter();
                all.all(|conclusions| self.known.contains(&conclusions[conclusion][*link]))
            };
            (0..links).find(is_known).unwrap_or(links)
        };
        let new: Vec<usize> = (0..count).map(new).collect();
        for cases in self.cases_of(engine, &firsts) {
            for (conclusion, &links) in new.iter().enumerate() {
                let chains = cases.iter().zip(&conclusions);
                let chains = chains
                    .map(|(case, conclusions)| {
                        let chain = conclusions[conclusion][..links].iter();
                        chain.map(|link| engine.terms.implies(*case, *link)).collect()
                    })
                    .collect();
                self.add_for_all(engine, chains);
            }
            self.at_distance(engine, &seconds, &cases, numbers);
        }
    }

    /// Conditions on a field, each for all elements.
    fn cases_of(&self, engine: &mut Engine<'_>, column: &[Field]) -> Vec<Vec<TermId>> {
        let is_truth = engine.terms.sort(column[0].1) == Sort::Bool;
        let mut values: Vec<BitVec> = column
            .iter()
            .flat_map(|(index, _)| &self.mined.members[*index])
            .cloned()
            .collect();
        values.sort();
        values.dedup();
        if !is_truth && values.len() > MAX_MEMBERS {
            return Vec::new();
        }
        values.truncate(MAX_CASES);
        let mut cases: Vec<Vec<TermId>> = Vec::new();
        if is_truth {
            cases.push(column.iter().map(|(_, field)| *field).collect());
        }
        for value in values.iter().filter(|_| !is_truth) {
            let constant = engine.terms.bv(value.clone());
            let equal = column.iter().map(|(_, field)| engine.terms.eq(*field, constant));
            cases.push(equal.collect());
        }
        let negated: Vec<Vec<TermId>> = cases
            .iter()
            .map(|case| {
                case.iter()
                    .map(|condition| engine.terms.not(*condition))
                    .collect()
            })
            .collect();
        cases.extend(negated);
        cases
    }

    /// Chains of what may hold of a field.
    fn conclusions_of(&self, engine: &mut Engine<'_>, (index, field): Field) -> Vec<Vec<TermId>> {
        let Some(width) = self.width(engine, field) else {
            return match engine.terms.sort(field) {
                Sort::Bool => vec![vec![field], vec![engine.terms.not(field)]],
                _ => Vec::new(),
            };
        };
        let constants = self.constants_of(&[(index, field)], width);
        let mut chains = Vec::from(bounds_by(&mut engine.terms, field, &constants));
        for bit in self.bits(index) {
            let set = is_set(&mut engine.terms, field, bit);
            chains.push(vec![set]);
            chains.push(vec![engine.terms.not(set)]);
        }
        chains
    }

    /// The distance from a variable to a field is bounded, in each case if there are such.
    fn at_distance(
        &mut self,
        engine: &mut Engine<'_>,
        column: &[Field],
        cases: &[TermId],
        numbers: &[Number],
    ) {
        let Some(width) = self.width(engine, column[0].1).filter(|_| !self.is_full()) else {
            return;
        };
        let is_field = |variable: TermId| column.iter().any(|(_, field)| *field == variable);
        let others: Vec<Number> = numbers
            .iter()
            .filter(|(index, other, other_width)| {
                *other_width == width && !is_field(*other) && self.mined.meet(*index, column[0].0)
            })
            .copied()
            .collect();
        for (index, other, _) in others {
            let constants = self.constants_of(&[column, &[(index, other)]].concat(), width);
            for from in [0, 1] {
                let mut chains: Vec<Vec<TermId>> = Vec::new();
                for (position, (_, field)) in column.iter().enumerate() {
                    let terms = &mut engine.terms;
                    let distance = terms.bv_sub(*field, other);
                    let from = terms.bv_u64(width, from);
                    let distance = terms.bv_sub(distance, from);
                    let bounds = constants.iter().map(|constant| {
                        let constant = terms.bv(constant.clone());
                        let bounded = terms.bv_ule(distance, constant);
                        match cases.get(position) {
                            Some(case) => terms.implies(*case, bounded),
                            None => bounded,
                        }
                    });
                    chains.push(bounds.collect());
                }
                self.add_for_all(engine, chains);
            }
        }
    }

    /// A variable is the number of elements whose field is set, or of the others.
    fn counted(&mut self, engine: &mut Engine<'_>, column: &[Field], numbers: &[Number]) {
        let is_flag = match engine.terms.sort(column[0].1) {
            Sort::Bool => true,
            Sort::BitVec(width) => width <= MAX_FLAG_BITS,
            _ => false,
        };
        if !is_flag || self.is_full() {
            return;
        }
        for &(_, counter, width) in numbers {
            let terms = &mut engine.terms;
            let one = terms.bv_u64(width, 1);
            let zero = terms.bv_u64(width, 0);
            let (mut set, mut clear) = (zero, zero);
            for (_, field) in column {
                let is_set = match terms.sort(*field) {
                    Sort::BitVec(bits) => {
                        let nothing = terms.bv_u64(bits, 0);
                        let is_clear = terms.eq(*field, nothing);
                        terms.not(is_clear)
                    }
                    _ => *field,
                };
                let (if_set, if_clear) = (terms.ite(is_set, one, zero), terms.ite(is_set, zero, one));
                set = terms.bv_add(set, if_set);
                clear = terms.bv_add(clear, if_clear);
            }
            let counts = [terms.eq(counter, set), terms.eq(counter, clear)];
            counts.into_iter().for_each(|count| self.add(engine, count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{pattern, split};

    #[test]
    fn names_fall_into_element_and_field() {
        assert_eq!(
            split("queue[3].data[1].length"),
            Some(("queue[3].data[1]", ".length"))
        );
        assert_eq!(split("window[7]"), Some(("window[7]", "")));
        assert_eq!(split("count"), None);
    }

    #[test]
    fn elements_of_one_array_have_one_pattern() {
        assert_eq!(pattern("queue[3].data[1]"), pattern("queue[0].data[12]"));
        assert_ne!(pattern("queue[3].data[1]"), pattern("queue[3]"));
    }
}
