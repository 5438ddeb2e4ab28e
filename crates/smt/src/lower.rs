//! Terms in a solver's own language, one traversal for every solver.
//!
//! Idea: a [`Backend`] makes the applications that SMT-LIB defines completely; everything that
//! SMT-LIB leaves open or does not have is expanded here, once, into what [`crate::value::apply`]
//! computes: conversions of floats to integers out of range, the bits of a float, x87's explicit
//! leading bit, overflow predicates.
//!
//! The bits of an operation's result are a fresh bit-vector with a *side condition* ("read as a
//! float it is that result, and the canonical pattern when NaN"). Side conditions define fresh
//! variables and restrict nothing else, so they may be asserted at any level, but must be asserted
//! again when that level is gone: [`Sides`] keeps account.
//!
//! A float variable is lowered as the float read from a bit-vector variable, so a model gives its
//! exact bits, NaN payload included.

use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::op::{Op, Sort};
use crate::quotients::{self, Division};
use crate::terms::{TermId, Terms};

/// A solver's term language.
pub(crate) trait Backend {
    /// Its terms.
    type Term: Clone;

    fn variable(&mut self, name: &str, sort: Sort) -> Self::Term;
    /// A variable that no term of the store names.
    fn fresh(&mut self, width: u32) -> Self::Term;
    fn bool_(&mut self, value: bool) -> Self::Term;
    fn bv(&mut self, value: &BitVec) -> Self::Term;
    fn rounding(&mut self, mode: RoundingMode) -> Self::Term;
    fn nan(&mut self, format: FloatFormat) -> Self::Term;
    /// The float with these bits in the interchange layout (no stored leading bit).
    fn float_from_bits(&mut self, format: FloatFormat, bits: &Self::Term) -> Self::Term;
    fn extend(&mut self, signed: bool, from: u32, to: u32, operand: &Self::Term) -> Self::Term;
    /// An application that SMT-LIB defines completely; no extension, no leaf.
    fn apply(&mut self, op: Op, operands: &[Self::Term]) -> Self::Term;
    /// True when `apply` takes the overflow predicates.
    fn has_overflow_predicates(&self) -> bool;
    /// True when divisions by constants are better told by what is true of them.
    fn divides_by_sides(&self) -> bool;
}

/// Bits of the interchange layout: sign, exponent, significand without the leading bit.
fn layout_bits(format: FloatFormat) -> u32 {
    format.exponent_bits() + format.significand_bits()
}

/// A float constant's bits in the interchange layout.
pub(crate) fn layout_of(value: Float) -> BitVec {
    let bits = value.to_bits();
    if value.format() != FloatFormat::X87Extended {
        return bits;
    }
    let exponent = bits.extract(78, 64);
    let pseudo_denormal = exponent.is_zero() && bits.bit(63);
    let exponent = if pseudo_denormal {
        BitVec::one(15)
    } else {
        exponent
    };
    bits.extract(79, 79)
        .concat(&exponent)
        .concat(&bits.extract(62, 0))
}

/// `2^exponent` in a format, infinity when it is too large.
fn power(format: FloatFormat, exponent: u32, negative: bool) -> Float {
    if exponent as i32 > format.max_exponent() {
        return Float::infinity(format, negative);
    }
    let one = BitVec::one(exponent + 2);
    let shifted = one.shl(&BitVec::new(exponent + 2, u128::from(exponent)));
    let value = Float::from_unsigned(&shifted, format, RoundingMode::NearestEven);
    if negative { value.neg() } else { value }
}

/// Terms already lowered for one solver instance.
pub(crate) struct Lowering<T> {
    known: FxHashMap<TermId, T>,
    variables: FxHashMap<TermId, T>,
    /// Divisions of terms by constants, as signed numbers or not.
    divisions: FxHashMap<(TermId, TermId, bool), Division<T>>,
    sides: Vec<T>,
}

impl<T> Default for Lowering<T> {
    fn default() -> Self {
        Lowering {
            known: FxHashMap::default(),
            variables: FxHashMap::default(),
            divisions: FxHashMap::default(),
            sides: Vec::new(),
        }
    }
}

impl<T: Clone> Lowering<T> {
    /// All side conditions so far.
    pub(crate) fn sides(&self) -> &[T] {
        &self.sides
    }

