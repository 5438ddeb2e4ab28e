//! Every solver on formulas of every sort: answers, models, levels, limits.

use std::time::{Duration, Instant};

use kripke_smt::{
    Limits, SatResult, SolverChoice, Sort, TermId, Terms, Value, create_solver, create_solver_with_cores,
};
use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};

fn choices() -> Vec<SolverChoice> {
    ["default", "bitwuzla", "z3", "cvc5"]
        .iter()
        .map(|name| SolverChoice::parse(name).expect("known name"))
        .collect()
}

/// Every solver gives this answer, and a model that satisfies the formula.
fn check(terms: &Terms, formula: TermId, satisfiable: bool) {
    for choice in choices() {
        let mut solver = create_solver(&choice).expect("installed");
        solver.assert(terms, formula).expect("assert");
        let answer = solver.check(terms, &[], &Limits::default()).expect("check");
        let expected = if satisfiable {
            SatResult::Sat
        } else {
            SatResult::Unsat
        };
        assert_eq!(answer, expected, "{choice:?}");
        if satisfiable {
            assert_eq!(
                solver.value(terms, formula),
                Some(Value::Bool(true)),
                "{choice:?}"
            );
        }
    }
}

#[test]
fn bit_vectors() {
    let mut t = Terms::new();
    let (x, y) = (
        t.variable("x", Sort::BitVec(16)),
        t.variable("y", Sort::BitVec(16)),
    );
    let (product, k) = (t.bv_mul(x, y), t.bv_u64(16, 12_345));
    let equal = t.eq(product, k);
    let overflow = t.bv_smulo(x, y);
    let formula = t.and(equal, overflow);
    check(&t, formula, true);
    let square = t.bv_mul(x, x);
    let (square, two) = (t.bv_and(square, x), t.bv_u64(16, 2));
    let never = t.eq(square, two);
    let odd = t.bv_extract(x, 0, 0);
    let one = t.bv_u64(1, 1);
    let odd = t.eq(odd, one);
    let never = t.and(never, odd);
    check(&t, never, false);
}

/// Constants that are divided by: around powers of two, the smallest and the largest, and others.
fn divisors(width: u32) -> Vec<BitVec> {
    let all = BitVec::ones(width);
    let numbers = [
        1, 2, 3, 5, 7, 10, 12, 25, 60, 100, 127, 255, 641, 1000, 3600, 0x5555, 0xcccd,
    ];
    let fits = |number: &u128| width >= 128 || *number >> width == 0;
    let mut found: Vec<BitVec> = { numbers.into_iter().filter(fits) }
        .map(|number| BitVec::new(width, number))
        .collect();
    let half = BitVec::min_signed(width);
    let near = [half.add(&BitVec::one(width)), half.sub(&BitVec::one(width))];
    let negated: Vec<BitVec> = found.iter().map(BitVec::neg).collect();
    found.extend(
        negated
            .into_iter()
            .chain(near)
            .chain([half, all, BitVec::zero(width)]),
    );
    found
}

type Binary = fn(&mut Terms, TermId, TermId) -> TermId;
/// Quotient and remainder of unsigned and of signed numbers.
const DIVISIONS: [[Binary; 2]; 2] = [[Terms::bv_udiv, Terms::bv_urem], [Terms::bv_sdiv, Terms::bv_srem]];

/// Dividends that a wrong quotient by the divisor would show in.
fn dividends(divisor: &BitVec) -> [BitVec; 7] {
    let width = divisor.width();
    let one = BitVec::one(width);
    let half = BitVec::min_signed(width);
    let less = divisor.sub(&one);
    [
        less,
        half.sub(&one),
        divisor.add(divisor),
        divisor.clone(),
        BitVec::zero(width),
        BitVec::ones(width),
        half,
    ]
}

#[test]
fn divisions_by_constants_have_one_result_each_and_it_is_right() {
    for (width, divisor) in [3, 17, 32, 64, 65].into_iter().flat_map(|width| {
        let all = divisors(width).into_iter();
        all.map(move |divisor| (width, divisor))
    }) {
        let mut t = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| t.variable(name, Sort::BitVec(width)));
        let mut solver = create_solver(&SolverChoice::Bitwuzla).expect("starts");
        let by = t.bv(divisor.clone());
        for (dividend, divide) in dividends(&divisor)
            .into_iter()
            .flat_map(|dividend| DIVISIONS.map(|divide| (dividend.clone(), divide)))
        {
            let value = t.bv(dividend.clone());
            let results = divide.map(|op| op(&mut t, x, by));
            let expected = divide.map(|op| op(&mut t, value, by));
            let is_dividend = t.eq(x, value);
            let [is_quotient, is_remainder] = [t.eq(y, results[0]), t.eq(z, results[1])];
            let [is_first, is_second] = [t.eq(y, expected[0]), t.eq(z, expected[1])];
            let is_expected = t.and(is_first, is_second);
            let is_other = t.not(is_expected);
            for (last, answer) in [(is_expected, SatResult::Sat), (is_other, SatResult::Unsat)] {
                let asked = [is_dividend, is_quotient, is_remainder, last];
                let found = solver.check(&t, &asked, &Limits::default()).expect("an answer");
                assert_eq!(found, answer, "{dividend:?} by {divisor:?}");
            }
        }
    }
}

