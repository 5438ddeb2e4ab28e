//! Which constant offsets a symbolic offset can be.
//!
//! Idea: a strided interval (all values `low + k*stride <= high`, read as signed numbers) follows the
//! term's structure, sharpened by the comparisons with constants among the path's conjuncts. So the
//! candidates of `a[i]` under `i < 10` are the ten cells, and the comparison that picks one is made on
//! `i` itself instead of on `4 * i` at pointer width.
//!
//! Invariant: on the path, the term's signed value is in the interval. Source: Reps, Balakrishnan, Lim:
//! Intermediate-representation recovery from low-level code (PEPM 2006), section 3, without the
//! wrapped cases.

use kripke_smt::{Op, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::path::{PathId, Paths};

/// A set of signed numbers: `low`, `low + stride`, … up to `high`. The stride of a single number is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The smallest.
    pub low: i128,
    /// The largest.
    pub high: i128,
    /// The distance of neighbours.
    pub stride: i128,
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The largest power of two that divides the number; 0 for 0.
fn power_of_two_part(number: i128) -> i128 {
    number & number.wrapping_neg()
}

impl Interval {
    fn constant(value: i128) -> Self {
        Interval {
            low: value,
            high: value,
            stride: 0,
        }
    }

    /// Every number of that many bits.
    fn full(width: u32) -> Self {
        let half = 1i128 << (width.min(126) - 1);
        Interval {
            low: -half,
            high: half - 1,
            stride: 1,
        }
    }

    fn contains_zero_or_more(self) -> bool {
        self.low >= 0
    }

    /// Fitted into the width: as it is where nothing wraps, else all numbers with the stride that survives
    /// wrapping.
    fn wrap(self, width: u32) -> (Self, bool) {
        let full = Interval::full(width);
        if self.low >= full.low && self.high <= full.high {
            return (self, true);
        }
        let stride = power_of_two_part(gcd(self.stride, self.low))
            .max(1)
            .min(1 << (width.min(100) - 1));
        (
            Interval {
                low: full.low,
                high: full.high - (stride - 1),
                stride,
            },
            false,
        )
    }

    fn add(self, other: Self) -> Self {
        Interval {
            low: self.low + other.low,
            high: self.high + other.high,
            stride: gcd(self.stride, other.stride),
        }
    }

    fn scale(self, factor: i128) -> Option<Self> {
        let (a, b) = (self.low.checked_mul(factor)?, self.high.checked_mul(factor)?);
        Some(Interval {
            low: a.min(b),
            high: a.max(b),
            stride: self.stride.checked_mul(factor)?.abs(),
        })
    }

    fn union(self, other: Self) -> Self {
        Interval {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            stride: gcd(gcd(self.stride, other.stride), self.low - other.low),
        }
    }

    /// Cut to the numbers from `low` to `high`.
    pub fn clip(self, low: i128, high: i128) -> Option<Self> {
        let mut result = self;
        if self.stride > 0 {
            if low > self.low {
                result.low += (low - self.low + self.stride - 1) / self.stride * self.stride;
            }
            if high < self.high {
                result.high = result.low + (high - result.low).div_euclid(self.stride) * self.stride;
            }
            if result.low == result.high {
                result.stride = 0;
            }
        }
        (result.low <= result.high && result.low >= low && result.high <= high).then_some(result)
    }

    /// How many numbers there are.
    pub fn count(self) -> u128 {
        match self.stride {
            0 => 1,
            stride => ((self.high - self.low) / stride) as u128 + 1,
        }
    }

    /// The numbers, rising.
    pub fn values(self) -> impl Iterator<Item = i128> {
        (0..self.count()).map(move |index| self.low + index as i128 * self.stride)
    }
}

/// What a path says about terms by comparing them with constants.
pub struct Facts {
    bounds: FxHashMap<TermId, (i128, i128)>,
    /// Values that terms do not have, and unsigned numbers that they are not below: of use where bounds are
    /// known.
    different: Vec<(TermId, i128)>,
    not_below: Vec<(TermId, i128)>,
}

/// How many conjuncts are looked at.
const LOOK_BACK: usize = 2000;

impl Facts {
    /// Reads the conjuncts of a path.
    pub fn new(terms: &Terms, paths: &Paths, path: PathId) -> Self {
        let mut facts = Facts {
            bounds: FxHashMap::default(),
            different: Vec::new(),
            not_below: Vec::new(),
        };
        for condition in paths.conditions(path).take(LOOK_BACK) {
            facts.learn(terms, condition, true);
        }
        facts.sharpen();
        facts
    }

    /// Bounds that are known shrink by values that are excluded.
    fn sharpen(&mut self) {
        for (term, least) in std::mem::take(&mut self.not_below) {
            if self.bounds.get(&term).is_some_and(|(low, _)| *low >= 0) {
                self.bound(term, least, i128::MAX);
            }
        }
        let mut different = std::mem::take(&mut self.different);
        different.sort_unstable();
        let rising = different.iter();
        for (term, value) in rising.clone().chain(rising.rev()) {
            if let Some((low, high)) = self.bounds.get_mut(term) {
                *low += i128::from(*low == *value);
                *high -= i128::from(*high == *value);
            }
        }
    }

    /// Is there a term without any value that they allow?
    pub fn contradict_each_other(&self) -> bool {
        self.bounds.values().any(|(low, high)| low > high)
    }

    /// Does the path compare the term with a constant?
    pub fn speaks_of(&self, term: TermId) -> bool {
        self.bounds.contains_key(&term)
    }

    fn learn(&mut self, terms: &Terms, condition: TermId, holds: bool) {
        let (op, operands) = (terms.op(condition), terms.children(condition));
        match (op, operands) {
            (Op::Not, [inner]) => self.learn(terms, *inner, !holds),
            (Op::And, [a, b]) if holds => {
                self.learn(terms, *a, true);
                self.learn(terms, *b, true);
            }
            (Op::Eq, [a, b]) if holds => {
                if let Some(value) = signed(terms, *a) {
                    self.bound(*b, value, value);
                } else if let Some(value) = signed(terms, *b) {
                    self.bound(*a, value, value);
                }
            }
            (Op::Eq, [a, b]) => match (signed(terms, *a), signed(terms, *b)) {
                (Some(value), _) => self.different.push((*b, value)),
                (_, Some(value)) => self.different.push((*a, value)),
                _ => {}
            },
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [a, b]) => {
                let is_signed = matches!(op, Op::BvSlt | Op::BvSle);
                let strict = matches!(op, Op::BvUlt | Op::BvSlt);
                if holds {
                    self.below(terms, *a, *b, strict, is_signed);
                } else {
                    self.below(terms, *b, *a, !strict, is_signed);
                }
            }
            _ => {}
        }
    }

    /// Learns `a < b` (or `a <= b`).
    fn below(&mut self, terms: &Terms, a: TermId, b: TermId, strict: bool, is_signed: bool) {
        let width = terms.width(a);
        if width > 100 {
            return;
        }
        let half = 1i128 << (width - 1);
        let less = i128::from(strict);
        let value = |term| {
            if is_signed {
                signed(terms, term)
            } else {
                unsigned(terms, term)
            }
        };
        if let Some(limit) = value(b) {
            if is_signed {
                self.bound(a, -half, limit - less);
            } else if limit - less < half {
                self.bound(a, 0, limit - less);
            }
        } else if let Some(limit) = value(a) {
            match is_signed {
                true => self.bound(b, limit + less, half - 1),
                false => self.not_below.push((b, limit + less)),
            }
        }
    }

    fn bound(&mut self, term: TermId, low: i128, high: i128) {
        let entry = self.bounds.entry(term).or_insert((i128::MIN, i128::MAX));
        *entry = (entry.0.max(low), entry.1.min(high));
    }
}

