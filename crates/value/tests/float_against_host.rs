//! `float` and `double` against the processor in round-to-nearest-even, text forms against Rust's, and
//! what the other formats and modes must satisfy by definition (square roots, remainders).

mod common;

use common::Random;
use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};

const EVEN: RoundingMode = RoundingMode::NearestEven;

fn check64(name: &str, operands: &[f64], ours: Float, host: f64) {
    let expected = if host.is_nan() {
        Float::nan(FloatFormat::Binary64)
    } else {
        Float::from_f64(host)
    };
    assert_eq!(ours, expected, "{name} {operands:?}");
}

#[test]
fn doubles() {
    let mut random = Random(11);
    for _ in 0..50_000 {
        let (a, b, c) = (
            random.float(FloatFormat::Binary64),
            random.float(FloatFormat::Binary64),
            random.float(FloatFormat::Binary64),
        );
        let (x, y, z) = (a.to_f64(), b.to_f64(), c.to_f64());
        check64("add", &[x, y], a.add(b, EVEN), x + y);
        check64("sub", &[x, y], a.sub(b, EVEN), x - y);
        check64("mul", &[x, y], a.mul(b, EVEN), x * y);
        check64("div", &[x, y], a.div(b, EVEN), x / y);
        check64("fma", &[x, y, z], a.fma(b, c, EVEN), x.mul_add(y, z));
        check64("sqrt", &[x], a.sqrt(EVEN), x.sqrt());
        check64(
            "floor",
            &[x],
            a.round_to_integral(RoundingMode::Downward),
            x.floor(),
        );
        check64("ceil", &[x], a.round_to_integral(RoundingMode::Upward), x.ceil());
        check64(
            "trunc",
            &[x],
            a.round_to_integral(RoundingMode::TowardZero),
            x.trunc(),
        );
        check64(
            "round",
            &[x],
            a.round_to_integral(RoundingMode::NearestAway),
            x.round(),
        );
        check64("rint", &[x], a.round_to_integral(EVEN), x.round_ties_even());
        check64("fmod", &[x, y], a.fmod(b), x % y);
        assert_eq!(
            (a.ieee_eq(b), a.lt(b), a.le(b)),
            (x == y, x < y, x <= y),
            "{x} {y}"
        );
        assert_eq!(
            a.min(b).ieee_eq(Float::from_f64(x.min(y))),
            !(x.is_nan() && y.is_nan()),
            "{x} {y}"
        );
        assert_eq!(
            a.max(b).ieee_eq(Float::from_f64(x.max(y))),
            !(x.is_nan() && y.is_nan()),
            "{x} {y}"
        );
        assert_eq!(
            a.to_f32().to_bits() & 0x7fff_ffff,
            (x as f32).to_bits() & 0x7fff_ffff,
            "{x}"
        );
    }
}

#[test]
fn singles_convert_to_integers_as_rust_does() {
    let mut random = Random(12);
    for _ in 0..50_000 {
        let a = random.float(FloatFormat::Binary32);
        let x = a.to_f32();
        let in_range = x > -2_147_483_649.0 && x < 2_147_483_648.0;
        let expected = in_range.then(|| BitVec::from_i128(32, x as i32 as i128));
        assert_eq!(a.to_signed(32, RoundingMode::TowardZero), expected, "{x}");
        let integer = random.next();
        let bits = BitVec::new(64, u128::from(integer));
        assert_eq!(
            Float::from_unsigned(&bits, FloatFormat::Binary32, EVEN),
            Float::from_f32(integer as f32)
        );
        assert_eq!(
            Float::from_signed(&bits, FloatFormat::Binary64, EVEN),
            Float::from_f64(integer as i64 as f64)
        );
    }
}

