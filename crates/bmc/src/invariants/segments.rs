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
use crate::invariants::instances::{any_index, resized};
use crate::invariants::steps::Counted;
use crate::invariants::templates::{Shapes, bounds_by};

/// How many terms a condition or a value may have.
const MAX_TERMS: usize = 400;
/// How many accesses are looked at.
const MAX_ACCESSES: usize = 24;
/// How many variables elements are compared with.
const MAX_OTHERS: usize = 6;

/// The element of an array that an iteration accesses, where a place counts them.
struct Passing {
    /// Which of the counting places.
    by: usize,
    /// The index in each iteration.
    index: TermId,
    /// The index as any index, and what the place was when that was accessed.
    any: TermId,
    position: TermId,
    /// That index has been passed.
    passed: TermId,
}

/// What a place was when an index was accessed.
struct Position {
    position: TermId,
    /// What has to hold of the index for that.
    fits: Vec<TermId>,
    /// The place is compared with its sign.
    signed: bool,
}

/// A write to an array.
struct Write {
    /// Which of the head's arrays.
    array: usize,
    index: TermId,
    value: TermId,
}

impl Shapes<'_> {
    /// What holds of the elements that the loop has passed, and of the others.
    pub fn segments(&mut self, engine: &mut Engine<'_>) {
        let counted = self.advancing(engine);
        if counted.is_empty() {
            return;
        }
        let writes = self.writes(engine);
        for write in &writes {
            for passing in self.passings(engine, &counted, write.index) {
                self.written(engine, &counted, write, &passing);
            }
        }
        let conditions = self.conditions(engine);
        for index in self.indices_read(engine) {
            for passing in self.passings(engine, &counted, index) {
                for condition in &conditions {
                    if let Some(held) = self.generalised(engine, &counted, *condition, &passing) {
                        let held = engine.terms.implies(passing.passed, held);
                        self.add(engine, held);
                    }
                }
                self.compared(engine, &counted, &passing);
            }
        }
    }

    /// What is known of the elements that a write has written, and that the others are as they were.
    fn written(&mut self, engine: &mut Engine<'_>, counted: &[Counted], write: &Write, passing: &Passing) {
        let place = self.head.arrays[write.array];
        let element = engine.terms.select(place.variable, passing.any);
        let before = self.head.arrivals[0].arrays[write.array];
        if let Some(before) = before {
            let old = engine.terms.select(before, passing.any);
            let stays = engine.terms.eq(element, old);
            let stays = engine.terms.or(passing.passed, stays);
            self.add(engine, stays);
        }
        if let Some(value) = self.generalised(engine, counted, write.value, passing) {
            let is_value = engine.terms.eq(element, value);
            let is_value = engine.terms.implies(passing.passed, is_value);
            self.add(engine, is_value);
        } else if !place.tells_written {
            let width = engine.terms.width(element);
            let constants = self.mined.compared_constants(width);
            for chain in bounds_by(&mut engine.terms, element, &constants) {
                let chain = chain.into_iter();
                let chain: Vec<TermId> = chain
                    .map(|bound| engine.terms.implies(passing.passed, bound))
                    .collect();
                self.add_chain(engine, chain);
            }
            self.beside_others(engine, counted, element, passing.passed);
        }
    }

    /// Elements that were read, on one side of what else the loop changes.
    fn compared(&mut self, engine: &mut Engine<'_>, counted: &[Counted], passing: &Passing) {
        for read in self.reads(engine, passing.index) {
            if let Some(element) = self.generalised(engine, counted, read, passing) {
                self.beside_others(engine, counted, element, passing.passed);
            }
        }
    }

    /// The element is at most, or at least, one of the places that do not count.
    fn beside_others(
        &mut self,
        engine: &mut Engine<'_>,
        counted: &[Counted],
        element: TermId,
        passed: TermId,
    ) {
        let width = engine.terms.width(element);
        let mut others = self.numbers(&engine.terms);
        others.retain(|(_, place, other)| *other >= width && counted.iter().all(|one| one.place != *place));
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
    fn writes(&self, engine: &Engine<'_>) -> Vec<Write> {
        let [_, next] = &self.head.arrivals[..] else {
            return Vec::new();
        };
        let mut writes = Vec::new();
        for (array, value) in next.arrays.iter().enumerate() {
            let (mut stack, mut seen) = (Vec::from_iter(*value), FxHashSet::default());
            while let Some(term) = stack.pop() {
                if writes.len() == MAX_ACCESSES || !seen.insert(term) {
                    continue;
                }
                match (engine.terms.op(term), engine.terms.children(term)) {
                    (Op::Store, &[below, index, value]) => {
                        writes.push(Write { array, index, value });
                        stack.push(below);
                    }
                    (Op::Ite, &[_, then, otherwise]) => stack.extend([then, otherwise]),
                    _ => {}
                }
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
            let made_of = engine.terms.reachable(&[*part]);
            made_of.len() <= MAX_TERMS && made_of.iter().any(|term| engine.terms.op(*term) == Op::Select)
        });
        parts.truncate(MAX_ACCESSES);
        parts
    }

    /// The elements that an iteration reads.
    fn all_reads(&self, engine: &Engine<'_>) -> Vec<(TermId, TermId)> {
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

    fn indices_read(&self, engine: &Engine<'_>) -> Vec<TermId> {
        let mut indices: Vec<TermId> = self.all_reads(engine).into_iter().map(|read| read.0).collect();
        indices.dedup();
        indices.truncate(MAX_ACCESSES);
        indices
    }

    fn reads(&self, engine: &Engine<'_>, index: TermId) -> Vec<TermId> {
        let reads = self.all_reads(engine).into_iter();
        let reads = reads.filter(|(at, _)| *at == index).map(|read| read.1);
        reads.take(MAX_OTHERS).collect()
    }

    /// For each place that counts and decides an index: which indices have been passed.
    fn passings(&self, engine: &mut Engine<'_>, counted: &[Counted], index: TermId) -> Vec<Passing> {
        let mut found = Vec::new();
        for (by, counting) in counted.iter().enumerate() {
            let width = engine.terms.width(index);
            let any = any_index(&mut engine.terms, width);
            let Some(Position {
                position,
                fits,
                signed,
            }) = self.position(engine, index, counting.place, any)
            else {
                continue;
            };
            let terms = &mut engine.terms;
            let (first, now) = (counting.first, counting.place);
            let (from, to) = match counting.rises {
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
                index,
                any,
                position,
                passed,
            });
        }
        found
    }

    /// What the place was when the index was `wanted`, where that is the place, or a sum of it and what does
    /// not change, in some width.
    fn position(
        &self,
        engine: &mut Engine<'_>,
        index: TermId,
        place: TermId,
        wanted: TermId,
    ) -> Option<Position> {
        let (mut term, mut wanted, mut fits) = (index, wanted, Vec::new());
        // A place that is wider than an index is far from where it would wrap, unless it goes below zero.
        let mut signed = engine.terms.width(place) > engine.terms.width(index);
        let stable = self.head.stable_variables(engine);
        while term != place {
            let operands = engine.terms.children(term).to_vec();
            (term, wanted) = match (engine.terms.op(term), &operands[..]) {
                (Op::BvAdd, &[a, b]) => {
                    let is_stable = |term| {
                        let variables = engine.terms.variables_of(&[term]);
                        variables.iter().all(|variable| stable.contains(variable))
                    };
                    let (counted, other) = if is_stable(b) { (a, b) } else { (b, a) };
                    if !is_stable(other) {
                        return None;
                    }
                    (counted, engine.terms.bv_sub(wanted, other))
                }
                (Op::BvZeroExtend(_), &[inner]) => {
                    let narrow = resized_to(&mut engine.terms, wanted, inner);
                    let width = engine.terms.width(wanted);
                    let again = resized(&mut engine.terms, narrow, width);
                    fits.push(engine.terms.eq(again, wanted));
                    (inner, narrow)
                }
                (Op::BvSignExtend(_), &[inner]) => {
                    let narrow = resized_to(&mut engine.terms, wanted, inner);
                    let width = engine.terms.width(wanted);
                    let again = engine.terms.bv_sext(narrow, width);
                    fits.push(engine.terms.eq(again, wanted));
                    signed = true;
                    (inner, narrow)
                }
                (Op::BvExtract { low: 0, .. }, &[inner]) => {
                    (inner, resized_to(&mut engine.terms, wanted, inner))
                }
                _ => return None,
            };
        }
        Some(Position {
            position: wanted,
            fits,
            signed,
        })
    }

    /// A term as it was when the any index was accessed, where everything in it counts in step, is an array or
    /// does not change.
    fn generalised(
        &self,
        engine: &mut Engine<'_>,
        counted: &[Counted],
        term: TermId,
        passing: &Passing,
    ) -> Option<TermId> {
        if engine.terms.reachable(&[term]).len() > MAX_TERMS {
            return None;
        }
        let stable = self.head.stable_variables(engine);
        let leading = &counted[passing.by];
        let mut values = FxHashMap::default();
        for variable in engine.terms.variables_of(&[term]) {
            if let Some(other) = counted.iter().find(|other| other.place == variable) {
                let value = in_step(&mut engine.terms, leading, other, passing.position);
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

/// A number in the width of another, without sign.
fn resized_to(terms: &mut Terms, number: TermId, other: TermId) -> TermId {
    let width = terms.width(other);
    resized(terms, number, width)
}

/// What a place was when another, which counts in step with it, was at that position.
fn in_step(terms: &mut Terms, leading: &Counted, other: &Counted, position: TermId) -> TermId {
    if leading.place == other.place {
        return position;
    }
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