#[test]
fn quotients_are_related_to_remainders_and_survive_levels() {
    let mut t = Terms::new();
    let x = t.variable("x", Sort::BitVec(18));
    let ten = t.bv_u64(18, 10);
    for [divide, remain] in DIVISIONS {
        let (quotient, remainder) = (divide(&mut t, x, ten), remain(&mut t, x, ten));
        let product = t.bv_mul(quotient, ten);
        let sum = t.bv_add(product, remainder);
        let never = t.distinct(sum, x);
        check(&t, never, false);
        let large = t.bv_u64(18, 9);
        let is_large = t.eq(remainder, large);
        check(&t, is_large, true);
        let mut solver = create_solver(&SolverChoice::Bitwuzla).expect("starts");
        for _ in 0..2 {
            solver.push().expect("a level");
            solver.assert(&t, never).expect("asserts");
            let answer = solver.check(&t, &[], &Limits::default()).expect("an answer");
            assert_eq!(answer, SatResult::Unsat);
            solver.pop().expect("a level");
        }
    }
}

#[test]
fn arrays() {
    let mut t = Terms::new();
    let sort = Sort::Array { index: 8, element: 8 };
    let (a, i, j) = (
        t.variable("a", sort),
        t.variable("i", Sort::BitVec(8)),
        t.variable("j", Sort::BitVec(8)),
    );
    let (v, zero) = (t.bv_u64(8, 77), t.bv_u64(8, 0));
    let b = t.store(a, i, v);
    let (read, old) = (t.select(b, j), t.select(a, j));
    let differs = t.distinct(read, old);
    let apart = t.distinct(i, j);
    let never = t.and(differs, apart);
    check(&t, never, false);
    check(&t, differs, true);
    let constant = t.const_array(8, zero);
    let same = t.eq(a, constant);
    let formula = t.and(same, differs);
    check(&t, formula, true);
}

#[test]
fn float_arithmetic() {
    let mut t = Terms::new();
    let format = FloatFormat::Binary16;
    let (x, y) = (
        t.variable("x", Sort::Float(format)),
        t.variable("y", Sort::Float(format)),
    );
    let mode = t.variable("mode", Sort::RoundingMode);
    let near = t.rounding(RoundingMode::NearestEven);
    let (a, b) = (t.fp_add(mode, x, y), t.fp_add(near, x, y));
    let differ = t.fp_lt(a, b);
    check(&t, differ, true);
    let (up, down) = (
        t.rounding(RoundingMode::Upward),
        t.rounding(RoundingMode::Downward),
    );
    let (a, b) = (t.fp_add(up, x, y), t.fp_add(down, x, y));
    let never = t.fp_lt(a, b);
    check(&t, never, false);
}

#[test]
fn nan_payloads_are_kept_and_operations_give_the_canonical_nan() {
    let mut t = Terms::new();
    let format = FloatFormat::Binary32;
    let x = t.variable("x", Sort::Float(format));
    let bits = t.fp_to_bits(x);
    let k = t.bv_u64(32, 0xffc1_2345);
    let formula = t.eq(bits, k);
    check(&t, formula, true);
    let mode = t.rounding(RoundingMode::NearestEven);
    let sum = t.fp_add(mode, x, x);
    let (sum_bits, nan) = (t.fp_to_bits(sum), t.fp_is_nan(sum));
    let canonical = t.bv(Float::nan(format).to_bits());
    let other = t.distinct(sum_bits, canonical);
    let never = t.and(nan, other);
    check(&t, never, false);
    let always = t.and(nan, formula);
    check(&t, always, true);
}

#[test]
fn side_conditions_survive_levels() {
    for choice in choices() {
        let mut t = Terms::new();
        let x = t.variable("x", Sort::Float(FloatFormat::Binary32));
        let mode = t.rounding(RoundingMode::NearestEven);
        let sum = t.fp_add(mode, x, x);
        let bits = t.fp_to_bits(sum);
        let one = t.float(Float::one(FloatFormat::Binary32));
        let k = t.bv_u64(32, 0x4000_0000);
        let is_one = t.fp_eq(x, one);
        let is_two = t.eq(bits, k);
        let not_two = t.not(is_two);
        let mut solver = create_solver(&choice).expect("installed");
        solver.assert(&t, is_one).expect("assert");
        for _ in 0..3 {
            solver.push().expect("push");
            solver.assert(&t, not_two).expect("assert");
            assert_eq!(
                solver.check(&t, &[], &Limits::default()),
                Ok(SatResult::Unsat),
                "{choice:?}"
            );
            solver.pop().expect("pop");
            assert_eq!(
                solver.check(&t, &[is_two], &Limits::default()),
                Ok(SatResult::Sat),
                "{choice:?}"
            );
            assert_eq!(
                solver.check(&t, &[not_two], &Limits::default()),
                Ok(SatResult::Unsat),
                "{choice:?}"
            );
        }
    }
}

