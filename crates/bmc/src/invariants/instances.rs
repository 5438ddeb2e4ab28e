//! What is said of every index of an array, and of which indices a solver is told it.
//!
//! Idea: that all elements which a loop went past are equal to something is a statement about all indices. It
//! is a predicate over a variable that stands for any of them. Where it is to be shown, that variable is any
//! index, of which nothing else is known; where it is known, it is told of those indices that formulas read
//! arrays at, and of the one for which something is to be shown. So no solver meets a quantifier.
//!
//! Invariant: what holds of every index holds of those it is told of.
//!
//! Source: Bradley, Manna, Sipma: What's decidable about arrays? (VMCAI 2006) for the indices that matter;
//! McMillan: Quantified invariant generation using an interpolating saturation prover (TACAS 2008) for loops
//! over arrays.

use std::rc::Rc;

use kripke_smt::{Op, Sort, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::Engine;
use crate::invariants::folds::Folds;
use crate::invariants::heads::Head;
use crate::summary::INDIVIDUAL_BITS;
use crate::value::resized;

/// Of how many indices of one width a predicate is told at most.
const MAX_INSTANCES: usize = 24;
/// The same of pairs, of how many each one is.
const MAX_PAIRED: usize = 6;

/// The variable that stands for any index of that width.
pub(crate) fn any_index(terms: &mut Terms, width: u32) -> TermId {
    terms.variable(&name(width), Sort::BitVec(width))
}

/// The variable that stands for any index of that width beside the first.
pub(crate) fn another_index(terms: &mut Terms, width: u32) -> TermId {
    terms.variable(&format!("another index!{width}"), Sort::BitVec(width))
}

/// The same, where something speaks of any such index.
pub(super) fn known_any_index(terms: &Terms, width: u32) -> Option<TermId> {
    terms.find_variable(&name(width))
}

fn name(width: u32) -> String {
    format!("any index!{width}")
}

/// An index at which arrays are read, and which arrays.
#[derive(Debug)]
struct Read {
    index: TermId,
    arrays: FxHashSet<TermId>,
}

/// The indices at which a run's formulas read arrays.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    reads: FxHashMap<u32, Vec<Read>>,
    /// What stands for any index, with its width.
    any: FxHashMap<TermId, u32>,
    /// Sequences, each with the variables of which it is made,
    sequences: FxHashMap<TermId, Rc<[TermId]>>,
    /// and where they part.
    partings: Vec<TermId>,
}

impl Instances {
    /// Those in what is to be shown, which come first, and in what comes to the heads of loops.
    pub(super) fn of(engine: &mut Engine<'_>, heads: &[Head], (goals, folds): (&[TermId], &Folds)) -> Self {
        let mut instances = Instances {
            sequences: folds.sequences(),
            partings: folds.partings().to_vec(),
            ..Instances::default()
        };
        let mut bases = FxHashMap::default();
        instances.add_reads(engine, goals, &mut bases);
        let definitions: Vec<TermId> = folds.definitions().collect();
        instances.add_reads(engine, &definitions, &mut bases);
        let arrivals = heads.iter().flat_map(|head| &head.arrivals);
        let formulas: Vec<TermId> = arrivals
            .flat_map(|arrival| arrival.held().flatten().chain([arrival.path]))
            .collect();
        instances.add_reads(engine, &formulas, &mut bases);
        let widths: Vec<u32> = instances.reads.keys().copied().collect();
        for width in widths {
            let any = any_index(&mut engine.terms, width);
            instances.any.insert(any, width);
        }
        if heads.iter().any(|head| !head.individuals.summaries.is_empty()) {
            for any in [any_index, another_index] {
                let any = any(&mut engine.terms, INDIVIDUAL_BITS);
                instances.any.insert(any, INDIVIDUAL_BITS);
            }
        }
        instances
    }

