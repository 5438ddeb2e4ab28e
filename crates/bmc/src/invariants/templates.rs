//! The shapes that invariants may have, in tiers of rising number and cost.

use std::collections::BTreeSet;
use std::time::Instant;

use kripke_smt::{Op, Sort, TermId, Terms};
use kripke_value::BitVec;

use crate::engine::Engine;
use crate::invariants::atoms::Mined;
use crate::invariants::candidate::{Candidate, Maker};
use crate::invariants::heads::Head;

/// A family of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tier {
    /// What held at the same head at a smaller bound.
    Known,
    /// One place and constants: intervals, a few values, zero low bits; and what the program compares.
    Bounds,
    /// Linear equations of all places ([`super::affine`]).
    Equations,
    /// Two places that meet in a comparison, or a place and what does not change: order, equality, a bounded
    /// difference.
    Pairs,
    /// A difference of two places is a third, also modulo a constant that the program compares with; one is
    /// the number of bits of the other.
    Sums,
    /// A flag, or a state's value, implies a bound.
    Implications,
}

impl Tier {
    /// In the order in which they are asked.
    pub const ALL: [Tier; 6] = [
        Tier::Known,
        Tier::Bounds,
        Tier::Equations,
        Tier::Pairs,
        Tier::Sums,
        Tier::Implications,
    ];
}

/// How many places are combined with each other.
const MAX_PAIRED: usize = 12;
/// How many unchanging values they are compared with.
const MAX_STABLE: usize = 8;
/// How many places are combined in threes.
const MAX_SUMMED: usize = 6;
/// How many moduli are tried with each three.
const MAX_MODULI: usize = 3;
/// How many candidates a tier may have for one head.
const MAX_CANDIDATES: usize = 4000;
/// The widest places whose bits are counted.
const MAX_COUNTED_BITS: u32 = 16;
/// The widest places whose single bits are taken for flags.
const MAX_FLAG_BITS: u32 = 8;
/// How many values a place may have for a set of them to be tried.
const MAX_MEMBERS: usize = 32;
/// How many of its values split the cases of an implication.
const MAX_CASES: usize = 6;

/// The candidates of a tier at a head, but those that are known to hold.
pub(crate) fn candidates(
    engine: &mut Engine<'_>,
    mined: &Mined,
    tier: Tier,
    (index, head): (usize, &Head),
    known: &BTreeSet<TermId>,
    until: Instant,
) -> Vec<Candidate> {
    let mut shapes = Shapes {
        head,
        mined,
        maker: Maker::new(engine, index, head, until),
    };
    match tier {
        Tier::Known | Tier::Equations => {}
        Tier::Bounds => shapes.bounds(engine),
        Tier::Pairs => shapes.pairs(engine),
        Tier::Sums => shapes.sums(engine),
        Tier::Implications => shapes.implications(engine),
    }
    let mut candidates = shapes.maker.candidates;
    candidates.retain(|candidate| !known.contains(&candidate.predicate));
    candidates
}

struct Shapes<'h> {
    head: &'h Head,
    mined: &'h Mined,
    maker: Maker,
}

