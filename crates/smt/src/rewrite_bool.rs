//! Builders of truth values, equality and if-then-else.
//!
//! Normal form: conjunction and negation only (an and-inverter graph); `or`, `implies`, `xor` are
//! built from them and `=`, so equal guards are found equal more often and each law is stated once.
//! Operands of commutative operators are ordered by id, constants last.
//!
//! Source: Brummayer and Biere, "Local two-level and-inverter graph minimization without blowup"
//! (MEMICS 2006), for the rules of conjunction; none of them makes a term larger.

use kripke_value::BitVec;

use crate::op::{Op, Sort};
use crate::rules::Rule;
use crate::terms::{TermId, Terms};

/// How many conjuncts are searched for a contradiction or a repetition.
const CONJUNCTS: usize = 24;

impl Terms {
    /// Orders operands of a commutative operator: constants last, otherwise by age.
    pub(crate) fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        match (self.is_const(a), self.is_const(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ if a <= b => (a, b),
            _ => (b, a),
        }
    }

    /// The operand of a negation.
    pub(crate) fn negated(&self, term: TermId) -> Option<TermId> {
        (self.op(term) == Op::Not).then(|| self.child(term, 0))
    }

    /// True when one term is the negation of the other.
    pub fn are_opposite(&self, a: TermId, b: TermId) -> bool {
        self.negated(a) == Some(b) || self.negated(b) == Some(a)
    }

    fn conjunction(&self, term: TermId) -> Option<(TermId, TermId)> {
        (self.op(term) == Op::And).then(|| self.operands2(term))
    }

