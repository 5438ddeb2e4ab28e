//! From a state that is not reached to as many such states as possible.
//!
//! Idea: what the solver did not need is left out, then what it does not need otherwise; values come before
//! comparisons, and these before flags, as a lemma about cases holds in more frames than one about numbers.
//! Then guesses in the light of the state: in its case, are two of its numbers always in another order, is
//! one, or a sum or difference of two, bounded by a constant of the program, or by what concrete runs show?
//! One that holds in the last frame is worth more than what only excludes the state for some steps. Else
//! values are widened to bounds.
//!
//! Invariant: what is excluded includes the state, and no state of a concrete run.

use std::cmp::Ordering;

use kripke_smt::TermId;
use kripke_value::BitVec;
use rustc_hash::FxHashSet;

use crate::invariants::reachability::vocabulary::{Literal, Says};
use crate::invariants::reachability::{Arrival, Search};

/// How many numbers are combined in guesses.
const MAX_GUESSED: usize = 4;
/// How many guesses are asked of the solver for one state.
const MAX_GUESSES: usize = 32;

/// From which side a number is bounded, and whether it is read with a sign.
#[derive(Clone, Copy)]
enum Side {
    AtLeast { signed: bool },
    AtMost { signed: bool },
}

const SIDES: [Side; 4] = [
    Side::AtLeast { signed: false },
    Side::AtMost { signed: false },
    Side::AtLeast { signed: true },
    Side::AtMost { signed: true },
];

impl Side {
    /// The order in which a bound comes the later the fewer values it leaves.
    fn order(self, value: &BitVec) -> i128 {
        let signed = || value.to_i128().unwrap_or(0);
        let unsigned = || value.to_u64().map_or(0, i128::from);
        match self {
            Side::AtLeast { signed: false } => unsigned(),
            Side::AtMost { signed: false } => -unsigned(),
            Side::AtLeast { signed: true } => signed(),
            Side::AtMost { signed: true } => -signed(),
        }
    }

    /// The value at a place of that order.
    fn value(self, width: u32, order: i128) -> BitVec {
        match self {
            Side::AtLeast { .. } => BitVec::from_i128(width, order),
            Side::AtMost { .. } => BitVec::from_i128(width, -order),
        }
    }

    /// The first of that order.
    fn first(self, width: u32) -> i128 {
        let half = 1i128 << (width - 1);
        match self {
            Side::AtLeast { signed: false } => 0,
            Side::AtMost { signed: false } => 1 - 2 * half,
            Side::AtLeast { signed: true } => -half,
            Side::AtMost { signed: true } => 1 - half,
        }
    }
}

/// Each two numbers of one width.
fn pairs(numbers: &[Guessed]) -> impl Iterator<Item = (&Guessed, &Guessed)> {
    let pairs = numbers.iter().enumerate().flat_map(|(position, x)| {
        let others = numbers[position + 1..].iter();
        others.map(move |y| (x, y))
    });
    pairs.filter(|(x, y)| x.value.width() == y.value.width())
}

/// A number, or a sum or difference of two, that has a value in the state.
struct Guessed {
    term: TermId,
    value: BitVec,
    thresholds: Vec<BitVec>,
}

impl Search<'_, '_> {
    /// A description of states that are excluded from a frame, the given one among them, and the last frame
    /// that is known for it. The reasons are why the state is not reached.
    pub(super) fn generalised(
        &mut self,
        head: usize,
        state: &[Literal],
        reasons: Vec<Literal>,
        frame: u32,
    ) -> (Vec<Literal>, u32) {
        let start = match self.is_seen(head, &reasons) {
            true => state.to_vec(),
            false => reasons,
        };
        let shrunk = self.shrunk(head, start, frame);
        match self.guess(head, state, &shrunk) {
            Some(guess) => (guess, self.frontier + 1),
            None => (self.widened(head, shrunk, frame), frame),
        }
    }

