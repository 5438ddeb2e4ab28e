//! What the program itself compares: the comparisons in a run's conditions, and the constants in them.
//!
//! Idea: one walk over the terms of all conditions, operands before their users; for each head of a loop a
//! second one that marks which of its places a term mentions, and whether it mentions anything that may
//! change in the loop otherwise (an input that is read there, a value at another loop's head).

use std::collections::BTreeSet;

use kripke_smt::{Op, Sort, TermId, Terms};
use kripke_value::BitVec;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::Engine;
use crate::invariants::heads::Head;

/// How many places of a head are told apart; the others are not followed.
const MAX_PLACES: usize = 63;
/// How many constants are tried as inputs.
const MAX_INPUTS: usize = 400;
/// How many constants with which something is compared are known.
const MAX_COMPARED: usize = 60;
/// Mentions something that may change.
const UNSTABLE: u64 = 1 << MAX_PLACES;
/// How many constants are tried with one place.
const MAX_CONSTANTS: usize = 24;
/// How many comparisons are tried at one head.
const MAX_COMPARISONS: usize = 150;

/// The terms of a run's conditions.
pub(crate) struct Atoms {
    /// By rising number: operands come first.
    terms: Vec<TermId>,
    /// The constants with which a variable is compared: they are of interest for a place that gets its value.
    compared_with: FxHashMap<TermId, Vec<TermId>>,
}

/// What the conditions say of one head's places.
pub(crate) struct Mined {
    /// Comparisons of places with places, constants and what does not change.
    pub comparisons: Vec<TermId>,
    /// For each place the constants that it meets.
    pub constants: Vec<BTreeSet<BitVec>>,
    /// For each place the constants that it is asked to be equal to, or set to.
    pub members: Vec<BTreeSet<BitVec>>,
    /// One bit for each place: single bits of it are set or cleared.
    pub masked: u64,
    /// For each place the bits by which the program decides.
    pub tested_bits: Vec<BTreeSet<u32>>,
    /// One bit for each place: something it is computed from is compared with a constant.
    pub compared: u64,
    /// The constants by which something is multiplied.
    pub factors: BTreeSet<u64>,
    /// All constants with which something is compared.
    all_compared: BTreeSet<BitVec>,
    /// Pairs of places that some comparison mentions, by their indexes.
    met: BTreeSet<(u32, u32)>,
}

/// How many places a comparison may mention to relate any two of them.
const MAX_MEETING: u32 = 4;

impl Atoms {
    /// All terms of the conditions of a run's record.
    pub fn new(engine: &Engine<'_>) -> Self {
        let record = &engine.run.record;
        let mut roots: Vec<TermId> = record
            .violations
            .iter()
            .map(|violation| violation.condition)
            .collect();
        roots.extend(record.cuts.iter().map(|cut| cut.condition));
        for head in &record.heads {
            for arrival in &head.arrivals {
                roots.push(arrival.path);
                roots.extend(arrival.values.iter().flatten());
            }
        }
        let mut terms = engine.terms.reachable(&roots);
        terms.sort_unstable();
        let compared_with = compared_with(&engine.terms, &terms);
        Atoms { terms, compared_with }
    }

    /// The constants in them, some of many.
    pub fn constants(&self, terms: &Terms) -> BTreeSet<BitVec> {
        let numbers = self.terms.iter().filter_map(|term| terms.as_bv(*term));
        numbers.take(MAX_INPUTS).cloned().collect()
    }

    /// What they say of a head's places.
    pub fn of_head(&self, engine: &Engine<'_>, head: &Head) -> Mined {
        let terms = &engine.terms;
        let mentions = self.mentions(engine, head);
        let mut mined = Mined::nothing(head.places.len());
        for &term in &self.terms {
            mined.note_term(terms, head, term, &mentions);
        }
        for arrival in &head.arrivals {
            for (index, value) in arrival.values.iter().enumerate() {
                let Some(value) = value else { continue };
                for leaf in leaves(terms, *value) {
                    if terms.is_const(leaf) {
                        mined.note_constant(terms, head, index, leaf, true);
                    }
                    for constant in self.compared_with.get(&plain(terms, leaf)).into_iter().flatten() {
                        mined.note_constant(terms, head, index, *constant, false);
                    }
                }
            }
        }
        mined
    }