/// The square root in any mode and format: squared with the error of neither neighbour.
#[test]
fn square_roots_lie_between_their_neighbours() {
    let mut random = Random(13);
    for format in FloatFormat::ALL {
        for _ in 0..2000 {
            let a = random.float(format).abs();
            if a.is_nan() || a.is_infinite() || a.is_zero() {
                assert_eq!(a.sqrt(EVEN), a);
                continue;
            }
            let down = a.sqrt(RoundingMode::Downward);
            let up = a.sqrt(RoundingMode::Upward);
            assert_eq!(a.sqrt(RoundingMode::TowardZero), down);
            // down * down <= a <= up * up, decided by the sign of an exact fma.
            let below = down.fma(down, a.neg(), RoundingMode::Upward);
            let above = up.fma(up, a.neg(), RoundingMode::Downward);
            assert!(below.is_zero() || below.sign_bit(), "{a:?}");
            assert!(above.is_zero() || !above.sign_bit(), "{a:?}");
            assert!(down == up || down.next(true) == up, "{a:?}: {down:?} {up:?}");
            let nearest = a.sqrt(EVEN);
            assert!(nearest == down || nearest == up);
            assert_eq!(
                nearest,
                a.sqrt(RoundingMode::NearestAway),
                "a root is never half-way"
            );
        }
    }
}

/// `remainder` differs from `fmod` by at most one divisor, and is at most half of it.
#[test]
fn remainders() {
    let check = |x: f64, y: f64, expected: f64| {
        check64(
            "remainder",
            &[x, y],
            Float::from_f64(x).rem(Float::from_f64(y)),
            expected,
        );
    };
    check(5.0, 3.0, -1.0);
    check(-5.0, 3.0, 1.0);
    check(2.5, 1.0, 0.5);
    check(3.5, 1.0, -0.5);
    check(6.0, 3.0, 0.0);
    check(-6.0, 3.0, -0.0);
    check(1.0, 0.0, f64::NAN);
    check(f64::INFINITY, 2.0, f64::NAN);
    check(1.5, f64::INFINITY, 1.5);
    check(f64::MAX, f64::INFINITY, f64::MAX);
    check(0.75, 1.0, -0.25);
    check(0.5, 1.0, 0.5);
    check(1e300, 3.0, libm_remainder(1e300, 3.0));
    let mut random = Random(14);
    for format in FloatFormat::ALL {
        for _ in 0..2000 {
            let (a, b) = (random.float(format), random.float(format));
            let rest = a.rem(b);
            let truncated = a.fmod(b);
            assert_eq!(rest.is_nan(), truncated.is_nan(), "{a:?} {b:?}");
            if rest.is_nan() || b.is_infinite() {
                continue;
            }
            let alternative = truncated.sub(b.copysign(a), EVEN);
            assert!(
                rest.ieee_eq(truncated) || rest.ieee_eq(alternative),
                "{a:?} {b:?}: {rest:?} {truncated:?}"
            );
            // 2|rest| <= |b|, unless doubling overflows, where it does not hold either.
            let doubled = rest.abs().add(rest.abs(), RoundingMode::TowardZero);
            assert!(doubled.le(b.abs()), "{a:?} {b:?}: {rest:?}");
        }
    }
}

/// `remainder` from exact integer arithmetic on doubles that are integers.
fn libm_remainder(x: f64, y: f64) -> f64 {
    let truncated = x % y;
    let other = truncated - y.copysign(x);
    if other.abs() < truncated.abs() {
        other
    } else {
        truncated
    }
}

#[test]
fn patterns_that_x87_rejects_are_nan() {
    let make = |bits: u128| Float::from_bits(FloatFormat::X87Extended, &BitVec::new(80, bits));
    assert!(make(0x7fff_0000_0000_0000_0000).is_nan(), "pseudo-infinity");
    assert!(make(0x7fff_4000_0000_0000_0000).is_nan(), "pseudo-NaN");
    assert!(make(0x3fff_4000_0000_0000_0000).is_nan(), "unnormal");
    assert!(make(0x7fff_8000_0000_0000_0000).is_infinite());
    let pseudo_denormal = make(0x0000_8000_0000_0000_0000);
    let same = make(0x0001_8000_0000_0000_0000);
    assert!(pseudo_denormal.ieee_eq(same) && pseudo_denormal != same);
    assert_eq!(
        pseudo_denormal.add(Float::zero(FloatFormat::X87Extended, true), EVEN),
        same
    );
}

