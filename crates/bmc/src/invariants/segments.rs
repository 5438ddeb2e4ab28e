//! Arrays that loops go through index by index: what holds of the elements that were passed, however many.
//!
//! Idea: a place counts, and an iteration writes or reads the element that it is the index of. What an
//! iteration does at its index it did at each of those before: it wrote there the same function of the
//! index, the condition for going on held of what is there, a maximum was no smaller. Places that count in
//! step are told from each other's distance to where the loop was entered. What was not passed is what it
//! was. All this is said of any index ([`super::instances`]), so copying, setting, scanning and comparing
//! need no bound of their length.
//!
//! Source: Gopan, Reps, Sagiv: A framework for numeric analysis of array operations (POPL 2005) for the
//! segments; Dillig, Dillig, Aiken: Fluid updates (ESOP 2010) for what the index says of the element.

use kripke_smt::{Op, Sort, TermId, Terms, conjuncts};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::Engine;
use crate::invariants::instances::any_index;
use crate::invariants::inverse::{Position, position};
use crate::invariants::steps::Counted;
use crate::invariants::templates::{Shapes, bounds_by};
use crate::value::resized;

/// How many terms a condition or a value may have.
const MAX_TERMS: usize = 400;
/// How many accesses are looked at.
const MAX_ACCESSES: usize = 24;
/// How many variables elements are compared with.
const MAX_OTHERS: usize = 6;

/// The places of a head that count.
struct Counting {
    /// In every iteration, and in all of them at once;
    always: Vec<Counted>,
    /// only in some.
    sometimes: Vec<Counted>,
}

impl Counting {
    fn contains(&self, place: TermId) -> bool {
        let mut all = self.always.iter().chain(&self.sometimes);
        all.any(|counted| counted.place == place)
    }
}

/// The element of an array that an iteration accesses, where a place counts them.
struct Passing<'c> {
    by: &'c Counted,
    /// It counts in every iteration.
    always: bool,
    /// The index as any index, and what the place was when that was accessed.
    any: TermId,
    position: TermId,
    /// That index has been passed.
    passed: TermId,
}

/// A write to an array.
struct Write {
    /// Which of the head's arrays.
    array: usize,
    index: TermId,
    value: TermId,
    /// When it is done.
    conditions: Vec<TermId>,
    /// An iteration may write other values there, or none.
    is_one_of_several: bool,
}