fn signed(terms: &Terms, term: TermId) -> Option<i128> {
    terms.as_bv(term).filter(|value| value.width() <= 100)?.to_i128()
}

fn unsigned(terms: &Terms, term: TermId) -> Option<i128> {
    terms
        .as_bv(term)
        .filter(|value| value.width() <= 100)?
        .to_u128()
        .map(|value| value as i128)
}

/// One computation of intervals under the facts of one path.
pub struct Ranges<'a> {
    terms: &'a Terms,
    facts: &'a Facts,
    memo: FxHashMap<TermId, (Interval, bool)>,
    /// Of how many choices inside each other it is looked at what their conditions say.
    care: u32,
}

/// Of how many it is where that is wanted.
const CARE: u32 = 4;

impl<'a> Ranges<'a> {
    /// Nothing computed yet.
    pub fn new(terms: &'a Terms, facts: &'a Facts) -> Self {
        Ranges {
            terms,
            facts,
            memo: FxHashMap::default(),
            care: 0,
        }
    }

    /// The same, with an eye on the conditions of choices: what is counted up where it is below a limit stays
    /// below it, which paths do not say where they met.
    pub fn careful(terms: &'a Terms, facts: &'a Facts) -> Self {
        Ranges {
            care: CARE,
            ..Ranges::new(terms, facts)
        }
    }

