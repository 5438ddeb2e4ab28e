//! What one attempt leaves for the next, at a larger bound.
//!
//! The variables of places have the same names in every run, so what was found of a loop can be asked again
//! as it stands; where the loop's formulas are the same terms as before, a tier that came to its end need
//! not be asked again.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use kripke_smt::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::invariants::arrivals::Solvers;
use crate::invariants::candidate::Candidate;
use crate::invariants::heads::Head;
use crate::invariants::reachability::Suspended;
use crate::invariants::samples::Sample;
use crate::invariants::templates::Tier;
use crate::kept::Kept;

/// A head in all runs in which the same places are modified.
pub(super) type Key = (Vec<u32>, Vec<TermId>);

pub(super) fn key(head: &Head) -> Key {
    let places = head.places.iter().map(|place| place.variable).collect();
    (head.key.clone(), places)
}

/// What was seen at the heads of earlier runs.
#[derive(Default)]
pub(crate) struct Memory {
    /// By the names of the heads: what a predicate speaks of is checked where it is asked again.
    predicates: FxHashMap<Vec<u32>, Vec<TermId>>,
    samples: FxHashMap<Key, Vec<Vec<u64>>>,
    /// What concrete runs showed of them.
    runs: FxHashMap<Key, Rc<Vec<Sample>>>,
    /// Tiers that came to their end, with the formulas that they were asked of.
    finished: FxHashSet<(Tier, Identity)>,
    /// Predicates that are not among those of some tiers that are inductive together, with these formulas.
    broken: FxHashMap<Identity, FxHashSet<TermId>>,
    /// The solvers that were asked about these, where there is more to ask.
    pub unfinished: Option<(Kept, Solvers)>,
    /// Where reachability goes on.
    pub suspended: Option<Suspended>,
    /// What was proved of the heads of the last run.
    proved: FxHashMap<Identity, Vec<Candidate>>,
}

impl Memory {
    /// Predicates that held at this head before, without those that are known to hold now.
    pub fn predicates(&self, head: &Head, known: &BTreeSet<TermId>) -> Vec<TermId> {
        let all = self.predicates.get(&head.key).into_iter().flatten();
        all.filter(|predicate| !known.contains(predicate))
            .copied()
            .collect()
    }

    /// What concrete runs showed of the heads, where they did of all.
    pub fn runs(&self, heads: &[Head]) -> Option<Vec<Rc<Vec<Sample>>>> {
        heads
            .iter()
            .map(|head| self.runs.get(&key(head)).cloned())
            .collect()
    }

    /// Keeps that for the next time.
    pub fn keep_runs(&mut self, heads: &[Head], seen: &[Rc<Vec<Sample>>]) {
        for (head, samples) in heads.iter().zip(seen) {
            self.runs.insert(key(head), samples.clone());
        }
    }

    /// Values of its places that were seen before.
    pub fn samples(&self, head: &Head) -> Vec<Vec<u64>> {
        self.samples.get(&key(head)).cloned().unwrap_or_default()
    }

    /// Keeps values for the next time.
    pub fn keep_samples(&mut self, head: &Head, samples: Vec<Vec<u64>>) {
        self.samples.insert(key(head), samples);
    }

    /// What was proved of these heads in the same run, whatever else has to be shown now.
    pub fn proved(&self, heads: &[Head]) -> Vec<Candidate> {
        let proved = heads.iter().filter_map(|head| self.proved.get(&identity(head)));
        // Chains of another attempt are none of this one.
        let unchained = |candidate: &Candidate| Candidate {
            chain: None,
            ..candidate.clone()
        };
        proved.flatten().map(unchained).collect()
    }

    /// Another run begins.
    pub fn forget_proofs(&mut self) {
        self.proved.clear();
    }

    /// Keeps what was found at the heads of a run.
    pub fn keep_found(&mut self, heads: &[Head], found: &[Candidate]) {
        for candidate in found {
            let key = heads[candidate.head].key.clone();
            let predicates = self.predicates.entry(key).or_default();
            if !predicates.contains(&candidate.predicate) {
                predicates.push(candidate.predicate);
            }
        }
        for (head, found) in by_head(found) {
            let proved = self.proved.entry(identity(&heads[head])).or_default();
            proved.extend(found.into_iter().cloned());
        }
    }