#[test]
fn x87_bits() {
    let mut t = Terms::new();
    let format = FloatFormat::X87Extended;
    let bits = t.variable("bits", Sort::BitVec(80));
    let x = t.fp_from_bits(format, bits);
    let one = t.float(Float::one(format));
    let equal = t.fp_eq(x, one);
    let k = t.bv(Float::one(format).to_bits());
    let same = t.eq(bits, k);
    let differ = t.not(same);
    let never = t.and(equal, differ);
    check(&t, never, false);
    check(&t, equal, true);
    let mode = t.rounding(RoundingMode::NearestEven);
    let double = t.fp_add(mode, x, x);
    let double_bits = t.fp_to_bits(double);
    let k = t.bv(Float::one(format)
        .add(Float::one(format), RoundingMode::NearestEven)
        .to_bits());
    let wrong = t.distinct(double_bits, k);
    let never = t.and(equal, wrong);
    check(&t, never, false);
}

#[test]
fn conversions_out_of_range_are_defined() {
    for (value, signed, unsigned) in [
        (300.0f32, 0x80, 0xff),
        (-1.0, 0xff, 0xff),
        (-0.75, 0, 0),
        (f32::NAN, 0x80, 0xff),
        (-128.5, 0x80, 0xff),
        (-129.0, 0x80, 0xff),
        (127.9, 0x7f, 0x7f),
        (255.9, 0x80, 0xff),
        (-300.0, 0x80, 0xff),
    ] {
        let mut t = Terms::new();
        let x = t.variable("x", Sort::Float(FloatFormat::Binary32));
        let k = t.bv_u64(32, u64::from(value.to_bits()));
        let bits = t.fp_to_bits(x);
        let given = t.eq(bits, k);
        let mode = t.rounding(RoundingMode::TowardZero);
        let (s, u) = (t.fp_to_signed(mode, 8, x), t.fp_to_unsigned(mode, 8, x));
        let (ks, ku) = (t.bv_u64(8, signed), t.bv_u64(8, unsigned));
        let (s, u) = (t.eq(s, ks), t.eq(u, ku));
        let both = t.and(s, u);
        let holds = t.and(given, both);
        check(&t, holds, true);
        let wrong = t.not(both);
        let never = t.and(given, wrong);
        check(&t, never, false);
    }
}

#[test]
fn limits_end_a_check() {
    // A product of two primes, each factor not 1: too hard for a quarter of a second.
    for choice in choices() {
        let mut t = Terms::new();
        let (x, y) = (
            t.variable("x", Sort::BitVec(80)),
            t.variable("y", Sort::BitVec(80)),
        );
        let k = t.bv(BitVec::new(80, 1_099_511_627_791 * 1_099_511_627_803));
        let one = t.bv_u64(80, 1);
        let product = t.bv_mul(x, y);
        let half = t.bv_u64(80, 1 << 41);
        let parts = [
            t.eq(product, k),
            t.bv_ult(one, x),
            t.bv_ult(one, y),
            t.bv_ult(x, half),
            t.bv_ult(y, half),
        ];
        let formula = t.and_all(parts);
        let overflow = t.bv_umulo(x, y);
        let mut solver = create_solver(&choice).expect("installed");
        solver.assert(&t, formula).expect("assert");
        let exact = t.not(overflow);
        solver.assert(&t, exact).expect("assert");
        let start = Instant::now();
        let limits = Limits {
            deadline: Some(start + Duration::from_millis(250)),
            ..Limits::default()
        };
        let answer = solver.check(&t, &[], &limits).expect("check");
        assert!(matches!(answer, SatResult::Unknown(_)), "{choice:?}: {answer:?}");
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "{choice:?} took {:?}",
            start.elapsed()
        );
    }
}