    pub fn terms(&self) -> &'a Terms {
        self.terms
    }

    /// The interval of a bit-vector term of at most 100 bits.
    pub fn interval(&mut self, term: TermId) -> Interval {
        self.compute(term, 0).0
    }

    /// The interval, and whether the outermost operation computes without wrapping.
    fn compute(&mut self, term: TermId, depth: u32) -> (Interval, bool) {
        let width = self.terms.width(term);
        if let Some(value) = signed(self.terms, term) {
            return (Interval::constant(value), true);
        }
        if width > 100 || depth > 40 {
            return (Interval::full(width), false);
        }
        if let Some(known) = self.memo.get(&term) {
            return *known;
        }
        let (mut interval, exact) = self.by_structure(term, width, depth + 1);
        if let Some((low, high)) = self.facts.bounds.get(&term)
            && let Some(clipped) = interval.clip((*low).max(interval.low), (*high).min(interval.high))
        {
            interval = clipped;
        }
        self.memo.insert(term, (interval, exact));
        (interval, exact)
    }

    fn by_structure(&mut self, term: TermId, width: u32, depth: u32) -> (Interval, bool) {
        let terms = self.terms;
        let operands = terms.children(term);
        let full = (Interval::full(width), false);
        match (terms.op(term), operands) {
            (Op::BvAdd, [a, b]) => self
                .compute(*a, depth)
                .0
                .add(self.compute(*b, depth).0)
                .wrap(width),
            (Op::BvSub, [a, b]) => match self.compute(*b, depth).0.scale(-1) {
                Some(negated) => self.compute(*a, depth).0.add(negated).wrap(width),
                None => full,
            },
            (Op::BvNeg, [a]) => self
                .compute(*a, depth)
                .0
                .scale(-1)
                .map_or(full, |interval| interval.wrap(width)),
            (Op::BvMul, [a, b]) => {
                let (value, factor) = match (signed(terms, *a), signed(terms, *b)) {
                    (Some(factor), _) => (*b, factor),
                    (_, Some(factor)) => (*a, factor),
                    _ => return full,
                };
                let interval = self.compute(value, depth).0;
                interval
                    .scale(factor)
                    .map_or(full, |interval| interval.wrap(width))
            }
            (Op::BvShl, [a, b]) => match unsigned(terms, *b) {
                Some(distance) if distance < i128::from(width.min(64)) => {
                    let interval = self.compute(*a, depth).0;
                    interval
                        .scale(1 << distance)
                        .map_or(full, |interval| interval.wrap(width))
                }
                _ => full,
            },
            (Op::BvConcat, [high, low]) => {
                let low_width = terms.width(*low);
                let (high, low) = (self.compute(*high, depth).0, self.unsigned_interval(*low, depth));
                match (high.scale(1 << low_width), low) {
                    (Some(high), Some(low)) => (high.add(low), true),
                    _ => full,
                }
            }
            (Op::BvSignExtend(_), [a]) => (self.compute(*a, depth).0, true),
            (Op::BvZeroExtend(_), [a]) => match self.unsigned_interval(*a, depth) {
                Some(interval) => (interval, true),
                None => full,
            },
            (Op::BvExtract { low: 0, .. }, [a]) => self.compute(*a, depth).0.wrap(width),
            (Op::BvExtract { high, low }, [a]) => {
                let bits = high - low + 1;
                let interval = self.compute(*a, depth).0;
                if interval.contains_zero_or_more() && interval.high >> low < 1 << (bits - 1) {
                    (
                        Interval {
                            low: interval.low >> low,
                            high: interval.high >> low,
                            stride: 1,
                        },
                        false,
                    )
                } else {
                    full
                }
            }
            (Op::BvAnd, [a, b]) => match unsigned(terms, *a).or(unsigned(terms, *b)) {
                Some(mask) if mask < 1 << (width - 1) => (
                    Interval {
                        low: 0,
                        high: mask,
                        stride: power_of_two_part(mask).max(1),
                    },
                    false,
                ),
                _ => full,
            },
            (Op::BvUrem, [_, b]) => match unsigned(terms, *b) {
                Some(divisor) if divisor > 0 && divisor < 1 << (width - 1) => (
                    Interval {
                        low: 0,
                        high: divisor - 1,
                        stride: 1,
                    },
                    false,
                ),
                _ => full,
            },
            (Op::BvSrem, [a, b]) => match signed(terms, *b) {
                Some(divisor) if divisor != 0 => {
                    let limit = divisor.abs() - 1;
                    let low = if self.compute(*a, depth).0.contains_zero_or_more() {
                        0
                    } else {
                        -limit
                    };
                    (
                        Interval {
                            low,
                            high: limit,
                            stride: 1,
                        },
                        false,
                    )
                }
                _ => full,
            },
            (Op::BvUdiv | Op::BvSdiv, [a, b]) => match (self.compute(*a, depth).0, signed(terms, *b)) {
                (interval, Some(divisor)) if divisor > 0 && interval.contains_zero_or_more() => (
                    Interval {
                        low: interval.low / divisor,
                        high: interval.high / divisor,
                        stride: 1,
                    },
                    false,
                ),
                _ => full,
            },
            (Op::BvLshr | Op::BvAshr, [a, b]) => match (self.compute(*a, depth).0, unsigned(terms, *b)) {
                (interval, Some(distance)) if interval.contains_zero_or_more() && distance < 100 => (
                    Interval {
                        low: interval.low >> distance,
                        high: interval.high >> distance,
                        stride: 1,
                    },
                    false,
                ),
                _ => full,
            },
            (Op::Ite, &[condition, then, otherwise]) if self.care > 0 => {
                let then = self.compute_where(condition, true, then, depth);
                let otherwise = self.compute_where(condition, false, otherwise, depth);
                let both = then.zip(otherwise).map(|(a, b)| a.union(b));
                (both.or(then).or(otherwise).unwrap_or(full.0), false)
            }
            (Op::Ite, [_, then, otherwise]) => (
                self.compute(*then, depth)
                    .0
                    .union(self.compute(*otherwise, depth).0),
                false,
            ),
            _ => full,
        }
    }

    /// The interval where a condition holds, or does not; nothing where that cannot be.
    fn compute_where(&self, condition: TermId, holds: bool, term: TermId, depth: u32) -> Option<Interval> {
        let mut facts = Facts {
            bounds: self.facts.bounds.clone(),
            different: Vec::new(),
            not_below: Vec::new(),
        };
        facts.learn(self.terms, condition, holds);
        // A value that is excluded tells something of a term whose bounds are known.
        let different = facts.different.iter().map(|(term, _)| *term);
        for term in different.collect::<Vec<_>>() {
            if self.terms.width(term) <= 100 && !facts.bounds.contains_key(&term) {
                let Interval { low, high, .. } = Ranges::new(self.terms, self.facts).interval(term);
                facts.bound(term, low, high);
            }
        }
        facts.sharpen();
        let mut inside = Ranges {
            care: self.care - 1,
            ..Ranges::new(self.terms, &facts)
        };
        (!facts.contradict_each_other()).then(|| inside.compute(term, depth).0)
    }

    fn unsigned_interval(&mut self, term: TermId, depth: u32) -> Option<Interval> {
        let width = self.terms.width(term);
        if let Some(value) = unsigned(self.terms, term) {
            return Some(Interval::constant(value));
        }
        let interval = self.compute(term, depth).0;
        if interval.contains_zero_or_more() {
            return Some(interval);
        }
        let stride = power_of_two_part(gcd(interval.stride, interval.low)).max(1);
        (width <= 100).then(|| Interval {
            low: 0,
            high: (1 << width) - stride,
            stride,
        })
    }

    /// The term as `constant + factor * part`, where the part is as narrow as can be and nothing wraps.
    fn linear(&mut self, term: TermId) -> (i128, i128, TermId) {
        let (mut constant, mut factor, mut part) = (0i128, 1i128, term);
        loop {
            let (_, exact) = self.compute(part, 0);
            let operands = self.terms.children(part);
            let (add, scale, next) = match (self.terms.op(part), operands) {
                (Op::BvAdd, [a, b]) if exact => match (signed(self.terms, *a), signed(self.terms, *b)) {
                    (Some(value), _) => (value, 1, *b),
                    (_, Some(value)) => (value, 1, *a),
                    _ => break,
                },
                (Op::BvMul, [a, b]) if exact => match (signed(self.terms, *a), signed(self.terms, *b)) {
                    (Some(value), _) => (0, value, *b),
                    (_, Some(value)) => (0, value, *a),
                    _ => break,
                },
                (Op::BvShl, [a, b]) if exact => match unsigned(self.terms, *b) {
                    Some(distance) if distance < 64 => (0, 1 << distance, *a),
                    _ => break,
                },
                (Op::BvConcat, [high, low]) if exact => match unsigned(self.terms, *low) {
                    Some(value) => (value, 1 << self.terms.width(*low), *high),
                    None => break,
                },
                (Op::BvSignExtend(_), [a]) => (0, 1, *a),
                (Op::BvZeroExtend(_), [a]) if self.interval(*a).contains_zero_or_more() => (0, 1, *a),
                (Op::BvExtract { low: 0, .. }, [a]) if exact => (0, 1, *a),
                _ => break,
            };
            if scale == 0 {
                break;
            }
            let (Some(add), Some(scale)) = (add.checked_mul(factor), scale.checked_mul(factor)) else {
                break;
            };
            constant += add;
            factor = scale;
            part = next;
        }
        (constant, factor, part)
    }
}