    /// Notes that a tier was asked of all heads to its end.
    pub fn finish(&mut self, tier: Tier, heads: &[Head]) {
        for head in heads {
            self.finished.insert((tier, identity(head)));
        }
    }

    /// Notes of candidates that were asked together that they are broken.
    pub fn keep_broken<'c>(&mut self, heads: &[Head], broken: impl Iterator<Item = &'c Candidate>) {
        for (head, broken) in by_head(broken) {
            let known = self.broken.entry(identity(&heads[head])).or_default();
            known.extend(broken.iter().map(|candidate| candidate.predicate));
        }
    }

    /// How many there are of those.
    pub fn broken_together(&self) -> usize {
        self.broken.values().map(FxHashSet::len).sum()
    }

    /// Predicates at a head that are known to be broken.
    pub fn broken(&self, head: &Head) -> Option<&FxHashSet<TermId>> {
        self.broken.get(&identity(head))
    }

    /// Was a tier asked of the same formulas before?
    pub fn is_finished(&self, tier: Tier, head: &Head) -> bool {
        self.finished.contains(&(tier, identity(head)))
    }
}

/// A head, and the terms that decide which predicates hold there.
type Identity = (Key, Vec<TermId>);

fn identity(head: &Head) -> Identity {
    let arrivals = head.arrivals.iter();
    let formulas = arrivals.flat_map(|arrival| std::iter::once(arrival.path).chain(arrival.held().flatten()));
    (key(head), formulas.collect())
}

/// Candidates by the indices of their heads.
fn by_head<'c>(candidates: impl IntoIterator<Item = &'c Candidate>) -> BTreeMap<usize, Vec<&'c Candidate>> {
    let mut by_head: BTreeMap<usize, Vec<&Candidate>> = BTreeMap::new();
    for candidate in candidates {
        by_head.entry(candidate.head).or_default().push(candidate);
    }
    by_head
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use kripke_smt::TermId;

    use super::Memory;
    use crate::engine::Engine;
    use crate::invariants::Invariants;
    use crate::invariants::tests::after_induction;

    /// A counter that goes on to 9.
    const PROGRAM: &str = "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\n\
        file0 \"test.c\"\np0 assertion \"small\" in main @1:1\n\
        function main() -> () entry l0 exit l1 @1:1 {\nlocal i32 x;\n\
        l0 \"\": when true { x = 0i32; } goto l2;\nl1 \"\":\n\
        l2 \"\": when x <u 9i32 {} goto l3;\nwhen !(x <u 9i32) { assert(x == 9i32) p0; } goto l1;\n\
        l3 \"\": when true { x = x + 1i32; } goto l2;\n}\n";

    fn begin<'m>(engine: &mut Engine<'_>, memory: &'m mut Memory, goals: &[TermId]) -> Invariants<'m> {
        Invariants::new(engine, memory, goals.to_vec(), Duration::ZERO).expect("a loop")
    }

    #[test]
    fn what_was_proved_is_taken_over_until_another_run_begins() {
        after_induction(PROGRAM, (0, 1), |engine, decider| {
            let mut memory = Memory::default();
            let violations = engine.run.record.violations.iter();
            let goals: Vec<_> = violations.map(|violation| violation.condition).collect();
            let until = Instant::now() + Duration::from_secs(100);
            let mut first = begin(engine, &mut memory, &goals);
            assert!(!first.has_taken_over);
            assert!(matches!(first.strengthen(engine, decider, until), Ok(true)));
            let found: Vec<_> = first.found.iter().map(|candidate| candidate.identity()).collect();
            drop(first);
            let mut second = begin(engine, &mut memory, &goals);
            assert!(second.has_taken_over);
            let taken_over = second.found.iter().map(|candidate| candidate.identity());
            assert_eq!(taken_over.collect::<Vec<_>>(), found);
            // It is not looked for again.
            while let Ok(true) = second.strengthen(engine, decider, until) {}
            let again = second.found[found.len()..].iter();
            assert!(
                again
                    .map(|candidate| candidate.identity())
                    .all(|one| !found.contains(&one))
            );
            drop(second);
            memory.forget_proofs();
            assert!(!begin(engine, &mut memory, &goals).has_taken_over);
        });
    }
}
