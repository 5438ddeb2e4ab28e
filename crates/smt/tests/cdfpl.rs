//! The float family of D'Silva et al. (TACAS 2012): Newton steps, sine and square root polynomials
//! on one input. The terms are built as the C programs compute.

use std::time::{Duration, Instant};

use kripke_smt::interval_search::{Budget, IntervalSearch, Outcome};
use kripke_smt::{Limits, Portfolio, SatResult, Solver, Sort, TermId, Terms, Value};
use kripke_value::{Float, FloatFormat, RoundingMode};

/// Builds float expressions like C does.
struct Program {
    t: Terms,
    mode: TermId,
    input: TermId,
    conditions: Vec<TermId>,
}

impl Program {
    fn new() -> Self {
        let mut t = Terms::new();
        let mode = t.rounding(RoundingMode::NearestEven);
        // Read from bits, as a C program's input is.
        let bits = t.variable("IN", Sort::BitVec(32));
        let input = t.fp_from_bits(FloatFormat::Binary32, bits);
        Program {
            t,
            mode,
            input,
            conditions: Vec::new(),
        }
    }
    fn k(&mut self, value: f32) -> TermId {
        self.t.float(Float::from_f32(value))
    }
    fn power(&mut self, x: TermId, exponent: u32) -> TermId {
        (1..exponent).fold(x, |product, _| self.t.fp_mul(self.mode, product, x))
    }
    /// `((c0 * x) ..)`: the coefficient first, then factors from the left.
    fn scaled(&mut self, factor: f32, x: TermId, exponent: u32) -> TermId {
        let factor = self.k(factor);
        (0..exponent).fold(factor, |product, _| self.t.fp_mul(self.mode, product, x))
    }
    fn over(&mut self, a: TermId, divisor: f32) -> TermId {
        let divisor = self.k(divisor);
        self.t.fp_div(self.mode, a, divisor)
    }
    fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.t.fp_add(self.mode, a, b)
    }
    fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.t.fp_sub(self.mode, a, b)
    }
    fn sine(&mut self, x: TermId) -> TermId {
        let (p3, p5, p7) = (self.power(x, 3), self.power(x, 5), self.power(x, 7));
        let (q3, q5, q7) = (self.over(p3, 6.0), self.over(p5, 120.0), self.over(p7, 5040.0));
        let sum = self.sub(x, q3);
        let sum = self.add(sum, q5);
        self.add(sum, q7)
    }
    fn sine_derivative(&mut self, x: TermId) -> TermId {
        let (p2, p4, p6) = (self.power(x, 2), self.power(x, 4), self.power(x, 6));
        let (q2, q4, q6) = (self.over(p2, 2.0), self.over(p4, 24.0), self.over(p6, 720.0));
        let one = self.k(1.0);
        let sum = self.sub(one, q2);
        let sum = self.add(sum, q4);
        self.add(sum, q6)
    }
    fn square_root(&mut self, x: TermId) -> TermId {
        let one = self.k(1.0);
        let (t1, t2) = (self.scaled(0.5, x, 1), self.scaled(0.125, x, 2));
        let (t3, t4) = (self.scaled(0.0625, x, 3), self.scaled(0.0390625, x, 4));
        let sum = self.add(one, t1);
        let sum = self.sub(sum, t2);
        let sum = self.add(sum, t3);
        self.sub(sum, t4)
    }
    fn assume_between(&mut self, low: f32, closed: bool, high: f32) {
        let (low, high) = (self.k(low), self.k(high));
        let above = if closed {
            self.t.fp_le(low, self.input)
        } else {
            self.t.fp_lt(low, self.input)
        };
        let below = self.t.fp_lt(self.input, high);
        self.conditions.extend([above, below]);
    }
    fn double(&mut self, x: TermId) -> TermId {
        self.t.fp_convert(self.mode, FloatFormat::Binary64, x)
    }
    fn violates(&mut self, condition: TermId) {
        let violated = self.t.not(condition);
        self.conditions.push(violated);
    }
}

fn newton(steps: u32, bound: f32) -> Program {
    let mut p = Program::new();
    p.assume_between(-bound, false, bound);
    let mut x = p.input;
    for _ in 0..steps {
        let (value, slope) = (p.sine(x), p.sine_derivative(x));
        let quotient = p.t.fp_div(p.mode, value, slope);
        x = p.sub(x, quotient);
    }
    let (wide, limit) = (p.double(x), p.t.float(Float::from_f64(0.1)));
    let small = p.t.fp_lt(wide, limit);
    p.violates(small);
    p
}

