//! Functions of analysis (sin, exp, pow, …) on floats and doubles: their correctly rounded values, and how
//! far the C libraries may be from them.
//!
//! Idea: the value of a point is exact: CORE-MATH rounds correctly, which its authors prove or test
//! exhaustively (Sibidanov, Zimmermann, Glondu: The CORE-MATH Project, ARITH 2022). A C library may be some
//! units in the last place away ("Known Maximum Errors in Math Functions" of the GNU C Library's manual);
//! [`MathFunction::allowed`] is that window, taken wide enough for the usual libraries. Where the function is
//! monotone, the window of one point bounds the function's values on a whole side of it: rounding and
//! stepping to a neighbour are monotone too.

use crate::float::Float;
use crate::float_format::FloatFormat;

/// How a function of one argument runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// Never decreases where it is defined.
    Increasing,
    /// Never increases where it is defined.
    Decreasing,
    /// Even, and never decreases in the magnitude of its argument.
    EvenIncreasing,
    /// Changes by no more than its argument does.
    Contracting,
    /// None of these, or not in its whole domain.
    Other,
}

macro_rules! functions {
    ($(
        $variant:ident $name:literal $ulps:literal $course:ident
        $double:ident $single:ident ($($argument:ident)+)
    ),+ $(,)?) => {
        /// A function of analysis of C's `<math.h>`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are those of <math.h>")]
        pub enum MathFunction {
            $($variant),+
        }

        impl MathFunction {
            /// All of them.
            pub const ALL: &[MathFunction] = &[$(MathFunction::$variant),+];

            /// The name of the function on doubles.
            pub fn name(self) -> &'static str {
                match self {
                    $(MathFunction::$variant => $name),+
                }
            }

            /// How many arguments it takes.
            pub fn arity(self) -> usize {
                match self {
                    $(MathFunction::$variant => [$(stringify!($argument)),+].len()),+
                }
            }

            /// How it runs.
            pub fn course(self) -> Course {
                match self {
                    $(MathFunction::$variant => Course::$course),+
                }
            }

            /// By how many neighbouring floats a C library may miss the correctly rounded value.
            pub fn tolerance(self) -> u32 {
                match self {
                    $(MathFunction::$variant => $ulps),+
                }
            }

            fn double(self, arguments: &[f64]) -> Option<f64> {
                match (self, arguments) {
                    $((MathFunction::$variant, &[$($argument),+]) => {
                        Some(core_math::$double($($argument),+))
                    })+
                    _ => None,
                }
            }

            fn single(self, arguments: &[f32]) -> Option<f32> {
                match (self, arguments) {
                    $((MathFunction::$variant, &[$($argument),+]) => {
                        Some(core_math::$single($($argument),+))
                    })+
                    _ => None,
                }
            }
        }
    };
}

functions! {
    Sin "sin" 4 Contracting sin sinf (x),
    Cos "cos" 4 Contracting cos cosf (x),
    Tan "tan" 4 Other tan tanf (x),
    Asin "asin" 4 Increasing asin asinf (x),
    Acos "acos" 4 Decreasing acos acosf (x),
    Atan "atan" 4 Increasing atan atanf (x),
    Atan2 "atan2" 4 Other atan2 atan2f (y x),
    Sinh "sinh" 4 Increasing sinh sinhf (x),
    Cosh "cosh" 4 EvenIncreasing cosh coshf (x),
    Tanh "tanh" 4 Increasing tanh tanhf (x),
    Asinh "asinh" 4 Increasing asinh asinhf (x),
    Acosh "acosh" 4 Increasing acosh acoshf (x),
    Atanh "atanh" 4 Increasing atanh atanhf (x),
    Exp "exp" 4 Increasing exp expf (x),
    Exp2 "exp2" 4 Increasing exp2 exp2f (x),
    Exp10 "exp10" 4 Increasing exp10 exp10f (x),
    Expm1 "expm1" 4 Increasing expm1 expm1f (x),
    Log "log" 4 Increasing log logf (x),
    Log2 "log2" 4 Increasing log2 log2f (x),
    Log10 "log10" 4 Increasing log10 log10f (x),
    Log1p "log1p" 4 Increasing log1p log1pf (x),
    Pow "pow" 4 Other pow powf (x y),
    Cbrt "cbrt" 6 Increasing cbrt cbrtf (x),
    Hypot "hypot" 4 Other hypot hypotf (x y),
    Erf "erf" 4 Increasing erf erff (x),
    Erfc "erfc" 10 Decreasing erfc erfcf (x),
    Tgamma "tgamma" 20 Other tgamma tgammaf (x),
}

impl MathFunction {
    /// The function that C calls by that name, on floats, doubles or extended doubles.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|function| function.name() == name)
    }

    /// Are the values in that format known?
    pub fn knows(format: FloatFormat) -> bool {
        matches!(format, FloatFormat::Binary32 | FloatFormat::Binary64)
    }

    /// The correctly rounded value; `None` where the format is neither float nor double.
    ///
    /// # Panics
    /// When the number of arguments is not [`MathFunction::arity`].
    pub fn value(self, arguments: &[Float]) -> Option<Float> {
        assert_eq!(arguments.len(), self.arity(), "{} has another arity", self.name());
        let format = arguments[0].format();
        match format {
            FloatFormat::Binary64 => {
                let arguments: Vec<f64> = arguments.iter().map(|argument| argument.to_f64()).collect();
                self.double(&arguments).map(Float::from_f64)
            }
            FloatFormat::Binary32 => {
                let arguments: Vec<f32> = arguments.iter().map(|argument| argument.to_f32()).collect();
                self.single(&arguments).map(Float::from_f32)
            }
            _ => None,
        }
    }

    /// The least and the largest value that a C library may give where the correctly rounded one is `value`.
    pub fn allowed(self, value: Float) -> (Float, Float) {
        let (mut low, mut high) = (value, value);
        for _ in 0..self.tolerance() {
            low = low.next(false);
            high = high.next(true);
        }
        (low, high)
    }

    /// May a C library give that result?
    pub fn allows(self, value: Float, result: Float) -> bool {
        if value.is_nan() || result.is_nan() {
            return value.is_nan() && result.is_nan();
        }
        let (low, high) = self.allowed(value);
        low.le(result) && result.le(high)
    }
}