impl Shapes<'_> {
    /// What holds of the elements that the loop has passed, and of the others.
    pub fn segments(&mut self, engine: &mut Engine<'_>) {
        let counting = Counting {
            always: self.advancing(engine),
            sometimes: self.advancing_sometimes(engine),
        };
        let writes = self.writes(engine);
        for write in &writes {
            for passing in self.passings(engine, &counting, write.index) {
                self.written(engine, &counting, write, &passing);
                self.written_twice(engine, (write, &writes), &passing);
            }
        }
        let (conditions, reads) = (self.conditions(engine), self.reads(engine));
        let mut indices: Vec<TermId> = reads.iter().map(|read| read.0).collect();
        indices.dedup();
        for index in indices.into_iter().take(MAX_ACCESSES) {
            let mut passings = self.passings(engine, &counting, index);
            passings.retain(|passing| passing.always);
            for passing in passings {
                for condition in &conditions {
                    if let Some(held) = self.generalised(engine, &counting, *condition, &passing) {
                        let held = engine.terms.implies(passing.passed, held);
                        self.add(engine, held);
                    }
                }
                let here = reads.iter().filter(|(at, _)| *at == index);
                for (_, read) in here.take(MAX_OTHERS) {
                    if let Some(element) = self.generalised(engine, &counting, *read, &passing) {
                        self.beside_others(engine, &counting, element, passing.passed);
                    }
                }
            }
        }
    }

    /// What is known of the elements that a write has written, and that the others are as they were.
    fn written(
        &mut self,
        engine: &mut Engine<'_>,
        counting: &Counting,
        write: &Write,
        passing: &Passing<'_>,
    ) {
        let place = self.head.arrays[write.array];
        let element = engine.terms.select(place.variable, passing.any);
        let before = self.head.arrivals[0].arrays[write.array];
        if let Some(before) = before {
            let old = engine.terms.select(before, passing.any);
            let is_old = engine.terms.eq(element, old);
            let stays = engine.terms.or(passing.passed, is_old);
            self.add_chain(engine, [is_old, stays]);
        }
        for condition in &write.conditions {
            if let Some(held) = self.held_of(engine, write.value, element, *condition) {
                let held = engine.terms.implies(passing.passed, held);
                self.add(engine, held);
            }
        }
        let value = self.generalised(engine, counting, write.value, passing);
        if let Some(value) = value {
            for value in [Some(value), self.as_entered(engine, value)]
                .into_iter()
                .flatten()
            {
                let is_value = engine.terms.eq(element, value);
                let is_value = engine.terms.implies(passing.passed, is_value);
                self.add(engine, is_value);
            }
        }
        if !place.tells_written && (value.is_none() || write.is_one_of_several) {
            self.bounded_where_passed(engine, element, passing);
            self.beside_others(engine, counting, element, passing.passed);
        }
    }

    /// Elements of two arrays into which one value is written at one index.
    fn written_twice(
        &mut self,
        engine: &mut Engine<'_>,
        (write, writes): (&Write, &[Write]),
        passing: &Passing<'_>,
    ) {
        let others = writes.iter().filter(|other| other.array > write.array);
        for other in others.filter(|other| (other.index, other.value) == (write.index, write.value)) {
            let arrays = [write, other].map(|write| self.head.arrays[write.array].variable);
            let [x, y] = arrays.map(|array| engine.terms.select(array, passing.any));
            let are_equal = engine.terms.eq(x, y);
            let are_equal = engine.terms.implies(passing.passed, are_equal);
            self.add(engine, are_equal);
        }
    }

    /// Bounds of an element that was passed.
    fn bounded_where_passed(&mut self, engine: &mut Engine<'_>, element: TermId, passing: &Passing<'_>) {
        let width = engine.terms.width(element);
        let constants = self.mined.compared_constants(width);
        for chain in bounds_by(&mut engine.terms, element, &constants) {
            let chain = chain.into_iter();
            let chain: Vec<TermId> = chain
                .map(|bound| engine.terms.implies(passing.passed, bound))
                .collect();
            self.add_chain(engine, chain);
        }
    }

    /// A term with what arrays of the head held when the loop was entered, where it speaks of one: what is
    /// moved within an array is read before it is overwritten.
    fn as_entered(&self, engine: &mut Engine<'_>, term: TermId) -> Option<TermId> {
        let held = &self.head.arrivals[0].arrays;
        let arrays = self.head.arrays.iter().zip(held);
        let mut entered = FxHashMap::default();
        for (array, held) in arrays {
            entered.insert(array.variable, (*held)?);
        }
        let before = engine.terms.substitute(term, &mut entered);
        (before != term).then_some(before)
    }

    /// What held of a value as it was written, said of the element, where it speaks of nothing else that
    /// changes.
    fn held_of(
        &self,
        engine: &mut Engine<'_>,
        value: TermId,
        element: TermId,
        condition: TermId,
    ) -> Option<TermId> {
        let mut core = value;
        while let (Op::BvZeroExtend(_) | Op::BvSignExtend(_), [inner]) =
            (engine.terms.op(core), engine.terms.children(core))
        {
            core = *inner;
        }
        if engine.terms.is_const(core) || !numbers_in(&engine.terms, condition)?.contains(&core) {
            return None;
        }
        let part = resized_to(&mut engine.terms, element, core);
        let mut held = FxHashMap::from_iter([(core, part)]);
        let held = engine.terms.substitute(condition, &mut held);
        let stable = self.head.stable_variables(engine);
        let of_element = engine.terms.variables_of(&[element]);
        let mut variables = engine.terms.variables_of(&[held]).into_iter();
        variables
            .all(|variable| stable.contains(&variable) || of_element.contains(&variable))
            .then_some(held)
    }

    /// The element is at most, or at least, one of the places that do not count.
    fn beside_others(
        &mut self,
        engine: &mut Engine<'_>,
        counting: &Counting,
        element: TermId,
        passed: TermId,
    ) {
        let width = engine.terms.width(element);
        let mut others = self.numbers(&engine.terms);
        others.retain(|(_, place, other)| *other >= width && !counting.contains(*place));
        for (_, other, other_width) in others.into_iter().take(MAX_OTHERS) {
            let terms = &mut engine.terms;
            let (plain, signed) = (
                terms.bv_zext(element, other_width),
                terms.bv_sext(element, other_width),
            );
            let sides = [
                terms.bv_ule(plain, other),
                terms.bv_ule(other, plain),
                terms.bv_sle(signed, other),
                terms.bv_sle(other, signed),
            ];
            for side in sides {
                let side = engine.terms.implies(passed, side);
                self.add(engine, side);
            }
        }
    }

    /// What an iteration writes into the arrays of the head.
    fn writes(&self, engine: &mut Engine<'_>) -> Vec<Write> {
        let [_, next] = &self.head.arrivals[..] else {
            return Vec::new();
        };
        let mut always = conjuncts(&engine.terms, &[next.path]);
        always.retain(|part| numbers_in(&engine.terms, *part).is_some());
        always.truncate(MAX_ACCESSES);
        let mut writes = Vec::new();
        for (array, value) in next.arrays.iter().enumerate() {
            let before = writes.len();
            if let Some(value) = value {
                add_writes(engine, (array, *value), &always, &mut writes);
            }
            let are_several = writes.len() > before + 1;
            for write in &mut writes[before..] {
                write.is_one_of_several |= are_several;
            }
        }
        writes
    }

    /// The conditions for the next iteration that speak of elements.
    fn conditions(&self, engine: &Engine<'_>) -> Vec<TermId> {
        let [_, next] = &self.head.arrivals[..] else {
            return Vec::new();
        };
        let mut parts = conjuncts(&engine.terms, &[next.path]);
        parts.sort_unstable();
        parts.retain(|part| {
            let made_of = numbers_in(&engine.terms, *part);
            let mut made_of = made_of.iter().flatten();
            made_of.any(|term| engine.terms.op(*term) == Op::Select)
        });
        parts.truncate(MAX_ACCESSES);
        parts
    }

    /// The elements that an iteration reads, with their indices in front, in order.
    fn reads(&self, engine: &Engine<'_>) -> Vec<(TermId, TermId)> {
        let [_, next] = &self.head.arrivals[..] else {
            return Vec::new();
        };
        let values = next.values.iter().flatten().copied();
        let roots: Vec<TermId> = values.chain([next.path]).collect();
        let mut reads = Vec::new();
        for term in engine.terms.reachable(&roots) {
            if let (Op::Select, [_, index]) = (engine.terms.op(term), engine.terms.children(term)) {
                reads.push((*index, term));
            }
        }
        reads.sort_unstable();
        reads
    }

    /// For each place that counts and decides an index: which indices have been passed.
    fn passings<'c>(
        &self,
        engine: &mut Engine<'_>,
        counting: &'c Counting,
        index: TermId,
    ) -> Vec<Passing<'c>> {
        let stable = self.head.stable_variables(engine);
        let mut found = Vec::new();
        let always = counting.always.iter().map(|counted| (counted, true));
        let sometimes = counting.sometimes.iter().map(|counted| (counted, false));
        for (by, always) in always.chain(sometimes) {
            let width = engine.terms.width(index);
            let any = any_index(&mut engine.terms, width);
            let of = (index, by.place);
            let Some(Position {
                position,
                fits,
                signed,
            }) = position(&mut engine.terms, &stable, of, any)
            else {
                continue;
            };
            let terms = &mut engine.terms;
            let (first, now) = (by.first, by.place);
            let (from, to) = match by.rises {
                true => ((first, position), (position, now)),
                false => ((position, first), (now, position)),
            };
            let passed = match signed {
                true => [terms.bv_sle(from.0, from.1), terms.bv_slt(to.0, to.1)],
                false => [terms.bv_ule(from.0, from.1), terms.bv_ult(to.0, to.1)],
            };
            let passed = terms.and_all(passed.into_iter().chain(fits));
            found.push(Passing {
                by,
                always,
                any,
                position,
                passed,
            });
        }
        found
    }

    /// A term as it was when any one of the passed indices was accessed, where all that it is made of counts
    /// in step, is an array or does not change.
    fn generalised(
        &self,
        engine: &mut Engine<'_>,
        counting: &Counting,
        term: TermId,
        passing: &Passing<'_>,
    ) -> Option<TermId> {
        numbers_in(&engine.terms, term)?;
        let stable = self.head.stable_variables(engine);
        let mut values = FxHashMap::default();
        for variable in engine.terms.variables_of(&[term]) {
            let mut in_steps = counting.always.iter().filter(|_| passing.always);
            if variable == passing.by.place {
                values.insert(variable, passing.position);
            } else if let Some(other) = in_steps.find(|other| other.place == variable) {
                let value = in_step(&mut engine.terms, passing.by, other, passing.position);
                values.insert(variable, value);
            } else if !stable.contains(&variable)
                && !matches!(engine.terms.sort(variable), Sort::Array { .. })
            {
                return None;
            }
        }
        Some(engine.terms.substitute(term, &mut values))
    }
}

