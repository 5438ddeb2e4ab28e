//! What a state at the head of a loop is described by.
//!
//! Idea: a state of a solver's model is a conjunction of literals: which truths and comparisons of the
//! program hold in it, and the value of each number. These are what lemmas are made of, after literals were
//! left out and values widened to bounds by the constants that the number meets.
//!
//! Invariant: every literal is true in the state that it was made of, and speaks only of what every arrival
//! at the head tells.

use std::collections::BTreeSet;
use std::time::Instant;

use kripke_smt::{Op, Sort, TermId, Terms, Value};
use kripke_value::BitVec;
use rustc_hash::FxHashSet;

use crate::engine::Engine;
use crate::invariants::atoms::Mined;
use crate::invariants::candidate::Maker;
use crate::invariants::heads::Head;
use crate::invariants::templates::{MAX_MEMBERS, thresholds_of};

/// How many comparisons of the program describe a state.
const MAX_COMPARISONS: usize = 60;
/// How many numbers do.
const MAX_NUMBERS: usize = 40;

/// What a literal says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// A flag is set or clear.
    Truth,
    /// A comparison of the program holds or does not.
    Comparison,
    /// A number, by its index, has a value.
    Value(usize),
    /// A number, or a sum or difference of two, has a bound.
    Bound,
}

/// A part of the description of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal {
    pub term: TermId,
    pub says: Says,
}

/// A number that a head's states have.
pub(super) struct Number {
    pub variable: TermId,
    /// Around the constants that it meets.
    pub thresholds: BTreeSet<BitVec>,
    /// All values that were seen are constants that it is compared with, or set to.
    pub is_enumeration: bool,
}

/// What a head's states are described by.
pub(super) struct Vocabulary {
    pub maker: Maker,
    pub numbers: Vec<Number>,
    truths: Vec<TermId>,
    comparisons: Vec<TermId>,
}

impl Vocabulary {
    /// Of one of the heads: what it modifies, and what others do if it is told there.
    pub fn new(engine: &mut Engine<'_>, index: usize, (heads, mined): (&[Head], &[&Mined])) -> Self {
        let mut vocabulary = Vocabulary {
            maker: Maker::new(engine, index, &heads[index], Instant::now()),
            numbers: Vec::new(),
            truths: Vec::new(),
            comparisons: Vec::new(),
        };
        vocabulary.add_places(engine, &heads[index], mined[index]);
        for (other, (head, mined)) in heads.iter().zip(mined).enumerate() {
            if other != index {
                vocabulary.add_places(engine, head, mined);
            }
        }
        for &comparison in &mined[index].comparisons {
            let is_told = vocabulary.maker.make(engine, comparison).is_some();
            if is_told && vocabulary.comparisons.len() < MAX_COMPARISONS {
                vocabulary.comparisons.push(comparison);
            }
        }
        vocabulary
    }

    fn add_places(&mut self, engine: &Engine<'_>, head: &Head, mined: &Mined) {
        for (index, place) in head.places.iter().enumerate() {
            if !self.maker.tells(place.variable) {
                continue;
            }
            match engine.terms.sort(place.variable) {
                Sort::Bool => self.truths.push(place.variable),
                Sort::BitVec(width) if width <= 64 && self.numbers.len() < MAX_NUMBERS => {
                    let mut constants = mined.constants[index].clone();
                    constants.extend([BitVec::zero(width), BitVec::one(width)]);
                    self.numbers.push(Number {
                        variable: place.variable,
                        thresholds: thresholds_of(&constants, width),
                        is_enumeration: is_enumeration(head, place.variable, &mined.members[index]),
                    });
                }
                _ => {}
            }
        }
    }

    /// The terms whose values describe a state.
    pub fn terms(&self) -> Vec<TermId> {
        let numbers = self.numbers.iter().map(|number| number.variable);
        let truths = self.truths.iter().chain(&self.comparisons).copied();
        truths.chain(numbers).collect()
    }

    /// The description of a state in which these terms have these values.
    pub fn state(&self, terms: &mut Terms, values: &[Value]) -> Vec<Literal> {
        let mut literals = Vec::new();
        let truths = self.truths.iter().map(|term| (*term, Says::Truth));
        let comparisons = self.comparisons.iter().map(|term| (*term, Says::Comparison));
        for ((term, says), value) in truths.chain(comparisons).zip(values) {
            let term = match value.as_bool() {
                Some(false) => terms.not(term),
                _ => term,
            };
            literals.push(Literal { term, says });
        }
        let (first, seen) = (literals.len(), self.numbers.iter().enumerate());
        for ((index, number), value) in seen.zip(&values[first..]) {
            if let Some(value) = value.as_bv() {
                let constant = terms.bv(value.clone());
                let term = terms.eq(number.variable, constant);
                let says = Says::Value(index);
                literals.push(Literal { term, says });
            }
        }
        literals
    }

    /// Does a literal tell cases apart, rather than how much of something there is?
    pub fn is_case(&self, literal: &Literal) -> bool {
        match literal.says {
            Says::Truth => true,
            Says::Value(number) => self.numbers[number].is_enumeration,
            Says::Comparison | Says::Bound => false,
        }
    }

    /// The value of a number that a literal tells.
    pub fn value(&self, terms: &Terms, literal: &Literal) -> Option<(usize, BitVec)> {
        let Says::Value(index) = literal.says else {
            return None;
        };
        let variable = self.numbers[index].variable;
        let (op, operands) = (terms.op(literal.term), terms.children(literal.term));
        match (op, operands) {
            (Op::Eq, [a, b]) if *a == variable => Some((index, terms.as_bv(*b)?.clone())),
            (Op::Eq, [a, b]) if *b == variable => Some((index, terms.as_bv(*a)?.clone())),
            _ => None,
        }
    }
}

/// Are all values of a place that were seen among those with which it is compared?
fn is_enumeration(head: &Head, place: TermId, members: &BTreeSet<BitVec>) -> bool {
    let samples = head.samples.iter();
    let values: FxHashSet<&BitVec> = samples.filter_map(|sample| sample.get(&place)?.as_bv()).collect();
    values.len() <= MAX_MEMBERS && values.into_iter().all(|value| members.contains(value))
}