impl Shapes<'_> {
    fn add(&mut self, engine: &mut Engine<'_>, predicate: TermId) {
        if !self.is_full() {
            self.maker.add(engine, predicate);
        }
    }

    fn add_chain(&mut self, engine: &mut Engine<'_>, predicates: impl IntoIterator<Item = TermId>) {
        if !self.is_full() {
            self.maker.add_chain(engine, predicates);
        }
    }

    fn is_full(&self) -> bool {
        self.maker.candidates.len() >= MAX_CANDIDATES || self.maker.is_late()
    }

    /// The variables of the places that are numbers, with their widths; first those on which decisions
    /// depend, as data that is only moved needs an invariant seldom.
    fn numbers(&self, terms: &Terms) -> Vec<(usize, TermId, u32)> {
        let places = self.head.places.iter().enumerate();
        let mut numbers: Vec<_> = places
            .filter_map(|(index, place)| match terms.sort(place.variable) {
                Sort::BitVec(width) if width <= 64 => Some((index, place.variable, width)),
                _ => None,
            })
            .collect();
        let compared = self.mined.compared;
        numbers.sort_by_key(|(index, ..)| compared >> index.min(&63) & 1 == 0);
        numbers
    }

    fn truths(&self, terms: &Terms) -> Vec<TermId> {
        let variables = self.head.places.iter().map(|place| place.variable);
        variables
            .filter(|variable| terms.sort(*variable) == Sort::Bool)
            .collect()
    }

    /// The constants around those that a place meets.
    fn thresholds(&self, index: usize, width: u32) -> BTreeSet<BitVec> {
        let one = BitVec::new(width, 1);
        let constants = self.mined.constants[index].iter();
        constants
            .flat_map(|constant| [constant.sub(&one), constant.clone(), constant.add(&one)])
            .collect()
    }

    fn bounds(&mut self, engine: &mut Engine<'_>) {
        for comparison in self.mined.comparisons.clone() {
            for predicate in weaker(&mut engine.terms, comparison) {
                self.add(engine, predicate);
            }
        }
        for flag in self.truths(&engine.terms) {
            let not = engine.terms.not(flag);
            self.add(engine, flag);
            self.add(engine, not);
        }
        for (index, place, width) in self.numbers(&engine.terms) {
            for chain in self.bounds_of(engine, index, place, width) {
                self.add_chain(engine, chain);
            }
            let members = self.mined.members[index].clone();
            if (2..=MAX_MEMBERS).contains(&members.len()) {
                let predicate = one_of(&mut engine.terms, place, &members);
                self.add(engine, predicate);
            }
            for low in [1, 2, 3].into_iter().filter(|low| *low < width) {
                let bits = engine.terms.bv_extract(place, low - 1, 0);
                let zero = engine.terms.bv_u64(low, 0);
                let aligned = engine.terms.eq(bits, zero);
                self.add(engine, aligned);
            }
        }
    }

    /// Chains of bounds from above and from below, without sign and with it.
    fn bounds_of(
        &self,
        engine: &mut Engine<'_>,
        index: usize,
        place: TermId,
        width: u32,
    ) -> [Vec<TermId>; 4] {
        let mut rising: Vec<BitVec> = self.thresholds(index, width).into_iter().collect();
        let terms = &mut engine.terms;
        let constants: Vec<TermId> = rising.iter().map(|value| terms.bv(value.clone())).collect();
        rising.sort_by_key(BitVec::to_i128);
        let signed: Vec<TermId> = rising.iter().map(|value| terms.bv(value.clone())).collect();
        [
            constants
                .iter()
                .map(|constant| terms.bv_ule(place, *constant))
                .collect(),
            constants
                .iter()
                .rev()
                .map(|constant| terms.bv_ule(*constant, place))
                .collect(),
            signed
                .iter()
                .map(|constant| terms.bv_sle(place, *constant))
                .collect(),
            signed
                .iter()
                .rev()
                .map(|constant| terms.bv_sle(*constant, place))
                .collect(),
        ]
    }

    fn pairs(&mut self, engine: &mut Engine<'_>) {
        let numbers: Vec<_> = self.numbers(&engine.terms).into_iter().take(MAX_PAIRED).collect();
        for (position, (i, x, width)) in numbers.iter().enumerate() {
            let alike = numbers[position + 1..]
                .iter()
                .filter(|(_, _, other)| other == width);
            let alike = alike.filter(|(j, ..)| self.mined.meet(*i, *j));
            let others: Vec<TermId> = alike.map(|(_, y, _)| *y).collect();
            for y in others.into_iter().chain(self.stable(&engine.terms, *width)) {
                for predicate in orders(&mut engine.terms, *x, y) {
                    self.add(engine, predicate);
                }
            }
        }
        for (position, (i, x, width)) in numbers.iter().enumerate() {
            let alike = numbers[position + 1..].iter().filter(|other| other.2 == *width);
            for (j, y, _) in alike
                .filter(|(j, ..)| self.mined.meet(*i, *j))
                .copied()
                .collect::<Vec<_>>()
            {
                let terms = &mut engine.terms;
                let combined = [terms.bv_sub(*x, y), terms.bv_sub(y, *x), terms.bv_add(*x, y)];
                for combined in combined {
                    let chain = self.bounded_by(engine, combined, &[*i, j]);
                    self.add_chain(engine, chain);
                }
            }
        }
        let truths = self.truths(&engine.terms);
        for (position, a) in truths.iter().take(MAX_PAIRED).enumerate() {
            for b in truths[..position].iter().take(MAX_PAIRED) {
                for (a, b) in [(*a, *b), (*b, *a)] {
                    let implied = engine.terms.implies(a, b);
                    self.add(engine, implied);
                }
                let both = engine.terms.and(*a, *b);
                let not_both = engine.terms.not(both);
                let either = engine.terms.or(*a, *b);
                self.add(engine, not_both);
                self.add(engine, either);
            }
        }
    }

    /// A term bounded by the constants that some places meet.
    fn bounded_by(&self, engine: &mut Engine<'_>, term: TermId, indexes: &[usize]) -> Vec<TermId> {
        let constants = indexes.iter().flat_map(|index| &self.mined.constants[*index]);
        let constants: BTreeSet<BitVec> = constants.cloned().collect();
        let bounds = constants.into_iter().map(|constant| {
            let constant = engine.terms.bv(constant);
            engine.terms.bv_ule(term, constant)
        });
        bounds.collect()
    }

    /// Values of that width that do not change in the loop, constants left out.
    fn stable(&self, terms: &Terms, width: u32) -> Vec<TermId> {
        let values: BTreeSet<TermId> = self
            .head
            .stable
            .iter()
            .copied()
            .filter(|term| terms.sort(*term) == Sort::BitVec(width) && !terms.is_const(*term))
            .collect();
        values.into_iter().take(MAX_STABLE).collect()
    }

    fn sums(&mut self, engine: &mut Engine<'_>) {
        let numbers: Vec<_> = self.numbers(&engine.terms).into_iter().take(MAX_SUMMED).collect();
        for (i, x, x_width) in &numbers {
            for (j, y, y_width) in numbers.iter().filter(|other| other.0 != *i) {
                for (k, z, z_width) in numbers.iter().filter(|other| other.0 != *i && other.0 != *j) {
                    let width = *x_width.max(y_width).max(z_width);
                    let [x, y, z] = [*x, *y, *z].map(|term| engine.terms.bv_zext(term, width));
                    let moduli = self.moduli(&[*i, *j, *k], width);
                    for predicate in sum_shapes(&mut engine.terms, (x, y, z), &moduli) {
                        self.add(engine, predicate);
                    }
                }
            }
        }
        for (i, x, x_width) in numbers.iter().filter(|(_, _, width)| *width <= MAX_COUNTED_BITS) {
            for (_, y, width) in numbers.iter().filter(|other| other.0 != *i) {
                let count = bit_count(&mut engine.terms, *x, *x_width, *width);
                let counted = engine.terms.eq(*y, count);
                self.add(engine, counted);
            }
        }
    }

    /// Constants by which places that are compared with them may wrap.
    fn moduli(&self, indexes: &[usize], width: u32) -> Vec<BitVec> {
        let constants = indexes.iter().flat_map(|index| &self.mined.constants[*index]);
        let sizes: BTreeSet<u64> = constants
            .filter_map(BitVec::to_u64)
            .filter(|constant| (2..=1 << 20).contains(constant))
            .collect();
        let fits = |size: &u64| width >= 64 || size >> width == 0;
        let largest = sizes.into_iter().rev().filter(fits).take(MAX_MODULI);
        largest.map(|size| BitVec::new(width, u128::from(size))).collect()
    }

    fn implications(&mut self, engine: &mut Engine<'_>) {
        let mut cases = Vec::new();
        for flag in self.truths(&engine.terms) {
            cases.extend([(usize::MAX, flag), (usize::MAX, engine.terms.not(flag))]);
        }
        let numbers = self.numbers(&engine.terms);
        for (index, place, width) in &numbers {
            if *width <= MAX_FLAG_BITS && self.mined.masked >> index.min(&63) & 1 == 1 {
                for bit in 0..*width {
                    let bit = engine.terms.bv_extract(*place, bit, bit);
                    let one = engine.terms.bv_u64(1, 1);
                    let set = engine.terms.eq(bit, one);
                    cases.extend([(*index, set), (*index, engine.terms.not(set))]);
                }
            }
            let members = self.mined.members[*index].clone();
            for member in members.into_iter().take(MAX_CASES) {
                let constant = engine.terms.bv(member);
                let case = engine.terms.eq(*place, constant);
                cases.extend([(*index, case), (*index, engine.terms.not(case))]);
            }
        }
        let mut bounds: Vec<(usize, Vec<TermId>)> = Vec::new();
        for flag in self.truths(&engine.terms) {
            bounds.extend([
                (usize::MAX, vec![flag]),
                (usize::MAX, vec![engine.terms.not(flag)]),
            ]);
        }
        let comparisons = self.mined.comparisons.iter();
        bounds.extend(comparisons.map(|comparison| (usize::MAX - 1, vec![*comparison])));
        for (index, place, width) in &numbers {
            let of_place = self.bounds_of(engine, *index, *place, *width);
            bounds.extend(of_place.into_iter().map(|chain| (*index, chain)));
        }
        for (bounded, chain) in &bounds {
            for &(split, case) in &cases {
                if self.is_full() {
                    return;
                }
                if split != *bounded || split == usize::MAX {
                    let implied = chain.iter().map(|bound| engine.terms.implies(case, *bound));
                    let implied: Vec<TermId> = implied.collect();
                    self.add_chain(engine, implied);
                }
            }
        }
    }
}

