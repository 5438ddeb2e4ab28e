//! The rewrite rules by name, with a counter each.
//!
//! Every rule is proved in `tests/rules.rs`: its two sides, built with rewriting off and on, cannot
//! differ at small widths (by the solver) and agree on random values at real widths.

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A rewrite rule.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rule { $($(#[$doc])* #[doc = concat!("`", $text, "`")] $name,)* }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Rule] = &[$(Rule::$name,)*];

            /// What it does, as a line of text.
            pub const fn name(self) -> &'static str {
                match self { $(Rule::$name => $text,)* }
            }
        }
    };
}

rules! {
    Fold = "fold: operator on constants",
    ConstantTree = "push an operator into an if-then-else tree of constants",

    NotNot = "not(not a) = a",
    AndUnit = "and(a, true) = a, and(a, false) = false, and(a, a) = a, and(a, not a) = false",
    AndContradiction = "(.. a ..) and not a = false",
    AndIdempotent = "(.. a ..) and a = (.. a ..)",
    AndSubsumption = "not(a and b) and not a = not a",
    AndSubstitution = "not(a and b) and a = not b and a",
    AndResolution = "not(a and b) and not(a and not b) = not a",
    EqSame = "a = a is true",
    EqBool = "a = true is a, not a = b is not(a = b), a = not a is false",
    EqShared = "ite(c, a, b) = a is c or (b = a)",
    EqRange = "a = b is false when their ranges do not meet",
    EqAddConstant = "a + k = l is a = l - k",
    EqAddSame = "a + b = a is b = 0",
    EqSubZero = "a - b = 0 is a = b",
    EqNotNegXor = "not a = k is a = not k, -a = k is a = -k, a xor k = l is a = k xor l",
    EqConcat = "concat(a, b) = concat(c, d) is a = c and b = d",
    EqExtend = "extend(a) = extend(b) is a = b; against a constant likewise",
    EqFloatNan = "a = NaN is isNaN(a)",
    IteConstantCondition = "ite(true, a, b) = a",
    IteSame = "ite(c, a, a) = a",
    IteNot = "ite(not c, a, b) = ite(c, b, a)",
    IteNested = "ite(c, ite(c, a, b), d) = ite(c, a, d)",
    IteMerge = "ite(c, a, ite(d, a, b)) = ite(c or d, a, b)",
    IteBool = "ite of truth values as and/or",
    IteToEq = "ite(a = b, a, b) = b",

    AddZero = "a + 0 = a",
    AddConstants = "(a + k) + l = a + (k + l), (k - a) + l = (k + l) - a",
    AddConstantOut = "(a + k) + b = (a + b) + k",
    AddNegated = "a + -b = a - b, a + (b - a) = b",
    AddDisjoint = "a + b = a | b as a concatenation when no bit is in both",
    SubSame = "a - a = 0",
    SubConstant = "a - k = a + -k, k - (a + l) = (k - l) - a",
    SubConstantOut = "(a + k) - b = (a - b) + k, a - (b + k) = (a - b) - k",
    SubCancel = "(a + b) - a = b",
    SubZero = "0 - a = -a",
    SubNegated = "a - -b = a + b",
    NegNeg = "-(-a) = a, -(a - b) = b - a",
    MulUnit = "a * 0 = 0, a * 1 = a, a * -1 = -a",
    MulConstants = "(a * k) * l = a * (k * l)",
    MulDistribute = "(a + k) * l = a * l + k * l",
    MulPower = "a * 2^k = a << k",
    UdivPower = "a / 2^k = a >> k, a / 0 = all ones",
    UdivRange = "a / b = 0 when a < b by range",
    UremPower = "a % 2^k = low bits of a, a % 0 = a",
    UremRange = "a % b = a when a < b by range",
    DivisorTree = "a / (c ? k : l) = c ? a / k : a / l, the same of %, where all but one are powers of two",
    SdivUnsigned = "signed division of values that are not negative is unsigned",
    SdivUnit = "a / 1 = a, a / -1 = -a, a % 1 = a % -1 = 0",
    SdivRange = "signed remainder is the dividend when it is smaller",

    BitNotNot = "~~a = a",
    BitAndUnit = "a & 0 = 0, a & ones = a, a & a = a, a & ~a = 0",
    BitAndConstants = "(a & k) & l = a & (k & l)",
    BitAndMask = "a & (a run of ones) = zeros, part of a, zeros",
    BitOrUnit = "a | 0 = a, a | ones = ones, a | a = a, a | ~a = ones",
    BitOrConstants = "(a | k) | l = a | (k | l)",
    BitOrDisjoint = "a | b, a ^ b as a concatenation when no bit is in both",
    BitXorUnit = "a ^ 0 = a, a ^ ones = ~a, a ^ a = 0, ~a ^ b = ~(a ^ b)",
    BitXorConstants = "(a ^ k) ^ l = a ^ (k ^ l)",
    BitwiseTruth = "(a ? k : 0) op (b ? k : 0) = (a op b) ? k : 0 for & | ^",
    BitwiseExtended = "zext(a) op zext(b) = zext(a op b) for & | ^",
    ShiftConstant = "shift by a constant as concatenation and extraction",
    ShiftZero = "0 << a = 0, 0 >> a = 0",
    ShiftRange = "a shift by at least the width gives zeros (by range)",
    AshrUnsigned = "arithmetic right shift of a value that is not negative is logical",
    ConcatConstants = "concat(k, concat(l, a)) = concat(kl, a)",
    ConcatZero = "concat(0, a) = zext(a)",
    ConcatZext = "concat(zext(a), b) = zext(concat(a, b))",
    ConcatExtracts = "concat of adjacent extracts of one term = one extract",
    ConcatRight = "concat(concat(a, b), c) = concat(a, concat(b, c))",
    ExtractWhole = "extract of all bits = the term",
    ExtractExtract = "extract(extract(a)) = extract(a)",
    ExtractConcat = "extract of a concatenation",
    ExtractExtended = "extract of an extended term",
    ExtractArithmetic = "low bits of an operation = the operation on low bits",
    ExtractAligned = "high bits of a sum whose low bits are all zero = the sum of the high bits",
    ExtractBitwise = "bits of a bitwise operation = the operation on bits",
    ExtractIte = "extract(ite(c, k, a)) = ite(c, extract(k), extract(a))",
    ExtractZeroByRange = "extract of bits that are zero by range = 0",
    ExtendExtended = "zext(zext(a)), sext(sext(a)), sext(zext(a))",
    SextUnsigned = "sext of a value that is not negative = zext",

    CompareSame = "a < a is false",
    CompareRange = "comparison decided by ranges",
    CompareBoundary = "a <u 1 is a = 0, 0 <u a is not a = 0, and at the other ends",
    CompareExtreme = "a < min(.. a ..) and max(.. a ..) < a are false",
    CompareExtended = "extend(a) < extend(b) is a < b; against a constant likewise",
    CompareUnsigned = "signed comparison of values that are not negative is unsigned",
    CompareConcat = "concat(a, b) < concat(a, c) is b < c",
    OverflowRange = "overflow excluded or certain by ranges",
    OverflowConstant = "overflow with a constant operand as a comparison",
    UsuboCompare = "unsigned subtraction overflows when a <u b",

    FpNegNeg = "fp.neg(fp.neg a) = a",
    FpAbsAbs = "fp.abs(fp.abs a) = fp.abs(fp.neg a) = fp.abs a",
    FpSubNegated = "a - b = a + -b for a constant b",
    FpMulOne = "a * 1 = a, a / 1 = a on results of operations",
    FpDivPower = "a / 2^k = a * 2^-k",
    FpFromExtended = "conversion of an extended integer = that of the integer",
    FpCompareSame = "a < a is false, a <= a is not isNaN(a)",
    FpCompareConverted = "comparison of widened floats is that of the narrow ones",
    FpCompareConvertedConstant = "comparison of a widened float with a constant moved to the narrow format",
    FpCompareNan = "comparison with NaN is false",
    FpCompareInfinity = "a < -oo, +oo < a are false; -oo <= a and a <= +oo unless NaN",
    FpClassKnown = "class of a converted integer, of an absolute value, of a negation",
    FpConvertSame = "conversion to the same format = the term",
    FpConvertBack = "narrowing of a widened float = the float",
    FpConvertTwice = "widening twice = widening once",
    FpFromToBits = "the float of the bits of a float = the float, through ite",
    FpBitsThrough = "bits of ite, neg, abs, of a float read from bits",
    FpToIntOfInt = "the integer of a float converted exactly from an integer = the integer",

    SelectStoreSame = "select(store(a, i, v), i) = v",
    SelectStoreOther = "select(store(a, i, v), j) = select(a, j) when i, j differ",
    SelectConstant = "select of a constant array = its element",
    SelectFewConstants = "select(a, i), a holding one constant but at a few indices = a choice of constants",
    StoreStore = "store(store(a, i, v), i, w) = store(a, i, w)",
    StoreSelect = "store(a, i, select(a, i)) = a",
}

/// How often each rule fired.
#[derive(Clone, Debug)]
pub(crate) struct RuleCounts(Vec<u64>);

impl Default for RuleCounts {
    fn default() -> Self {
        RuleCounts(vec![0; Rule::ALL.len()])
    }
}

impl RuleCounts {
    pub(crate) fn count(&mut self, rule: Rule) {
        self.0[rule as usize] += 1;
    }

    pub(crate) fn of(&self, rule: Rule) -> u64 {
        self.0[rule as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        Rule::ALL.iter().map(|&rule| (rule.name(), self.of(rule)))
    }
}
