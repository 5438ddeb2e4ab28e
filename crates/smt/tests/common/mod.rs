//! Random values and random terms, from a seed, so that failures repeat.

#![allow(dead_code, reason = "each test program uses a part")]

use kripke_smt::{Sort, TermId, Terms, Value};
use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};

/// A small generator (xorshift), so that failures repeat.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A bit-vector that is often at an edge.
    pub fn bits(&mut self, width: u32) -> BitVec {
        let random = BitVec::new(width, u128::from(self.next()) << 64 | u128::from(self.next()));
        match self.below(8) {
            0 => BitVec::zero(width),
            1 => BitVec::ones(width),
            2 => BitVec::min_signed(width),
            3 => BitVec::max_signed(width),
            4 => BitVec::new(width, u128::from(self.below(5))),
            5 => BitVec::from_i128(width, -i128::from(self.below(5))),
            _ => random,
        }
    }

    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 0),
            Sort::BitVec(width) => Value::BitVec(self.bits(width)),
            Sort::Float(format) => Value::Float(match self.below(12) {
                0 => Float::zero(format, self.below(2) == 0),
                1 => Float::infinity(format, self.below(2) == 0),
                2 => Float::nan(format),
                3 => Float::min_subnormal(format, self.below(2) == 0),
                4 => Float::max_finite(format, self.below(2) == 0),
                5..=8 => Float::from_f64((self.below(64) as f64 - 32.0) / 8.0)
                    .convert(format, RoundingMode::NearestEven),
                _ => Float::from_bits(format, &self.bits(format.bits())),
            }),
            Sort::RoundingMode => Value::Rounding(RoundingMode::ALL[self.below(5) as usize]),
            Sort::Array { .. } => Value::zero(sort),
        }
    }
}

/// Two pools of terms that grow in step, one plain, one rewritten.
pub struct Pools {
    pub plain: Vec<TermId>,
    pub rewritten: Vec<TermId>,
}

impl Pools {
    /// Applies one random operation to random members.
    pub fn grow(&mut self, terms: &mut Terms, random: &mut Random, w: u32, format: FloatFormat) {
        let sort = match random.below(10) {
            0..=2 => Sort::Bool,
            3..=7 => Sort::BitVec(w),
            _ => Sort::Float(format),
        };
        let pick = |terms: &Terms, random: &mut Random, pools: &Pools, sort: Sort| -> usize {
            let fitting: Vec<usize> = (0..pools.plain.len())
                .filter(|&i| terms.sort(pools.plain[i]) == sort)
                .collect();
            // Recent members are likelier, so terms get deep.
            let from = if random.below(2) == 0 {
                fitting.len().saturating_sub(8)
            } else {
                0
            };
            fitting[from + random.below((fitting.len() - from) as u64) as usize]
        };
        let (bv, float) = (Sort::BitVec(w), Sort::Float(format));
        let wanted: [Sort; 3] = match sort {
            Sort::Bool => [[Sort::Bool; 3], [bv; 3], [bv; 3], [float; 3]][random.below(4) as usize],
            _ => [sort; 3],
        };
        let picks: Vec<usize> = wanted
            .iter()
            .map(|&sort| pick(terms, random, self, sort))
            .collect();
        let condition = pick(terms, random, self, Sort::Bool);
        let other = pick(terms, random, self, bv);
        let choice = random.below(1 << 20);
        let make = |terms: &mut Terms, pool: &[TermId], on: bool| {
            terms.set_rewriting(on);
            let operands: Vec<TermId> = picks.iter().map(|&i| pool[i]).collect();
            apply_choice(terms, sort, &operands, pool[condition], pool[other], choice, w)
        };
        let plain = make(terms, &self.plain, false);
        let rewritten = make(terms, &self.rewritten, true);
        self.plain.push(plain);
        self.rewritten.push(rewritten);
    }
}