    /// Which places each term mentions.
    fn mentions(&self, engine: &Engine<'_>, head: &Head) -> FxHashMap<TermId, u64> {
        let terms = &engine.terms;
        let stable = head.stable_variables(engine);
        let places: FxHashMap<TermId, u64> = head
            .places
            .iter()
            .take(MAX_PLACES)
            .enumerate()
            .map(|(index, place)| (place.variable, 1 << index))
            .collect();
        let mut mentions: FxHashMap<TermId, u64> = FxHashMap::default();
        for &term in &self.terms {
            let marks = match terms.op(term) {
                Op::Variable(_) => match places.get(&term) {
                    Some(mark) => *mark,
                    None if stable.contains(&term) => 0,
                    None => UNSTABLE,
                },
                _ => terms
                    .children(term)
                    .iter()
                    .fold(0, |marks, child| marks | mentions[child]),
            };
            mentions.insert(term, marks);
        }
        mentions
    }
}

impl Mined {
    /// Of so many places.
    fn nothing(places: usize) -> Self {
        Mined {
            comparisons: Vec::new(),
            constants: vec![BTreeSet::new(); places],
            members: vec![BTreeSet::new(); places],
            masked: 0,
            tested_bits: vec![BTreeSet::new(); places],
            compared: 0,
            factors: BTreeSet::new(),
            all_compared: BTreeSet::new(),
            met: BTreeSet::new(),
        }
    }

    /// Notes what a single term of the conditions says.
    fn note_term(&mut self, terms: &Terms, head: &Head, term: TermId, mentions: &FxHashMap<TermId, u64>) {
        let (op, marks) = (terms.op(term), mentions[&term]);
        let constants = || {
            let operands = terms.children(term).iter();
            operands.filter_map(|operand| terms.as_bv(*operand))
        };
        match op {
            Op::BvAnd | Op::BvOr | Op::BvXor => self.masked |= marks & !UNSTABLE,
            Op::BvExtract { high, low } if high == low => self.note_bit(terms, head, marks, low),
            Op::BvMul => self.factors.extend(constants().filter_map(BitVec::to_u64)),
            _ => {}
        }
        if !is_comparison(op) {
            return;
        }
        if self.all_compared.len() < MAX_COMPARED {
            self.all_compared.extend(constants().cloned());
        }
        if marks == 0 {
            return;
        }
        self.note_constants(terms, head, term, mentions);
        self.note_meeting(marks & !UNSTABLE);
        let stable = marks & UNSTABLE == 0;
        let says_more = !is_value_of_variable(terms, term);
        if stable && says_more && self.comparisons.len() < MAX_COMPARISONS {
            self.comparisons.push(term);
        }
    }

    /// Does some comparison mention both places?
    pub fn meet(&self, a: usize, b: usize) -> bool {
        self.met.contains(&(a.min(b) as u32, a.max(b) as u32))
    }

    /// The constants with which something is compared, as far as they fit, with those beside them.
    pub fn compared_constants(&self, width: u32) -> BTreeSet<BitVec> {
        let one = BitVec::new(width, 1);
        let fitted = self.all_compared.iter().filter_map(|value| fit(value, width));
        fitted
            .flat_map(|value| [value.sub(&one), value.clone(), value.add(&one)])
            .collect()
    }

    /// Notes that a single bit of something is looked at that is computed from these places.
    fn note_bit(&mut self, terms: &Terms, head: &Head, marks: u64, bit: u32) {
        for (index, place) in head.places.iter().enumerate().take(MAX_PLACES) {
            let has_bit = matches!(terms.sort(place.variable), Sort::BitVec(width) if bit < width);
            if marks >> index & 1 == 1 && has_bit {
                self.tested_bits[index].insert(bit);
            }
        }
    }

