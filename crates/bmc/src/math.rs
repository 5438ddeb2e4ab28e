//! Functions of analysis (sin, exp, pow, …): exact on constants, refined on unknowns.
//!
//! Idea: a solver knows nothing of such functions, so what one gives is a variable, one for each function and
//! arguments. Where a model of the solver gives it a value that no C library does, the function's true value
//! at that point becomes a lemma that excludes the model, and as much around it as the function's course
//! tells, and the solver is asked again (abstraction refinement as in Cimatti et al., "Incremental
//! Linearization for Satisfiability and Verification Modulo Nonlinear Arithmetic and Transcendental
//! Functions", TOCL 2018).
//!
//! Invariant: a lemma speaks of a function's arguments and value and of nothing else, so that it is true of
//! every path and bound. Each is a fact about the real function within the error of a C library; see
//! [`MathFunction::allowed`].

use kripke_elts::Type;
use kripke_smt::TermId;
use kripke_value::{BitVec, Course, Float, FloatFormat, MathFunction};

use crate::engine::Engine;
use crate::record::Event;
use crate::value::Value;

/// A value of a function of analysis along some path.
#[derive(Clone, Debug)]
pub struct Application {
    /// The path there.
    pub guard: TermId,
    /// Which function.
    pub function: MathFunction,
    /// Its arguments, floats of one format.
    pub arguments: Vec<TermId>,
    /// Its value, a float of that format.
    pub value: TermId,
}

