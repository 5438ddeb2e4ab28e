//! Intervals of floats with exact bounds.
//!
//! Idea: every IEEE operation is monotone in each operand (on the pieces treated here), and rounding
//! is monotone, so evaluating an operation at the ends of an interval *in the term's own format and
//! rounding mode* gives ends that are reached; there is no outward widening to lose. In modes other
//! than nearest-even the result lies within one step of the nearest-even one, so the ends move by
//! one float.
//!
//! A set of floats is an interval of numbers (infinities included) and a flag for NaN. The two zeros
//! are one value here; operations that tell them apart answer for both.
//!
//! Binary32 numbers are kept as `f64`, which holds them exactly.

/// A set of floats: the numbers from `low` to `high`, and NaN when `nan`. No numbers when
/// `low > high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) nan: bool,
}

/// The two formats that the processor computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    Single,
    Double,
}

impl Precision {
    /// A `f64` computation on two numbers of this format, rounded to this format.
    fn of2(self, a: f64, b: f64, single: fn(f32, f32) -> f32, double: fn(f64, f64) -> f64) -> f64 {
        match self {
            Precision::Single => f64::from(single(a as f32, b as f32)),
            Precision::Double => double(a, b),
        }
    }

    /// The next number of the format above or below.
    fn step(self, value: f64, up: bool) -> f64 {
        match (self, up) {
            (Precision::Single, true) => f64::from((value as f32).next_up()),
            (Precision::Single, false) => f64::from((value as f32).next_down()),
            (Precision::Double, true) => value.next_up(),
            (Precision::Double, false) => value.next_down(),
        }
    }

    fn min_normal(self) -> f64 {
        match self {
            Precision::Single => f64::from(f32::MIN_POSITIVE),
            Precision::Double => f64::MIN_POSITIVE,
        }
    }
}

impl Interval {
    /// No value at all.
    pub(crate) const EMPTY: Interval = Interval {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        nan: false,
    };
    /// Any float.
    pub(crate) const TOP: Interval = Interval {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        nan: true,
    };
    /// NaN alone.
    pub(crate) const NAN: Interval = Interval {
        nan: true,
        ..Interval::EMPTY
    };

    /// The numbers between two.
    pub(crate) fn new(low: f64, high: f64) -> Self {
        Interval {
            low,
            high,
            nan: false,
        }
    }

    /// One value.
    pub(crate) fn point(value: f64) -> Self {
        if value.is_nan() {
            Self::NAN
        } else {
            Self::new(value, value)
        }
    }

    /// True when there is no number in it.
    pub(crate) fn has_no_number(self) -> bool {
        self.low > self.high
    }

    fn contains_zero(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }

    fn contains_infinity(self) -> bool {
        !self.has_no_number() && (self.low == f64::NEG_INFINITY || self.high == f64::INFINITY)
    }

    /// Either of two.
    pub(crate) fn union(self, other: Self) -> Self {
        Interval {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            nan: self.nan || other.nan,
        }
    }

    /// For a result that is not rounded to nearest-even: one step further out.
    pub(crate) fn outward(self, precision: Precision) -> Self {
        if self.has_no_number() {
            return self;
        }
        Interval {
            low: precision.step(self.low, false),
            high: precision.step(self.high, true),
            ..self
        }
    }

    pub(crate) fn neg(self) -> Self {
        Interval {
            low: -self.high,
            high: -self.low,
            nan: self.nan,
        }
    }

    pub(crate) fn abs(self) -> Self {
        if self.has_no_number() {
            return self;
        }
        let (a, b) = (self.low.abs(), self.high.abs());
        Interval {
            low: if self.contains_zero() { 0.0 } else { a.min(b) },
            high: a.max(b),
            nan: self.nan,
        }
    }

    pub(crate) fn add(self, other: Self, precision: Precision) -> Self {
        if self.has_no_number() || other.has_no_number() {
            return Interval {
                nan: self.nan || other.nan,
                ..Self::EMPTY
            };
        }
        let sum = |a, b| precision.of2(a, b, |a, b| a + b, |a, b| a + b);
        let (low, high) = (sum(self.low, other.low), sum(self.high, other.high));
        let opposite = self.low == f64::NEG_INFINITY && other.high == f64::INFINITY
            || self.high == f64::INFINITY && other.low == f64::NEG_INFINITY;
        Interval {
            low: if low.is_nan() { f64::NEG_INFINITY } else { low },
            high: if high.is_nan() { f64::INFINITY } else { high },
            nan: self.nan || other.nan || opposite,
        }
    }

