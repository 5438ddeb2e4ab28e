//! Bit-vectors: narrow ones against 128-bit integers, wide ones against big integers, both against the
//! same definitions.

mod common;

use common::Random;
use kripke_value::BitVec;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

const WIDTHS: [u32; 18] = [
    1, 2, 7, 8, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 192, 200, 1024,
];

fn random_value(random: &mut Random, width: u32) -> BitVec {
    let mut value = BitVec::new(width, random.integer());
    for _ in 0..width / 128 {
        value = value
            .shl(&BitVec::new(width, 100))
            .xor(&BitVec::new(width, random.integer()));
    }
    match random.below(12) {
        0 => BitVec::min_signed(width),
        1 => BitVec::max_signed(width),
        2 => BitVec::ones(width),
        3 => BitVec::zero(width),
        _ => value,
    }
}

/// The unsigned number modulo `2^width`.
fn wrap(value: BigInt, width: u32) -> BigUint {
    let modulus = BigInt::one() << width;
    (((value % &modulus) + &modulus) % &modulus).magnitude().clone()
}

#[track_caller]
fn check(name: &str, a: &BitVec, b: &BitVec, ours: &BitVec, expected: BigInt) {
    assert_eq!(
        ours.to_biguint(),
        wrap(expected, ours.width()),
        "{name} {a:?} {b:?}"
    );
}

#[test]
fn arithmetic_agrees_with_big_integers() {
    let mut random = Random(1);
    for width in WIDTHS {
        let signed_range = |value: &BigInt| {
            let half = BigInt::one() << (width - 1);
            *value >= -&half && *value < half
        };
        for _ in 0..500 {
            let (a, b) = (random_value(&mut random, width), random_value(&mut random, width));
            let (x, y) = (BigInt::from(a.to_biguint()), BigInt::from(b.to_biguint()));
            let (s, t) = (a.to_bigint_signed(), b.to_bigint_signed());
            let limit = BigInt::one() << width;
            check("add", &a, &b, &a.add(&b), &x + &y);
            check("sub", &a, &b, &a.sub(&b), &x - &y);
            check("mul", &a, &b, &a.mul(&b), &x * &y);
            check("neg", &a, &b, &a.neg(), -&x);
            check("not", &a, &b, &a.not(), -&x - 1);
            if y.is_zero() {
                assert_eq!(a.udiv(&b), BitVec::ones(width));
                assert_eq!((a.urem(&b), a.srem(&b)), (a.clone(), a.clone()));
                let quotient = if a.sign_bit() {
                    BitVec::one(width)
                } else {
                    BitVec::ones(width)
                };
                assert_eq!(a.sdiv(&b), quotient);
            } else {
                check("udiv", &a, &b, &a.udiv(&b), &x / &y);
                check("urem", &a, &b, &a.urem(&b), &x % &y);
                check("sdiv", &a, &b, &a.sdiv(&b), &s / &t);
                check("srem", &a, &b, &a.srem(&b), &s % &t);
            }
            assert_eq!(
                (a.ult(&b), a.ule(&b), a.slt(&b), a.sle(&b)),
                (x < y, x <= y, s < t, s <= t)
            );
            assert_eq!(a.saddo(&b), !signed_range(&(&s + &t)), "saddo {a:?} {b:?}");
            assert_eq!(a.ssubo(&b), !signed_range(&(&s - &t)), "ssubo {a:?} {b:?}");
            assert_eq!(a.smulo(&b), !signed_range(&(&s * &t)), "smulo {a:?} {b:?}");
            assert_eq!(a.uaddo(&b), &x + &y >= limit, "uaddo {a:?} {b:?}");
            assert_eq!(a.usubo(&b), x < y, "usubo {a:?} {b:?}");
            assert_eq!(a.umulo(&b), &x * &y >= limit, "umulo {a:?} {b:?}");
            assert_eq!(a.to_signed_decimal(), s.to_string());
            assert_eq!(a.to_unsigned_decimal(), x.to_string());
            assert_eq!(BitVec::parse(width, &s.to_string(), 10), Some(a.clone()));
            assert_eq!(BitVec::parse(width, &a.to_hex()[2..], 16), Some(a.clone()));
        }
    }
}

