//! Which bytes of static memory take the most values.
//!
//! Idea: a counter that runs freely has as many values as it has bits, and every other part of the state is
//! stored with each of them. Some of the states that are expanded are looked at, and the values counted that
//! each byte has had.

use std::collections::BTreeSet;

use super::Micro;
use crate::instruction::Operation as Op;

/// Every so many-th state is looked at.
const EVERY: u32 = 8;
/// A byte with so many values is said to vary; of those that have fewer, the ones with so many if there is
/// none of the first.
const MANY: [u32; 2] = [12, 6];

/// The values that bytes have had.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variety {
    states: u32,
    /// Addresses, each with a bit for each value.
    seen: Vec<(u16, [u64; 4])>,
}

impl Micro {
    /// Counts the values of bytes of static memory from now on.
    pub fn count_values(&mut self) {
        let (first, last) = (self.chip.space.io_end, self.chip.loaded.stack_limit);
        let counted = (first..last).filter(|at| self.may_widen(*at));
        self.variety = Some(Variety {
            states: 0,
            seen: counted.map(|at| (at, [0; 4])).collect(),
        });
    }

    /// The bytes that have had many values, and need not be known.
    #[must_use]
    pub fn varying(&self) -> BTreeSet<u16> {
        let seen = self.variety.iter().flat_map(|variety| &variety.seen);
        let count = |values: &[u64; 4]| values.iter().map(|word| word.count_ones()).sum::<u32>();
        let counts: Vec<(u16, u32)> = seen.map(|(at, values)| (*at, count(values))).collect();
        let with = |least: u32| {
            counts
                .iter()
                .filter(move |(_, count)| *count >= least)
                .map(|(at, _)| *at)
        };
        let mut sets = MANY
            .into_iter()
            .map(|least| with(least).collect::<BTreeSet<u16>>());
        sets.find(|set| !set.is_empty()).unwrap_or_default()
    }

    /// Looks at a state that is expanded.
    #[inline]
    pub(crate) fn sample(&mut self, state: &[u8]) {
        let Some(variety) = &mut self.variety else { return };
        variety.states += 1;
        if !variety.states.is_multiple_of(EVERY) {
            return;
        }
        for (at, values) in &mut variety.seen {
            let bits = self.footprint.read(state, u32::from(*at));
            if bits.unknown == 0 {
                values[usize::from(bits.value >> 6)] |= 1 << (bits.value & 63);
            }
        }
    }

    /// Whether a byte of static memory need not be known, as far as that can be told beforehand: no atom
    /// names it, and no address is read from it.
    #[must_use]
    pub fn may_widen(&self, at: u16) -> bool {
        let program = &self.flash[0].program;
        let becomes_address = || {
            (0..program.len() as u32).any(|word| {
                let instruction = &program[word as usize];
                instruction.operation == Op::Lds
                    && instruction.k == i32::from(at)
                    && self.chip.addresses.after(word) >> instruction.d & 1 != 0
            })
        };
        at >= self.chip.space.io_end
            && at < self.chip.loaded.stack_limit
            && !self.labelling.observed[usize::from(at)]
            && !self.options.widened.contains(&at)
            && !becomes_address()
    }
}