impl Engine<'_> {
    /// The value of a function of analysis, where the guard holds, in a format and with rounding to nearest
    /// or another, in which C libraries promise less.
    pub(crate) fn math(
        &mut self,
        guard: TermId,
        function: MathFunction,
        arguments: Vec<TermId>,
        (format, nearest): (FloatFormat, bool),
    ) -> Value {
        let constants: Option<Vec<Float>> = arguments
            .iter()
            .map(|argument| self.terms.as_float(*argument).copied())
            .collect();
        let exact = constants.and_then(|constants| function.value(&constants));
        let name = function.name();
        let (bits, value) = match exact.filter(|_| nearest) {
            Some(exact) => {
                let text = format!("{name} of a constant is rounded correctly");
                self.run.record.assumptions.insert(text);
                let value = self.terms.float(exact);
                (self.terms.fp_to_bits(value), Value::Term(value))
            }
            None => {
                let tolerance = function.tolerance();
                let text = format!(
                    "{name} of the program's C library is the correctly rounded value, \
                     or at most {tolerance} neighbouring floats away"
                );
                self.run.record.assumptions.insert(text);
                let ids: Vec<String> = arguments.iter().map(|id| id.index().to_string()).collect();
                let (bits, value) =
                    self.unknown(&format!("{name}!of!{}", ids.join("!")), Type::Float(format));
                self.run.math.insert(bits);
                self.run.record.applications.push(Application {
                    guard,
                    function,
                    arguments,
                    value: value.term(),
                });
                (bits, value)
            }
        };
        self.run.record.events.push(Event::Input {
            guard,
            value: bits,
            ty: Type::Float(format),
        });
        value
    }

    /// Do conditions speak of what functions of analysis give? Whoever knows no lemma must not take values
    /// for such that satisfy them.
    pub(crate) fn speak_of_math(&self, conditions: &[TermId]) -> bool {
        let math = &self.run.math;
        if math.is_empty() {
            return false;
        }
        let spoken_of = self.terms.variables_of(conditions);
        spoken_of.iter().any(|variable| math.contains(variable))
    }

    /// Facts about a function that the claimed value at a point contradicts; none where a C library may give
    /// it.
    pub(crate) fn math_lemma(
        &mut self,
        application: &Application,
        point: &[Float],
        claimed: Float,
    ) -> Option<TermId> {
        let function = application.function;
        let exact = function.value(point)?;
        if function.allows(exact, claimed) {
            return None;
        }
        let here = self.at_point(application, point);
        let value = self.allowed_value(application, exact);
        let mut lemma = self.terms.implies(here, value);
        let around = match (function.course(), application.arguments.as_slice(), point) {
            _ if exact.is_nan() => None,
            (Course::Contracting, &[argument], &[at]) => {
                Some(self.near_point(application, argument, at, exact, claimed))
            }
            (course, &[argument], &[at]) if course != Course::Other => {
                let (argument, at) = match course {
                    Course::Decreasing => (self.terms.fp_neg(argument), at.neg()),
                    Course::EvenIncreasing => (self.terms.fp_abs(argument), at.abs()),
                    _ => (argument, at),
                };
                let mut all = self.terms.true_();
                for (at, exact) in telling_points(function, at, claimed) {
                    let beside = self.beside_point(application, argument, at, exact);
                    all = self.terms.and(all, beside);
                }
                Some(all)
            }
            (_, &[x, y], &[at_x, at_y]) => self.beside_pair(application, (x, y), (at_x, at_y), exact),
            _ => None,
        };
        if let Some(around) = around {
            lemma = self.terms.and(lemma, around);
        }
        Some(lemma)
    }

    /// Equal arguments, equal values.
    pub(crate) fn math_congruence(&mut self, a: &Application, b: &Application) -> TermId {
        let mut same = self.terms.true_();
        for (x, y) in a.arguments.iter().zip(&b.arguments) {
            let equal = self.terms.eq(*x, *y);
            same = self.terms.and(same, equal);
        }
        let equal = self.terms.eq(a.value, b.value);
        self.terms.implies(same, equal)
    }

    fn at_point(&mut self, application: &Application, point: &[Float]) -> TermId {
        let mut here = self.terms.true_();
        for (argument, at) in application.arguments.iter().zip(point) {
            let at = self.terms.float(*at);
            let equal = self.terms.eq(*argument, at);
            here = self.terms.and(here, equal);
        }
        here
    }

    /// The value is one that a C library may give.
    fn allowed_value(&mut self, application: &Application, exact: Float) -> TermId {
        if exact.is_nan() {
            return self.terms.fp_is_nan(application.value);
        }
        let (low, high) = application.function.allowed(exact);
        let (low, high) = (self.terms.float(low), self.terms.float(high));
        let above = self.terms.fp_le(low, application.value);
        let below = self.terms.fp_le(application.value, high);
        self.terms.and(above, below)
    }

    /// The value is not below what the exact one allows, or not above. Of no number neither is said, so that
    /// the function's domain need not be.
    fn bounded(&mut self, application: &Application, exact: Float, from_below: bool) -> TermId {
        let (low, high) = application.function.allowed(exact);
        let outside = match from_below {
            true => {
                let low = self.terms.float(low);
                self.terms.fp_lt(application.value, low)
            }
            false => {
                let high = self.terms.float(high);
                self.terms.fp_lt(high, application.value)
            }
        };
        self.terms.not(outside)
    }

    /// What an increasing function gives above a point and below it.
    fn beside_point(
        &mut self,
        application: &Application,
        argument: TermId,
        at: Float,
        exact: Float,
    ) -> TermId {
        let at = self.terms.float(at);
        let (above, below) = (self.terms.fp_le(at, argument), self.terms.fp_le(argument, at));
        let (large, small) = (
            self.bounded(application, exact, true),
            self.bounded(application, exact, false),
        );
        let (up, down) = (self.terms.implies(above, large), self.terms.implies(below, small));
        self.terms.and(up, down)
    }

    /// What a function that changes by no more than its argument gives near a point: within a third of the
    /// distance of the claimed value from the true one, if that is more than rounding hides.
    fn near_point(
        &mut self,
        application: &Application,
        argument: TermId,
        at: Float,
        exact: Float,
        claimed: Float,
    ) -> TermId {
        let format = exact.format();
        let (at, exact) = (at.to_f64(), exact.to_f64());
        // The values are at most 1: so much is more than the error of any of them.
        let slack = match format {
            FloatFormat::Binary32 => 1e-5,
            _ => 1e-14,
        };
        let distance = (claimed.to_f64() - exact).abs().min(2.0) / 3.0;
        // Where neighbouring arguments are that far apart the point is all that is known.
        let coarse = at.abs() * slack > distance;
        if !distance.is_finite() || distance < 4.0 * slack || coarse {
            return self.terms.true_();
        }
        let mut constant = |value: f64| {
            let value = Float::from_f64(value);
            let value = value.convert(format, kripke_value::RoundingMode::NearestEven);
            self.terms.float(value)
        };
        // Half the distance on the side of the argument absorbs the rounding of these sums.
        let reach = distance / 2.0;
        let (from, to) = (constant(at - reach), constant(at + reach));
        let (low, high) = (
            constant(exact - distance - slack),
            constant(exact + distance + slack),
        );
        let (after, before) = (self.terms.fp_le(from, argument), self.terms.fp_le(argument, to));
        let near = self.terms.and(after, before);
        let above = self.terms.fp_le(low, application.value);
        let below = self.terms.fp_le(application.value, high);
        let within = self.terms.and(above, below);
        self.terms.implies(near, within)
    }

    /// What `pow` and `hypot` give beside a point, where they are monotone.
    fn beside_pair(
        &mut self,
        application: &Application,
        (x, y): (TermId, TermId),
        (at_x, at_y): (Float, Float),
        exact: Float,
    ) -> Option<TermId> {
        let one = Float::one(at_x.format());
        match application.function {
            MathFunction::Hypot => {
                let (x, y) = (self.terms.fp_abs(x), self.terms.fp_abs(y));
                let (at_x, at_y) = (self.terms.float(at_x.abs()), self.terms.float(at_y.abs()));
                let mut sides = [true, false].map(|above| {
                    let order = |terms: &mut kripke_smt::Terms, at, argument| match above {
                        true => terms.fp_le(at, argument),
                        false => terms.fp_le(argument, at),
                    };
                    let (a, b) = (order(&mut self.terms, at_x, x), order(&mut self.terms, at_y, y));
                    let beside = self.terms.and(a, b);
                    let bound = self.bounded(application, exact, above);
                    self.terms.implies(beside, bound)
                });
                sides[0] = self.terms.and(sides[0], sides[1]);
                Some(sides[0])
            }
            // x^y grows with x where x > 0 and y > 0, and falls where y < 0.
            MathFunction::Pow if Float::zero(at_x.format(), false).lt(at_x) => {
                let (fixed_x, fixed_y) = (self.terms.float(at_x), self.terms.float(at_y));
                let (same_x, same_y) = (self.terms.eq(x, fixed_x), self.terms.eq(y, fixed_y));
                let zero = self.terms.float(Float::zero(at_x.format(), false));
                let positive = self.terms.fp_lt(zero, x);
                let row = self.terms.and(same_y, positive);
                let along_x = match at_y.sign_bit() {
                    false => self.beside_point(application, x, at_x, exact),
                    true => {
                        let negated = self.terms.fp_neg(x);
                        self.beside_point(application, negated, at_x.neg(), exact)
                    }
                };
                let along_y = match one.le(at_x) {
                    true => self.beside_point(application, y, at_y, exact),
                    false => {
                        let negated = self.terms.fp_neg(y);
                        self.beside_point(application, negated, at_y.neg(), exact)
                    }
                };
                let (rows, columns) = (
                    self.terms.implies(row, along_x),
                    self.terms.implies(same_x, along_y),
                );
                Some(self.terms.and(rows, columns))
            }
            _ => None,
        }
    }
}

