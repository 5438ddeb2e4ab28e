//! Facts that hold on every path to a place of a function.
//!
//! Idea: forward dataflow over sets of small numbers, met by intersection: each number is a fact (a slot is
//! assigned, an object lives), and an instruction establishes facts or ends them.
//!
//! Source: Kam, Ullman: Monotone data flow analysis frameworks (1977).

use crate::ir::{Function, Instruction};

use super::cfg::Cfg;

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// No number below the size.
    pub fn empty(size: usize) -> Self {
        Bits(vec![0; size.div_ceil(64)])
    }

    /// All numbers below the size.
    pub fn full(size: usize) -> Self {
        Bits(vec![u64::MAX; size.div_ceil(64)])
    }

    /// Puts a number in or takes it out.
    pub fn set(&mut self, index: usize, value: bool) {
        let mask = 1 << (index % 64);
        if value {
            self.0[index / 64] |= mask;
        } else {
            self.0[index / 64] &= !mask;
        }
    }

    /// Is the number in the set?
    pub fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    fn intersect(&mut self, other: &Bits) -> bool {
        let mut changed = false;
        for (word, with) in self.0.iter_mut().zip(&other.0) {
            changed |= *word & !with != 0;
            *word &= with;
        }
        changed
    }
}

/// The facts that hold at the start of each block, on every path from the function's entry, where none holds.
pub fn certain_at_start(
    function: &Function,
    cfg: &Cfg<'_>,
    size: usize,
    transfer: impl Fn(&Instruction, &mut Bits),
) -> Vec<Bits> {
    let mut at_start = vec![Bits::full(size); function.blocks.len()];
    if let Some(entry) = at_start.first_mut() {
        *entry = Bits::empty(size);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &cfg.order {
            let mut state = at_start[block].clone();
            for instruction in &function.blocks[block].instructions {
                transfer(instruction, &mut state);
            }
            for &successor in &cfg.successors[block] {
                changed |= at_start[successor].intersect(&state);
            }
        }
    }
    at_start
}
