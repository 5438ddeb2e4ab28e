//! States that differ, in what nothing is known of, from one in which entering a loop breaks a candidate.
//!
//! Idea: what is not initialised, and what is read and not looked at, holds any value where a loop is
//! entered, so no guess about it is right. A model shows that of one at a time. So all of it takes random
//! values at once.
//!
//! Invariant: that of [`super::nearby`].

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use kripke_elts::random::Random;
use kripke_limits::stretched;
use kripke_smt::{ArrayValue, Sort, TermId, Value};
use kripke_value::BitVec;
use rustc_hash::FxHashSet;

use crate::invariants::nearby::{Situation, in_width};

/// How many states in a row may show nothing,
const IN_VAIN: usize = 8;
/// and how long all may take.
const MOST_TIME: Duration = Duration::from_millis(400);
/// Small numbers are below this one.
const SMALL: usize = 300;
/// How many elements of an array differ from the others, at most.
const ELEMENTS: u64 = 256;

impl Situation<'_> {
    /// Marks more of the candidates as broken: those that are where what nothing is known of holds other
    /// values, as long as many fall. What was varied before is not varied alone.
    pub(super) fn vary_unconstrained(&self, are_broken: &mut [bool], varied: &mut FxHashSet<TermId>) {
        let free = self.unconstrained_at_entry(are_broken);
        if free.iter().all(|variable| varied.contains(variable)) {
            return;
        }
        varied.extend(&free);
        let (constants, mut random) = (self.constants(), Random::new(free.len() as u64));
        let (mut in_vain, until) = (0, Instant::now() + stretched(MOST_TIME));
        while in_vain < IN_VAIN && Instant::now() < until {
            let mut state = self.state.clone();
            for &variable in &free {
                if let Some(value) = self.any_value(variable, &constants, &mut random) {
                    state.insert(variable, value);
                }
            }
            let before = are_broken.iter().filter(|is_broken| **is_broken).count();
            self.break_from(&state, are_broken);
            let after = are_broken.iter().filter(|is_broken| **is_broken).count();
            in_vain = if after > before { 0 } else { in_vain + 1 };
        }
    }

    /// The variables in what places hold where loops are entered of which a candidate is broken, but for
    /// those on which it depends whether they are, and what is known.
    fn unconstrained_at_entry(&self, are_broken: &[bool]) -> BTreeSet<TermId> {
        let broken = self
            .candidates
            .iter()
            .zip(are_broken)
            .filter(|(_, is_broken)| **is_broken);
        let heads: BTreeSet<usize> = broken.map(|(candidate, _)| candidate.head).collect();
        let heads = heads.iter().filter_map(|head| self.heads.get(*head));
        let entries: Vec<_> = heads.filter_map(|head| head.arrivals.first()).collect();
        let values: Vec<TermId> = entries
            .iter()
            .flat_map(|entry| &entry.values)
            .flatten()
            .copied()
            .collect();
        let mut free: BTreeSet<TermId> = self.terms.variables_of(&values).into_iter().collect();
        if !free.is_empty() {
            let paths = entries.iter().map(|entry| entry.path);
            let decide: Vec<TermId> = paths.chain(self.support).collect();
            for known in self.terms.variables_of(&decide) {
                free.remove(&known);
            }
        }
        free
    }

    /// What candidates compare with.
    fn constants(&self) -> Vec<BitVec> {
        let comparisons = self.candidates.iter().filter_map(|one| self.comparison(one));
        let constants: BTreeSet<BitVec> = comparisons.map(|(_, constant)| constant).collect();
        constants.into_iter().collect()
    }

    /// A random value for the variable.
    fn any_value(&self, variable: TermId, constants: &[BitVec], random: &mut Random) -> Option<Value> {
        match self.terms.sort(variable) {
            Sort::Bool => Some(Value::Bool(random.one_in(2))),
            Sort::BitVec(width) => Some(Value::BitVec(any_bits(width, constants, random))),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(index, any_bits(element, constants, random));
                let last = 1u64.checked_shl(index).unwrap_or(ELEMENTS).min(ELEMENTS);
                for at in 0..last {
                    let at = BitVec::new(index, u128::from(at));
                    array = array.with(at, any_bits(element, constants, random));
                }
                Some(Value::Array(array))
            }
            _ => None,
        }
    }
}

/// Random bits, a small number or its negative, or a constant or a neighbour of one.
fn any_bits(width: u32, constants: &[BitVec], random: &mut Random) -> BitVec {
    let small = BitVec::new(128, random.below(SMALL) as u128);
    let bits = match random.below(5) {
        0 => small,
        1 => small.neg(),
        2 => BitVec::new(128, u128::from(random.bits())),
        _ if constants.is_empty() => small,
        _ => {
            let near = BitVec::new(128, random.below(3) as u128).sub(&BitVec::new(128, 1));
            in_width(&constants[random.below(constants.len())], 128).add(&near)
        }
    };
    in_width(&bits, width)
}

#[cfg(test)]
mod tests {
    use kripke_smt::{TermId, Terms};
    use rustc_hash::FxHashSet;

    use crate::invariants::onward::tests::broken_by;

    #[test]
    fn what_is_said_of_an_unknown_number_falls() {
        let predicates = |terms: &mut Terms, [x, y]: [TermId; 2]| {
            let numbers = [5, 7, 1 << 20].map(|number| terms.bv_u64(32, number));
            let [five, seven, large] = numbers.map(|number| terms.bv_ule(y, number));
            let nine = terms.bv_u64(32, 9);
            vec![
                five,
                seven,
                large,
                terms.bv_sle(numbers[0], y),
                terms.bv_ule(x, nine),
            ]
        };
        let broken = broken_by([0, 6], true, predicates, |situation, are_broken| {
            situation.vary_unconstrained(are_broken, &mut FxHashSet::default());
        });
        assert_eq!(broken, [true, true, true, true, false]);
    }
}