/// Points whose values contradict the claimed one, with these values: the given one, the farthest one, and
/// one halfway. `at` is an argument of a function that is turned so that it increases.
fn telling_points(function: MathFunction, at: Float, claimed: Float) -> Vec<(Float, Float)> {
    let turned = |at: Float| {
        if function.course() == Course::Decreasing {
            at.neg()
        } else {
            at
        }
    };
    let value = |at: Float| function.value(&[turned(at)]).filter(|value| !value.is_nan());
    let Some(exact) = value(at) else {
        return Vec::new();
    };
    let too_high = function.allowed(exact).1.lt(claimed);
    let excluded = |at: Float| {
        value(at).is_some_and(|value| {
            let (low, high) = function.allowed(value);
            if too_high {
                high.lt(claimed)
            } else {
                claimed.lt(low)
            }
        })
    };
    let end = match (too_high, function.course()) {
        (false, Course::EvenIncreasing) => Float::zero(at.format(), false),
        (too_high, _) => Float::max_finite(at.format(), !too_high),
    };
    let (mut last, mut beyond) = (order(at), order(end));
    if excluded(end) {
        last = beyond;
    }
    while (beyond - last).abs() > 1 && excluded(at) {
        let middle = last + (beyond - last) / 2;
        match excluded(from_order(at.format(), middle)) {
            true => last = middle,
            false => beyond = middle,
        }
    }
    let halfway = order(at) + (last - order(at)) / 2;
    let mut points = vec![order(at), halfway, last];
    points.dedup();
    let points = points.into_iter().map(|point| from_order(at.format(), point));
    points.filter_map(|point| Some((point, value(point)?))).collect()
}

/// The position of a float of at most 64 bits among those of its format, zero at zero.
fn order(float: Float) -> i128 {
    let magnitude = float.abs().raw_bits() as i128;
    if float.sign_bit() { -magnitude } else { magnitude }
}

fn from_order(format: FloatFormat, order: i128) -> Float {
    let magnitude = BitVec::new(format.bits(), order.unsigned_abs());
    let float = Float::from_bits(format, &magnitude);
    if order < 0 { float.neg() } else { float }
}
