//! Builders of bitwise operations, shifts, concatenation, extraction and extension.
//!
//! Normal form: a concatenation leans right and has no adjacent constants or adjacent parts of one
//! term; zeros above are a zero extension; a shift by a constant is concatenation and extraction;
//! an extraction stands on no concatenation, extension or extraction. So bytes taken from a word
//! and put together again are the word.

use kripke_value::BitVec;
use smallvec::SmallVec;

use crate::op::Op;
use crate::rules::Rule;
use crate::terms::{TermId, Terms};

/// Concatenations of more parts are not searched for disjoint bits.
const MAX_PARTS: usize = 24;

impl Terms {
    /// Bitwise complement.
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        self.unary(Op::BvNot, a, |terms, a| {
            (terms.op(a) == Op::BvNot).then(|| {
                terms.fired(Rule::BitNotNot);
                terms.child(a, 0)
            })
        })
    }

    fn are_complements(&self, a: TermId, b: TermId) -> bool {
        self.op(a) == Op::BvNot && self.child(a, 0) == b || self.op(b) == Op::BvNot && self.child(b, 0) == a
    }

    /// `(x op k)` with a constant `k`.
    fn with_constant(&self, op: Op, term: TermId) -> Option<(TermId, TermId)> {
        if self.op(term) != op {
            return None;
        }
        let (x, k) = self.operands2(term);
        self.is_const(k).then_some((x, k))
    }

    /// `zext(x) op zext(y)` of the same inner width.
    fn narrow_bitwise(
        &mut self,
        a: TermId,
        b: TermId,
        op: fn(&mut Terms, TermId, TermId) -> TermId,
    ) -> Option<TermId> {
        let Op::BvZeroExtend(width) = self.op(a) else {
            return None;
        };
        let x = self.child(a, 0);
        let y = match self.op(b) {
            Op::BvZeroExtend(_) if self.sort(self.child(b, 0)) == self.sort(x) => self.child(b, 0),
            Op::BitVec(_) => {
                let value = self.as_bv(b)?;
                let narrow = value.trunc(self.width(x));
                if narrow.zext(width) != *value {
                    return None;
                }
                self.bv(narrow)
            }
            _ => return None,
        };
        self.fired(Rule::BitwiseExtended);
        let narrow = op(self, x, y);
        Some(self.bv_zext(narrow, width))
    }

    /// Bitwise and.
    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvAnd, a, b, Self::rewrite_and)
    }

    fn rewrite_and(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            self.fired(Rule::BitAndUnit);
            return Some(a);
        }
        if self.are_complements(a, b) {
            self.fired(Rule::BitAndUnit);
            return Some(self.zero_of(a));
        }
        if let Some(value) = self.as_bv(b).cloned() {
            if value.is_zero() || value.is_ones() {
                self.fired(Rule::BitAndUnit);
                return Some(if value.is_zero() { b } else { a });
            }
            if let Some((x, k)) = self.with_constant(Op::BvAnd, a) {
                self.fired(Rule::BitAndConstants);
                let mask = self.bv_and(k, b);
                return Some(self.bv_and(x, mask));
            }
            if let Some(known) = self.mask_by_run(a, &value) {
                self.fired(Rule::BitAndMask);
                return Some(known);
            }
        }
        self.join_truths(a, b, Terms::and)
            .or_else(|| self.narrow_bitwise(a, b, Terms::bv_and))
    }

    /// `a & mask` where the mask is one run of ones: the run between zeros.
    fn mask_by_run(&mut self, a: TermId, mask: &BitVec) -> Option<TermId> {
        let (width, low, ones) = (mask.width(), mask.ctz(), mask.popcount());
        if mask.clz() + low + ones != width {
            return None;
        }
        let run = self.bv_extract(a, low + ones - 1, low);
        let shifted = if low == 0 {
            run
        } else {
            let zeros = self.bv(BitVec::zero(low));
            self.bv_concat(run, zeros)
        };
        Some(self.bv_zext(shifted, width))
    }

    /// Bitwise or.
    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvOr, a, b, Self::rewrite_or)
    }

    fn rewrite_or(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            self.fired(Rule::BitOrUnit);
            return Some(a);
        }
        if self.are_complements(a, b) {
            self.fired(Rule::BitOrUnit);
            return Some(self.ones_of(a));
        }
        if let Some(value) = self.as_bv(b).cloned() {
            if value.is_zero() || value.is_ones() {
                self.fired(Rule::BitOrUnit);
                return Some(if value.is_zero() { a } else { b });
            }
            if let Some((x, k)) = self.with_constant(Op::BvOr, a) {
                self.fired(Rule::BitOrConstants);
                let bits = self.bv_or(k, b);
                return Some(self.bv_or(x, bits));
            }
        }
        self.join_truths(a, b, Terms::or)
            .or_else(|| self.narrow_bitwise(a, b, Terms::bv_or))
            .or_else(|| self.join_disjoint(a, b, Rule::BitOrDisjoint))
    }

    /// Bitwise exclusive or.
    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvXor, a, b, Self::rewrite_xor)
    }

    fn rewrite_xor(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            self.fired(Rule::BitXorUnit);
            return Some(self.zero_of(a));
        }
        if self.are_complements(a, b) {
            self.fired(Rule::BitXorUnit);
            return Some(self.ones_of(a));
        }
        if let Some(value) = self.as_bv(b).cloned() {
            if value.is_zero() || value.is_ones() {
                self.fired(Rule::BitXorUnit);
                return Some(if value.is_zero() { a } else { self.bv_not(a) });
            }
            if let Some((x, k)) = self.with_constant(Op::BvXor, a) {
                self.fired(Rule::BitXorConstants);
                let bits = self.bv_xor(k, b);
                return Some(self.bv_xor(x, bits));
            }
        }
        for (x, y) in [(a, b), (b, a)] {
            if self.op(x) == Op::BvNot {
                self.fired(Rule::BitXorUnit);
                let inner = self.child(x, 0);
                let rest = self.bv_xor(inner, y);
                return Some(self.bv_not(rest));
            }
        }
        self.join_truths(a, b, Terms::xor)
            .or_else(|| self.narrow_bitwise(a, b, Terms::bv_xor))
            .or_else(|| self.join_disjoint(a, b, Rule::BitOrDisjoint))
    }

    /// An operation on two truth values as numbers: that of the truth values.
    fn join_truths(
        &mut self,
        a: TermId,
        b: TermId,
        operation: fn(&mut Terms, TermId, TermId) -> TermId,
    ) -> Option<TermId> {
        let (first, number) = self.truth_as_number(a)?;
        let (second, _) = self.truth_as_number(b).filter(|(_, other)| *other == number)?;
        self.fired(Rule::BitwiseTruth);
        let [first, second] = [first, second].map(|(condition, is_true)| match is_true {
            true => condition,
            false => self.not(condition),
        });
        let joined = operation(self, first, second);
        let zero = self.zero_of(number);
        Some(self.ite(joined, number, zero))
    }

    /// The condition under which a term is some number that is not zero, and whether it is to be true for
    /// that; else the term is zero.
    fn truth_as_number(&self, term: TermId) -> Option<((TermId, bool), TermId)> {
        let &[condition, then, otherwise] = self.children(term) else {
            return None;
        };
        let is_zero = |term: TermId| self.as_bv(term).map(BitVec::is_zero);
        match (self.op(term), is_zero(then), is_zero(otherwise)) {
            (Op::Ite, Some(false), Some(true)) => Some(((condition, true), then)),
            (Op::Ite, Some(true), Some(false)) => Some(((condition, false), otherwise)),
            _ => None,
        }
    }

    /// The parts of a concatenation from the lowest up, with zeros of extensions as constants;
    /// `None` when there are many.
    fn parts(&mut self, term: TermId) -> Option<SmallVec<[TermId; 8]>> {
        let mut parts = SmallVec::new();
        let mut stack: SmallVec<[TermId; 8]> = SmallVec::from_slice(&[term]);
        while let Some(next) = stack.pop() {
            match self.op(next) {
                Op::BvConcat => {
                    let (high, low) = self.operands2(next);
                    stack.push(high);
                    stack.push(low);
                }
                Op::BvZeroExtend(width) => {
                    let inner = self.child(next, 0);
                    let zeros = self.bv(BitVec::zero(width - self.width(inner)));
                    stack.push(zeros);
                    stack.push(inner);
                }
                _ => parts.push(next),
            }
            if parts.len() + stack.len() > MAX_PARTS {
                return None;
            }
        }
        Some(parts)
    }

    /// `a` and `b` joined when at every bit one of them is a known zero, so that or, xor and
    /// addition are all the same concatenation.
    pub(crate) fn join_disjoint(&mut self, a: TermId, b: TermId, rule: Rule) -> Option<TermId> {
        let splits = |op: Op| matches!(op, Op::BvConcat | Op::BvZeroExtend(_));
        let (op_a, op_b) = (self.op(a), self.op(b));
        if !(splits(op_a) && (splits(op_b) || op_b.is_constant())) {
            return None;
        }
        let cuts = |terms: &Terms, parts: &[TermId]| -> SmallVec<[u32; 16]> {
            parts
                .iter()
                .scan(0, |at, &part| {
                    *at += terms.width(part);
                    Some(*at)
                })
                .collect()
        };
        let (parts_a, parts_b) = (self.parts(a)?, self.parts(b)?);
        let mut ends = cuts(self, &parts_a);
        ends.extend(cuts(self, &parts_b));
        ends.sort_unstable();
        ends.dedup();
        let mut joined: SmallVec<[TermId; 8]> = SmallVec::new();
        let mut low = 0;
        for end in ends {
            let x = self.bv_extract(a, end - 1, low);
            let y = self.bv_extract(b, end - 1, low);
            let is_zero = |terms: &Terms, term| terms.as_bv(term).is_some_and(BitVec::is_zero);
            joined.push(if is_zero(self, x) {
                y
            } else if is_zero(self, y) {
                x
            } else {
                return None;
            });
            low = end;
        }
        self.fired(rule);
        let mut whole = joined[0];
        for &part in &joined[1..] {
            whole = self.bv_concat(part, whole);
        }
        Some(whole)
    }

    /// `a << by` for a distance below the width.
    pub(crate) fn shift_left_by(&mut self, a: TermId, by: u32) -> TermId {
        let width = self.width(a);
        if by == 0 {
            return a;
        }
        if by >= width {
            return self.zero_of(a);
        }
        let part = self.bv_extract(a, width - 1 - by, 0);
        let zeros = self.bv(BitVec::zero(by));
        self.bv_concat(part, zeros)
    }

    /// `a >> by`, zeros above.
    pub(crate) fn shift_right_by(&mut self, a: TermId, by: u32) -> TermId {
        let width = self.width(a);
        if by >= width {
            return self.zero_of(a);
        }
        let part = self.bv_extract(a, width - 1, by);
        self.bv_zext(part, width)
    }

    /// The low bits, zeros above.
    pub(crate) fn low_bits(&mut self, a: TermId, count: u32) -> TermId {
        if count == 0 {
            return self.zero_of(a);
        }
        let width = self.width(a);
        let part = self.bv_extract(a, count - 1, 0);
        self.bv_zext(part, width)
    }

    /// A constant distance, the width for everything larger.
    fn distance(&self, term: TermId) -> Option<u32> {
        let value = self.as_bv(term)?;
        let width = value.width();
        Some(value.to_u64().map_or(width, |by| by.min(u64::from(width)) as u32))
    }

    fn shifts_everything_out(&self, a: TermId, by: TermId) -> bool {
        self.range(by)
            .is_some_and(|range| range.unsigned_min >= u64::from(self.width(a)))
    }

    fn is_zero(&self, term: TermId) -> bool {
        self.as_bv(term).is_some_and(BitVec::is_zero)
    }

    /// Shift left; a distance of the width or more gives zero.
    pub fn bv_shl(&mut self, a: TermId, by: TermId) -> TermId {
        self.binary(Op::BvShl, a, by, |terms, a, by| {
            if let Some(by) = terms.distance(by) {
                terms.fired(Rule::ShiftConstant);
                return Some(terms.shift_left_by(a, by));
            }
            terms.shift_of_nothing(a, by)
        })
    }

    /// Logical shift right; a distance of the width or more gives zero.
    pub fn bv_lshr(&mut self, a: TermId, by: TermId) -> TermId {
        self.binary(Op::BvLshr, a, by, |terms, a, by| {
            if let Some(by) = terms.distance(by) {
                terms.fired(Rule::ShiftConstant);
                return Some(terms.shift_right_by(a, by));
            }
            terms.shift_of_nothing(a, by)
        })
    }

    fn shift_of_nothing(&mut self, a: TermId, by: TermId) -> Option<TermId> {
        if self.is_zero(a) {
            self.fired(Rule::ShiftZero);
            return Some(a);
        }
        if self.shifts_everything_out(a, by) {
            self.fired(Rule::ShiftRange);
            return Some(self.zero_of(a));
        }
        None
    }

    /// Arithmetic shift right; a distance of the width or more gives copies of the sign.
    pub fn bv_ashr(&mut self, a: TermId, by: TermId) -> TermId {
        self.binary(Op::BvAshr, a, by, |terms, a, by| {
            if terms.is_not_negative(a) {
                terms.fired(Rule::AshrUnsigned);
                return Some(terms.bv_lshr(a, by));
            }
            let by = terms.distance(by)?;
            terms.fired(Rule::ShiftConstant);
            let width = terms.width(a);
            let part = terms.bv_extract(a, width - 1, by.min(width - 1));
            Some(terms.bv_sext(part, width))
        })
    }

    /// The first operand above the second.
    pub fn bv_concat(&mut self, high: TermId, low: TermId) -> TermId {
        self.binary(Op::BvConcat, high, low, Self::rewrite_concat)
    }

    fn rewrite_concat(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        if self.is_zero(high) {
            self.fired(Rule::ConcatZero);
            let width = self.width(high) + self.width(low);
            return Some(self.bv_zext(low, width));
        }
        match self.op(high) {
            Op::BvZeroExtend(_) => {
                self.fired(Rule::ConcatZext);
                let width = self.width(high) + self.width(low);
                let inner = self.child(high, 0);
                let joined = self.bv_concat(inner, low);
                return Some(self.bv_zext(joined, width));
            }
            Op::BvConcat => {
                self.fired(Rule::ConcatRight);
                let (x, y) = self.operands2(high);
                let tail = self.bv_concat(y, low);
                return Some(self.bv_concat(x, tail));
            }
            _ => {}
        }
        let (next, rest) = match self.op(low) {
            Op::BvConcat => {
                let (next, rest) = self.operands2(low);
                (next, Some(rest))
            }
            Op::BvZeroExtend(width) => {
                let inner = self.child(low, 0);
                let zeros = self.bv(BitVec::zero(width - self.width(inner)));
                (zeros, Some(inner))
            }
            _ => (low, None),
        };
        let joined = self.join_adjacent(high, next, rest.is_some())?;
        Some(match rest {
            Some(rest) => self.bv_concat(joined, rest),
            None => joined,
        })
    }

    /// One term for two neighbours: constants, or adjacent parts of one term.
    fn join_adjacent(&mut self, high: TermId, low: TermId, constants: bool) -> Option<TermId> {
        if constants && let (Some(a), Some(b)) = (self.as_bv(high), self.as_bv(low)) {
            let value = a.concat(b);
            self.fired(Rule::ConcatConstants);
            return Some(self.bv(value));
        }
        if let (Op::BvExtract { high: h1, low: l1 }, Op::BvExtract { high: h2, low: l2 }) =
            (self.op(high), self.op(low))
            && l1 == h2 + 1
            && self.child(high, 0) == self.child(low, 0)
        {
            self.fired(Rule::ConcatExtracts);
            let whole = self.child(high, 0);
            return Some(self.bv_extract(whole, h1, l2));
        }
        None
    }

    /// Bits `high..=low`.
    pub fn bv_extract(&mut self, a: TermId, high: u32, low: u32) -> TermId {
        let op = Op::BvExtract { high, low };
        if !self.rewriting {
            return self.mk_plain(op, &[a]);
        }
        if self.is_const(a) {
            return self.mk(op, &[a]);
        }
        if let Some(&known) = self.extracted.get(&(a, high, low)) {
            return known;
        }
        let rewritten = self.nested(|terms| {
            terms
                .rewrite_extract(a, high, low)
                .or_else(|| terms.push_unary(op, a))
        });
        if let Some(known) = rewritten {
            // Parts are taken again and again; without this, sharing would be walked as a tree.
            self.extracted.insert((a, high, low), known);
            return known;
        }
        self.mk_plain(op, &[a])
    }

    fn rewrite_extract(&mut self, a: TermId, high: u32, low: u32) -> Option<TermId> {
        let width = self.width(a);
        if low == 0 && high == width - 1 {
            self.fired(Rule::ExtractWhole);
            return Some(a);
        }
        if self
            .range(a)
            .is_some_and(|range| low < 64 && range.unsigned_max >> low == 0)
        {
            self.fired(Rule::ExtractZeroByRange);
            return Some(self.bv(BitVec::zero(high - low + 1)));
        }
        match self.op(a) {
            Op::BvExtract { low: inner_low, .. } => {
                self.fired(Rule::ExtractExtract);
                let inner = self.child(a, 0);
                Some(self.bv_extract(inner, high + inner_low, low + inner_low))
            }
            Op::BvConcat => Some(self.extract_concat(a, high, low)),
            Op::BvZeroExtend(_) => Some(self.extract_zero_extended(a, high, low)),
            Op::BvSignExtend(_) => Some(self.extract_sign_extended(a, high, low)),
            Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNot => self.extract_bitwise(a, high, low),
            Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg if low == 0 => self.extract_arithmetic(a, high),
            Op::BvAdd | Op::BvSub => self.extract_aligned(a, high, low),
            Op::Ite => self.extract_ite(a, high, low),
            _ => None,
        }
    }

    fn extract_concat(&mut self, a: TermId, high: u32, low: u32) -> TermId {
        self.fired(Rule::ExtractConcat);
        // A chain leans right: walk to the part that holds the highest bit wanted.
        let mut rest = a;
        while self.op(rest) == Op::BvConcat {
            let (part, tail) = self.operands2(rest);
            let below = self.width(tail);
            if low >= below {
                return self.bv_extract(part, high - below, low - below);
            }
            if high >= below {
                let upper = self.bv_extract(part, high - below, 0);
                let lower = self.bv_extract(tail, below - 1, low);
                return self.bv_concat(upper, lower);
            }
            rest = tail;
        }
        self.bv_extract(rest, high, low)
    }

    fn extract_zero_extended(&mut self, a: TermId, high: u32, low: u32) -> TermId {
        self.fired(Rule::ExtractExtended);
        let inner = self.child(a, 0);
        let width = self.width(inner);
        if low >= width {
            return self.bv(BitVec::zero(high - low + 1));
        }
        let part = self.bv_extract(inner, high.min(width - 1), low);
        self.bv_zext(part, high - low + 1)
    }

    fn extract_sign_extended(&mut self, a: TermId, high: u32, low: u32) -> TermId {
        self.fired(Rule::ExtractExtended);
        let inner = self.child(a, 0);
        let width = self.width(inner);
        let part = self.bv_extract(inner, high.min(width - 1), low.min(width - 1));
        self.bv_sext(part, high - low + 1)
    }

    /// True when taking part of the term makes something simpler.
    fn splits_well(&self, term: TermId) -> bool {
        matches!(
            self.op(term),
            Op::BitVec(_) | Op::BvZeroExtend(_) | Op::BvSignExtend(_) | Op::BvConcat | Op::BvExtract { .. }
        )
    }

    fn extract_bitwise(&mut self, a: TermId, high: u32, low: u32) -> Option<TermId> {
        let children: SmallVec<[TermId; 4]> = SmallVec::from_slice(self.children(a));
        if !children.iter().any(|&child| self.splits_well(child)) {
            return None;
        }
        self.fired(Rule::ExtractBitwise);
        let parts: SmallVec<[TermId; 4]> = children
            .iter()
            .map(|&child| self.bv_extract(child, high, low))
            .collect();
        Some(self.build(self.op(a), &parts))
    }

    fn extract_arithmetic(&mut self, a: TermId, high: u32) -> Option<TermId> {
        let children: SmallVec<[TermId; 4]> = SmallVec::from_slice(self.children(a));
        if !children.iter().all(|&child| self.splits_well(child)) {
            return None;
        }
        self.fired(Rule::ExtractArithmetic);
        let parts: SmallVec<[TermId; 4]> = children
            .iter()
            .map(|&child| self.bv_extract(child, high, 0))
            .collect();
        Some(self.build(self.op(a), &parts))
    }

    /// The high bits of a sum of multiples of a power of two: nothing is carried into them.
    fn extract_aligned(&mut self, a: TermId, high: u32, low: u32) -> Option<TermId> {
        let (x, y) = self.operands2(a);
        let zeros = self.zero_bits(x).min(self.zero_bits(y)).min(low);
        if zeros == 0 {
            return None;
        }
        self.fired(Rule::ExtractAligned);
        let top = self.width(a) - 1;
        let (x, y) = (self.bv_extract(x, top, zeros), self.bv_extract(y, top, zeros));
        let sum = self.build(self.op(a), &[x, y]);
        Some(self.bv_extract(sum, high - zeros, low - zeros))
    }

    /// How many of the lowest bits are zero at sight.
    fn zero_bits(&self, term: TermId) -> u32 {
        if let Some(constant) = self.as_bv(term) {
            let width = self.width(term);
            return (0..width).find(|bit| constant.bit(*bit)).unwrap_or(width);
        }
        match self.op(term) {
            Op::BvConcat => {
                let low = self.child(term, 1);
                let zeros = self.as_bv(low).is_some_and(BitVec::is_zero);
                if zeros { self.width(low) } else { 0 }
            }
            _ => 0,
        }
    }

    /// Moves an extraction into a branch that is constant or splits well, when both do.
    fn extract_ite(&mut self, a: TermId, high: u32, low: u32) -> Option<TermId> {
        let (condition, then, otherwise) = self.operands3(a);
        if self.constant_leaves(a).is_some() || !(self.splits_well(then) && self.splits_well(otherwise)) {
            return None;
        }
        self.fired(Rule::ExtractIte);
        let then = self.bv_extract(then, high, low);
        let otherwise = self.bv_extract(otherwise, high, low);
        Some(self.ite(condition, then, otherwise))
    }

    /// Zeros above up to the given width.
    pub fn bv_zext(&mut self, a: TermId, width: u32) -> TermId {
        let from = self.width(a);
        assert!(
            width >= from,
            "zero extension to {width} bits of a term of {from}"
        );
        if width == from {
            return a;
        }
        let op = Op::BvZeroExtend(width);
        if !self.rewriting || self.is_const(a) {
            return self.mk(op, &[a]);
        }
        if let Op::BvZeroExtend(_) = self.op(a) {
            self.fired(Rule::ExtendExtended);
            let inner = self.child(a, 0);
            return self.bv_zext(inner, width);
        }
        if let Some(known) = self.push_unary(op, a) {
            return known;
        }
        self.mk_plain(op, &[a])
    }

    /// Copies of the sign above up to the given width.
    pub fn bv_sext(&mut self, a: TermId, width: u32) -> TermId {
        let from = self.width(a);
        assert!(
            width >= from,
            "sign extension to {width} bits of a term of {from}"
        );
        if width == from {
            return a;
        }
        let op = Op::BvSignExtend(width);
        if !self.rewriting || self.is_const(a) {
            return self.mk(op, &[a]);
        }
        if let Op::BvSignExtend(_) = self.op(a) {
            self.fired(Rule::ExtendExtended);
            let inner = self.child(a, 0);
            return self.bv_sext(inner, width);
        }
        if self.is_not_negative(a) {
            self.fired(Rule::SextUnsigned);
            return self.bv_zext(a, width);
        }
        if let Some(known) = self.push_unary(op, a) {
            return known;
        }
        self.mk_plain(op, &[a])
    }

    /// The low `width` bits.
    pub fn bv_trunc(&mut self, a: TermId, width: u32) -> TermId {
        if self.width(a) == width {
            a
        } else {
            self.bv_extract(a, width - 1, 0)
        }
    }
}