    fn add_reads(
        &mut self,
        engine: &mut Engine<'_>,
        formulas: &[TermId],
        bases: &mut FxHashMap<TermId, FxHashSet<TermId>>,
    ) {
        let mut reads: Vec<(TermId, TermId)> = Vec::new();
        for term in engine.terms.reachable(formulas) {
            if let (Op::Select, [array, index]) = (engine.terms.op(term), engine.terms.children(term)) {
                reads.push((*index, *array));
            }
        }
        reads.sort_unstable();
        for (index, array) in reads {
            let arrays = bases_of(&engine.terms, array, bases);
            let width = engine.terms.width(index);
            let is_ours = |array| self.sequences.contains_key(array) || self.partings.contains(array);
            if arrays.is_empty() || arrays.iter().any(is_ours) || engine.terms.mentions_bound_index(index) {
                continue;
            }
            let known = self.reads.entry(width).or_default();
            match known.iter_mut().find(|read| read.index == index) {
                Some(read) => read.arrays.extend(arrays),
                None => known.push(Read { index, arrays }),
            }
        }
    }

    /// Does the variable stand for any index?
    pub fn is_any(&self, variable: TermId) -> bool {
        self.any.contains_key(&variable)
    }

    /// The variables of which a sequence is made, where the variable stands for one.
    pub fn made_of(&self, sequence: TermId) -> Option<&[TermId]> {
        self.sequences.get(&sequence).map(|made_of| &made_of[..])
    }

    /// A predicate with these variables as it is told, of the indices that matter, where it speaks of any.
    pub fn told(&self, terms: &mut Terms, predicate: TermId, variables: &[TermId]) -> Option<TermId> {
        let mut anys = variables
            .iter()
            .copied()
            .filter(|variable| self.is_any(*variable));
        let any = anys.next()?;
        let width = self.any[&any];
        let another = anys.find(|other| self.any[other] == width);
        let made_of = terms.reachable(&[predicate]).into_iter().collect();
        let mut indices = self.indices(terms, width, &made_of);
        if another.is_some() {
            indices.truncate(MAX_PAIRED);
        }
        let mut instances = Vec::new();
        for index in &indices {
            let others = another.map_or(&indices[..1], |_| &indices[..]);
            for other in others {
                let mut known = FxHashMap::from_iter([(any, *index)]);
                known.extend(another.map(|another| (another, *other)));
                instances.push(terms.substitute(predicate, &mut known));
            }
        }
        Some(terms.and_all(instances))
    }

    /// The indices that matter for a predicate that is made of these terms: all, where they are few, else
    /// those at which its own arrays are read.
    fn indices(&self, terms: &mut Terms, width: u32, made_of: &FxHashSet<TermId>) -> Vec<TermId> {
        let mut anys: Vec<TermId> = self.any.keys().copied().collect();
        anys.sort_unstable();
        let all: usize = self.reads.values().map(Vec::len).sum();
        let is_own = |read: &&Read| !read.arrays.is_disjoint(made_of);
        let mut widths: Vec<u32> = self.reads.keys().copied().collect();
        widths.sort_by_key(|other| (*other != width, *other));
        let reads = widths.iter().flat_map(|width| &self.reads[width]);
        let reads = reads.filter(|read| all <= MAX_INSTANCES || is_own(read));
        let mut indices: Vec<TermId> = Vec::new();
        for index in anys.into_iter().chain(reads.map(|read| read.index)) {
            let index = resized(terms, index, width);
            if !indices.contains(&index) {
                indices.push(index);
            }
        }
        indices.truncate(MAX_INSTANCES);
        indices
    }
}

/// What an array is made of by writes and choices: variables, and constants beside which something else was
/// written. Nothing for a table of constants.
fn bases_of(
    terms: &Terms,
    array: TermId,
    known: &mut FxHashMap<TermId, FxHashSet<TermId>>,
) -> FxHashSet<TermId> {
    if let Some(bases) = known.get(&array) {
        return bases.clone();
    }
    let (mut bases, mut seen, mut stack) = (FxHashSet::default(), FxHashSet::default(), vec![array]);
    let (mut constants, mut is_table) = (Vec::new(), true);
    while let Some(array) = stack.pop() {
        if !seen.insert(array) {
            continue;
        }
        match (terms.op(array), terms.children(array)) {
            (Op::Variable(_), _) => drop(bases.insert(array)),
            (Op::Store, [below, _, value]) => {
                is_table &= terms.is_const(*value);
                stack.push(*below);
            }
            (Op::ConstArray(_), _) => constants.push(array),
            (Op::Ite, [_, then, otherwise]) => stack.extend([*then, *otherwise]),
            _ => {}
        }
    }
    if !is_table {
        bases.extend(constants);
    }
    known.insert(array, bases.clone());
    bases
}