    /// Are the states excluded from a frame, and for the sake of which literals?
    fn excluded(&mut self, head: usize, literals: &[Literal], frame: u32) -> Option<Vec<Literal>> {
        if self.is_late() || self.is_seen(head, literals) {
            return None;
        }
        match self.arrival(head, literals, frame) {
            Arrival::Never(reasons) if self.is_seen(head, &reasons) => Some(literals.to_vec()),
            Arrival::Never(reasons) => Some(reasons),
            _ => None,
        }
    }

    /// Leaves out literals as long as the states are excluded from the frame.
    fn shrunk(&mut self, head: usize, mut literals: Vec<Literal>, frame: u32) -> Vec<Literal> {
        let vocabulary = &self.vocabularies[head];
        let mut order = literals.clone();
        order.sort_by_key(|literal| match literal.says {
            _ if vocabulary.is_case(literal) => 3,
            Says::Value(_) => 0,
            Says::Comparison => 1,
            _ => 2,
        });
        for literal in order {
            let mut others = literals.clone();
            others.retain(|other| other.term != literal.term);
            if others.len() < literals.len()
                && let Some(reasons) = self.excluded(head, &others, frame)
            {
                literals = reasons;
            }
        }
        literals
    }

    /// Orders and bounds in the state's case that hold in the last frame.
    fn guess(&mut self, head: usize, state: &[Literal], shrunk: &[Literal]) -> Option<Vec<Literal>> {
        let vocabulary = &self.vocabularies[head];
        let is_case = |literal: &&Literal| vocabulary.is_case(literal);
        let case: Vec<Literal> = state.iter().filter(is_case).copied().collect();
        let numbers = self.numbers_in(head, state, shrunk);
        let mut guesses = self.orders(&numbers);
        for guessed in self.combined(numbers) {
            for side in SIDES {
                guesses.extend(self.bounds(head, &case, &guessed, side));
            }
        }
        let (frame, mut tried) = (self.frontier + 1, FxHashSet::default());
        for guess in guesses {
            if tried.len() >= MAX_GUESSES || !tried.insert(guess.term) {
                continue;
            }
            let literals = [&case[..], &[guess]].concat();
            if let Some(reasons) = self.excluded(head, &literals, frame) {
                return Some(self.shrunk(head, reasons, frame));
            }
        }
        None
    }

    /// The numbers that matter for the state, by which no cases are told apart.
    fn numbers_in(&self, head: usize, state: &[Literal], shrunk: &[Literal]) -> Vec<Guessed> {
        let (vocabulary, terms) = (&self.vocabularies[head], &self.engine.terms);
        let mentioned: Vec<TermId> = shrunk.iter().map(|literal| literal.term).collect();
        let mentioned = terms.variables_of(&mentioned);
        let others = state.iter().filter(|literal| !vocabulary.is_case(literal));
        let values = others.filter_map(|literal| vocabulary.value(terms, literal));
        let numbers = values.map(|(index, value)| {
            let number = &vocabulary.numbers[index];
            Guessed {
                term: number.variable,
                value,
                thresholds: number.thresholds.iter().cloned().collect(),
            }
        });
        let matter = numbers.filter(|number| mentioned.contains(&number.term));
        matter.take(MAX_GUESSED).collect()
    }

    /// How each two numbers are ordered.
    fn orders(&mut self, numbers: &[Guessed]) -> Vec<Literal> {
        let terms = &mut self.engine.terms;
        let mut orders = Vec::new();
        for (x, y) in pairs(numbers) {
            let equal = terms.eq(x.term, y.term);
            if x.value == y.value {
                orders.push(equal);
                continue;
            }
            orders.push(terms.not(equal));
            let (low, high) = match x.value.compare_unsigned(&y.value) {
                Ordering::Less => (x.term, y.term),
                _ => (y.term, x.term),
            };
            orders.push(terms.bv_ult(low, high));
            let (low, high) = match x.value.compare_signed(&y.value) {
                Ordering::Less => (x.term, y.term),
                _ => (y.term, x.term),
            };
            orders.push(terms.bv_slt(low, high));
        }
        let says = Says::Bound;
        orders.into_iter().map(|term| Literal { term, says }).collect()
    }