    fn negated_conjunction(&self, term: TermId) -> Option<(TermId, TermId)> {
        self.negated(term).and_then(|inner| self.conjunction(inner))
    }

    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        if !self.rewriting {
            return self.mk_plain(Op::Not, &[a]);
        }
        if let Some(inner) = self.negated(a) {
            self.fired(Rule::NotNot);
            return inner;
        }
        self.mk(Op::Not, &[a])
    }

    /// Conjunction.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        if !self.rewriting {
            return self.mk_plain(Op::And, &[a, b]);
        }
        if let Some(known) = self.and_unit(a, b) {
            self.fired(Rule::AndUnit);
            return known;
        }
        if let Some(known) = self.nested(|terms| terms.rewrite_conjunction(a, b)) {
            return known;
        }
        let (a, b) = self.ordered(a, b);
        self.mk_plain(Op::And, &[a, b])
    }

    fn rewrite_conjunction(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        self.and_conjuncts(a, b)
            .or_else(|| self.and_negated(a, b))
            .or_else(|| self.and_negated(b, a))
            .or_else(|| self.and_resolution(a, b))
    }

    fn and_unit(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => return Some(b),
            (_, Some(true)) => return Some(a),
            (Some(false), _) | (_, Some(false)) => return Some(self.false_()),
            _ => {}
        }
        if a == b {
            return Some(a);
        }
        self.are_opposite(a, b).then(|| self.false_())
    }

    /// The first conjuncts of a term, the term itself among them.
    fn conjuncts(&self, term: TermId) -> smallvec::SmallVec<[TermId; 32]> {
        let mut found = smallvec::SmallVec::new();
        let mut next = 0;
        found.push(term);
        while next < found.len() && found.len() < CONJUNCTS {
            if let Some((a, b)) = self.conjunction(found[next]) {
                found.push(a);
                found.push(b);
            }
            next += 1;
        }
        found
    }

    /// Contradiction and repetition between the conjuncts of both sides.
    fn and_conjuncts(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.op(a) != Op::And && self.op(b) != Op::And {
            return None;
        }
        let (left, right) = (self.conjuncts(a), self.conjuncts(b));
        for &x in &left {
            for &y in &right {
                if self.are_opposite(x, y) {
                    self.fired(Rule::AndContradiction);
                    return Some(self.false_());
                }
            }
        }
        if left.contains(&b) {
            self.fired(Rule::AndIdempotent);
            return Some(a);
        }
        if right.contains(&a) {
            self.fired(Rule::AndIdempotent);
            return Some(b);
        }
        None
    }

    /// `a` is not(x and y): drops it or one of its parts where `b` decides x or y.
    fn and_negated(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = self.negated_conjunction(a)?;
        let given = self.conjuncts(b);
        for &fact in &given {
            if self.are_opposite(fact, x) || self.are_opposite(fact, y) {
                self.fired(Rule::AndSubsumption);
                return Some(b);
            }
        }
        for &fact in &given {
            let rest = if fact == x {
                y
            } else if fact == y {
                x
            } else {
                continue;
            };
            self.fired(Rule::AndSubstitution);
            let rest = self.not(rest);
            return Some(self.and(b, rest));
        }
        None
    }

    /// not(p and q) and not(p and not q) = not p.
    fn and_resolution(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (a1, a2) = self.negated_conjunction(a)?;
        let (b1, b2) = self.negated_conjunction(b)?;
        let common = if a1 == b1 && self.are_opposite(a2, b2) || a1 == b2 && self.are_opposite(a2, b1) {
            a1
        } else if a2 == b1 && self.are_opposite(a1, b2) || a2 == b2 && self.are_opposite(a1, b1) {
            a2
        } else {
            return None;
        };
        self.fired(Rule::AndResolution);
        Some(self.not(common))
    }

    /// Disjunction.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        if !self.rewriting {
            return self.mk_plain(Op::Or, &[a, b]);
        }
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// Exclusive disjunction.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        if !self.rewriting {
            return self.mk_plain(Op::Xor, &[a, b]);
        }
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Implication.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Conjunction of any number.
    pub fn and_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let mut all = self.true_();
        for term in terms {
            all = self.and(all, term);
        }
        all
    }

    /// Disjunction of any number.
    pub fn or_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let mut any = self.false_();
        for term in terms {
            any = self.or(any, term);
        }
        any
    }

    /// `condition ? then : otherwise`.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        if !self.rewriting {
            return self.mk_plain(Op::Ite, &[condition, then, otherwise]);
        }
        if let Some(value) = self.as_bool(condition) {
            self.fired(Rule::IteConstantCondition);
            return if value { then } else { otherwise };
        }
        if then == otherwise {
            self.fired(Rule::IteSame);
            return then;
        }
        if let Some(positive) = self.negated(condition) {
            self.fired(Rule::IteNot);
            return self.ite(positive, otherwise, then);
        }
        if let Some(known) = self.nested(|terms| terms.rewrite_ite(condition, then, otherwise)) {
            return known;
        }
        if self.op(condition) == Op::Eq && !matches!(self.sort(then), Sort::Float(_)) {
            let (a, b) = self.operands2(condition);
            if (a, b) == (then, otherwise) || (b, a) == (then, otherwise) {
                self.fired(Rule::IteToEq);
                return otherwise;
            }
        }
        self.mk_plain(Op::Ite, &[condition, then, otherwise])
    }

    fn rewrite_ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
        if self.sort(then) == Sort::Bool
            && let Some(known) = self.ite_bool(condition, then, otherwise)
        {
            self.fired(Rule::IteBool);
            return Some(known);
        }
        self.ite_nested(condition, then, otherwise)
            .or_else(|| self.ite_merge(condition, then, otherwise))
    }

    fn ite_bool(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
        let then_value = if then == condition {
            Some(true)
        } else {
            self.as_bool(then)
        };
        let otherwise_value = if otherwise == condition {
            Some(false)
        } else {
            self.as_bool(otherwise)
        };
        let not_condition = self.not(condition);
        Some(match (then_value, otherwise_value) {
            (Some(true), Some(false)) => condition,
            (Some(false), Some(true)) => not_condition,
            (Some(true), _) => self.or(condition, otherwise),
            (Some(false), _) => self.and(not_condition, otherwise),
            (_, Some(true)) => self.or(not_condition, then),
            (_, Some(false)) => self.and(condition, then),
            _ if then == not_condition => self.and(not_condition, otherwise),
            _ if otherwise == not_condition => self.or(not_condition, then),
            _ if self.are_opposite(then, otherwise) => self.eq(condition, then),
            _ => return None,
        })
    }

    /// A branch that asks the same condition again.
    fn ite_nested(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
        if self.op(then) == Op::Ite && self.child(then, 0) == condition {
            self.fired(Rule::IteNested);
            let inner = self.child(then, 1);
            return Some(self.ite(condition, inner, otherwise));
        }
        if self.op(otherwise) == Op::Ite && self.child(otherwise, 0) == condition {
            self.fired(Rule::IteNested);
            let inner = self.child(otherwise, 2);
            return Some(self.ite(condition, then, inner));
        }
        None
    }

    /// A branch whose own branch is the other branch: one test instead of two.
    fn ite_merge(&mut self, c: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
        if self.op(otherwise) == Op::Ite {
            let (d, x, y) = self.operands3(otherwise);
            if x == then {
                self.fired(Rule::IteMerge);
                let either = self.or(c, d);
                return Some(self.ite(either, then, y));
            }
            if y == then {
                self.fired(Rule::IteMerge);
                let not_c = self.not(c);
                let both = self.and(not_c, d);
                return Some(self.ite(both, x, then));
            }
        }
        if self.op(then) == Op::Ite {
            let (d, x, y) = self.operands3(then);
            if x == otherwise {
                self.fired(Rule::IteMerge);
                let not_d = self.not(d);
                let both = self.and(c, not_d);
                return Some(self.ite(both, y, otherwise));
            }
            if y == otherwise {
                self.fired(Rule::IteMerge);
                let both = self.and(c, d);
                return Some(self.ite(both, x, otherwise));
            }
        }
        None
    }

    /// Equality of two terms of one sort (for floats: of values, all NaNs equal, zeros by sign).
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if !self.rewriting {
            return self.mk_plain(Op::Eq, &[a, b]);
        }
        if a == b {
            self.fired(Rule::EqSame);
            return self.true_();
        }
        let (a, b) = self.ordered(a, b);
        if let Some(known) = self.nested(|terms| terms.rewrite_eq(a, b)) {
            return known;
        }
        self.mk(Op::Eq, &[a, b])
    }

    fn rewrite_eq(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let by_sort = match self.sort(a) {
            Sort::Bool => self.eq_bool(a, b),
            Sort::BitVec(_) => self.eq_bit_vectors(a, b),
            Sort::Float(_) => self.eq_floats(a, b),
            _ => None,
        };
        by_sort
            .or_else(|| self.eq_shared(a, b))
            .or_else(|| self.push_binary(Op::Eq, a, b))
    }

    /// Not equal.
    pub fn distinct(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    fn eq_bool(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_const(a) && self.is_const(b) {
            return None;
        }
        let result = match self.as_bool(b) {
            Some(true) => a,
            Some(false) => self.not(a),
            None if self.are_opposite(a, b) => self.false_(),
            None => match (self.negated(a), self.negated(b)) {
                (Some(x), Some(y)) => self.eq(x, y),
                (Some(x), None) => self.differ(x, b),
                (None, Some(y)) => self.differ(a, y),
                (None, None) => return None,
            },
        };
        self.fired(Rule::EqBool);
        Some(result)
    }

    fn differ(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    fn eq_floats(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if !self.is_const(a) && self.as_float(b).is_some_and(|value| value.is_nan()) {
            self.fired(Rule::EqFloatNan);
            return Some(self.fp_is_nan(a));
        }
        None
    }

    /// `ite(c, x, y) = x`.
    fn eq_shared(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        for (tree, other) in [(a, b), (b, a)] {
            if self.op(tree) != Op::Ite {
                continue;
            }
            let (condition, then, otherwise) = self.operands3(tree);
            if then == other {
                self.fired(Rule::EqShared);
                let rest = self.eq(otherwise, other);
                return Some(self.or(condition, rest));
            }
            if otherwise == other {
                self.fired(Rule::EqShared);
                let rest = self.eq(then, other);
                let not_condition = self.not(condition);
                return Some(self.or(not_condition, rest));
            }
        }
        None
    }

    fn eq_bit_vectors(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_const(a) && self.is_const(b) {
            return None;
        }
        if self.ranges_are_disjoint(a, b) {
            self.fired(Rule::EqRange);
            return Some(self.false_());
        }
        if let Some(value) = self.as_bv(b).cloned() {
            return self.eq_constant(a, b, &value);
        }
        self.eq_sums(a, b)
            .or_else(|| self.eq_sums(b, a))
            .or_else(|| self.eq_structures(a, b))
    }

    pub(crate) fn ranges_are_disjoint(&self, a: TermId, b: TermId) -> bool {
        match (self.range(a), self.range(b)) {
            (Some(a), Some(b)) => {
                a.unsigned_max < b.unsigned_min
                    || b.unsigned_max < a.unsigned_min
                    || a.signed_max < b.signed_min
                    || b.signed_max < a.signed_min
            }
            _ => false,
        }
    }

    fn eq_constant(&mut self, a: TermId, b: TermId, value: &BitVec) -> Option<TermId> {
        let op = self.op(a);
        match op {
            Op::BvAdd if self.is_const(self.child(a, 1)) => {
                let (x, k) = self.operands2(a);
                self.fired(Rule::EqAddConstant);
                let rest = self.bv_sub(b, k);
                Some(self.eq(x, rest))
            }
            Op::BvSub if value.is_zero() => {
                let (x, y) = self.operands2(a);
                self.fired(Rule::EqSubZero);
                Some(self.eq(x, y))
            }
            Op::BvSub if self.is_const(self.child(a, 0)) => {
                let (k, x) = self.operands2(a);
                self.fired(Rule::EqAddConstant);
                let rest = self.bv_sub(k, b);
                Some(self.eq(x, rest))
            }
            Op::BvNot | Op::BvNeg => {
                let x = self.child(a, 0);
                self.fired(Rule::EqNotNegXor);
                let inverse = if op == Op::BvNot { value.not() } else { value.neg() };
                let inverse = self.bv(inverse);
                Some(self.eq(x, inverse))
            }
            Op::BvXor if self.is_const(self.child(a, 1)) => {
                let (x, k) = self.operands2(a);
                self.fired(Rule::EqNotNegXor);
                let rest = self.bv_xor(b, k);
                Some(self.eq(x, rest))
            }
            Op::BvConcat => {
                let (high, low) = self.operands2(a);
                let low_width = self.width(low);
                self.fired(Rule::EqConcat);
                let (k_high, k_low) = (
                    value.extract(value.width() - 1, low_width),
                    value.extract(low_width - 1, 0),
                );
                let (k_high, k_low) = (self.bv(k_high), self.bv(k_low));
                let (high, low) = (self.eq(high, k_high), self.eq(low, k_low));
                Some(self.and(high, low))
            }
            Op::BvZeroExtend(width) | Op::BvSignExtend(width) => {
                let x = self.child(a, 0);
                let narrow = value.trunc(self.width(x));
                self.fired(Rule::EqExtend);
                let back = if op == Op::BvZeroExtend(width) {
                    narrow.zext(width)
                } else {
                    narrow.sext(width)
                };
                if back != *value {
                    return Some(self.false_());
                }
                let narrow = self.bv(narrow);
                Some(self.eq(x, narrow))
            }
            _ => None,
        }
    }

    /// `x + y = x` and `x + k = x + l`.
    fn eq_sums(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.op(a) != Op::BvAdd {
            return None;
        }
        let (x, y) = self.operands2(a);
        let zero = BitVec::zero(self.width(a));
        for (same, rest) in [(x, y), (y, x)] {
            if same == b {
                self.fired(Rule::EqAddSame);
                let zero = self.bv(zero);
                return Some(self.eq(rest, zero));
            }
            if self.op(b) == Op::BvAdd {
                let (u, v) = self.operands2(b);
                if same == u || same == v {
                    self.fired(Rule::EqAddSame);
                    return Some(self.eq(rest, if same == u { v } else { u }));
                }
            }
        }
        None
    }

    fn eq_structures(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match (self.op(a), self.op(b)) {
            (Op::BvConcat, Op::BvConcat) => {
                let ((a_high, a_low), (b_high, b_low)) = (self.operands2(a), self.operands2(b));
                if self.width(a_low) != self.width(b_low) {
                    return None;
                }
                self.fired(Rule::EqConcat);
                let (high, low) = (self.eq(a_high, b_high), self.eq(a_low, b_low));
                Some(self.and(high, low))
            }
            (Op::BvZeroExtend(_), Op::BvZeroExtend(_)) | (Op::BvSignExtend(_), Op::BvSignExtend(_)) => {
                let (x, y) = (self.child(a, 0), self.child(b, 0));
                if self.sort(x) != self.sort(y) {
                    return None;
                }
                self.fired(Rule::EqExtend);
                Some(self.eq(x, y))
            }
            (Op::BvNot, Op::BvNot) | (Op::BvNeg, Op::BvNeg) => {
                self.fired(Rule::EqNotNegXor);
                let (x, y) = (self.child(a, 0), self.child(b, 0));
                Some(self.eq(x, y))
            }
            _ => None,
        }
    }
}