    pub(crate) fn mul(self, other: Self, precision: Precision) -> Self {
        if self.has_no_number() || other.has_no_number() {
            return Interval {
                nan: self.nan || other.nan,
                ..Self::EMPTY
            };
        }
        let product = |a, b| {
            let product = precision.of2(a, b, |a, b| a * b, |a, b| a * b);
            // 0 * infinity: the products near it are zeros and infinities that other corners give.
            if product.is_nan() { 0.0 } else { product }
        };
        let corners = [
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ];
        let undefined = self.contains_zero() && other.contains_infinity()
            || self.contains_infinity() && other.contains_zero();
        Interval {
            nan: self.nan || other.nan || undefined,
            ..hull(corners)
        }
    }

    /// A number times itself.
    pub(crate) fn square(self, precision: Precision) -> Self {
        let magnitude = self.abs();
        if magnitude.has_no_number() {
            return magnitude;
        }
        let square = |a| precision.of2(a, a, |a, b| a * b, |a, b| a * b);
        Interval {
            low: square(magnitude.low),
            high: square(magnitude.high),
            nan: self.nan,
        }
    }

    pub(crate) fn div(self, other: Self, precision: Precision) -> Self {
        if self.has_no_number() || other.has_no_number() {
            return Interval {
                nan: self.nan || other.nan,
                ..Self::EMPTY
            };
        }
        let undefined = self.contains_zero() && other.contains_zero()
            || self.contains_infinity() && other.contains_infinity();
        let nan = self.nan || other.nan || undefined;
        if other.contains_zero() {
            return Interval { nan, ..Self::TOP };
        }
        let quotient = |a, b| {
            let quotient = precision.of2(a, b, |a, b| a / b, |a, b| a / b);
            // infinity / infinity: quotients near it lie between zero and the other corners.
            if quotient.is_nan() { 0.0 } else { quotient }
        };
        let corners = [
            quotient(self.low, other.low),
            quotient(self.low, other.high),
            quotient(self.high, other.low),
            quotient(self.high, other.high),
        ];
        if undefined {
            // A finite number over an infinite one is zero, an infinite one over a finite one infinite.
            return Interval { nan, ..Self::TOP };
        }
        Interval { nan, ..hull(corners) }
    }

    pub(crate) fn fma(self, factor: Self, addend: Self, precision: Precision) -> Self {
        if self.has_no_number() || factor.has_no_number() || addend.has_no_number() {
            return Interval {
                nan: self.nan || factor.nan || addend.nan,
                ..Self::EMPTY
            };
        }
        if self.contains_infinity() || factor.contains_infinity() || addend.contains_infinity() {
            return Self::TOP;
        }
        let fused = |a: f64, b: f64, c: f64| match precision {
            Precision::Single => f64::from((a as f32).mul_add(b as f32, c as f32)),
            Precision::Double => a.mul_add(b, c),
        };
        let ends = |c| {
            hull([
                fused(self.low, factor.low, c),
                fused(self.low, factor.high, c),
                fused(self.high, factor.low, c),
                fused(self.high, factor.high, c),
            ])
        };
        Interval {
            low: ends(addend.low).low,
            high: ends(addend.high).high,
            nan: self.nan || factor.nan || addend.nan,
        }
    }

    pub(crate) fn sqrt(self, precision: Precision) -> Self {
        if self.has_no_number() || self.high < 0.0 {
            return Interval {
                nan: self.nan || self.high < 0.0 && !self.has_no_number(),
                ..Self::EMPTY
            };
        }
        let root = |a: f64| match precision {
            Precision::Single => f64::from((a as f32).sqrt()),
            Precision::Double => a.sqrt(),
        };
        Interval {
            low: root(self.low.max(0.0)),
            high: root(self.high),
            nan: self.nan || self.low < 0.0,
        }
    }

    /// The IEEE remainder: at most half the divisor, and no larger than the dividend.
    pub(crate) fn rem(self, other: Self) -> Self {
        if self.has_no_number() || other.has_no_number() {
            return Interval {
                nan: self.nan || other.nan,
                ..Self::EMPTY
            };
        }
        let bound = self.abs().high.min(other.abs().high);
        let nan = self.nan || other.nan || other.contains_zero() || self.contains_infinity();
        Interval {
            low: -bound,
            high: bound,
            nan,
        }
    }

    /// Rounded to integers by a monotone function.
    pub(crate) fn round(self, down: fn(f64) -> f64, up: fn(f64) -> f64) -> Self {
        if self.has_no_number() {
            return self;
        }
        Interval {
            low: down(self.low),
            high: up(self.high),
            nan: self.nan,
        }
    }

    /// Converted to binary32.
    pub(crate) fn narrow(self) -> Self {
        if self.has_no_number() {
            return self;
        }
        Interval {
            low: f64::from(self.low as f32),
            high: f64::from(self.high as f32),
            nan: self.nan,
        }
    }