    /// Numbers, and the sums and differences of each two.
    fn combined(&mut self, numbers: Vec<Guessed>) -> Vec<Guessed> {
        let terms = &mut self.engine.terms;
        let mut combined = Vec::new();
        for (x, y) in pairs(&numbers) {
            let values = [x.value.add(&y.value), x.value.sub(&y.value)];
            let made = [terms.bv_add(x.term, y.term), terms.bv_sub(x.term, y.term)];
            for (term, value) in made.into_iter().zip(values) {
                combined.push(Guessed {
                    term,
                    value,
                    thresholds: [&x.thresholds[..], &y.thresholds].concat(),
                });
            }
        }
        numbers.into_iter().chain(combined).collect()
    }

    fn bound(&mut self, number: TermId, side: Side, value: &BitVec) -> Literal {
        let terms = &mut self.engine.terms;
        let constant = terms.bv(value.clone());
        let term = match side {
            Side::AtLeast { signed: false } => terms.bv_ule(constant, number),
            Side::AtMost { signed: false } => terms.bv_ule(number, constant),
            Side::AtLeast { signed: true } => terms.bv_sle(constant, number),
            Side::AtMost { signed: true } => terms.bv_sle(number, constant),
        };
        let says = Says::Bound;
        Literal { term, says }
    }

    /// The loosest bound by a constant of the program, and the loosest of all, that no run contradicts in the
    /// case.
    fn bounds(&mut self, head: usize, case: &[Literal], guessed: &Guessed, side: Side) -> Vec<Literal> {
        let is_free = |search: &mut Self, value: &BitVec| {
            let bound = search.bound(guessed.term, side, value);
            let literals = [case, &[bound]].concat();
            !search.is_seen(head, &literals)
        };
        if !is_free(self, &guessed.value) {
            return Vec::new();
        }
        let width = guessed.value.width();
        let (mut low, mut high) = (side.first(width), side.order(&guessed.value));
        while low < high {
            let middle = low + (high - low).div_euclid(2);
            match is_free(self, &side.value(width, middle)) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        let within = side.order(&guessed.value);
        let thresholds = guessed.thresholds.iter();
        let fitting = thresholds.filter(|value| (high..=within).contains(&side.order(value)));
        let of_program = fitting.min_by_key(|value| side.order(value)).cloned();
        let of_runs = side.value(width, high);
        let values = of_program.into_iter().chain([of_runs]);
        values
            .map(|value| self.bound(guessed.term, side, &value))
            .collect()
    }

    /// Values become bounds, as loose as they may be.
    fn widened(&mut self, head: usize, literals: Vec<Literal>, frame: u32) -> Vec<Literal> {
        let mut result = literals.clone();
        for literal in &literals {
            let vocabulary = &self.vocabularies[head];
            let Some((index, value)) = vocabulary.value(&self.engine.terms, literal) else {
                continue;
            };
            let number = &vocabulary.numbers[index];
            let guessed = Guessed {
                term: number.variable,
                value,
                thresholds: number.thresholds.iter().cloned().collect(),
            };
            result.retain(|other| other.term != literal.term);
            match self.widened_value(head, &result, &guessed, frame) {
                Some(bound) => result.push(bound),
                None => result.push(*literal),
            }
        }
        result
    }

    /// The loosest bound of a number with which, beside others, the states are excluded.
    fn widened_value(
        &mut self,
        head: usize,
        others: &[Literal],
        guessed: &Guessed,
        frame: u32,
    ) -> Option<Literal> {
        for side in SIDES {
            let mut values: Vec<BitVec> = guessed.thresholds.clone();
            values.retain(|value| side.order(value) < side.order(&guessed.value));
            values.sort_by_key(|value| std::cmp::Reverse(side.order(value)));
            let mut best = None;
            for value in std::iter::once(&guessed.value).chain(&values) {
                let bound = self.bound(guessed.term, side, value);
                let literals = [others, &[bound]].concat();
                if self.excluded(head, &literals, frame).is_none() {
                    break;
                }
                best = Some(bound);
            }
            if best.is_some() {
                return best;
            }
        }
        None
    }
}