    /// The solver's variable for a variable of the store (for a float its bits).
    pub(crate) fn variable(&self, term: TermId) -> Option<&T> {
        self.variables.get(&term)
    }

    /// All variables of the store that were lowered.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&TermId, &T)> {
        self.variables.iter()
    }

    /// The solver's term for a term.
    pub(crate) fn lower<B: Backend<Term = T>>(&mut self, backend: &mut B, terms: &Terms, root: TermId) -> T {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(
                terms
                    .children(term)
                    .iter()
                    .filter(|child| !self.known.contains_key(child)),
            );
            if stack.len() == before {
                let lowered = self.lower_one(backend, terms, term);
                self.known.insert(term, lowered);
                stack.pop();
            }
        }
        self.known[&root].clone()
    }

    fn lower_one<B: Backend<Term = T>>(&mut self, backend: &mut B, terms: &Terms, term: TermId) -> T {
        let children = terms.children(term);
        let operands: SmallVec<[T; 4]> = children.iter().map(|child| self.known[child].clone()).collect();
        let op = terms.op(term);
        if let Some(lowered) = self.divided(backend, terms, term) {
            return lowered;
        }
        match (op, &operands[..]) {
            (Op::Variable(_), _) => {
                let name = terms.variable_name(term).unwrap_or_default();
                match terms.sort(term) {
                    Sort::Float(format) => {
                        let bits = backend.variable(name, Sort::BitVec(format.bits()));
                        self.variables.insert(term, bits.clone());
                        from_stored_bits(backend, format, &bits)
                    }
                    sort => {
                        let variable = backend.variable(name, sort);
                        self.variables.insert(term, variable.clone());
                        variable
                    }
                }
            }
            (Op::Bool(value), _) => backend.bool_(value),
            (Op::Rounding(mode), _) => backend.rounding(mode),
            (Op::BitVec(_), _) => match terms.as_bv(term) {
                Some(value) => backend.bv(value),
                None => unreachable!("a bit-vector constant has a value"),
            },
            (Op::Float(_), _) => match terms.as_float(term) {
                Some(value) => float_constant(backend, *value),
                None => unreachable!("a float constant has a value"),
            },
            (Op::BvZeroExtend(to), [a]) => backend.extend(false, terms.width(children[0]), to, a),
            (Op::BvSignExtend(to), [a]) => backend.extend(true, terms.width(children[0]), to, a),
            (Op::FpFromBits(format), [a]) => from_stored_bits(backend, format, a),
            (Op::FpToBits, [a]) => match self.variables.get(&children[0]) {
                Some(bits) => bits.clone(),
                None => self.stored_bits(backend, terms.sort(children[0]).format(), a),
            },
            (Op::FpToSigned(width), [mode, a]) => {
                let truncates = terms.as_rounding(children[0]) == Some(RoundingMode::TowardZero);
                to_signed(
                    backend,
                    width,
                    terms.sort(children[1]).format(),
                    truncates,
                    mode,
                    a,
                )
            }
            (Op::FpToUnsigned(width), [mode, a]) => {
                let truncates = terms.as_rounding(children[0]) == Some(RoundingMode::TowardZero);
                to_unsigned(
                    backend,
                    width,
                    terms.sort(children[1]).format(),
                    truncates,
                    mode,
                    a,
                )
            }
            (Op::BvSaddo | Op::BvUaddo | Op::BvSsubo | Op::BvUsubo | Op::BvSmulo | Op::BvUmulo, [a, b])
                if !backend.has_overflow_predicates() =>
            {
                overflow(backend, op, terms.width(children[0]), a, b)
            }
            _ => backend.apply(op, &operands),
        }
    }

    /// A quotient or remainder by a constant: fresh, with a side condition.
    fn divided<B: Backend<Term = T>>(&mut self, backend: &mut B, terms: &Terms, term: TermId) -> Option<T> {
        let (is_signed, is_remainder) = quotients::kind(terms.op(term))?;
        let &[a, b] = terms.children(term) else {
            return None;
        };
        let value = terms.as_bv(b).filter(|_| backend.divides_by_sides())?;
        let divisor = quotients::divisor(value, is_signed).filter(|_| !quotients::is_small(terms, a))?;
        if !self.divisions.contains_key(&(a, b, is_signed)) {
            let dividend = (&self.known[&a], terms.width(a));
            let is_negative = value.bit(value.width() - 1);
            let (division, side) = match is_signed {
                true => quotients::signed(backend, dividend, (divisor, is_negative)),
                false => quotients::unsigned(backend, dividend, divisor),
            };
            self.sides.push(side);
            self.divisions.insert((a, b, is_signed), division);
        }
        let division = &self.divisions[&(a, b, is_signed)];
        Some(match is_remainder {
            true => division.remainder.clone(),
            false => division.quotient.clone(),
        })
    }

    /// The stored bits of an operation's result: fresh, with a side condition.
    fn stored_bits<B: Backend<Term = T>>(&mut self, backend: &mut B, format: FloatFormat, float: &T) -> T {
        let bits = backend.fresh(layout_bits(format));
        let read = backend.float_from_bits(format, &bits);
        let same = backend.apply(Op::Eq, &[read, float.clone()]);
        let nan = backend.apply(Op::FpIsNan, std::slice::from_ref(float));
        let canonical = backend.bv(&layout_of(Float::nan(format)));
        let is_canonical = backend.apply(Op::Eq, &[bits.clone(), canonical]);
        let not_nan = backend.apply(Op::Not, &[nan]);
        let canonical_when_nan = backend.apply(Op::Or, &[not_nan, is_canonical]);
        let side = backend.apply(Op::And, &[same, canonical_when_nan]);
        self.sides.push(side);
        if format != FloatFormat::X87Extended {
            return bits;
        }
        let upper = backend.apply(Op::BvExtract { high: 78, low: 63 }, std::slice::from_ref(&bits));
        let exponent = backend.apply(Op::BvExtract { high: 77, low: 63 }, std::slice::from_ref(&bits));
        let fraction = backend.apply(Op::BvExtract { high: 62, low: 0 }, &[bits]);
        let (zero, one, none) = (
            backend.bv(&BitVec::zero(1)),
            backend.bv(&BitVec::one(1)),
            backend.bv(&BitVec::zero(15)),
        );
        let small = backend.apply(Op::Eq, &[exponent, none]);
        let leading = backend.apply(Op::Ite, &[small, zero, one]);
        let significand = backend.apply(Op::BvConcat, &[leading, fraction]);
        backend.apply(Op::BvConcat, &[upper, significand])
    }
}

