//! Terms with other terms in the place of variables.
//!
//! The result is built through the rewriting builders, so it is as simple as if it had been built from the
//! new operands in the first place. No recursion: operands are rebuilt before their users.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::op::Op;
use crate::terms::{TermId, Terms};

impl Terms {
    /// The term with each variable in `known` replaced; what is rebuilt is added to `known`, so that terms
    /// that share parts can share the work.
    pub fn substitute(&mut self, term: TermId, known: &mut FxHashMap<TermId, TermId>) -> TermId {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let operands: SmallVec<[TermId; 4]> = self.children(top).into();
            let missing = operands.iter().filter(|operand| !known.contains_key(operand));
            let before = stack.len();
            stack.extend(missing);
            if stack.len() > before {
                continue;
            }
            let replaced: SmallVec<[TermId; 4]> = operands.iter().map(|operand| known[operand]).collect();
            let rebuilt = match replaced == operands {
                true => top,
                false => self.build(self.op(top), &replaced),
            };
            known.insert(top, rebuilt);
            stack.pop();
        }
        known[&term]
    }

    /// The application of an operator, rewritten where it is a rewriting builder's.
    pub(crate) fn build(&mut self, op: Op, operands: &[TermId]) -> TermId {
        match (op, operands) {
            (Op::Not, &[a]) => self.not(a),
            (Op::And, &[a, b]) => self.and(a, b),
            (Op::Or, &[a, b]) => self.or(a, b),
            (Op::Xor, &[a, b]) => self.xor(a, b),
            (Op::Ite, &[c, a, b]) => self.ite(c, a, b),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::BvNot, &[a]) => self.bv_not(a),
            (Op::BvNeg, &[a]) => self.bv_neg(a),
            (Op::BvAnd, &[a, b]) => self.bv_and(a, b),
            (Op::BvOr, &[a, b]) => self.bv_or(a, b),
            (Op::BvXor, &[a, b]) => self.bv_xor(a, b),
            (Op::BvAdd, &[a, b]) => self.bv_add(a, b),
            (Op::BvSub, &[a, b]) => self.bv_sub(a, b),
            (Op::BvMul, &[a, b]) => self.bv_mul(a, b),
            (Op::BvUdiv, &[a, b]) => self.bv_udiv(a, b),
            (Op::BvUrem, &[a, b]) => self.bv_urem(a, b),
            (Op::BvShl, &[a, b]) => self.bv_shl(a, b),
            (Op::BvLshr, &[a, b]) => self.bv_lshr(a, b),
            (Op::BvAshr, &[a, b]) => self.bv_ashr(a, b),
            (Op::BvUlt, &[a, b]) => self.bv_ult(a, b),
            (Op::BvUle, &[a, b]) => self.bv_ule(a, b),
            (Op::BvSlt, &[a, b]) => self.bv_slt(a, b),
            (Op::BvSle, &[a, b]) => self.bv_sle(a, b),
            (Op::BvConcat, &[a, b]) => self.bv_concat(a, b),
            (Op::BvExtract { high, low }, &[a]) => self.bv_extract(a, high, low),
            (Op::BvZeroExtend(width), &[a]) => self.bv_zext(a, width),
            (Op::BvSignExtend(width), &[a]) => self.bv_sext(a, width),
            (Op::FpFromBits(format), &[a]) => self.fp_from_bits(format, a),
            (Op::FpToBits, &[a]) => self.fp_to_bits(a),
            (Op::Select, &[a, i]) => self.select(a, i),
            (Op::Store, &[a, i, e]) => self.store(a, i, e),
            _ => self.mk(op, operands),
        }
    }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use crate::op::Sort;
    use crate::terms::Terms;

    #[test]
    fn constants_in_the_place_of_variables_fold() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVec(8));
        let y = terms.variable("y", Sort::BitVec(8));
        let sum = terms.bv_add(x, y);
        let ten = terms.bv_u64(8, 10);
        let small = terms.bv_ult(sum, ten);
        let (three, four) = (terms.bv_u64(8, 3), terms.bv_u64(8, 4));
        let mut map = FxHashMap::from_iter([(x, three), (y, four)]);
        assert_eq!(terms.substitute(small, &mut map), terms.true_());
    }

    #[test]
    fn what_mentions_no_replaced_variable_stays() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVec(8));
        let one = terms.bv_u64(8, 1);
        let next = terms.bv_add(x, one);
        assert_eq!(terms.substitute(next, &mut FxHashMap::default()), next);
    }

    #[test]
    fn deep_terms_need_no_stack() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVec(32));
        let y = terms.variable("y", Sort::BitVec(32));
        let mut sum = x;
        for index in 0..200_000u64 {
            let odd = terms.bv_u64(32, index | 1);
            let mixed = terms.bv_xor(sum, odd);
            sum = terms.bv_mul(mixed, odd);
        }
        let replaced = terms.substitute(sum, &mut FxHashMap::from_iter([(x, y)]));
        assert_ne!(replaced, sum);
    }
}
