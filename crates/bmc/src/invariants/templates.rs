//! The shapes that invariants may have, in tiers of rising number and cost.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Instant;

use kripke_smt::{Op, Sort, TermId, Terms};
use kripke_value::BitVec;
use rustc_hash::FxHashSet;

use crate::engine::Engine;
use crate::invariants::atoms::{Mined, plain};
use crate::invariants::candidate::{Candidate, Maker};
use crate::invariants::heads::Head;
use crate::invariants::instances::Instances;
use crate::invariants::prefixes::is_element;

/// A family of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tier {
    /// What held at the same head at a smaller bound.
    Known,
    /// The same as bounds, at the heads of many loops together: where loops are proved by their invariants
    /// alone, at each by itself, and else at all or none ([`super::everywhere`]).
    Everywhere,
    /// Several of those that follow, all at once: where loops are proved by their invariants alone, those of
    /// one need those of another.
    Together,
    /// One place and constants: intervals, a few values, multiples of powers of two, bits; and what the
    /// program compares.
    Bounds,
    /// Linear equations of all places ([`super::affine`]).
    Equations,
    /// Two places that meet in a comparison, or a place and what does not change: order, equality, a bounded
    /// difference.
    Pairs,
    /// A multiple of one place is at most another ([`super::rates`]), and a place at least, or at most, what
    /// it was when the loop was entered.
    Rates,
    /// A difference of two places is a third, also modulo a constant that the program compares with; one is
    /// the number of bits of the other.
    Sums,
    /// What holds of every element of an array ([`super::elements`]).
    Elements,
    /// What one field of every element says of another ([`super::elements`]).
    Fields,
    /// What holds of the elements before a count ([`super::prefixes`]).
    Prefixes,
    /// The same in cases of other places.
    PrefixesInCases,
    /// What a loop has seen of all that it went past ([`super::scans`]).
    Scans,
    /// What holds of all objects that loops create at one place ([`super::lists`]).
    Lists,
    /// What holds of the elements of whole arrays that a loop has passed ([`super::segments`]).
    Segments,
    /// Which combinations of values two places have ([`super::tables`]).
    Tables,
    /// A flag, or a state's value, implies a bound.
    Implications,
    /// What excludes the states from which what is open is reached ([`super::reachability`]).
    Reachability,
}

impl Tier {
    /// Those that are asked together.
    pub const TOGETHER: [Tier; 8] = [
        Tier::Bounds,
        Tier::Pairs,
        Tier::Rates,
        Tier::Scans,
        Tier::Elements,
        Tier::Prefixes,
        Tier::Segments,
        Tier::Lists,
    ];

    /// In the order in which they are asked.
    pub const ALL: [Tier; 18] = [
        Tier::Known,
        Tier::Everywhere,
        Tier::Together,
        Tier::Bounds,
        Tier::Lists,
        Tier::Equations,
        Tier::Segments,
        Tier::Tables,
        Tier::Pairs,
        Tier::Rates,
        Tier::Elements,
        Tier::Prefixes,
        Tier::PrefixesInCases,
        Tier::Scans,
        Tier::Fields,
        Tier::Sums,
        Tier::Implications,
        Tier::Reachability,
    ];