fn sine(bound: Float) -> Program {
    let mut p = Program::new();
    let half_pi = std::f32::consts::FRAC_PI_2;
    p.assume_between(-half_pi, false, half_pi);
    let mut result = p.sine(p.input);
    if bound.format() == FloatFormat::Binary64 {
        result = p.double(result);
    }
    let (high, low) = (p.t.float(bound), p.t.float(bound.neg()));
    let (below, above) = (p.t.fp_le(result, high), p.t.fp_le(low, result));
    let inside = p.t.and(below, above);
    p.violates(inside);
    p
}

fn square(bound: Float) -> Program {
    let mut p = Program::new();
    p.assume_between(0.0, true, 1.0);
    let mut result = p.square_root(p.input);
    if bound.format() == FloatFormat::Binary64 {
        result = p.double(result);
    }
    let format = p.t.sort(result).format();
    let (zero, high) = (p.t.float(Float::zero(format, false)), p.t.float(bound));
    let (above, below) = (p.t.fp_le(zero, result), p.t.fp_lt(result, high));
    let inside = p.t.and(above, below);
    p.violates(inside);
    p
}

fn family() -> Vec<(String, Program)> {
    let mut all = Vec::new();
    for steps in 1..=3 {
        for (j, bound) in [0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 2.0].into_iter().enumerate() {
            all.push((format!("newton_{steps}_{}", j + 1), newton(steps, bound)));
        }
    }
    let mut bounds = vec![Float::from_f64(0.99)];
    bounds.extend([1.0, 1.001, 1.01, 1.1, 1.2, 1.5, 2.0].map(Float::from_f32));
    for (j, bound) in bounds.into_iter().enumerate() {
        all.push((format!("sine_{}", j + 1), sine(bound)));
    }
    let bounds = [1.39, 1.398, 1.39843, 1.39844, 1.3985, 1.399, 1.4, 1.5].map(Float::from_f64);
    for (j, bound) in bounds.into_iter().enumerate() {
        all.push((format!("square_{}", j + 1), square(bound)));
    }
    all
}

/// Which programs have a violation.
fn is_violated(name: &str) -> bool {
    let numbers: Vec<u32> = name.split('_').filter_map(|part| part.parse().ok()).collect();
    match (name.split('_').next(), &numbers[..]) {
        (Some("newton"), &[1, bound]) => bound >= 4,
        (Some("newton"), &[_, bound]) => bound >= 6,
        (_, &[bound]) => bound <= 3,
        _ => unreachable!("{name}"),
    }
}

#[test]
fn interval_search_decides_the_family() {
    let start = Instant::now();
    for (name, program) in family() {
        let mut search = IntervalSearch::new(&program.t, &program.conditions).expect("applies");
        let budget = Budget {
            boxes: 100_000,
            deadline: Some(start + Duration::from_secs(60)),
            stop: None,
        };
        let outcome = search.run(&program.t, &program.conditions, &budget);
        match outcome {
            Outcome::Sat(_) => assert!(is_violated(&name), "{name}"),
            Outcome::Unsat => assert!(!is_violated(&name), "{name}"),
            Outcome::Unknown => panic!("{name} is not decided in {} boxes", search.visited()),
        }
    }
}

#[test]
fn no_sampled_input_violates_what_is_proved() {
    for (name, program) in family().into_iter().filter(|(name, _)| !is_violated(name)) {
        let mut bits: u32 = 1;
        for _ in 0..2000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Mostly magnitudes near one, where the bounds are tight.
            let value = f32::from_bits(bits & 0x81ff_ffff | 0x3e00_0000);
            let assignment = |_| Value::BitVec(Float::from_f32(value).to_bits());
            let violated = program
                .conditions
                .iter()
                .all(|&c| program.t.evaluate(c, &assignment) == Value::Bool(true));
            assert!(!violated, "{name} at {value}");
        }
    }
}

#[test]
fn the_default_solver_gives_models() {
    for (name, program) in family().into_iter().step_by(3) {
        let mut solver = Portfolio::default();
        for &condition in &program.conditions {
            solver.assert(&program.t, condition).expect("assert");
        }
        let answer = solver.check(&program.t, &[], &Limits::default()).expect("check");
        assert_eq!(answer == SatResult::Sat, is_violated(&name), "{name}");
        if answer == SatResult::Sat {
            for &condition in &program.conditions {
                assert_eq!(
                    solver.value(&program.t, condition),
                    Some(Value::Bool(true)),
                    "{name}"
                );
            }
        }
    }
}
