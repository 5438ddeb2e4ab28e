//! The terms that the rewrite rules rewrite, a line for each form.

use kripke_smt::{Rule, Sort, TermId, Terms};
use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};

/// Variables and constants of one size.
pub struct Make<'a> {
    pub t: &'a mut Terms,
    pub w: u32,
    pub format: FloatFormat,
}

impl Make<'_> {
    pub fn var(&mut self, name: &str) -> TermId {
        let sort = Sort::BitVec(self.w);
        self.t.variable(name, sort)
    }
    pub fn x(&mut self) -> TermId {
        self.var("x")
    }
    pub fn y(&mut self) -> TermId {
        self.var("y")
    }
    pub fn z(&mut self) -> TermId {
        self.var("z")
    }
    pub fn sized(&mut self, name: &str, width: u32) -> TermId {
        self.t.variable(name, Sort::BitVec(width))
    }
    pub fn a(&mut self) -> TermId {
        self.t.variable("a", Sort::Bool)
    }
    pub fn b(&mut self) -> TermId {
        self.t.variable("b", Sort::Bool)
    }
    pub fn c(&mut self) -> TermId {
        self.t.variable("c", Sort::Bool)
    }
    pub fn k(&mut self, value: i128) -> TermId {
        let value = BitVec::from_i128(self.w, value);
        self.t.bv(value)
    }
    pub fn of_a(&mut self, then: i128, otherwise: i128) -> TermId {
        let (a, then, otherwise) = (self.a(), self.k(then), self.k(otherwise));
        self.t.ite(a, then, otherwise)
    }
    pub fn of_b(&mut self, then: i128, otherwise: i128) -> TermId {
        let (b, then, otherwise) = (self.b(), self.k(then), self.k(otherwise));
        self.t.ite(b, then, otherwise)
    }
    pub fn bits(&mut self, width: u32, value: i128) -> TermId {
        self.t.bv(BitVec::from_i128(width, value))
    }
    pub fn f(&mut self) -> TermId {
        self.t.variable("f", Sort::Float(self.format))
    }
    pub fn g(&mut self) -> TermId {
        self.t.variable("g", Sort::Float(self.format))
    }
    pub fn fk(&mut self, value: f64) -> TermId {
        let value = Float::from_f64(value).convert(self.format, RoundingMode::NearestEven);
        self.t.float(value)
    }
    pub fn rm(&mut self) -> TermId {
        self.t.variable("rm", Sort::RoundingMode)
    }
    pub fn rne(&mut self) -> TermId {
        self.t.rounding(RoundingMode::NearestEven)
    }
    pub fn array(&mut self) -> TermId {
        let w = self.w;
        self.t.variable("array", Sort::Array { index: w, element: 4 })
    }
    /// A constant tree with three leaves.
    pub fn tree(&mut self) -> TermId {
        let (a, b) = (self.a(), self.b());
        let (k1, k2, k3) = (self.k(1), self.k(2), self.k(-3));
        let inner = self.t.ite(b, k2, k3);
        self.t.ite(a, k1, inner)
    }
    pub fn zx(&mut self, name: &str) -> TermId {
        let (x, w) = (self.sized(name, self.w), 2 * self.w);
        self.t.bv_zext(x, w)
    }
    pub fn sx(&mut self, name: &str) -> TermId {
        let (x, w) = (self.sized(name, self.w), 2 * self.w);
        self.t.bv_sext(x, w)
    }
    pub fn wide(&mut self, name: &str) -> TermId {
        self.sized(name, 2 * self.w)
    }
    pub fn wk(&mut self, value: i128) -> TermId {
        self.bits(2 * self.w, value)
    }
    pub fn wider(&self) -> FloatFormat {
        match self.format {
            FloatFormat::Binary16 => FloatFormat::Binary32,
            FloatFormat::Binary32 => FloatFormat::Binary64,
            _ => FloatFormat::Binary128,
        }
    }
    pub fn widen(&mut self, f: TermId) -> TermId {
        let (mode, format) = (self.rm(), self.wider());
        self.t.fp_convert(mode, format, f)
    }
    pub fn widek(&mut self, value: f64) -> TermId {
        let format = self.wider();
        let value = Float::from_f64(value).convert(format, RoundingMode::NearestEven);
        self.t.float(value)
    }
}

/// How a term is built.
pub type Build = fn(&mut Make) -> TermId;

/// Writes `e!(m; add(x, k 3))` style terms without naming every intermediate.
macro_rules! e {
    ($m:ident; $method:ident ( $($argument:expr),* )) => {{
        $crate::rule_table::e!(@ $m $method [] $($argument),*)
    }};
    (@ $m:ident $method:ident [$($done:ident)*] $next:expr $(, $rest:expr)*) => {{
        let argument = $next;
        $crate::rule_table::e!(@ $m $method [$($done)* argument] $($rest),*)
    }};
    (@ $m:ident $method:ident [$($done:ident)*]) => { $m.t.$method($($done),*) };
}
pub(crate) use e;