fn float_constant<B: Backend>(backend: &mut B, value: Float) -> B::Term {
    if value.is_nan() {
        return backend.nan(value.format());
    }
    let bits = backend.bv(&layout_of(value));
    backend.float_from_bits(value.format(), &bits)
}

/// The float stored as these bits; x87's rejected patterns are NaN.
fn from_stored_bits<B: Backend>(backend: &mut B, format: FloatFormat, bits: &B::Term) -> B::Term {
    if format != FloatFormat::X87Extended {
        return backend.float_from_bits(format, bits);
    }
    let mut part = |high, low| backend.apply(Op::BvExtract { high, low }, std::slice::from_ref(bits));
    let (sign, exponent, leading, fraction) = (part(79, 79), part(78, 64), part(63, 63), part(62, 0));
    let (zero, one, set) = (
        backend.bv(&BitVec::zero(15)),
        backend.bv(&BitVec::one(15)),
        backend.bv(&BitVec::one(1)),
    );
    let small = backend.apply(Op::Eq, &[exponent.clone(), zero]);
    let led = backend.apply(Op::Eq, &[leading, set]);
    let pseudo_denormal = backend.apply(Op::And, &[small.clone(), led.clone()]);
    let exponent = backend.apply(Op::Ite, &[pseudo_denormal, one, exponent]);
    let upper = backend.apply(Op::BvConcat, &[sign, exponent]);
    let layout = backend.apply(Op::BvConcat, &[upper, fraction]);
    let value = backend.float_from_bits(format, &layout);
    let valid = backend.apply(Op::Or, &[small, led]);
    let nan = backend.nan(format);
    backend.apply(Op::Ite, &[valid, value, nan])
}