#[test]
fn zero_signs() {
    let (plus, minus) = (Float::from_f64(0.0), Float::from_f64(-0.0));
    for mode in RoundingMode::ALL {
        let expected = if mode == RoundingMode::Downward {
            minus
        } else {
            plus
        };
        assert_eq!(plus.add(minus, mode), expected, "{mode:?}");
        assert_eq!(
            Float::from_f64(1.5).sub(Float::from_f64(1.5), mode),
            expected,
            "{mode:?}"
        );
        assert_eq!(
            Float::from_f64(1.5).fma(Float::from_f64(2.0), Float::from_f64(-3.0), mode),
            expected
        );
    }
    assert_eq!(Float::from_f64(-0.25).round_to_integral(EVEN), minus);
    assert_eq!(minus.sqrt(EVEN), minus);
}

#[test]
fn decimal_text_is_shortest_and_reads_back() {
    let mut random = Random(15);
    for _ in 0..3000 {
        let a = random.float(FloatFormat::Binary64);
        if a.is_finite() {
            let text = a.to_decimal();
            assert_eq!(
                text.parse::<f64>().unwrap().to_bits(),
                a.to_f64().to_bits(),
                "{text}"
            );
            let significant = |text: &str| {
                let mantissa = text.split('e').next().unwrap_or("").replace(['.', '-'], "");
                mantissa.trim_start_matches('0').trim_end_matches('0').len()
            };
            let rust = format!("{:e}", a.to_f64());
            assert_eq!(significant(&text), significant(&rust), "{text} {rust}");
        }
    }
    for format in FloatFormat::ALL {
        for _ in 0..300 {
            let a = random.float(format);
            assert_eq!(Float::parse(&a.to_decimal(), format, EVEN), Some(a), "{a:?}");
            assert_eq!(Float::parse(&a.to_hex_float(), format, EVEN), Some(a), "{a:?}");
        }
    }
}

#[test]
fn text_forms() {
    let check = |value: f64, decimal: &str, hex: &str| {
        assert_eq!(Float::from_f64(value).to_decimal(), decimal);
        assert_eq!(Float::from_f64(value).to_hex_float(), hex);
    };
    check(0.1, "0.1", "0x1.999999999999ap-4");
    check(-1.0, "-1.0", "-0x1p+0");
    check(1e30, "1e+30", "0x1.93e5939a08ceap+99");
    check(123.456, "123.456", "0x1.edd2f1a9fbe77p+6");
    check(5e-324, "5e-324", "0x1p-1074");
    check(1.5e-7, "1.5e-07", "0x1.421f5f40d8376p-23");
    check(100000.0, "100000.0", "0x1.86ap+16");
    check(f64::INFINITY, "inf", "inf");
    check(-0.0, "-0.0", "-0x0p+0");
    assert_eq!(Float::from_f32(0.1).to_decimal(), "0.1");
    for bad in ["", ".", "abc", "1e", "0x", "0x1p", "1.2.3", "--1", "1 "] {
        assert_eq!(Float::parse(bad, FloatFormat::Binary64, EVEN), None, "{bad}");
    }
}

#[test]
fn decimal_reading_rounds_once() {
    let mut random = Random(16);
    for _ in 0..5000 {
        let text = format!(
            "{}.{}e{}",
            random.below(1000),
            random.next(),
            random.below(640) as i64 - 330
        );
        let host: f64 = text.parse().unwrap();
        assert_eq!(
            Float::parse(&text, FloatFormat::Binary64, EVEN),
            Some(Float::from_f64(host)),
            "{text}"
        );
    }
}