#[test]
fn a_missing_or_dying_program_is_an_error() {
    let error = create_solver(&SolverChoice::parse("no-such-solver --flag").expect("a command")).err();
    let error = error.expect("cannot start").to_string();
    assert!(
        error.contains("no-such-solver") && error.contains("install"),
        "{error}"
    );

    let mut t = Terms::new();
    let x = t.variable("x", Sort::Bool);
    let command = ["sh", "-c", "echo out of luck >&2; exit 7"]
        .map(str::to_owned)
        .to_vec();
    // It may be dead before or after its options are sent.
    let error = match create_solver(&SolverChoice::External(command)) {
        Err(error) => error,
        Ok(mut solver) => {
            solver.assert(&t, x).expect("kept");
            solver.check(&t, &[], &Limits::default()).expect_err("dead")
        }
    };
    let error = error.to_string();
    assert!(error.contains("out of luck"), "{error}");

    let command = [
        "sh",
        "-c",
        "read a; echo '(error \"no such logic\")'; cat > /dev/null",
    ]
    .map(str::to_owned)
    .to_vec();
    let mut solver = create_solver(&SolverChoice::External(command)).expect("sh starts");
    solver.assert(&t, x).expect("kept");
    let error = solver
        .check(&t, &[], &Limits::default())
        .expect_err("refuses")
        .to_string();
    assert!(error.contains("no such logic"), "{error}");
}

#[test]
fn cross_check_reports_disagreement() {
    let mut t = Terms::new();
    let x = t.variable("x", Sort::BitVec(8));
    let k = t.bv_u64(8, 3);
    let formula = t.bv_ult(x, k);
    let pair =
        |second: SolverChoice| SolverChoice::CrossCheck(Box::new(SolverChoice::Bitwuzla), Box::new(second));
    let mut solver = create_solver(&pair(SolverChoice::parse("z3").expect("known"))).expect("installed");
    solver.assert(&t, formula).expect("assert");
    assert_eq!(solver.check(&t, &[], &Limits::default()), Ok(SatResult::Sat));
    assert_eq!(solver.value(&t, formula), Some(Value::Bool(true)));

    let liar = [
        "sh",
        "-c",
        "while read line; do case $line in *check-sat*) echo unsat;; esac; done",
    ];
    let mut solver =
        create_solver(&pair(SolverChoice::External(liar.map(str::to_owned).to_vec()))).expect("sh");
    solver.assert(&t, formula).expect("assert");
    let error = solver
        .check(&t, &[], &Limits::default())
        .expect_err("disagree")
        .to_string();
    assert!(error.contains("answers"), "{error}");
}

#[test]
fn dumped_queries_are_scripts_other_solvers_read() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let mut t = Terms::new();
    let x = t.variable("odd |name\\ $é", Sort::BitVec(8));
    let k = t.bv_u64(8, 3);
    let formula = t.bv_umulo(x, x);
    let small = t.bv_ult(x, k);
    let choice = SolverChoice::Dump(Box::new(SolverChoice::Bitwuzla), directory.path().join("queries"));
    let mut solver = create_solver(&choice).expect("made");
    solver.assert(&t, formula).expect("assert");
    solver.push().expect("push");
    assert_eq!(
        solver.check(&t, &[small], &Limits::default()),
        Ok(SatResult::Unsat)
    );
    solver.pop().expect("pop");
    assert_eq!(solver.check(&t, &[], &Limits::default()), Ok(SatResult::Sat));
    for (query, expected) in [("query-0001.smt2", "unsat"), ("query-0002.smt2", "sat")] {
        let path = directory.path().join("queries").join(query);
        let output = std::process::Command::new("z3")
            .arg(&path)
            .output()
            .expect("z3 runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected);
    }
}

#[test]
fn assumptions_that_exclude_each_other_are_told() {
    let mut t = Terms::new();
    let x = t.variable("x", Sort::BitVec(16));
    let mut solver = create_solver_with_cores().expect("the embedded solver");
    let bounds: Vec<TermId> = (1..=10)
        .map(|number| {
            let bound = t.bv_u64(16, number * 100);
            t.bv_ult(x, bound)
        })
        .collect();
    let limit = t.bv_u64(16, 300);
    let large = t.bv_ule(limit, x);
    for last in 0..bounds.len() {
        let assumed = [&bounds[last..], &[large]].concat();
        let answer = solver.check(&t, &assumed, &Limits::default()).expect("check");
        if last > 2 {
            assert_eq!(answer, SatResult::Sat);
            assert!(solver.excluding().is_err(), "there is a model");
            return;
        }
        assert_eq!(answer, SatResult::Unsat);
        let numbers = solver.excluding().expect("an answer").expect("cores");
        let core: Vec<TermId> = numbers.into_iter().map(|number| assumed[number]).collect();
        assert!(core.contains(&large));
        check_together(&t, &core);
    }
}

/// The conditions have no model together.
fn check_together(terms: &Terms, conditions: &[TermId]) {
    let mut solver = create_solver(&SolverChoice::Default).expect("the embedded solver");
    let answer = solver
        .check(terms, conditions, &Limits::default())
        .expect("check");
    assert_eq!(answer, SatResult::Unsat);
}