/// `a` lies between two bounds; the bounds themselves count where `closed` says so.
fn between<B: Backend>(backend: &mut B, low: Float, closed: bool, a: &B::Term, high: Float) -> B::Term {
    let (low, high) = (float_constant(backend, low), float_constant(backend, high));
    let above = backend.apply(if closed { Op::FpLe } else { Op::FpLt }, &[low, a.clone()]);
    let below = backend.apply(Op::FpLt, &[a.clone(), high]);
    backend.apply(Op::And, &[above, below])
}

fn to_signed<B: Backend>(
    backend: &mut B,
    width: u32,
    format: FloatFormat,
    truncates: bool,
    mode: &B::Term,
    a: &B::Term,
) -> B::Term {
    let (low, high) = (power(format, width - 1, true), power(format, width - 1, false));
    let in_range = if low.is_infinite() {
        between(backend, low, false, a, high)
    } else if truncates && width <= format.significand_bits() {
        // Values above -2^(w-1) - 1 are truncated into the range; that bound is a float here.
        let bound = low.sub(Float::one(format), RoundingMode::NearestEven);
        between(backend, bound, false, a, high)
    } else if truncates {
        between(backend, low, true, a, high)
    } else {
        let rounded = backend.apply(Op::FpRound, &[mode.clone(), a.clone()]);
        between(backend, low, true, &rounded, high)
    };
    let converted = backend.apply(Op::FpToSigned(width), &[mode.clone(), a.clone()]);
    let otherwise = backend.bv(&BitVec::min_signed(width));
    backend.apply(Op::Ite, &[in_range, converted, otherwise])
}

fn to_unsigned<B: Backend>(
    backend: &mut B,
    width: u32,
    format: FloatFormat,
    truncates: bool,
    mode: &B::Term,
    a: &B::Term,
) -> B::Term {
    let high = power(format, width, false);
    let zero = Float::zero(format, true);
    let in_range = if truncates {
        between(backend, Float::one(format).neg(), false, a, high)
    } else {
        let rounded = backend.apply(Op::FpRound, &[mode.clone(), a.clone()]);
        between(backend, zero, true, &rounded, high)
    };
    let zero = float_constant(backend, zero);
    let not_positive = backend.apply(Op::FpLe, &[a.clone(), zero]);
    let converted = backend.apply(Op::FpToUnsigned(width), &[mode.clone(), a.clone()]);
    let (none, all) = (backend.bv(&BitVec::zero(width)), backend.bv(&BitVec::ones(width)));
    let converted = backend.apply(Op::Ite, &[not_positive, none, converted]);
    backend.apply(Op::Ite, &[in_range, converted, all])
}

/// An overflow predicate: the operation in a width that cannot overflow.
fn overflow<B: Backend>(backend: &mut B, op: Op, width: u32, a: &B::Term, b: &B::Term) -> B::Term {
    let (signed, operation, wide) = match op {
        Op::BvUsubo => return backend.apply(Op::BvUlt, &[a.clone(), b.clone()]),
        Op::BvSaddo => (true, Op::BvAdd, width + 1),
        Op::BvUaddo => (false, Op::BvAdd, width + 1),
        Op::BvSsubo => (true, Op::BvSub, width + 1),
        Op::BvSmulo => (true, Op::BvMul, 2 * width),
        _ => (false, Op::BvMul, 2 * width),
    };
    let (x, y) = (
        backend.extend(signed, width, wide, a),
        backend.extend(signed, width, wide, b),
    );
    let exact = backend.apply(operation, &[x, y]);
    let narrow = backend.apply(
        Op::BvExtract {
            high: width - 1,
            low: 0,
        },
        std::slice::from_ref(&exact),
    );
    let back = backend.extend(signed, width, wide, &narrow);
    let same = backend.apply(Op::Eq, &[exact, back]);
    backend.apply(Op::Not, &[same])
}

/// Which side conditions are asserted at the present level of an incremental solver.
#[derive(Default)]
pub(crate) struct Sides {
    asserted: usize,
    marks: Vec<usize>,
}

impl Sides {
    pub(crate) fn push(&mut self) {
        self.marks.push(self.asserted);
    }

    pub(crate) fn pop(&mut self) {
        self.asserted = self.marks.pop().unwrap_or(0);
    }

    /// The side conditions that must be asserted now.
    pub(crate) fn take<'a, T>(&mut self, all: &'a [T]) -> &'a [T] {
        let missing = &all[self.asserted..];
        self.asserted = all.len();
        missing
    }
}