    fn note_meeting(&mut self, marks: u64) {
        if !(2..=MAX_MEETING).contains(&marks.count_ones()) {
            return;
        }
        let places: Vec<u32> = (0..MAX_PLACES as u32)
            .filter(|place| marks >> place & 1 == 1)
            .collect();
        for (position, a) in places.iter().enumerate() {
            self.met.extend(places[position + 1..].iter().map(|b| (*a, *b)));
        }
    }

    /// Notes the constants of a comparison for the places on its other side.
    fn note_constants(
        &mut self,
        terms: &Terms,
        head: &Head,
        comparison: TermId,
        mentions: &FxHashMap<TermId, u64>,
    ) {
        let [a, b] = *terms.children(comparison) else {
            return;
        };
        let is_equality = terms.op(comparison) == Op::Eq;
        for (constant, other) in [(a, b), (b, a)] {
            if !terms.is_const(constant) {
                continue;
            }
            let marks = mentions[&other];
            for index in 0..head.places.len().min(MAX_PLACES) {
                if marks >> index & 1 == 1 {
                    self.compared |= 1 << index;
                    self.note_constant(terms, head, index, constant, is_equality);
                }
            }
        }
    }

    fn note_constant(&mut self, terms: &Terms, head: &Head, index: usize, constant: TermId, member: bool) {
        let Sort::BitVec(width) = terms.sort(head.places[index].variable) else {
            return;
        };
        let fitted = terms.as_bv(constant).and_then(|value| fit(value, width));
        let Some(value) = fitted else { return };
        if member {
            self.members[index].insert(value.clone());
        }
        if self.constants[index].len() < MAX_CONSTANTS {
            self.constants[index].insert(value);
        }
    }
}

/// The constants with which each variable is compared.
fn compared_with(terms: &Terms, all: &[TermId]) -> FxHashMap<TermId, Vec<TermId>> {
    let mut found: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
    for &term in all.iter().filter(|term| is_comparison(terms.op(**term))) {
        let [a, b] = *terms.children(term) else { continue };
        for (constant, other) in [(a, b), (b, a)] {
            let variable = plain(terms, other);
            if terms.is_const(constant) && matches!(terms.op(variable), Op::Variable(_)) {
                found.entry(variable).or_default().push(constant);
            }
        }
    }
    found
}

fn is_comparison(op: Op) -> bool {
    matches!(
        op,
        Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::FpLt | Op::FpLe | Op::FpEq
    )
}

/// What is widened in a term.
fn plain(terms: &Terms, mut term: TermId) -> TermId {
    while let (Op::BvZeroExtend(_) | Op::BvSignExtend(_), [inner]) = (terms.op(term), terms.children(term)) {
        term = *inner;
    }
    term
}

/// Does it ask whether a variable has one value? The values of places are noted by themselves; an index into
/// a large object is asked for each.
fn is_value_of_variable(terms: &Terms, comparison: TermId) -> bool {
    let is_variable = |term: TermId| matches!(terms.op(plain(terms, term)), Op::Variable(_));
    let is_value = |a: TermId, b: TermId| terms.is_const(a) && is_variable(b);
    match *terms.children(comparison) {
        [a, b] => terms.op(comparison) == Op::Eq && (is_value(a, b) || is_value(b, a)),
        _ => false,
    }
}

/// A constant in that width, where it is the same number, unsigned or signed.
fn fit(value: &BitVec, width: u32) -> Option<BitVec> {
    if value.width() <= width {
        return Some(value.zext(width));
    }
    let low = value.extract(width - 1, 0);
    (low.zext(value.width()) == *value || low.sext(value.width()) == *value).then_some(low)
}

/// What an if-then-else tree chooses from.
fn leaves(terms: &Terms, value: TermId) -> Vec<TermId> {
    let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![value]);
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match (terms.op(term), terms.children(term)) {
            (Op::Ite, [_, a, b]) => stack.extend([*a, *b]),
            _ => found.push(term),
        }
    }
    found
}
