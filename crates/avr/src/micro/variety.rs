//! Which bytes of static memory take the most values, and which instructions compute the most.
//!
//! Idea: a counter that runs freely has as many values as it has bits, and every other part of the state is
//! stored with each of them. Some of the states that are expanded are looked at, and the values counted that
//! each byte has had.

use std::collections::{BTreeSet, HashMap};

use super::Micro;
use crate::byte::{AbstractByte, Bits};
use crate::instruction::Operation as Op;

/// Every so many-th state is looked at.
const EVERY: u32 = 8;
/// A byte with so many values is said to vary; of those that have fewer, the ones with so many if there is
/// none of the first.
const MANY: [u32; 2] = [12, 6];

/// The values that a byte has had.
#[derive(Debug, Clone, Default)]
struct Values {
    /// A bit for each.
    known: [u64; 4],
    /// Those of which bits are unknown, up to so many as are many.
    open: Vec<(u8, u8)>,
}

impl Values {
    fn note(&mut self, bits: Bits) {
        if bits.unknown == 0 {
            self.known[usize::from(bits.value >> 6)] |= 1 << (bits.value & 63);
            return;
        }
        let own = (bits.ones(), bits.unknown);
        if self.open.len() < MANY[0] as usize && !self.open.contains(&own) {
            self.open.push(own);
        }
    }

    /// The bits in which they differ, or that are unknown.
    fn bits(&self) -> u8 {
        let known = (0..=255_u8).filter(|value| self.known[usize::from(value >> 6)] >> (value & 63) & 1 != 0);
        let values = known.chain(self.open.iter().map(|(ones, _)| *ones));
        let (all, any) = values.fold((0xFF, 0), |(all, any), value| (all & value, any | value));
        self.open
            .iter()
            .fold(any & !all, |bits, (_, unknown)| bits | unknown)
    }

    fn count(&self) -> u32 {
        self.known.iter().map(|word| word.count_ones()).sum::<u32>() + self.open.len() as u32
    }
}

/// What has had many values; if there is none, what has had fewer.
fn many<T: Ord>(counts: impl Iterator<Item = (T, u32)> + Clone) -> BTreeSet<T> {
    let with = |least: u32| counts.clone().filter(move |(_, count)| *count >= least);
    let mut sets = MANY
        .into_iter()
        .map(|least| with(least).map(|(of, _)| of).collect::<BTreeSet<T>>());
    sets.find(|set| !set.is_empty()).unwrap_or_default()
}

/// The values that bytes have had.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variety {
    states: u32,
    /// By address.
    seen: Vec<(u16, Values)>,
    /// Of results, by the word address of the instruction and the register.
    results: HashMap<(u32, u8), Values>,
}

impl Variety {
    /// Notes what an instruction has computed.
    pub(crate) fn note_result(&mut self, result: (u32, u8), bits: Bits) {
        self.results.entry(result).or_default().note(bits);
    }

    /// The word addresses of instructions whose results have had many values.
    pub(crate) fn many_results(&self) -> BTreeSet<u32> {
        many(self.results.iter().map(|((at, _), values)| (*at, values.count())))
    }
}

impl Micro {
    /// Counts the values of bytes of static memory from now on.
    pub fn count_values(&mut self) {
        let (first, last) = (self.chip.space.io_end, self.chip.loaded.stack_limit);
        let counted = (first..last).filter(|at| self.may_widen_index(*at));
        self.variety = Some(Variety {
            states: 0,
            seen: counted.map(|at| (at, Values::default())).collect(),
            results: HashMap::new(),
        });
    }

    /// The bytes that have had many values, and need not be known: those of which more bits vary than are
    /// unknown already.
    #[must_use]
    pub fn varying(&self) -> BTreeSet<u16> {
        let widened = |at: &u16| self.options.widened.get(at).copied().unwrap_or(0);
        let seen = self.variety.iter().flat_map(|variety| &variety.seen);
        let more = seen.filter(|(at, values)| values.bits() & !widened(at) != 0);
        many(more.map(|(at, values)| (*at, values.count())))
    }

    /// The bits of a byte of static memory that have had several values.
    #[must_use]
    pub fn varying_bits(&self, at: u16) -> u8 {
        let mut seen = self.variety.iter().flat_map(|variety| &variety.seen);
        seen.find(|(own, _)| *own == at)
            .map_or(0, |(_, values)| values.bits())
    }

    /// The bytes of static memory that have had several values.
    #[must_use]
    pub fn changing(&self) -> BTreeSet<u16> {
        let seen = self.variety.iter().flat_map(|variety| &variety.seen);
        let changing = seen.filter(|(_, values)| values.bits() != 0);
        changing.map(|(at, _)| *at).collect()
    }

    /// The bytes of static memory that instructions name, and reach by no pointer alone.
    #[must_use]
    pub fn named_directly(&self) -> BTreeSet<u16> {
        let program = self.flash[0].program.iter();
        let named = program.filter(|instruction| matches!(instruction.operation, Op::Lds | Op::Sts));
        named.map(|instruction| instruction.k as u16).collect()
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
            values.note(self.footprint.read(state, u32::from(*at)));
        }
    }

    /// Whether a byte of static memory need not be known, as far as that can be told beforehand: no atom
    /// names it, and no address is read from it.
    #[must_use]
    pub fn may_widen(&self, at: u16) -> bool {
        self.may_widen_index(at) && !self.becomes_address(at)
    }

    /// The same for a byte from which an address may be read, if few bits of it vary.
    #[must_use]
    pub fn may_widen_index(&self, at: u16) -> bool {
        at >= self.chip.space.io_end
            && at < self.chip.loaded.stack_limit
            && !self.labelling.observed[usize::from(at)]
            && self.options.widened.get(&at) != Some(&0xFF)
    }

    /// Whether an address is read from a byte.
    fn becomes_address(&self, at: u16) -> bool {
        let program = &self.flash[0].program;
        (0..program.len() as u32).any(|word| {
            let instruction = &program[word as usize];
            instruction.operation == Op::Lds
                && instruction.k == i32::from(at)
                && self.chip.addresses.after(word) >> instruction.d & 1 != 0
        })
    }
}
