//! Terms of fifty thousand levels: nothing recurses, nothing takes quadratic time.

use std::time::{Duration, Instant};

use kripke_smt::{Bitwuzla, Limits, SatResult, Solver, Sort, TermId, Terms, Value, script};
use kripke_value::BitVec;

const LEVELS: u64 = 50_000;

/// A checksum over a long buffer: rotate, mix a byte in.
fn checksum(t: &mut Terms) -> TermId {
    let mut sum = t.variable("seed", Sort::BitVec(32));
    for i in 0..LEVELS {
        let byte = t.variable(&format!("byte{}", i % 7), Sort::BitVec(8));
        let wide = t.bv_zext(byte, 32);
        let (high, low) = (t.bv_extract(sum, 30, 0), t.bv_extract(sum, 31, 31));
        let rotated = t.bv_concat(high, low);
        let mixed = t.bv_xor(rotated, wide);
        let low = t.bv_extract(mixed, 7, 0);
        let again = t.bv_zext(low, 32);
        sum = if i % 3 == 0 { t.bv_add(mixed, again) } else { mixed };
    }
    sum
}

/// A variable set on many paths.
fn merged(t: &mut Terms) -> TermId {
    let mut value = t.variable("start", Sort::BitVec(32));
    let mut guard = t.true_();
    for i in 0..LEVELS {
        let c = t.variable(&format!("c{}", i % 50), Sort::Bool);
        let k = t.bv_u64(32, i % 11);
        let next = t.bv_add(value, k);
        value = t.ite(c, next, value);
        let small = t.bv_ult(value, next);
        guard = t.and(guard, small);
    }
    let is_zero = t.bv_u64(32, 0);
    let zero = t.eq(value, is_zero);
    let end = t.and(guard, zero);
    let one = t.bv_u64(32, 1);
    t.ite(end, one, value)
}

#[test]
fn deep_terms_are_built_evaluated_printed_and_lowered() {
    for build in [checksum as fn(&mut Terms) -> TermId, merged] {
        let start = Instant::now();
        let mut t = Terms::new();
        let term = build(&mut t);
        let built = start.elapsed();
        let assignment = |variable: TermId| match t.sort(variable) {
            Sort::Bool => Value::Bool(variable.index().is_multiple_of(2)),
            _ => Value::BitVec(BitVec::new(t.width(variable), variable.index() as u128)),
        };
        let value = t.evaluate(term, &assignment);
        let constant = t.value(&value);
        let equal = t.eq(term, constant);
        assert!(script(&t, &[equal]).len() > 500_000);
        let mut solver = Bitwuzla::new().expect("solver");
        solver.assert(&t, equal).expect("assert");
        let limits = Limits {
            deadline: Some(Instant::now() + Duration::from_millis(300)),
            ..Limits::default()
        };
        let answer = solver.check(&t, &[], &limits).expect("check");
        assert_ne!(answer, SatResult::Unsat);
        println!(
            "{} terms built in {built:?}, all in {:?}",
            t.len(),
            start.elapsed()
        );
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "took {:?}",
            start.elapsed()
        );
    }
}