    /// In the order in which they are asked, where loops are proved by their invariants alone or not: alone
    /// the combinations that states of parsers have come early.
    pub fn in_order(are_alone: bool) -> Vec<Tier> {
        let mut tiers = Self::ALL.to_vec();
        if are_alone {
            tiers.sort_by_key(|tier| match tier {
                Tier::Known | Tier::Everywhere | Tier::Together | Tier::Bounds => 0,
                Tier::Tables => 1,
                _ => 2,
            });
        }
        tiers
    }
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
/// How many bits of a wider place are taken for flags.
const MAX_TESTED_BITS: usize = 4;
/// How many low bits are zero at the most.
const MAX_LOW_ZEROS: u32 = 12;
/// How many values of a place are few, in how many samples.
const MAX_SEEN: usize = 4;
const MANY_SAMPLES: usize = 40;
/// How many values a place may have for a set of them to be tried.
pub(super) const MAX_MEMBERS: usize = 32;

/// The candidates of a tier at a head, but those that are known to hold. Together with other tiers, those of
/// single elements of arrays are left to what says the same of all elements.
pub(crate) fn candidates(
    engine: &mut Engine<'_>,
    mined: &Mined,
    (tier, is_together): (Tier, bool),
    (index, head): (usize, &Head),
    (known, instances): (&BTreeSet<TermId>, &Rc<Instances>),
    until: Instant,
) -> Vec<Candidate> {
    let elements = match is_together {
        true => elements_of(engine, head),
        false => FxHashSet::default(),
    };
    let mut shapes = Shapes {
        head,
        mined,
        known,
        is_together,
        elements,
        maker: Maker::new(engine, index, head, until).with_instances(instances.clone()),
    };
    match tier {
        Tier::Known | Tier::Together | Tier::Equations | Tier::Tables | Tier::Reachability => {}
        Tier::Everywhere | Tier::Bounds => shapes.bounds(engine),
        Tier::Pairs => shapes.pairs(engine),
        Tier::Rates => {
            shapes.rates(engine);
            shapes.beside_entry(engine);
        }
        Tier::Sums => shapes.sums(engine),
        Tier::Elements => {
            shapes.pointers(engine);
            shapes.elements(engine);
        }
        Tier::Fields => shapes.fields(engine),
        Tier::Prefixes => shapes.prefixes(engine),
        Tier::PrefixesInCases => shapes.prefixes_in_cases(engine),
        Tier::Scans => {
            shapes.scans(engine);
            shapes.digits(engine);
        }
        Tier::Segments => shapes.segments(engine),
        Tier::Lists => shapes.lists(engine),
        Tier::Implications => shapes.implications(engine),
    }
    let mut candidates = shapes.maker.candidates;
    candidates.retain(|candidate| !known.contains(&candidate.predicate));
    candidates
}

/// The candidates of one head, as they are made.
pub(super) struct Shapes<'h> {
    pub head: &'h Head,
    pub mined: &'h Mined,
    /// What is known to hold there.
    pub known: &'h BTreeSet<TermId>,
    /// Other tiers are asked at once.
    is_together: bool,
    /// Elements of arrays that are not spoken of one by one.
    elements: FxHashSet<TermId>,
    maker: Maker,
}

/// The places of a head that are elements of arrays.
fn elements_of(engine: &mut Engine<'_>, head: &Head) -> FxHashSet<TermId> {
    let places = head.places.iter();
    let elements = places.filter(|place| is_element(engine, head, place));
    elements.map(|place| place.variable).collect()
}