    /// Three-valued `self < other`.
    pub(crate) fn lt(self, other: Self) -> Truth {
        Truth::new(
            self.low < other.high && !self.has_no_number() && !other.has_no_number(),
            self.nan || other.nan || self.high >= other.low,
        )
        .unless_empty(self, other)
    }

    /// Three-valued `self <= other`.
    pub(crate) fn le(self, other: Self) -> Truth {
        Truth::new(
            self.low <= other.high && !self.has_no_number() && !other.has_no_number(),
            self.nan || other.nan || self.high > other.low,
        )
        .unless_empty(self, other)
    }

    /// Three-valued IEEE equality.
    pub(crate) fn ieee_eq(self, other: Self) -> Truth {
        let meet = self.low <= other.high && other.low <= self.high;
        let one = self.low == self.high && other.low == other.high && self.low == other.low;
        Truth::new(meet, self.nan || other.nan || !one).unless_empty(self, other)
    }

    /// Three-valued equality of values: NaN is equal to NaN, and the zeros differ.
    pub(crate) fn same(self, other: Self) -> Truth {
        let meet = self.low <= other.high && other.low <= self.high;
        let one =
            self.low == self.high && other.low == other.high && self.low == other.low && self.low != 0.0;
        let both_nan = self == Self::NAN && other == Self::NAN;
        let numbers = one && !self.nan && !other.nan;
        Truth::new(meet || self.nan && other.nan, !(both_nan || numbers))
    }

    /// Three-valued tests of class.
    pub(crate) fn is_nan(self) -> Truth {
        Truth::new(self.nan, !self.has_no_number())
    }

    pub(crate) fn is_infinite(self) -> Truth {
        let number = !self.has_no_number();
        let only = self.low == self.high && self.low.is_infinite();
        Truth::new(number && self.contains_infinity(), self.nan || number && !only)
    }

    pub(crate) fn is_zero(self) -> Truth {
        let number = !self.has_no_number();
        let only = self.low == 0.0 && self.high == 0.0;
        Truth::new(number && self.contains_zero(), self.nan || number && !only)
    }

    /// Normal, when `subnormal` is false; otherwise not zero and smaller than that.
    pub(crate) fn is_in_class(self, subnormal: bool, precision: Precision) -> Truth {
        if self.has_no_number() {
            return Truth::new(false, self.nan);
        }
        let (magnitude, least) = (self.abs(), precision.min_normal());
        if subnormal {
            let all = magnitude.low > 0.0 && magnitude.high < least;
            return Truth::new(magnitude.low < least && magnitude.high > 0.0, self.nan || !all);
        }
        let all = magnitude.low >= least && magnitude.high < f64::INFINITY;
        Truth::new(
            magnitude.high >= least && magnitude.low < f64::INFINITY,
            self.nan || !all,
        )
    }

    pub(crate) fn is_negative(self) -> Truth {
        let number = !self.has_no_number();
        Truth::new(number && self.low <= 0.0, self.nan || number && self.high >= 0.0)
    }
}

fn hull(values: [f64; 4]) -> Interval {
    let low = values[0].min(values[1]).min(values[2].min(values[3]));
    let high = values[0].max(values[1]).max(values[2].max(values[3]));
    Interval::new(low, high)
}

/// What a truth value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Truth(u8);

impl Truth {
    pub(crate) const TRUE: Truth = Truth(1);
    pub(crate) const FALSE: Truth = Truth(2);
    pub(crate) const EITHER: Truth = Truth(3);

    pub(crate) fn new(can_be_true: bool, can_be_false: bool) -> Self {
        Truth(u8::from(can_be_true) | u8::from(can_be_false) << 1)
    }

    pub(crate) fn known(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    pub(crate) fn can_be_true(self) -> bool {
        self.0 & 1 != 0
    }

    pub(crate) fn can_be_false(self) -> bool {
        self.0 & 2 != 0
    }

    /// A comparison of nothing has no outcome; both are allowed, which is sound.
    fn unless_empty(self, a: Interval, b: Interval) -> Self {
        let empty = |x: Interval| x.has_no_number() && !x.nan;
        if empty(a) || empty(b) { Self::EITHER } else { self }
    }

    pub(crate) fn not(self) -> Self {
        Truth::new(self.can_be_false(), self.can_be_true())
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Truth(self.0 & other.0 & 1 | (self.0 | other.0) & 2)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    pub(crate) fn same(self, other: Self) -> Self {
        Truth::new(self.0 & other.0 != 0, self.0 & other.not().0 != 0)
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Truth(self.0 | other.0)
    }
}
