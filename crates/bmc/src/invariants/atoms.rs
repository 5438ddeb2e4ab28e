//! What the program itself compares: the comparisons in a run's conditions, and the constants in them.
//!
//! Idea: one walk over the terms of all conditions, operands before their users; for each head of a loop a
//! second one that marks which of its places a term mentions, and whether it mentions anything that may
//! change in the loop otherwise (an input that is read there, a value at another loop's head). There may be
//! thousands of heads (handlers come between any two accesses): terms are numbered one after the other, so
//! that the second walk looks nothing up.

use std::collections::BTreeSet;
use std::rc::Rc;

use kripke_smt::{Op, Sort, TermId, Terms};
use kripke_value::BitVec;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::Engine;
use crate::fuzzing::constants::Constants;
use crate::invariants::heads::{Head, Members};

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
    /// For each of them the positions of its operands among them, and where these begin in the list.
    operands: Vec<u32>,
    operands_from: Vec<u32>,
    /// The positions of variables.
    variables: FxHashMap<TermId, u32>,
    /// The constants with which a variable is compared: they are of interest for a place that gets its value.
    compared_with: FxHashMap<TermId, Vec<TermId>>,
    anywhere: Rc<Anywhere>,
}

/// What does not depend on the head.
#[derive(Default)]
struct Anywhere {
    /// The constants by which something is multiplied.
    factors: BTreeSet<u64>,
    /// Constants with which something is compared.
    compared: BTreeSet<BitVec>,
}

impl Anywhere {
    fn new(terms: &Terms, all: &[TermId]) -> Self {
        let mut anywhere = Anywhere::default();
        for &term in all {
            let operands = terms.children(term).iter();
            let constants = operands.filter_map(|operand| terms.as_bv(*operand));
            match terms.op(term) {
                Op::BvMul => anywhere.factors.extend(constants.filter_map(BitVec::to_u64)),
                op if is_comparison(op) && anywhere.compared.len() < MAX_COMPARED => {
                    anywhere.compared.extend(constants.cloned());
                }
                _ => {}
            }
        }
        anywhere
    }
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
    anywhere: Rc<Anywhere>,
    /// Pairs of places that some comparison mentions, by their indexes.
    met: BTreeSet<(u32, u32)>,
    /// Pairs of places of which one is given the value of the other, or one near to it.
    assigned: BTreeSet<(u32, u32)>,
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
        Atoms::of_terms(&engine.terms, terms)
    }

    /// Of terms in their order, which hold their operands.
    fn of_terms(store: &Terms, terms: Vec<TermId>) -> Self {
        let positions = terms.iter().zip(0..);
        let positions: FxHashMap<TermId, u32> = positions.map(|(term, position)| (*term, position)).collect();
        let mut atoms = Atoms {
            operands: Vec::new(),
            operands_from: vec![0],
            variables: FxHashMap::default(),
            compared_with: compared_with(store, &terms),
            anywhere: Rc::new(Anywhere::new(store, &terms)),
            terms: Vec::new(),
        };
        for &term in &terms {
            if let Op::Variable(_) = store.op(term) {
                atoms.variables.insert(term, positions[&term]);
            }
            let operands = store.children(term).iter();
            atoms.operands.extend(operands.map(|operand| positions[operand]));
            atoms.operands_from.push(atoms.operands.len() as u32);
        }
        atoms.terms = terms;
        atoms
    }

    /// The positions of a term's operands.
    fn operands_of(&self, position: usize) -> &[u32] {
        let (from, to) = (self.operands_from[position], self.operands_from[position + 1]);
        &self.operands[from as usize..to as usize]
    }

    /// The constants in them, some of many.
    pub fn constants(&self, terms: &Terms) -> Constants {
        let numbers = self.terms.iter().filter_map(|term| terms.as_bv(*term));
        Constants::new(numbers.take(MAX_INPUTS).cloned().collect())
    }

    /// What they say of a head's places.
    pub fn of_head(&self, engine: &Engine<'_>, head: &Head) -> Mined {
        let terms = &engine.terms;
        let mut mined = Mined::nothing(head.places.len(), self.anywhere.clone());
        if head.places.is_empty() {
            return mined;
        }
        let mentions = self.mentions(engine, head);
        for (position, &marks) in mentions.iter().enumerate() {
            if marks & !UNSTABLE != 0 {
                let of = |index: usize| mentions[self.operands_of(position)[index] as usize];
                mined.note_term(terms, head, self.terms[position], marks, of);
            }
        }
        for arrival in &head.arrivals {
            for (index, value) in arrival.values.iter().enumerate() {
                let Some(value) = value else { continue };
                for leaf in leaves(terms, *value) {
                    if terms.is_const(leaf) {
                        mined.note_constant(terms, head, index, leaf, true);
                    }
                    mined.note_assigned(head, index, base(terms, leaf));
                    for constant in self.compared_with.get(&plain(terms, leaf)).into_iter().flatten() {
                        mined.note_constant(terms, head, index, *constant, false);
                    }
                }
            }
        }
        mined
    }

    /// Which places each term mentions, in the order of terms.
    fn mentions(&self, engine: &Engine<'_>, head: &Head) -> Vec<u64> {
        let mut marks = vec![0; self.terms.len()];
        let stable = head.stable_variables(engine);
        for (variable, position) in &self.variables {
            if !stable.contains(variable) {
                marks[*position as usize] = UNSTABLE;
            }
        }
        for (index, place) in head.places.iter().take(MAX_PLACES).enumerate() {
            if let Some(position) = self.variables.get(&place.variable) {
                marks[*position as usize] = 1 << index;
            }
        }
        for position in 0..self.terms.len() {
            for operand in self.operands_of(position) {
                marks[position] |= marks[*operand as usize];
            }
        }
        marks
    }
}