impl Shapes<'_> {
    pub fn add(&mut self, engine: &mut Engine<'_>, predicate: TermId) {
        if !self.is_full() {
            self.maker.add(engine, predicate);
        }
    }

    pub fn add_chain(&mut self, engine: &mut Engine<'_>, predicates: impl IntoIterator<Item = TermId>) {
        if !self.is_full() {
            self.maker.add_chain(engine, predicates);
        }
    }

    pub fn is_full(&self) -> bool {
        self.maker.candidates.len() >= MAX_CANDIDATES || self.maker.is_late()
    }

    /// The variables of the places that are numbers, with their widths; first those on which decisions
    /// depend, as data that is only moved needs an invariant seldom.
    pub fn numbers(&self, terms: &Terms) -> Vec<(usize, TermId, u32)> {
        let places = self.head.places.iter().enumerate();
        let mut numbers: Vec<_> = places
            .filter_map(|(index, place)| match terms.sort(place.variable) {
                Sort::BitVec(width) if width <= 64 => Some((index, place.variable, width)),
                _ => None,
            })
            .collect();
        numbers.retain(|(_, variable, _)| !self.elements.contains(variable));
        let compared = self.mined.compared;
        numbers.sort_by_key(|(index, ..)| compared >> index.min(&63) & 1 == 0);
        numbers
    }

    pub fn truths(&self, terms: &Terms) -> Vec<TermId> {
        let variables = self.head.places.iter().map(|place| place.variable);
        variables
            .filter(|variable| terms.sort(*variable) == Sort::Bool)
            .collect()
    }

    /// The constants around those that a place meets.
    pub fn thresholds(&self, index: usize, width: u32) -> BTreeSet<BitVec> {
        thresholds_of(&self.mined.constants[index], width)
    }

    fn bounds(&mut self, engine: &mut Engine<'_>) {
        for comparison in self.mined.comparisons.clone() {
            let mut variables = engine.terms.variables_of(&[comparison]).into_iter();
            if variables.any(|variable| self.elements.contains(&variable)) {
                continue;
            }
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
            let seen = self.few_values(place);
            if !seen.is_empty() {
                let predicate = one_of(&mut engine.terms, place, &seen);
                self.add(engine, predicate);
            }
            let members = self.mined.members[index].clone();
            if (2..=MAX_MEMBERS).contains(&members.len()) {
                let predicate = one_of(&mut engine.terms, place, &members);
                self.add(engine, predicate);
            }
            let chain = multiples(&mut engine.terms, place, width);
            self.add_chain(engine, chain);
            for bit in self.bits(index) {
                let set = is_set(&mut engine.terms, place, bit);
                let clear = engine.terms.not(set);
                self.add(engine, set);
                self.add(engine, clear);
            }
        }
    }

    /// The values of a place in concrete runs, where they are few in many.
    fn few_values(&self, place: TermId) -> BTreeSet<BitVec> {
        let samples = self.head.samples.iter();
        let values = samples.filter_map(|sample| sample.get(&place)?.as_bv().cloned());
        let seen: BTreeSet<BitVec> = values.collect();
        match (2..=MAX_SEEN).contains(&seen.len()) && self.head.samples.len() >= MANY_SAMPLES {
            true => seen,
            false => BTreeSet::new(),
        }
    }

    /// The bits of a place by which the program decides.
    pub fn bits(&self, index: usize) -> Vec<u32> {
        let tested = self.mined.tested_bits[index].iter();
        tested.copied().take(MAX_TESTED_BITS).collect()
    }

    /// Chains of bounds from above and from below, without sign and with it.
    pub fn bounds_of(
        &self,
        engine: &mut Engine<'_>,
        index: usize,
        place: TermId,
        width: u32,
    ) -> [Vec<TermId>; 4] {
        bounds_by(&mut engine.terms, place, &self.thresholds(index, width))
    }

    fn pairs(&mut self, engine: &mut Engine<'_>) {
        if self.is_together {
            self.in_step(engine);
        }
        self.no_faster(engine);
        self.beside_pointers_at_entry(engine);
        for (x, y) in self.assigned(&engine.terms) {
            self.in_order(engine, (x, y));
            self.in_order(engine, (y, x));
        }
        for ((i, x), (j, y)) in self.meeting(&engine.terms) {
            for predicate in orders(&mut engine.terms, x, y) {
                self.add(engine, predicate);
            }
            if self.head.members(i, j).is_none() {
                continue;
            }
            for (index, count) in [(x, y), (y, x)] {
                let predicate = below_if_any(&mut engine.terms, index, count);
                self.add(engine, predicate);
            }
        }
        for (_, x, width) in self.numbers(&engine.terms).into_iter().take(MAX_PAIRED) {
            for y in self.stable_within(&engine.terms, width) {
                if self.is_together {
                    self.in_order(engine, (x, y));
                    self.in_order(engine, (y, x));
                    continue;
                }
                for predicate in orders(&mut engine.terms, x, y) {
                    self.add(engine, predicate);
                }
            }
        }
        for ((i, x), (j, y)) in self.meeting(&engine.terms) {
            let terms = &mut engine.terms;
            let combined = [terms.bv_sub(x, y), terms.bv_sub(y, x), terms.bv_add(x, y)];
            for combined in combined {
                let chain = self.bounded_by(engine, combined, &[i, j]);
                self.add_chain(engine, chain);
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

    /// One number is below another, or at most that, with sign and without it.
    fn in_order(&mut self, engine: &mut Engine<'_>, (x, y): (TermId, TermId)) {
        let terms = &mut engine.terms;
        let signed = [terms.bv_slt(x, y), terms.bv_sle(x, y)];
        let unsigned = [terms.bv_ult(x, y), terms.bv_ule(x, y)];
        self.add_chain(engine, signed);
        self.add_chain(engine, unsigned);
    }

    /// Pairs of places of one width that some comparison mentions.
    pub fn meeting(&self, terms: &Terms) -> Vec<((usize, TermId), (usize, TermId))> {
        let mut numbers = self.numbers(terms);
        numbers.truncate(MAX_PAIRED);
        let mut pairs = Vec::new();
        for (position, (i, x, width)) in numbers.iter().enumerate() {
            let others = numbers[position + 1..].iter();
            let alike = others.filter(|(j, _, other)| other == width && self.mined.meet(*i, *j));
            pairs.extend(alike.map(|(j, y, _)| ((*i, *x), (*j, *y))));
        }
        pairs
    }

    /// Pairs of places of one width of which one is given a value near to the other's.
    fn assigned(&self, terms: &Terms) -> Vec<(TermId, TermId)> {
        let numbers = self.numbers(terms);
        let mut pairs = Vec::new();
        for (position, (i, x, width)) in numbers.iter().enumerate() {
            let others = numbers[position + 1..].iter();
            let alike = others.filter(|(j, _, other)| other == width && self.mined.is_assigned(*i, *j));
            pairs.extend(alike.map(|(_, y, _)| (*x, *y)));
        }
        pairs
    }

    /// Of each three places of one width, that one is the sum of the others.
    pub fn sums_of_two(&self, engine: &mut Engine<'_>) -> Vec<TermId> {
        let mut numbers = self.numbers(&engine.terms);
        numbers.truncate(MAX_SUMMED);
        let mut sums = Vec::new();
        for (position, (i, x, width)) in numbers.iter().enumerate() {
            for (j, y, _) in numbers[position + 1..].iter().filter(|other| other.2 == *width) {
                let sum = engine.terms.bv_add(*x, *y);
                let third = |other: &&(usize, TermId, u32)| other.2 == *width && ![*i, *j].contains(&other.0);
                let thirds = numbers.iter().filter(third);
                sums.extend(thirds.map(|(_, z, _)| engine.terms.eq(*z, sum)));
            }
        }
        sums
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

    /// Values of that width that do not change in the loop, constants left out, and what wider ones are the
    /// extension of.
    pub(super) fn stable_within(&self, terms: &Terms, width: u32) -> Vec<TermId> {
        let wider = self.head.stable.iter().map(|term| plain(terms, *term));
        let values: BTreeSet<TermId> = wider
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
}

/// Constants, and those beside them.
pub(super) fn thresholds_of(constants: &BTreeSet<BitVec>, width: u32) -> BTreeSet<BitVec> {
    let one = BitVec::new(width, 1);
    let constants = constants.iter();
    constants
        .flat_map(|constant| [constant.sub(&one), constant.clone(), constant.add(&one)])
        .collect()
}

/// An index is below a count, where there is any: the last one taken leaves both zero.
fn below_if_any(terms: &mut Terms, index: TermId, count: TermId) -> TermId {
    let zero = terms.bv_u64(terms.width(count), 0);
    let none = terms.eq(count, zero);
    let below = terms.bv_ult(index, count);
    terms.or(none, below)
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

/// Chains of bounds by constants from above and from below, without sign and with it.
pub(super) fn bounds_by(terms: &mut Terms, place: TermId, constants: &BTreeSet<BitVec>) -> [Vec<TermId>; 4] {
    let mut rising: Vec<BitVec> = constants.iter().cloned().collect();
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

/// Is that bit a one?
pub(super) fn is_set(terms: &mut Terms, number: TermId, bit: u32) -> TermId {
    let bit = terms.bv_extract(number, bit, bit);
    let one = terms.bv_u64(1, 1);
    terms.eq(bit, one)
}

/// A number is a multiple of a power of two; of the largest first.
fn multiples(terms: &mut Terms, number: TermId, width: u32) -> Vec<TermId> {
    let zeros = (1..width.min(MAX_LOW_ZEROS + 1)).rev();
    zeros
        .map(|zeros| {
            let bits = terms.bv_extract(number, zeros - 1, 0);
            let zero = terms.bv_u64(zeros, 0);
            terms.eq(bits, zero)
        })
        .collect()
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

pub(super) fn one_of(terms: &mut Terms, place: TermId, members: &BTreeSet<BitVec>) -> TermId {
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