fn apply_choice(
    t: &mut Terms,
    sort: Sort,
    operands: &[TermId],
    condition: TermId,
    other: TermId,
    choice: u64,
    w: u32,
) -> TermId {
    let (a, b) = (operands[0], operands[1]);
    let mode = t.rounding(RoundingMode::ALL[(choice >> 10) as usize % 5]);
    let near = (choice >> 8) % 4;
    match (sort, t.sort(a)) {
        (Sort::Bool, Sort::Bool) => match choice % 5 {
            0 => t.not(a),
            1 => t.and(a, b),
            2 => t.or(a, b),
            3 => t.xor(a, b),
            _ => t.ite(condition, a, b),
        },
        (Sort::Bool, Sort::BitVec(_)) => match choice % 11 {
            0 => t.eq(a, b),
            1 => t.bv_ult(a, b),
            2 => t.bv_ule(a, b),
            3 => t.bv_slt(a, b),
            4 => t.bv_sle(a, b),
            5 => t.bv_saddo(a, b),
            6 => t.bv_uaddo(a, b),
            7 => t.bv_ssubo(a, b),
            8 => t.bv_usubo(a, b),
            9 => t.bv_smulo(a, b),
            _ => t.bv_umulo(a, b),
        },
        (Sort::Bool, _) => match choice % 10 {
            0 => t.eq(a, b),
            1 => t.fp_eq(a, b),
            2 => t.fp_lt(a, b),
            3 => t.fp_le(a, b),
            4 => t.fp_is_nan(a),
            5 => t.fp_is_inf(a),
            6 => t.fp_is_zero(a),
            7 => t.fp_is_normal(a),
            8 => t.fp_is_subnormal(a),
            _ => t.fp_is_negative(a),
        },
        (Sort::BitVec(_), _) => match choice % 24 {
            0 => t.bv_not(a),
            1 => t.bv_neg(a),
            2 => t.bv_and(a, b),
            3 => t.bv_or(a, b),
            4 => t.bv_xor(a, b),
            5 | 6 => t.bv_add(a, b),
            7 => t.bv_sub(a, b),
            8 => t.bv_mul(a, b),
            9 => t.bv_udiv(a, b),
            10 => t.bv_urem(a, b),
            11 => t.bv_sdiv(a, b),
            12 => t.bv_srem(a, b),
            13 => t.bv_shl(a, b),
            14 => t.bv_lshr(a, b),
            15 => t.bv_ashr(a, b),
            16..=18 => t.ite(condition, a, b),
            19 => {
                let wide = t.bv_concat(a, b);
                let low = (choice >> 5) as u32 % (w + 1);
                t.bv_extract(wide, low + w - 1, low)
            }
            20 => {
                let (x, y) = (t.bv_zext(a, w + 3), t.bv_sext(b, w + 3));
                let sum = if near == 0 { t.bv_or(x, y) } else { t.bv_add(x, y) };
                let low = (choice >> 5) as u32 % 4;
                t.bv_extract(sum, low + w - 1, low)
            }
            21 => {
                let cut = 1 + (choice >> 5) as u32 % (w - 1);
                let (high, low) = (t.bv_extract(a, w - 1, cut), t.bv_extract(b, cut - 1, 0));
                t.bv_concat(high, low)
            }
            22 => {
                let cut = 1 + (choice >> 5) as u32 % (w - 1);
                let low = t.bv_extract(a, cut - 1, 0);
                if near < 2 {
                    t.bv_zext(low, w)
                } else {
                    t.bv_sext(low, w)
                }
            }
            _ => {
                let k = t.bv(BitVec::new(w, u128::from(choice >> 7) % 9));
                if near < 2 { t.bv_mul(a, k) } else { t.bv_and(a, k) }
            }
        },
        (Sort::Float(format), _) => match choice % 18 {
            0 => t.fp_add(mode, a, b),
            1 => t.fp_sub(mode, a, b),
            2 => t.fp_mul(mode, a, b),
            3 => t.fp_div(mode, a, b),
            4 => t.fp_fma(mode, a, b, operands[2]),
            5 => t.fp_sqrt(mode, a),
            6 => t.fp_round(mode, a),
            7 => t.fp_abs(a),
            8 => t.fp_neg(a),
            9 => t.fp_min(a, b),
            10 => t.fp_max(a, b),
            11 => t.fp_from_signed(mode, format, other),
            12 => t.fp_from_unsigned(mode, format, other),
            13 => t.fp_copysign(a, b),
            14 => t.fp_rem(a, b),
            15 => {
                let bits = t.fp_to_bits(a);
                t.fp_from_bits(format, bits)
            }
            16 => {
                let wide = t.fp_convert(mode, FloatFormat::Binary64, a);
                t.fp_convert(mode, format, wide)
            }
            _ => t.ite(condition, a, b),
        },
        _ => t.not(condition),
    }
}

pub fn seeded_pools(terms: &mut Terms, w: u32, format: FloatFormat) -> Pools {
    let mut seeds = Vec::new();
    for name in ["p", "q", "r"] {
        seeds.push(terms.variable(name, Sort::Bool));
    }
    for name in ["x", "y"] {
        seeds.push(terms.variable(name, Sort::BitVec(w)));
        seeds.push(terms.variable(&format!("f{name}"), Sort::Float(format)));
    }
    for value in [0, 1, 2, -1] {
        seeds.push(terms.bv(BitVec::from_i128(w, value)));
        let value = Float::from_f64(value as f64).convert(format, RoundingMode::NearestEven);
        seeds.push(terms.float(value));
    }
    Pools {
        plain: seeds.clone(),
        rewritten: seeds,
    }
}