impl Mined {
    /// Of so many places.
    fn nothing(places: usize, anywhere: Rc<Anywhere>) -> Self {
        Mined {
            comparisons: Vec::new(),
            constants: vec![BTreeSet::new(); places],
            members: vec![BTreeSet::new(); places],
            masked: 0,
            tested_bits: vec![BTreeSet::new(); places],
            compared: 0,
            anywhere,
            met: BTreeSet::new(),
            assigned: BTreeSet::new(),
        }
    }

    /// Notes what a single term of the conditions says that mentions these places. `of` tells which ones an
    /// operand mentions.
    fn note_term(&mut self, terms: &Terms, head: &Head, term: TermId, marks: u64, of: impl Fn(usize) -> u64) {
        let op = terms.op(term);
        match op {
            Op::BvAnd | Op::BvOr | Op::BvXor => self.masked |= marks & !UNSTABLE,
            Op::BvExtract { high, low } if high == low => self.note_bit(terms, head, marks, low),
            _ => {}
        }
        if !is_comparison(op) {
            return;
        }
        self.note_constants(terms, head, term, of);
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

    /// The members of objects that meet at a head.
    pub fn meetings(&self, head: &Head) -> impl Iterator<Item = Members> {
        self.met
            .iter()
            .filter_map(|(a, b)| head.members(*a as usize, *b as usize))
    }

    /// Notes that members meet which do so at some head: at that of a loop inside, for one.
    pub fn note_meetings(&mut self, head: &Head, all: &BTreeSet<Members>) {
        for b in 0..head.places.len() {
            for a in 0..b {
                if head.members(a, b).is_some_and(|members| all.contains(&members)) {
                    self.met.insert((a as u32, b as u32));
                }
            }
        }
    }

    /// Is one of the places given the value of the other, or one at a constant distance from it?
    pub fn is_assigned(&self, a: usize, b: usize) -> bool {
        self.assigned.contains(&(a.min(b) as u32, a.max(b) as u32))
    }

    fn note_assigned(&mut self, head: &Head, index: usize, from: TermId) {
        let mut places = head.places.iter();
        if let Some(other) = places.position(|place| place.variable == from)
            && other != index
        {
            let pair = (other.min(index) as u32, other.max(index) as u32);
            self.assigned.insert(pair);
        }
    }

    /// The constants by which something is multiplied.
    pub fn factors(&self) -> &BTreeSet<u64> {
        &self.anywhere.factors
    }

    /// The constants with which something is compared, as far as they fit, with those beside them.
    pub fn compared_constants(&self, width: u32) -> BTreeSet<BitVec> {
        let one = BitVec::new(width, 1);
        let fitted = self
            .anywhere
            .compared
            .iter()
            .filter_map(|value| fit(value, width));
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
        mentioned_by: impl Fn(usize) -> u64,
    ) {
        let [a, b] = *terms.children(comparison) else {
            return;
        };
        let is_equality = terms.op(comparison) == Op::Eq;
        for (constant, other) in [(a, 1), (b, 0)] {
            if !terms.is_const(constant) {
                continue;
            }
            let marks = mentioned_by(other);
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
pub(super) fn plain(terms: &Terms, mut term: TermId) -> TermId {
    while let (Op::BvZeroExtend(_) | Op::BvSignExtend(_), [inner]) = (terms.op(term), terms.children(term)) {
        term = *inner;
    }
    term
}

/// A term without the constant that is added to it.
fn base(terms: &Terms, term: TermId) -> TermId {
    match (terms.op(term), terms.children(term)) {
        (Op::BvAdd, [a, b]) if terms.is_const(*b) => plain(terms, *a),
        (Op::BvAdd, [a, b]) if terms.is_const(*a) => plain(terms, *b),
        _ => plain(terms, term),
    }
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
