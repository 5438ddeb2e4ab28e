//! The float formats and rounding modes of IEEE 754, and x87's 80-bit format.

/// A binary float format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatFormat {
    /// `_Float16`.
    Binary16,
    /// `float`.
    Binary32,
    /// `double`.
    Binary64,
    /// x86 `long double`: 80 bits, the leading bit of the significand is stored.
    X87Extended,
    /// `_Float128`, and `long double` on AArch64 and RISC-V.
    Binary128,
}

impl FloatFormat {
    /// Every format, narrow ones first.
    pub const ALL: [FloatFormat; 5] = [
        FloatFormat::Binary16,
        FloatFormat::Binary32,
        FloatFormat::Binary64,
        FloatFormat::X87Extended,
        FloatFormat::Binary128,
    ];

    /// Bits of the value as it is stored (80 for x87, without padding).
    pub const fn bits(self) -> u32 {
        match self {
            FloatFormat::Binary16 => 16,
            FloatFormat::Binary32 => 32,
            FloatFormat::Binary64 => 64,
            FloatFormat::X87Extended => 80,
            FloatFormat::Binary128 => 128,
        }
    }

    /// Bits of the exponent field.
    pub const fn exponent_bits(self) -> u32 {
        match self {
            FloatFormat::Binary16 => 5,
            FloatFormat::Binary32 => 8,
            FloatFormat::Binary64 => 11,
            FloatFormat::X87Extended | FloatFormat::Binary128 => 15,
        }
    }

    /// The precision: bits of the significand, the leading bit included (as SMT-LIB counts).
    pub const fn significand_bits(self) -> u32 {
        match self {
            FloatFormat::Binary16 => 11,
            FloatFormat::Binary32 => 24,
            FloatFormat::Binary64 => 53,
            FloatFormat::X87Extended => 64,
            FloatFormat::Binary128 => 113,
        }
    }

    /// Bits of the significand field: the leading bit is stored only by x87.
    pub(crate) const fn field_bits(self) -> u32 {
        match self {
            FloatFormat::X87Extended => 64,
            _ => self.significand_bits() - 1,
        }
    }

    /// The exponent of the largest normal numbers, also the bias.
    pub const fn max_exponent(self) -> i32 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    /// The exponent of the smallest normal numbers.
    pub const fn min_exponent(self) -> i32 {
        1 - self.max_exponent()
    }

    /// The exponent field of infinities and NaNs.
    pub(crate) const fn special_exponent(self) -> u32 {
        (1 << self.exponent_bits()) - 1
    }

    /// LLVM's name for the type.
    pub const fn llvm_name(self) -> &'static str {
        match self {
            FloatFormat::Binary16 => "half",
            FloatFormat::Binary32 => "float",
            FloatFormat::Binary64 => "double",
            FloatFormat::X87Extended => "x86_fp80",
            FloatFormat::Binary128 => "fp128",
        }
    }
}

/// How an exact result becomes a representable one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RoundingMode {
    /// To nearest, ties to the even significand.
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Toward zero.
    TowardZero,
    /// Toward plus infinity.
    Upward,
    /// Toward minus infinity.
    Downward,
}

impl RoundingMode {
    /// Every mode.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::TowardZero,
        RoundingMode::Upward,
        RoundingMode::Downward,
    ];

    /// Whether a magnitude that lies `half` (compared with the middle) between two neighbours goes
    /// to the larger one. `odd`: the smaller neighbour's last bit. `inexact`: it is not exact.
    pub(crate) fn rounds_up(
        self,
        negative: bool,
        odd: bool,
        half: std::cmp::Ordering,
        inexact: bool,
    ) -> bool {
        match self {
            RoundingMode::NearestEven => half.is_gt() || (half.is_eq() && odd),
            RoundingMode::NearestAway => half.is_ge(),
            RoundingMode::TowardZero => false,
            RoundingMode::Upward => inexact && !negative,
            RoundingMode::Downward => inexact && negative,
        }
    }
}
