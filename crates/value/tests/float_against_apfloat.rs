//! Every operation in every format and rounding mode against an independent implementation, the port of
//! LLVM's APFloat.

mod common;

use common::Random;
use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{FloatConvert, Round};

const ROUNDS: usize = 6000;

fn round_of(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::NearestEven => Round::NearestTiesToEven,
        RoundingMode::NearestAway => Round::NearestTiesToAway,
        RoundingMode::TowardZero => Round::TowardZero,
        RoundingMode::Upward => Round::TowardPositive,
        RoundingMode::Downward => Round::TowardNegative,
    }
}

/// Two results are the same bits, or both NaN (ours then being the canonical one).
fn check<F: rustc_apfloat::Float>(
    name: &str,
    operands: &[Float],
    mode: RoundingMode,
    ours: Float,
    theirs: F,
) {
    if theirs.is_nan() {
        assert_eq!(ours, Float::nan(ours.format()), "{name} {operands:?} {mode:?}");
        return;
    }
    assert_eq!(
        ours.raw_bits(),
        theirs.to_bits(),
        "{name} {operands:?} {mode:?}: {ours:?}, expected {theirs}"
    );
}

fn operations<F: rustc_apfloat::Float>(format: FloatFormat, seed: u64) {
    let mut random = Random(seed);
    for _ in 0..ROUNDS {
        let (a, b, c) = (random.float(format), random.float(format), random.float(format));
        let (x, y, z) = (
            F::from_bits(a.raw_bits()),
            F::from_bits(b.raw_bits()),
            F::from_bits(c.raw_bits()),
        );
        for mode in RoundingMode::ALL {
            let round = round_of(mode);
            check("add", &[a, b], mode, a.add(b, mode), x.add_r(y, round).value);
            check("sub", &[a, b], mode, a.sub(b, mode), x.sub_r(y, round).value);
            check("mul", &[a, b], mode, a.mul(b, mode), x.mul_r(y, round).value);
            check("div", &[a, b], mode, a.div(b, mode), x.div_r(y, round).value);
            check(
                "fma",
                &[a, b, c],
                mode,
                a.fma(b, c, mode),
                x.mul_add_r(y, z, round).value,
            );
            check(
                "round",
                &[a],
                mode,
                a.round_to_integral(mode),
                x.round_to_integral(round).value,
            );
            let integer = random.integer();
            let bits = BitVec::new(128, integer);
            let unsigned = F::from_u128_r(integer, round).value;
            check(
                "from_unsigned",
                &[],
                mode,
                Float::from_unsigned(&bits, format, mode),
                unsigned,
            );
            let signed = F::from_i128_r(integer as i128, round).value;
            check(
                "from_signed",
                &[],
                mode,
                Float::from_signed(&bits, format, mode),
                signed,
            );
        }
        let mode = RoundingMode::NearestEven;
        check("fmod", &[a, b], mode, a.fmod(b), x.c_fmod(y).value);
        check("next up", &[a], mode, a.next(true), x.next_up().value);
        check("next down", &[a], mode, a.next(false), x.next_down().value);
        assert_eq!(a.is_nan(), x.is_nan());
        assert_eq!(a.is_normal(), x.is_normal());
        assert_eq!(a.is_subnormal(), x.is_denormal());
        assert_eq!(a.compare(b), x.partial_cmp(&y), "{a:?} {b:?}");
    }
}

fn to_integers<F: rustc_apfloat::Float>(format: FloatFormat, seed: u64) {
    let mut random = Random(seed);
    for _ in 0..ROUNDS {
        let a = random.float(format);
        let x = F::from_bits(a.raw_bits());
        let width = [1, 7, 8, 16, 32, 33, 64, 100, 128][random.below(9) as usize];
        for mode in RoundingMode::ALL {
            let mut exact = false;
            // The other implementation cannot convert to a signed integer of one bit.
            if width > 1 {
                let signed = x.to_i128_r(width as usize, round_of(mode), &mut exact);
                let expected = (!signed.status.contains(rustc_apfloat::Status::INVALID_OP))
                    .then(|| BitVec::from_i128(width, signed.value));
                assert_eq!(
                    a.to_signed(width, mode),
                    expected,
                    "to_signed {a:?} {width} {mode:?}"
                );
            }
            let unsigned = x.to_u128_r(width as usize, round_of(mode), &mut exact);
            let expected = (!unsigned.status.contains(rustc_apfloat::Status::INVALID_OP))
                .then(|| BitVec::new(width, unsigned.value));
            assert_eq!(
                a.to_unsigned(width, mode),
                expected,
                "to_unsigned {a:?} {width} {mode:?}"
            );
        }
    }
}

fn conversions<F: FloatConvert<T>, T: rustc_apfloat::Float>(from: FloatFormat, to: FloatFormat) {
    let mut random = Random(from.bits() as u64 * 1000 + to.bits() as u64);
    for _ in 0..ROUNDS {
        let a = random.float(from);
        for mode in RoundingMode::ALL {
            let mut loses = false;
            let theirs: T = F::from_bits(a.raw_bits())
                .convert_r(round_of(mode), &mut loses)
                .value;
            check("convert", &[a], mode, a.convert(to, mode), theirs);
        }
    }
}

#[test]
fn half() {
    operations::<Half>(FloatFormat::Binary16, 1);
    to_integers::<Half>(FloatFormat::Binary16, 2);
}

#[test]
fn single() {
    operations::<Single>(FloatFormat::Binary32, 3);
    to_integers::<Single>(FloatFormat::Binary32, 4);
}

#[test]
fn double() {
    operations::<Double>(FloatFormat::Binary64, 5);
    to_integers::<Double>(FloatFormat::Binary64, 6);
}

#[test]
fn extended() {
    operations::<X87DoubleExtended>(FloatFormat::X87Extended, 7);
    to_integers::<X87DoubleExtended>(FloatFormat::X87Extended, 8);
}

#[test]
fn quad() {
    operations::<Quad>(FloatFormat::Binary128, 9);
    to_integers::<Quad>(FloatFormat::Binary128, 10);
}

#[test]
fn converting() {
    use FloatFormat::{Binary16, Binary32, Binary64, Binary128, X87Extended};
    conversions::<Half, Single>(Binary16, Binary32);
    conversions::<Single, Half>(Binary32, Binary16);
    conversions::<Single, Double>(Binary32, Binary64);
    conversions::<Double, Half>(Binary64, Binary16);
    conversions::<Double, Single>(Binary64, Binary32);
    conversions::<Double, X87DoubleExtended>(Binary64, X87Extended);
    conversions::<X87DoubleExtended, Double>(X87Extended, Binary64);
    conversions::<X87DoubleExtended, Single>(X87Extended, Binary32);
    conversions::<X87DoubleExtended, Quad>(X87Extended, Binary128);
    conversions::<Quad, X87DoubleExtended>(Binary128, X87Extended);
    conversions::<Quad, Double>(Binary128, Binary64);
}
