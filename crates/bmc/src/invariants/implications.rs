//! Implications: in one case (a flag is set, a state has a value) something holds that does not always hold.
//!
//! Idea: there are many cases and many conclusions, and time for some thousands of pairs. Cases come first
//! that a program tells apart (truths, places of few values, single bits), and conclusions that say most
//! (truths, bits, what the program compares, sums) before bounds of single places.

use kripke_smt::TermId;

use crate::engine::Engine;
use crate::invariants::templates::{MAX_MEMBERS, Shapes, is_set, one_of};

/// The widest places whose single bits are taken for flags.
const MAX_FLAG_BITS: u32 = 8;
/// How many of the values of a place split cases.
const MAX_CASES: usize = 6;

/// What is known in a case.
struct Case {
    /// The place that it speaks of, none where it is a truth.
    place: Option<usize>,
    condition: TermId,
}

/// What may hold in a case: predicates each of which implies those after it.
struct Conclusion {
    place: Option<usize>,
    chain: Vec<TermId>,
}

impl Shapes<'_> {
    /// Each conclusion in each case, the likely ones first.
    pub fn implications(&mut self, engine: &mut Engine<'_>) {
        let cases = self.cases(engine);
        let conclusions = self.conclusions(engine);
        for case in &cases {
            for conclusion in &conclusions {
                if self.is_full() {
                    return;
                }
                let speaks_of_itself = case.place.is_some() && case.place == conclusion.place;
                if !speaks_of_itself {
                    let chain = conclusion.chain.iter();
                    let implied = chain.map(|bound| engine.terms.implies(case.condition, *bound));
                    let implied: Vec<TermId> = implied.collect();
                    self.add_chain(engine, implied);
                }
            }
        }
    }

    fn cases(&self, engine: &mut Engine<'_>) -> Vec<Case> {
        let (mut flags, mut bits, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for truth in self.truths(&engine.terms) {
            both(engine, &mut flags, None, truth);
        }
        for (index, place, width) in self.numbers(&engine.terms) {
            let members = &self.mined.members[index];
            let one_of = one_of(&mut engine.terms, place, members);
            let is_enumeration = self.known.contains(&one_of);
            let is_masked = self.mined.masked >> index.min(63) & 1 == 1;
            if is_masked && width <= MAX_FLAG_BITS && !is_enumeration {
                for bit in 0..width {
                    let set = is_set(&mut engine.terms, place, bit);
                    both(engine, &mut bits, Some(index), set);
                }
            }
            let cases = if is_enumeration { &mut flags } else { &mut others };
            if members.len() <= MAX_MEMBERS {
                for member in members.iter().take(MAX_CASES) {
                    let constant = engine.terms.bv(member.clone());
                    let equal = engine.terms.eq(place, constant);
                    both(engine, cases, Some(index), equal);
                }
            }
        }
        flags.into_iter().chain(bits).chain(others).collect()
    }

    /// What is not known to hold in all cases.
    fn conclusions(&self, engine: &mut Engine<'_>) -> Vec<Conclusion> {
        let (mut strong, mut bounds) = (Vec::new(), Vec::new());
        for truth in self.truths(&engine.terms) {
            let not = engine.terms.not(truth);
            strong.extend([(None, vec![truth]), (None, vec![not])]);
        }
        let numbers = self.numbers(&engine.terms);
        for (index, place, _) in &numbers {
            for bit in self.bits(*index) {
                let set = is_set(&mut engine.terms, *place, bit);
                let clear = engine.terms.not(set);
                strong.extend([(Some(*index), vec![set]), (Some(*index), vec![clear])]);
            }
        }
        let comparisons = self.mined.comparisons.iter();
        for &comparison in comparisons {
            let not = engine.terms.not(comparison);
            strong.extend([(None, vec![comparison]), (None, vec![not])]);
        }
        for ((_, x), (_, y)) in self.meeting(&engine.terms) {
            let terms = &mut engine.terms;
            let below = vec![terms.bv_ult(x, y), terms.bv_ule(x, y)];
            let above = vec![terms.bv_ult(y, x), terms.bv_ule(y, x)];
            strong.extend([below, above, vec![terms.eq(x, y)]].map(|chain| (None, chain)));
        }
        let sums = self.sums_of_two(engine);
        strong.extend(sums.into_iter().map(|equation| (None, vec![equation])));
        for (index, place, width) in numbers {
            let of_place = self.bounds_of(engine, index, place, width);
            bounds.extend(of_place.map(|chain| (Some(index), chain)));
        }
        strong
            .into_iter()
            .chain(bounds)
            .map(|(place, mut chain)| {
                chain.retain(|predicate| !self.known.contains(predicate));
                Conclusion { place, chain }
            })
            .filter(|conclusion| !conclusion.chain.is_empty())
            .collect()
    }
}

/// A condition and its opposite.
fn both(engine: &mut Engine<'_>, cases: &mut Vec<Case>, place: Option<usize>, condition: TermId) {
    let not = engine.terms.not(condition);
    cases.extend([condition, not].map(|condition| Case { place, condition }));
}