/// What a term is made of but for what arrays are made of, as far as that is little.
fn numbers_in(terms: &Terms, term: TermId) -> Option<FxHashSet<TermId>> {
    let (mut found, mut stack) = (FxHashSet::default(), vec![term]);
    while let Some(term) = stack.pop() {
        if !matches!(terms.sort(term), Sort::Array { .. }) && found.insert(term) {
            stack.extend_from_slice(terms.children(term));
        }
        if found.len() > MAX_TERMS {
            return None;
        }
    }
    Some(found)
}

/// A number in the width of another, without sign.
fn resized_to(terms: &mut Terms, number: TermId, other: TermId) -> TermId {
    let width = terms.width(other);
    resized(terms, number, width)
}

/// The writes that an array is made of, each with what holds where it is done.
fn add_writes(
    engine: &mut Engine<'_>,
    (array, value): (usize, TermId),
    always: &[TermId],
    writes: &mut Vec<Write>,
) {
    let (mut stack, mut seen) = (vec![(value, always.to_vec())], FxHashSet::default());
    while let Some((term, conditions)) = stack.pop() {
        if writes.len() == MAX_ACCESSES || seen.len() == MAX_TERMS || !seen.insert(term) {
            continue;
        }
        match (engine.terms.op(term), engine.terms.children(term)) {
            (Op::Store, &[below, index, value]) => {
                stack.push((below, conditions.clone()));
                writes.push(Write {
                    array,
                    index,
                    value,
                    is_one_of_several: conditions.len() > always.len(),
                    conditions,
                });
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                let not = engine.terms.not(condition);
                for (branch, condition) in [(then, condition), (otherwise, not)] {
                    let mut conditions = conditions.clone();
                    if conditions.len() < always.len() + MAX_ACCESSES {
                        conditions.extend(conjuncts(&engine.terms, &[condition]));
                    }
                    stack.push((branch, conditions));
                }
            }
            _ => {}
        }
    }
}

/// What a place was when another, which counts in step with it, was at that position.
fn in_step(terms: &mut Terms, leading: &Counted, other: &Counted, position: TermId) -> TermId {
    let distance = match leading.rises {
        true => terms.bv_sub(position, leading.first),
        false => terms.bv_sub(leading.first, position),
    };
    let distance = resized(terms, distance, other.width);
    match other.rises {
        true => terms.bv_add(other.first, distance),
        false => terms.bv_sub(other.first, distance),
    }
}