#[test]
fn rearrangement_agrees_bit_by_bit() {
    let mut random = Random(2);
    for width in WIDTHS {
        for _ in 0..100 {
            let (a, b) = (random_value(&mut random, width), random_value(&mut random, width));
            let from_bits = |bit: &dyn Fn(u32) -> bool, width: u32| {
                let bits = (0..width)
                    .filter(|index| bit(*index))
                    .map(|index| BigUint::one() << index);
                BitVec::from_biguint(width, &bits.sum::<BigUint>())
            };
            let distance = random.below(u64::from(width) + 3) as u32;
            let by = BitVec::new(width, u128::from(distance));
            let by_value = by.to_u64().unwrap_or(u64::MAX).min(u64::from(width)) as u32;
            assert_eq!(a.and(&b), from_bits(&|i| a.bit(i) && b.bit(i), width));
            assert_eq!(a.or(&b), from_bits(&|i| a.bit(i) || b.bit(i), width));
            assert_eq!(a.xor(&b), from_bits(&|i| a.bit(i) != b.bit(i), width));
            assert_eq!(
                a.shl(&by),
                from_bits(&|i| i >= by_value && a.bit(i - by_value), width)
            );
            assert_eq!(a.lshr(&by), from_bits(&|i| a.bit(i + by_value), width));
            let sign = a.sign_bit();
            let shifted = |i: u32| {
                if i + by_value < width {
                    a.bit(i + by_value)
                } else {
                    sign
                }
            };
            assert_eq!(a.ashr(&by), from_bits(&shifted, width));
            let low = random.below(u64::from(width)) as u32;
            let high = low + random.below(u64::from(width - low)) as u32;
            assert_eq!(
                a.extract(high, low),
                from_bits(&|i| a.bit(i + low), high - low + 1)
            );
            let wider = width + random.below(150) as u32;
            assert_eq!(a.zext(wider), from_bits(&|i| a.bit(i), wider));
            assert_eq!(
                a.sext(wider),
                from_bits(&|i| if i < width { a.bit(i) } else { sign }, wider)
            );
            assert_eq!(a.sext(wider).trunc(width), a);
            let joined = from_bits(
                &|i| if i < width { b.bit(i) } else { a.bit(i - width) },
                2 * width,
            );
            assert_eq!(a.concat(&b), joined);
            assert_eq!(a.bitreverse(), from_bits(&|i| a.bit(width - 1 - i), width));
            if width.is_multiple_of(8) {
                assert_eq!(
                    a.bswap(),
                    from_bits(&|i| a.bit((width / 8 - 1 - i / 8) * 8 + i % 8), width)
                );
            }
            assert_eq!(a.popcount(), (0..width).filter(|i| a.bit(*i)).count() as u32);
            assert_eq!(
                a.clz(),
                (0..width).rev().take_while(|i| !a.bit(*i)).count() as u32
            );
            assert_eq!(a.ctz(), (0..width).take_while(|i| !a.bit(*i)).count() as u32);
            assert_eq!(a.is_zero(), a.popcount() == 0);
            assert_eq!(a.is_ones(), a.popcount() == width);
            assert_eq!(a.to_binary().len() as u32, width);
        }
    }
}

#[test]
fn readings_and_limits() {
    let value = BitVec::from_i128(8, -2);
    assert_eq!((value.to_u64(), value.to_i128()), (Some(254), Some(-2)));
    assert_eq!(format!("{:?}", BitVec::new(8, 42)), "0x2a:8");
    assert_eq!(BitVec::new(12, 0x2a).to_hex(), "0x02a");
    assert_eq!(BitVec::from_i128(300, -1), BitVec::ones(300));
    assert_eq!(BitVec::from_i128(300, -1).to_i128(), Some(-1));
    assert_eq!(BitVec::ones(300).to_u128(), None);
    assert_eq!(BitVec::min_signed(300).to_i128(), None);
    assert_eq!(BitVec::one(300).trunc(128), BitVec::one(128));
    assert_eq!(BitVec::parse(8, "12x", 10), None);
    assert!(BitVec::new(7, 127) < BitVec::new(8, 0), "narrower first");
    assert!(BitVec::one(1) == BitVec::from_bool(true) && BitVec::one(1).is_ones());
}