/// The candidates of an offset: the values that are `low ..= high` and a multiple of `align`, each with the
/// condition that picks it. `None` when there are more than `limit`.
pub fn candidates(
    terms: &mut Terms,
    facts: &Facts,
    offset: TermId,
    bounds: (i128, i128),
    align: i128,
    limit: usize,
) -> Option<Vec<(TermId, i128)>> {
    let width = terms.width(offset);
    let (interval, linear) = {
        let mut ranges = Ranges::new(terms, facts);
        (ranges.interval(offset), ranges.linear(offset))
    };
    let Some(mut interval) = interval.clip(bounds.0.max(interval.low), bounds.1.min(interval.high)) else {
        return Some(Vec::new());
    };
    if interval.stride == 1 && align > 1 {
        let low = (interval.low + align - 1).div_euclid(align) * align;
        if low > interval.high {
            return Some(Vec::new());
        }
        interval = Interval {
            low,
            high: low + (interval.high - low) / align * align,
            stride: align,
        };
    }
    if interval.count() > limit as u128 {
        return None;
    }
    let (constant, factor, part) = linear;
    let part_width = terms.width(part);
    let mut found = Vec::new();
    for value in interval.values().filter(|value| value.rem_euclid(align) == 0) {
        let condition = if part == offset {
            let value = terms.bv(kripke_value::BitVec::from_i128(width, value));
            terms.eq(offset, value)
        } else if (value - constant) % factor == 0 {
            let value = terms.bv(kripke_value::BitVec::from_i128(
                part_width,
                (value - constant) / factor,
            ));
            terms.eq(part, value)
        } else {
            continue;
        };
        if terms.as_bool(condition) != Some(false) {
            found.push((condition, value));
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use kripke_elts::random::Random;
    use kripke_smt::{Sort, TermId, Terms, Value};
    use kripke_value::BitVec;

    use super::{Facts, Ranges};
    use crate::path::Paths;

    /// Numbers of six bits made of two, and comparisons of them with constants, as paths have them.
    fn numbers(terms: &mut Terms, random: &mut Random, inputs: [TermId; 2]) -> (Vec<TermId>, Vec<TermId>) {
        let (mut numbers, mut truths) = (inputs.to_vec(), Vec::new());
        for _ in 0..14 {
            let (a, b) = (random.pick(&numbers), random.pick(&numbers));
            let constant = terms.bv_u64(6, random.below(64) as u64);
            let truth = match random.below(8) {
                0 => terms.eq(a, constant),
                1 => terms.bv_ult(a, constant),
                2 => terms.bv_ult(constant, a),
                3 => terms.bv_ule(constant, a),
                4 => terms.bv_slt(a, constant),
                5 => terms.bv_sle(constant, a),
                6 => terms.bv_slt(a, b),
                _ => terms.distinct(a, constant),
            };
            let negated = terms.not(truth);
            truths.extend([truth, negated]);
            let low = terms.bv_extract(a, 2, 0);
            numbers.push(match random.below(12) {
                0 => terms.bv_add(a, constant),
                1 => terms.bv_sub(a, b),
                2 => terms.bv_mul(a, constant),
                3 => terms.bv_urem(a, constant),
                4 => terms.bv_srem(a, constant),
                5 => terms.bv_and(a, constant),
                6 => terms.bv_lshr(a, constant),
                7 => terms.bv_sdiv(a, constant),
                8 => terms.ite(truth, a, b),
                9 => terms.bv_zext(low, 6),
                10 => terms.bv_sext(low, 6),
                _ => terms.bv_concat(low, low),
            });
        }
        (numbers, truths)
    }

    /// Every value that a number has on a path is in its interval, for all values of its inputs.
    #[test]
    fn intervals_hold_all_values_that_paths_allow() {
        let mut random = Random::new(11);
        let (mut compared, mut sharpened, mut excluded) = (0, 0, 0);
        for _ in 0..250 {
            let mut terms = Terms::new();
            let inputs = ["x", "y"].map(|name| terms.variable(name, Sort::BitVec(6)));
            let (numbers, truths) = numbers(&mut terms, &mut random, inputs);
            let mut paths = Paths::new(&mut terms);
            let mut path = Some(paths.root());
            let mut conditions = Vec::new();
            for _ in 0..1 + random.below(5) {
                let condition = random.pick(&truths);
                conditions.push(condition);
                path = path.and_then(|path| paths.extend(&mut terms, path, condition));
            }
            let Some(path) = path else { continue };
            let facts = Facts::new(&terms, &paths, path);
            let mut ranges = match random.below(2) {
                0 => Ranges::new(&terms, &facts),
                _ => Ranges::careful(&terms, &facts),
            };
            let intervals: Vec<_> = numbers.iter().map(|number| ranges.interval(*number)).collect();
            let impossible: Vec<TermId> = { truths.iter().copied() }
                .filter(|truth| ranges.excludes(*truth))
                .collect();
            excluded += impossible.len();
            sharpened += intervals
                .iter()
                .filter(|of| (of.low, of.high) != (-32, 31))
                .count();
            for (x, y) in (0..64).flat_map(|x| (0..64).map(move |y| (x, y))) {
                let value = |input: TermId| {
                    let number = if input == inputs[0] { x } else { y };
                    Value::BitVec(BitVec::new(6, number))
                };
                let holds = |condition: &TermId| terms.evaluate(*condition, &value) == Value::Bool(true);
                if !conditions.iter().all(holds) {
                    continue;
                }
                assert!(
                    !facts.contradict_each_other(),
                    "{conditions:?} hold of {x} and {y}"
                );
                assert!(!impossible.iter().any(holds), "not excluded: {impossible:?}");
                for (number, interval) in numbers.iter().zip(&intervals) {
                    let Value::BitVec(found) = terms.evaluate(*number, &value) else {
                        panic!("a number");
                    };
                    let found = found.to_i128().expect("six bits");
                    let steps = found - interval.low;
                    let is_inside = interval.low <= found && found <= interval.high;
                    let fits = steps == 0 || interval.stride != 0 && steps % interval.stride == 0;
                    assert!(is_inside && fits, "{found} is not in {interval:?}: {number:?}");
                    compared += 1;
                }
            }
        }
        assert!(
            compared > 100_000 && sharpened > 1000 && excluded > 100,
            "{compared} {sharpened} {excluded}"
        );
    }
}