/// The table: a rule, and a term that it rewrites.
pub fn instances() -> Vec<(Rule, Build)> {
    use Rule as R;
    let table: Vec<(Rule, Build)> = vec![
        (R::Fold, |m| e!(m; bv_sdiv(m.k(-3), m.k(2)))),
        (R::Fold, |m| e!(m; bv_shl(m.k(3), m.k(1)))),
        (R::ConstantTree, |m| e!(m; bv_ult(m.tree(), m.k(2)))),
        (R::ConstantTree, |m| e!(m; bv_sdiv(m.k(3), m.tree()))),
        (R::ConstantTree, |m| e!(m; bv_sext(m.tree(), 2 * m.w))),
        (R::ConstantTree, |m| e!(m; bv_extract(m.tree(), 1, 1))),
        (R::ConstantTree, |m| e!(m; eq(m.tree(), m.k(2)))),
        (R::NotNot, |m| e!(m; not(e!(m; not(m.a()))))),
        (R::AndUnit, |m| e!(m; and(m.a(), m.t.true_()))),
        (R::AndUnit, |m| e!(m; and(m.a(), m.t.false_()))),
        (R::AndUnit, |m| e!(m; and(m.a(), m.a()))),
        (R::AndUnit, |m| e!(m; and(m.a(), e!(m; not(m.a()))))),
        (
            R::AndContradiction,
            |m| e!(m; and(e!(m; and(m.a(), m.b())), e!(m; not(m.b())))),
        ),
        (R::AndContradiction, |m| {
            let left = e!(m; and(e!(m; and(m.a(), m.b())), m.c()));
            let right = e!(m; and(m.c(), e!(m; not(m.a()))));
            m.t.and(left, right)
        }),
        (R::AndIdempotent, |m| e!(m; and(m.b(), e!(m; and(m.a(), m.b()))))),
        (
            R::AndIdempotent,
            |m| e!(m; and(e!(m; and(m.c(), e!(m; and(m.a(), m.b())))), m.a())),
        ),
        (R::AndSubsumption, |m| {
            let both = e!(m; and(m.a(), m.b()));
            e!(m; and(e!(m; not(both)), e!(m; not(m.a()))))
        }),
        (R::AndSubstitution, |m| {
            let both = e!(m; and(m.a(), m.b()));
            e!(m; and(e!(m; not(both)), m.b()))
        }),
        (R::AndSubstitution, |m| {
            let both = e!(m; and(m.a(), m.b()));
            e!(m; and(e!(m; not(both)), e!(m; and(m.c(), m.a()))))
        }),
        (R::AndResolution, |m| {
            let p = e!(m; and(m.a(), m.b()));
            let q = e!(m; and(e!(m; not(m.b())), m.a()));
            e!(m; or(p, q))
        }),
        (R::AndResolution, |m| {
            let p = e!(m; and(m.b(), m.a()));
            let q = e!(m; and(m.c(), e!(m; not(m.b()))));
            let r = e!(m; and(m.c(), m.b()));
            let first = m.t.or(q, r);
            m.t.xor(first, p)
        }),
        (R::EqSame, |m| e!(m; eq(m.x(), m.x()))),
        (R::EqSame, |m| e!(m; eq(m.f(), m.f()))),
        (R::EqBool, |m| e!(m; eq(m.a(), m.t.true_()))),
        (R::EqBool, |m| e!(m; eq(m.a(), m.t.false_()))),
        (R::EqBool, |m| e!(m; eq(e!(m; not(m.a())), m.b()))),
        (R::EqBool, |m| e!(m; xor(e!(m; not(m.a())), e!(m; not(m.b()))))),
        (R::EqBool, |m| e!(m; eq(m.a(), e!(m; not(m.a()))))),
        (R::EqShared, |m| e!(m; eq(e!(m; ite(m.a(), m.x(), m.y())), m.x()))),
        (R::EqShared, |m| e!(m; eq(m.y(), e!(m; ite(m.a(), m.x(), m.y()))))),
        (R::EqShared, |m| e!(m; eq(m.f(), e!(m; ite(m.a(), m.f(), m.g()))))),
        (R::EqRange, |m| e!(m; eq(m.zx("x"), m.sized_sum()))),
        (
            R::EqAddConstant,
            |m| e!(m; eq(e!(m; bv_add(m.x(), m.k(3))), m.k(1))),
        ),
        (
            R::EqAddConstant,
            |m| e!(m; eq(e!(m; bv_sub(m.k(3), m.x())), m.k(1))),
        ),
        (R::EqAddSame, |m| e!(m; eq(e!(m; bv_add(m.x(), m.y())), m.y()))),
        (
            R::EqAddSame,
            |m| e!(m; eq(e!(m; bv_add(m.x(), m.y())), e!(m; bv_add(m.x(), m.z())))),
        ),
        (R::EqSubZero, |m| e!(m; eq(e!(m; bv_sub(m.x(), m.y())), m.k(0)))),
        (R::EqNotNegXor, |m| e!(m; eq(e!(m; bv_not(m.x())), m.k(2)))),
        (R::EqNotNegXor, |m| e!(m; eq(e!(m; bv_neg(m.x())), m.k(2)))),
        (
            R::EqNotNegXor,
            |m| e!(m; eq(e!(m; bv_xor(m.x(), m.k(3))), m.k(2))),
        ),
        (
            R::EqNotNegXor,
            |m| e!(m; eq(e!(m; bv_neg(m.x())), e!(m; bv_neg(m.y())))),
        ),
        (
            R::EqConcat,
            |m| e!(m; eq(e!(m; bv_concat(m.x(), m.y())), m.wk(-5))),
        ),
        (
            R::EqConcat,
            |m| e!(m; eq(e!(m; bv_concat(m.x(), m.y())), e!(m; bv_concat(m.y(), m.z())))),
        ),
        (R::EqExtend, |m| e!(m; eq(m.zx("x"), m.zx("y")))),
        (R::EqExtend, |m| e!(m; eq(m.sx("x"), m.wk(-2)))),
        (R::EqExtend, |m| e!(m; eq(m.sx("x"), m.sx("y")))),
        (R::EqFloatNan, |m| {
            let format = m.format;
            e!(m; eq(m.f(), m.t.float(Float::nan(format))))
        }),
        (R::IteConstantCondition, |m| e!(m; ite(m.t.true_(), m.x(), m.y()))),
        (R::IteSame, |m| e!(m; ite(m.a(), m.x(), m.x()))),
        (R::IteNot, |m| e!(m; ite(e!(m; not(m.a())), m.x(), m.y()))),
        (
            R::IteNested,
            |m| e!(m; ite(m.a(), e!(m; ite(m.a(), m.x(), m.y())), m.z())),
        ),
        (
            R::IteNested,
            |m| e!(m; ite(m.a(), m.z(), e!(m; ite(m.a(), m.x(), m.y())))),
        ),
        (
            R::IteMerge,
            |m| e!(m; ite(m.a(), m.x(), e!(m; ite(m.b(), m.x(), m.y())))),
        ),
        (
            R::IteMerge,
            |m| e!(m; ite(m.a(), m.x(), e!(m; ite(m.b(), m.y(), m.x())))),
        ),
        (
            R::IteMerge,
            |m| e!(m; ite(m.a(), e!(m; ite(m.b(), m.x(), m.y())), m.x())),
        ),
        (
            R::IteMerge,
            |m| e!(m; ite(m.a(), e!(m; ite(m.b(), m.x(), m.y())), m.y())),
        ),
        (R::IteBool, |m| e!(m; ite(m.a(), m.b(), m.t.false_()))),
        (R::IteBool, |m| e!(m; ite(m.a(), m.t.true_(), m.b()))),
        (R::IteBool, |m| e!(m; ite(m.a(), m.t.false_(), m.b()))),
        (R::IteBool, |m| e!(m; ite(m.a(), m.b(), m.t.true_()))),
        (R::IteBool, |m| e!(m; ite(m.a(), m.a(), m.b()))),
        (R::IteBool, |m| e!(m; ite(m.a(), m.b(), m.a()))),
        (R::IteBool, |m| e!(m; ite(m.a(), e!(m; not(m.a())), m.b()))),
        (R::IteBool, |m| e!(m; ite(m.a(), m.b(), e!(m; not(m.a()))))),
        (R::IteBool, |m| e!(m; ite(m.a(), m.b(), e!(m; not(m.b()))))),
        (R::IteToEq, |m| e!(m; ite(e!(m; eq(m.x(), m.y())), m.x(), m.y()))),
        (R::IteToEq, |m| e!(m; ite(e!(m; eq(m.x(), m.y())), m.y(), m.x()))),
        (R::AddZero, |m| e!(m; bv_add(m.k(0), m.x()))),
        (
            R::AddConstants,
            |m| e!(m; bv_add(e!(m; bv_add(m.x(), m.k(3))), m.k(-1))),
        ),
        (
            R::AddConstants,
            |m| e!(m; bv_add(e!(m; bv_sub(m.k(3), m.x())), m.k(-1))),
        ),
        (
            R::AddConstantOut,
            |m| e!(m; bv_add(e!(m; bv_add(m.x(), m.k(3))), m.y())),
        ),
        (
            R::AddConstantOut,
            |m| e!(m; bv_add(m.y(), e!(m; bv_sub(m.k(3), m.x())))),
        ),
        (R::AddNegated, |m| e!(m; bv_add(m.x(), e!(m; bv_neg(m.y()))))),
        (
            R::AddNegated,
            |m| e!(m; bv_add(m.y(), e!(m; bv_sub(m.x(), m.y())))),
        ),
        (R::AddDisjoint, |m| {
            let high = e!(m; bv_concat(m.x(), m.k(0)));
            let low = m.zx("y");
            m.t.bv_add(high, low)
        }),
        (R::SubSame, |m| e!(m; bv_sub(m.x(), m.x()))),
        (R::SubConstant, |m| e!(m; bv_sub(m.x(), m.k(3)))),
        (
            R::SubConstant,
            |m| e!(m; bv_sub(m.k(1), e!(m; bv_add(m.x(), m.k(3))))),
        ),
        (
            R::SubConstantOut,
            |m| e!(m; bv_sub(e!(m; bv_add(m.x(), m.k(3))), m.y())),
        ),
        (
            R::SubConstantOut,
            |m| e!(m; bv_sub(m.y(), e!(m; bv_add(m.x(), m.k(3))))),
        ),
        (
            R::SubCancel,
            |m| e!(m; bv_sub(e!(m; bv_add(m.x(), m.y())), m.y())),
        ),
        (
            R::SubCancel,
            |m| e!(m; bv_sub(m.y(), e!(m; bv_add(m.x(), m.y())))),
        ),
        (R::SubZero, |m| e!(m; bv_sub(m.k(0), m.x()))),
        (R::SubNegated, |m| e!(m; bv_sub(m.x(), e!(m; bv_neg(m.y()))))),
        (R::NegNeg, |m| e!(m; bv_neg(e!(m; bv_neg(m.x()))))),
        (R::NegNeg, |m| e!(m; bv_neg(e!(m; bv_sub(m.x(), m.y()))))),
        (R::MulUnit, |m| e!(m; bv_mul(m.x(), m.k(0)))),
        (R::MulUnit, |m| e!(m; bv_mul(m.k(1), m.x()))),
        (R::MulUnit, |m| e!(m; bv_mul(m.x(), m.k(-1)))),
        (
            R::MulConstants,
            |m| e!(m; bv_mul(e!(m; bv_mul(m.x(), m.k(3))), m.k(5))),
        ),
        (
            R::MulDistribute,
            |m| e!(m; bv_mul(e!(m; bv_add(m.x(), m.k(3))), m.k(5))),
        ),
        (R::MulPower, |m| e!(m; bv_mul(m.x(), m.k(4)))),
        (R::UdivPower, |m| e!(m; bv_udiv(m.x(), m.k(2)))),
        (R::UdivPower, |m| e!(m; bv_udiv(m.x(), m.k(1)))),
        (R::UdivPower, |m| e!(m; bv_udiv(m.x(), m.k(0)))),
        (R::UdivRange, |m| {
            let big = m.sized_sum();
            e!(m; bv_udiv(m.zx("x"), big))
        }),
        (R::UremPower, |m| e!(m; bv_urem(m.x(), m.k(2)))),
        (R::UremPower, |m| e!(m; bv_urem(m.x(), m.k(1)))),
        (R::UremPower, |m| e!(m; bv_urem(m.x(), m.k(0)))),
        (R::UremRange, |m| {
            let big = m.sized_sum();
            e!(m; bv_urem(m.zx("x"), big))
        }),
        (R::DivisorTree, |m| e!(m; bv_udiv(m.x(), m.tree()))),
        (R::DivisorTree, |m| e!(m; bv_urem(m.x(), m.tree()))),
        (R::SdivUnsigned, |m| e!(m; bv_sdiv(m.zx("x"), m.zx("y")))),
        (R::SdivUnsigned, |m| e!(m; bv_srem(m.zx("x"), m.zx("y")))),
        (R::SdivUnit, |m| e!(m; bv_sdiv(m.x(), m.k(-1)))),
        (R::SdivUnit, |m| e!(m; bv_sdiv(m.x(), m.k(1)))),
        (R::SdivUnit, |m| e!(m; bv_srem(m.x(), m.k(-1)))),
        (R::SdivRange, |m| {
            let k = 1 << m.w;
            e!(m; bv_srem(m.sx("x"), m.wk(k)))
        }),
        (R::BitNotNot, |m| e!(m; bv_not(e!(m; bv_not(m.x()))))),
        (R::BitAndUnit, |m| e!(m; bv_and(m.x(), m.k(0)))),
        (R::BitAndUnit, |m| e!(m; bv_and(m.x(), m.k(-1)))),
        (R::BitAndUnit, |m| e!(m; bv_and(m.x(), m.x()))),
        (R::BitAndUnit, |m| e!(m; bv_and(m.x(), e!(m; bv_not(m.x()))))),
        (
            R::BitAndConstants,
            |m| e!(m; bv_and(e!(m; bv_and(m.x(), m.k(-3))), m.k(-2))),
        ),
        (R::BitAndMask, |m| e!(m; bv_and(m.x(), m.k(3)))),
        (R::BitAndMask, |m| e!(m; bv_and(m.x(), m.k(-4)))),
        (R::BitAndMask, |m| e!(m; bv_and(m.x(), m.k(2)))),
        (R::BitOrUnit, |m| e!(m; bv_or(m.x(), m.k(0)))),
        (R::BitOrUnit, |m| e!(m; bv_or(m.x(), m.k(-1)))),
        (R::BitOrUnit, |m| e!(m; bv_or(m.x(), m.x()))),
        (R::BitOrUnit, |m| e!(m; bv_or(m.x(), e!(m; bv_not(m.x()))))),
        (
            R::BitOrConstants,
            |m| e!(m; bv_or(e!(m; bv_or(m.x(), m.k(1))), m.k(2))),
        ),
        (R::BitOrDisjoint, |m| {
            let high = e!(m; bv_concat(m.x(), m.k(0)));
            let low = m.zx("y");
            m.t.bv_or(low, high)
        }),
        (R::BitOrDisjoint, |m| {
            let high = e!(m; bv_concat(m.x(), m.k(0)));
            let low = m.zx("y");
            m.t.bv_xor(low, high)
        }),
        (R::BitXorUnit, |m| e!(m; bv_xor(m.x(), m.k(0)))),
        (R::BitXorUnit, |m| e!(m; bv_xor(m.x(), m.k(-1)))),
        (R::BitXorUnit, |m| e!(m; bv_xor(m.x(), m.x()))),
        (R::BitXorUnit, |m| e!(m; bv_xor(e!(m; bv_not(m.x())), m.y()))),
        (R::BitXorUnit, |m| e!(m; bv_xor(e!(m; bv_not(m.x())), m.x()))),
        (
            R::BitXorConstants,
            |m| e!(m; bv_xor(e!(m; bv_xor(m.x(), m.k(1))), m.k(3))),
        ),
        (R::BitwiseTruth, |m| e!(m; bv_and(m.of_a(1, 0), m.of_b(1, 0)))),
        (R::BitwiseTruth, |m| e!(m; bv_and(m.of_a(2, 0), m.of_b(0, 2)))),
        (R::BitwiseTruth, |m| e!(m; bv_or(m.of_a(1, 0), m.of_b(1, 0)))),
        (R::BitwiseTruth, |m| e!(m; bv_or(m.of_a(2, 0), m.of_b(0, 2)))),
        (R::BitwiseTruth, |m| e!(m; bv_xor(m.of_a(1, 0), m.of_b(1, 0)))),
        (R::BitwiseTruth, |m| e!(m; bv_xor(m.of_a(2, 0), m.of_b(0, 2)))),
        (R::BitwiseExtended, |m| e!(m; bv_and(m.zx("x"), m.zx("y")))),
        (R::BitwiseExtended, |m| e!(m; bv_or(m.zx("x"), m.zx("y")))),
        (R::BitwiseExtended, |m| e!(m; bv_xor(m.zx("x"), m.wk(3)))),
        (R::ShiftConstant, |m| e!(m; bv_shl(m.x(), m.k(2)))),
        (R::ShiftConstant, |m| e!(m; bv_lshr(m.x(), m.k(2)))),
        (R::ShiftConstant, |m| e!(m; bv_ashr(m.x(), m.k(2)))),
        (R::ShiftConstant, |m| e!(m; bv_ashr(m.x(), m.k(-1)))),
        (R::ShiftConstant, |m| e!(m; bv_shl(m.x(), m.k(-1)))),
        (R::ShiftConstant, |m| e!(m; bv_lshr(m.x(), m.k(0)))),
        (R::ShiftZero, |m| e!(m; bv_shl(m.k(0), m.x()))),
        (R::ShiftZero, |m| e!(m; bv_lshr(m.k(0), m.x()))),
        (R::ShiftRange, |m| {
            let by = e!(m; bv_or(m.x(), m.k(-2)));
            e!(m; bv_shl(m.y(), by))
        }),
        (R::AshrUnsigned, |m| e!(m; bv_ashr(m.zx("x"), m.wide("u")))),
        (
            R::ConcatConstants,
            |m| e!(m; bv_concat(m.k(3), e!(m; bv_concat(m.k(2), m.x())))),
        ),
        (R::ConcatConstants, |m| e!(m; bv_concat(m.k(3), m.zx("x")))),
        (R::ConcatZero, |m| e!(m; bv_concat(m.k(0), m.x()))),
        (R::ConcatZext, |m| e!(m; bv_concat(m.zx("x"), m.y()))),
        (R::ConcatExtracts, |m| {
            let w = m.w;
            let (high, low) = (e!(m; bv_extract(m.x(), w - 1, 2)), e!(m; bv_extract(m.x(), 1, 1)));
            m.t.bv_concat(high, low)
        }),
        (R::ConcatExtracts, |m| {
            let w = m.w;
            let (high, low) = (e!(m; bv_extract(m.x(), w - 1, 2)), e!(m; bv_extract(m.x(), 1, 1)));
            e!(m; bv_concat(high, e!(m; bv_concat(low, m.y()))))
        }),
        (
            R::ConcatRight,
            |m| e!(m; bv_concat(e!(m; bv_concat(m.x(), m.y())), m.z())),
        ),
        (R::ExtractWhole, |m| {
            let w = m.w;
            e!(m; bv_extract(m.x(), w - 1, 0))
        }),
        (R::ExtractExtract, |m| {
            let w = m.w;
            e!(m; bv_extract(e!(m; bv_extract(m.x(), w - 1, 1)), 1, 1))
        }),
        (
            R::ExtractConcat,
            |m| e!(m; bv_extract(e!(m; bv_concat(m.x(), m.y())), 1, 0)),
        ),
        (R::ExtractConcat, |m| {
            let w = m.w;
            e!(m; bv_extract(e!(m; bv_concat(m.x(), m.y())), w, w - 1))
        }),
        (R::ExtractConcat, |m| {
            let w = m.w;
            let chain = e!(m; bv_concat(m.x(), e!(m; bv_concat(m.y(), m.z()))));
            m.t.bv_extract(chain, 2 * w, w - 1)
        }),
        (R::ExtractExtended, |m| {
            let w = m.w;
            e!(m; bv_extract(m.zx("x"), w, 1))
        }),
        (R::ExtractExtended, |m| {
            let w = m.w;
            e!(m; bv_extract(m.sx("x"), w, 1))
        }),
        (R::ExtractExtended, |m| {
            let w = m.w;
            e!(m; bv_extract(m.sx("x"), 2 * w - 1, w))
        }),
        (
            R::ExtractArithmetic,
            |m| e!(m; bv_extract(e!(m; bv_add(m.zx("x"), m.sx("y"))), 1, 0)),
        ),
        (R::ExtractArithmetic, |m| {
            let w = m.w;
            e!(m; bv_extract(e!(m; bv_mul(m.sx("x"), m.sx("y"))), w, 0))
        }),
        (R::ExtractArithmetic, |m| {
            let w = m.w;
            e!(m; bv_extract(e!(m; bv_sub(m.sx("x"), m.zx("y"))), w - 1, 0))
        }),
        (R::ExtractAligned, |m| {
            let w = m.w;
            let zeros = m.t.bv_u64(2, 0);
            let aligned = e!(m; bv_concat(m.x(), zeros));
            let four = m.t.bv_u64(w + 2, 4);
            let sum = m.t.bv_add(aligned, four);
            m.t.bv_extract(sum, w + 1, 2)
        }),
        (R::ExtractAligned, |m| {
            let w = m.w;
            let (zeros, zero) = (m.t.bv_u64(2, 0), m.t.bv_u64(1, 0));
            let x = e!(m; bv_concat(m.x(), zeros));
            let y = e!(m; bv_concat(m.sx("y"), zero));
            let y = m.t.bv_extract(y, w + 1, 0);
            let difference = m.t.bv_sub(x, y);
            m.t.bv_extract(difference, w, 1)
        }),
        (
            R::ExtractBitwise,
            |m| e!(m; bv_extract(e!(m; bv_and(m.x(), m.k(5))), 2, 1)),
        ),
        (
            R::ExtractBitwise,
            |m| e!(m; bv_extract(e!(m; bv_not(m.sx("x"))), 2, 1)),
        ),
        (R::ExtractIte, |m| {
            let w = m.w;
            let ite = e!(m; ite(m.a(), m.zx("x"), m.sx("y")));
            m.t.bv_extract(ite, w, 1)
        }),
        (R::ExtractZeroByRange, |m| {
            let small = e!(m; bv_urem(m.x(), m.k(3)));
            e!(m; bv_extract(small, 2, 2))
        }),
        (R::ExtendExtended, |m| {
            let w = m.w;
            e!(m; bv_zext(m.zx("x"), 3 * w))
        }),
        (R::ExtendExtended, |m| {
            let w = m.w;
            e!(m; bv_sext(m.sx("x"), 3 * w))
        }),
        (R::SextUnsigned, |m| {
            let w = m.w;
            e!(m; bv_sext(m.zx("x"), 3 * w))
        }),
        (R::CompareSame, |m| e!(m; bv_ult(m.x(), m.x()))),
        (R::CompareSame, |m| e!(m; bv_sle(m.x(), m.x()))),
        (R::CompareRange, |m| {
            let k = 1 << m.w;
            e!(m; bv_ult(m.zx("x"), m.wk(k)))
        }),
        (R::CompareRange, |m| {
            let k = -(1 << (m.w - 1));
            e!(m; bv_slt(m.sx("x"), m.wk(k)))
        }),
        (R::CompareBoundary, |m| e!(m; bv_ult(m.x(), m.k(1)))),
        (R::CompareBoundary, |m| e!(m; bv_ult(m.k(0), m.x()))),
        (R::CompareBoundary, |m| e!(m; bv_ult(m.x(), m.k(-1)))),
        (R::CompareBoundary, |m| e!(m; bv_ule(m.k(-1), m.x()))),
        (R::CompareBoundary, |m| e!(m; bv_ult(m.k(-2), m.x()))),
        (R::CompareBoundary, |m| {
            let k = -(1 << (m.w - 1)) + 1;
            e!(m; bv_slt(m.x(), m.k(k)))
        }),
        (R::CompareBoundary, |m| {
            let k = (1 << (m.w - 1)) - 2;
            e!(m; bv_slt(m.k(k), m.x()))
        }),
        (R::CompareBoundary, |m| {
            let k = -(1 << (m.w - 1));
            e!(m; bv_slt(m.k(k), m.x()))
        }),
        (R::CompareExtended, |m| e!(m; bv_ult(m.zx("x"), m.zx("y")))),
        (R::CompareExtended, |m| e!(m; bv_ult(m.zx("x"), m.wk(3)))),
        (R::CompareExtended, |m| e!(m; bv_ult(m.wk(3), m.zx("x")))),
        (R::CompareExtended, |m| e!(m; bv_slt(m.sx("x"), m.sx("y")))),
        (R::CompareExtended, |m| e!(m; bv_ult(m.sx("x"), m.sx("y")))),
        (R::CompareExtended, |m| e!(m; bv_slt(m.sx("x"), m.wk(-2)))),
        (R::CompareExtended, |m| e!(m; bv_slt(m.wk(-2), m.sx("x")))),
        (R::CompareExtreme, |m| {
            let least = e!(m; ite(e!(m; bv_slt(m.x(), m.y())), m.x(), m.y()));
            let least = e!(m; ite(e!(m; bv_slt(m.z(), least)), m.z(), least));
            e!(m; bv_slt(m.y(), least))
        }),
        (R::CompareExtreme, |m| {
            let greatest = e!(m; ite(e!(m; bv_ult(m.x(), m.y())), m.y(), m.x()));
            e!(m; bv_ult(greatest, m.x()))
        }),
        (R::CompareExtreme, |m| {
            let least = e!(m; ite(e!(m; bv_ult(m.x(), m.y())), m.x(), m.y()));
            let greatest = e!(m; ite(e!(m; bv_ult(m.x(), m.y())), m.y(), m.x()));
            e!(m; bv_ult(greatest, least))
        }),
        (R::CompareUnsigned, |m| e!(m; bv_slt(m.zx("x"), m.zx("y")))),
        (
            R::CompareConcat,
            |m| e!(m; bv_ult(e!(m; bv_concat(m.x(), m.y())), e!(m; bv_concat(m.x(), m.z())))),
        ),
        (
            R::CompareConcat,
            |m| e!(m; bv_slt(e!(m; bv_concat(m.x(), m.y())), e!(m; bv_concat(m.z(), m.y())))),
        ),
        (
            R::CompareConcat,
            |m| e!(m; bv_slt(e!(m; bv_concat(m.x(), m.y())), e!(m; bv_concat(m.x(), m.z())))),
        ),
        (R::OverflowRange, |m| e!(m; bv_saddo(m.sx("x"), m.sx("y")))),
        (R::OverflowRange, |m| e!(m; bv_uaddo(m.zx("x"), m.zx("y")))),
        (R::OverflowRange, |m| e!(m; bv_ssubo(m.sx("x"), m.sx("y")))),
        (R::OverflowRange, |m| e!(m; bv_smulo(m.sx("x"), m.sx("y")))),
        (R::OverflowRange, |m| e!(m; bv_umulo(m.zx("x"), m.zx("y")))),
        (R::OverflowConstant, |m| e!(m; bv_saddo(m.x(), m.k(2)))),
        (R::OverflowConstant, |m| e!(m; bv_saddo(m.x(), m.k(-2)))),
        (R::OverflowConstant, |m| e!(m; bv_uaddo(m.x(), m.k(2)))),
        (R::OverflowConstant, |m| e!(m; bv_ssubo(m.x(), m.k(2)))),
        (R::OverflowConstant, |m| e!(m; bv_ssubo(m.x(), m.k(-2)))),
        (R::OverflowConstant, |m| {
            let k = -(1 << (m.w - 1));
            e!(m; bv_ssubo(m.x(), m.k(k)))
        }),
        (R::OverflowConstant, |m| e!(m; bv_ssubo(m.k(2), m.x()))),
        (R::OverflowConstant, |m| e!(m; bv_ssubo(m.k(-2), m.x()))),
        (R::OverflowConstant, |m| e!(m; bv_ssubo(m.k(0), m.x()))),
        (R::OverflowConstant, |m| e!(m; bv_smulo(m.x(), m.k(3)))),
        (R::OverflowConstant, |m| e!(m; bv_smulo(m.x(), m.k(2)))),
        (R::OverflowConstant, |m| e!(m; bv_smulo(m.x(), m.k(-3)))),
        (R::OverflowConstant, |m| e!(m; bv_smulo(m.x(), m.k(-2)))),
        (R::OverflowConstant, |m| e!(m; bv_smulo(m.x(), m.k(-1)))),
        (R::OverflowConstant, |m| {
            let k = -(1 << (m.w - 1));
            e!(m; bv_smulo(m.x(), m.k(k)))
        }),
        (R::OverflowConstant, |m| e!(m; bv_umulo(m.x(), m.k(3)))),
        (R::OverflowConstant, |m| e!(m; bv_umulo(m.x(), m.k(-1)))),
        (R::UsuboCompare, |m| e!(m; bv_usubo(m.x(), m.y()))),
        (R::FpNegNeg, |m| e!(m; fp_neg(e!(m; fp_neg(m.f()))))),
        (R::FpAbsAbs, |m| e!(m; fp_abs(e!(m; fp_neg(m.f()))))),
        (R::FpAbsAbs, |m| e!(m; fp_abs(e!(m; fp_abs(m.f()))))),
        (R::FpSubNegated, |m| e!(m; fp_sub(m.rm(), m.f(), m.fk(1.5)))),
        (R::FpSubNegated, |m| e!(m; fp_sub(m.rm(), m.f(), m.fk(0.0)))),
        (R::FpMulOne, |m| {
            let sum = e!(m; fp_add(m.rm(), m.f(), m.g()));
            e!(m; fp_mul(m.rne(), m.fk(1.0), sum))
        }),
        (R::FpMulOne, |m| {
            let sum = e!(m; fp_add(m.rm(), m.f(), m.g()));
            e!(m; fp_div(m.rne(), sum, m.fk(1.0)))
        }),
        (R::FpDivPower, |m| e!(m; fp_div(m.rm(), m.f(), m.fk(8.0)))),
        (R::FpDivPower, |m| e!(m; fp_div(m.rm(), m.f(), m.fk(-0.25)))),
        (R::FpCompareSame, |m| e!(m; fp_lt(m.f(), m.f()))),
        (R::FpCompareSame, |m| e!(m; fp_le(m.f(), m.f()))),
        (R::FpCompareSame, |m| e!(m; fp_eq(m.f(), m.f()))),
        (
            R::FpCompareConverted,
            |m| e!(m; fp_lt(e!(m; widen_f()), e!(m; widen_g()))),
        ),
        (
            R::FpCompareConvertedConstant,
            |m| e!(m; fp_lt(e!(m; widen_f()), m.widek(0.1))),
        ),
        (
            R::FpCompareConvertedConstant,
            |m| e!(m; fp_lt(e!(m; widen_f()), m.widek(0.5))),
        ),
        (
            R::FpCompareConvertedConstant,
            |m| e!(m; fp_le(e!(m; widen_f()), m.widek(0.1))),
        ),
        (
            R::FpCompareConvertedConstant,
            |m| e!(m; fp_lt(m.widek(0.1), e!(m; widen_f()))),
        ),
        (
            R::FpCompareConvertedConstant,
            |m| e!(m; fp_le(m.widek(-0.5), e!(m; widen_f()))),
        ),
        (
            R::FpCompareConvertedConstant,
            |m| e!(m; fp_le(m.widek(-0.1), e!(m; widen_f()))),
        ),
        (
            R::FpCompareConvertedConstant,
            |m| e!(m; fp_eq(m.widek(0.1), e!(m; widen_f()))),
        ),
        (
            R::FpCompareConvertedConstant,
            |m| e!(m; fp_eq(m.widek(0.0), e!(m; widen_f()))),
        ),
        (R::FpCompareConvertedConstant, |m| {
            let huge = Float::max_finite(m.wider(), false);
            e!(m; fp_lt(e!(m; widen_f()), m.t.float(huge)))
        }),
        (R::FpCompareConvertedConstant, |m| {
            let huge = Float::max_finite(m.wider(), true);
            e!(m; fp_lt(e!(m; widen_f()), m.t.float(huge)))
        }),
        (R::FpCompareConvertedConstant, |m| {
            let tiny = Float::min_subnormal(m.wider(), false);
            e!(m; fp_lt(e!(m; widen_f()), m.t.float(tiny)))
        }),
        (R::FpCompareConvertedConstant, |m| {
            let tiny = Float::min_subnormal(m.wider(), true);
            e!(m; fp_lt(m.t.float(tiny), e!(m; widen_f())))
        }),
        (R::FpCompareNan, |m| {
            let format = m.format;
            e!(m; fp_le(m.f(), m.t.float(Float::nan(format))))
        }),
        (R::FpCompareInfinity, |m| {
            let format = m.format;
            e!(m; fp_lt(m.f(), m.t.float(Float::infinity(format, true))))
        }),
        (R::FpCompareInfinity, |m| {
            let format = m.format;
            e!(m; fp_lt(m.t.float(Float::infinity(format, false)), m.f()))
        }),
        (R::FpCompareInfinity, |m| {
            let format = m.format;
            e!(m; fp_le(m.f(), m.t.float(Float::infinity(format, false))))
        }),
        (R::FpClassKnown, |m| e!(m; fp_is_nan(e!(m; fp_neg(m.f()))))),
        (R::FpClassKnown, |m| e!(m; fp_is_zero(e!(m; fp_abs(m.f()))))),
        (R::FpClassKnown, |m| e!(m; fp_is_negative(e!(m; fp_abs(m.f()))))),
        (R::FpClassKnown, |m| e!(m; fp_is_nan(e!(m; widen_f())))),
        (R::FpClassKnown, |m| e!(m; fp_is_inf(e!(m; widen_f())))),
        (R::FpClassKnown, |m| e!(m; fp_is_zero(e!(m; widen_f())))),
        (R::FpClassKnown, |m| {
            let format = m.format;
            e!(m; fp_is_nan(e!(m; fp_from_signed(m.rm(), format, m.x()))))
        }),
        (R::FpClassKnown, |m| {
            let format = m.format;
            e!(m; fp_is_inf(e!(m; fp_from_unsigned(m.rm(), format, m.sized("n", 11)))))
        }),
        (R::FpClassKnown, |m| {
            let format = m.format;
            e!(m; fp_is_subnormal(e!(m; fp_from_signed(m.rm(), format, m.x()))))
        }),
        (R::FpConvertSame, |m| {
            let format = m.format;
            e!(m; fp_convert(m.rm(), format, m.f()))
        }),
        (R::FpConvertBack, |m| {
            let format = m.format;
            let sum = e!(m; fp_add(m.rne(), m.f(), m.g()));
            let wide = m.widen(sum);
            e!(m; fp_convert(m.rm(), format, wide))
        }),
        (R::FpConvertTwice, |m| {
            let wide = {
                let f = m.f();
                m.widen(f)
            };
            e!(m; fp_convert(m.rm(), FloatFormat::Binary128, wide))
        }),
        (R::FpFromToBits, |m| {
            let format = m.format;
            let sum = e!(m; fp_add(m.rm(), m.f(), m.g()));
            e!(m; fp_from_bits(format, e!(m; fp_to_bits(sum))))
        }),
        (R::FpFromToBits, |m| {
            let format = m.format;
            let sum = e!(m; fp_add(m.rm(), m.f(), m.g()));
            let bits = e!(m; fp_to_bits(sum));
            let other = e!(m; fp_to_bits(m.f()));
            e!(m; fp_from_bits(format, e!(m; ite(m.a(), bits, other))))
        }),
        (R::FpBitsThrough, |m| {
            let format = m.format;
            let read = e!(m; fp_from_bits(format, m.sized("raw", format.bits())));
            e!(m; fp_to_bits(e!(m; fp_neg(read))))
        }),
        (R::FpBitsThrough, |m| {
            let ite = e!(m; ite(m.a(), m.f(), m.g()));
            e!(m; fp_to_bits(e!(m; fp_abs(ite))))
        }),
        (R::FpToIntOfInt, |m| {
            let (format, w) = (m.format, m.w);
            e!(m; fp_to_signed(m.rm(), w + 9, e!(m; fp_from_unsigned(m.rne(), format, m.sized("n", 9)))))
        }),
        (R::FpToIntOfInt, |m| {
            let (format, w) = (m.format, m.w);
            e!(m; fp_to_signed(m.rm(), w + 9, e!(m; fp_from_signed(m.rne(), format, m.sized("n", 9)))))
        }),
        (R::FpToIntOfInt, |m| {
            let (format, w) = (m.format, m.w);
            e!(m; fp_to_unsigned(m.rm(), w + 9, e!(m; fp_from_unsigned(m.rne(), format, m.sized("n", 9)))))
        }),
        (R::FpFromExtended, |m| {
            let format = m.format;
            e!(m; fp_from_signed(m.rm(), format, m.sx("x")))
        }),
        (R::FpFromExtended, |m| {
            let format = m.format;
            e!(m; fp_from_signed(m.rm(), format, m.zx("x")))
        }),
        (R::FpFromExtended, |m| {
            let format = m.format;
            e!(m; fp_from_unsigned(m.rm(), format, m.zx("x")))
        }),
        (R::SelectStoreSame, |m| {
            let store = e!(m; store(m.array(), m.x(), m.bits(4, 3)));
            e!(m; select(store, m.x()))
        }),
        (R::SelectStoreOther, |m| {
            let store = e!(m; store(m.array(), e!(m; bv_add(m.x(), m.k(1))), m.bits(4, 3)));
            e!(m; select(store, e!(m; bv_add(m.x(), m.k(2)))))
        }),
        (R::SelectStoreOther, |m| {
            let store = e!(m; store(m.array(), m.x(), m.bits(4, 3)));
            e!(m; select(store, e!(m; bv_add(m.x(), m.k(2)))))
        }),
        (R::SelectConstant, |m| {
            let w = m.w;
            let array = e!(m; const_array(w, m.bits(4, 5)));
            e!(m; select(array, m.x()))
        }),
        (R::SelectFewConstants, |m| {
            let w = m.w;
            let array = e!(m; const_array(w, m.bits(4, 5)));
            let store = e!(m; store(array, m.k(1), m.bits(4, 3)));
            let store = e!(m; store(store, m.k(0), m.bits(4, 5)));
            let store = e!(m; store(store, m.y(), m.bits(4, 2)));
            e!(m; select(store, m.x()))
        }),
        (R::StoreStore, |m| {
            let store = e!(m; store(m.array(), m.x(), m.bits(4, 3)));
            let store = e!(m; store(store, m.x(), m.bits(4, 5)));
            e!(m; select(store, m.y()))
        }),
        (R::StoreSelect, |m| {
            let old = e!(m; select(m.array(), m.x()));
            let store = e!(m; store(m.array(), m.x(), old));
            e!(m; select(store, m.y()))
        }),
    ];
    table
}

impl Make<'_> {
    /// A wide term that is at least `2^w`.
    pub fn sized_sum(&mut self) -> TermId {
        let (one, y) = (self.k(1), self.y());
        self.t.bv_concat(one, y)
    }
}

/// Widened variables, as builder methods for the table.
trait Widened {
    fn widen_f(&mut self) -> TermId;
    fn widen_g(&mut self) -> TermId;
}

impl Widened for Terms {
    fn widen_f(&mut self) -> TermId {
        widened_variable(self, "f")
    }
    fn widen_g(&mut self) -> TermId {
        widened_variable(self, "g")
    }
}

fn widened_variable(terms: &mut Terms, name: &str) -> TermId {
    let variable = terms.find_variable(name).expect("declared before");
    let format = match terms.sort(variable).format() {
        FloatFormat::Binary16 => FloatFormat::Binary32,
        FloatFormat::Binary32 => FloatFormat::Binary64,
        _ => FloatFormat::Binary128,
    };
    let mode = terms.rounding(RoundingMode::NearestEven);
    terms.fp_convert(mode, format, variable)
}