/// A comparison, its opposite, and what follows from either.
fn weaker(terms: &mut Terms, comparison: TermId) -> Vec<TermId> {
    let opposite = terms.not(comparison);
    let mut found = vec![comparison, opposite];
    let (op, operands) = (terms.op(comparison), terms.children(comparison).to_vec());
    let [a, b] = operands[..] else { return found };
    match op {
        Op::BvUlt => found.extend([terms.bv_ule(a, b), terms.bv_ule(b, a), terms.eq(a, b)]),
        Op::BvSlt => found.extend([terms.bv_sle(a, b), terms.bv_sle(b, a), terms.eq(a, b)]),
        Op::Eq if matches!(terms.sort(a), Sort::BitVec(_)) => found.extend(orders(terms, a, b)),
        _ => {}
    }
    found
}

fn orders(terms: &mut Terms, a: TermId, b: TermId) -> [TermId; 5] {
    [
        terms.eq(a, b),
        terms.bv_ule(a, b),
        terms.bv_ule(b, a),
        terms.bv_sle(a, b),
        terms.bv_sle(b, a),
    ]
}

/// How many bits of a number are ones.
fn bit_count(terms: &mut Terms, number: TermId, bits: u32, width: u32) -> TermId {
    let mut count = terms.bv_u64(width, 0);
    for bit in 0..bits {
        let bit = terms.bv_extract(number, bit, bit);
        let bit = terms.bv_zext(bit, width);
        count = terms.bv_add(count, bit);
    }
    count
}

fn one_of(terms: &mut Terms, place: TermId, members: &BTreeSet<BitVec>) -> TermId {
    let mut any = terms.false_();
    for member in members {
        let constant = terms.bv(member.clone());
        let equal = terms.eq(place, constant);
        any = terms.or(any, equal);
    }
    any
}

/// `z` is the difference, or the sum, of `x` and `y`, also modulo each of the constants; where it is zero,
/// it may be the modulus (a full buffer has the same ends as an empty one).
fn sum_shapes(terms: &mut Terms, (x, y, z): (TermId, TermId, TermId), moduli: &[BitVec]) -> Vec<TermId> {
    let difference = terms.bv_sub(x, y);
    let exact = terms.eq(z, difference);
    let sum = terms.bv_add(x, y);
    let mut found = vec![exact, terms.eq(z, sum)];
    for modulus in moduli {
        let modulus = terms.bv(modulus.clone());
        let wrapped = terms.bv_add(difference, modulus);
        let wrapped = terms.eq(z, wrapped);
        found.push(terms.or(exact, wrapped));
    }
    found
}
