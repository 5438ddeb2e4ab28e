//! The inputs of earlier runs that are worth varying.
//!
//! Idea: each feature that a run showed has an owner, the inputs that showed it first, or others that did so
//! in clearly fewer statements. Inputs that own nothing any more are forgotten. So few are kept, and short
//! ones; and what was found last is varied most, as it came furthest. Short inputs are also varied one after
//! the other in all ways that replace one value by a constant of the program: what a parser looks for next is
//! found for certain then.
//!
//! Source: LLVM's libFuzzer, whose corpus is kept so; Zalewski: American fuzzy lop (technical details, 2014)
//! for the stage that leaves nothing to chance.

use kripke_elts::ScalarValue;
use kripke_elts::random::Random;

use super::constants::Constants;
use super::coverage::FEATURES;

/// Inputs with more ways than that are varied at random only.
const MOST_REPLACEMENTS: usize = 6_000;

/// Inputs, and what they own.
pub(super) struct Corpus {
    entries: Vec<Entry>,
    /// Those that own something, oldest first.
    live: Vec<u32>,
    /// By feature, the number of its owner and one more; 0 for none.
    owners: Vec<u32>,
    /// Those that are to be varied in all ways, oldest first.
    unfinished: Vec<u32>,
}

struct Entry {
    given: Vec<ScalarValue>,
    steps: u64,
    owned: u32,
    /// How many replacements of one value were tried.
    replaced: usize,
}

impl Corpus {
    pub fn new() -> Self {
        Corpus {
            entries: Vec::new(),
            live: Vec::new(),
            owners: vec![0; FEATURES],
            unfinished: Vec::new(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// Keeps the inputs of a run if they are to own a feature.
    pub fn keep(&mut self, features: &[u32], steps: u64, given: Vec<ScalarValue>) -> bool {
        let is_better = |owner: u32| match owner {
            0 => true,
            owner => steps + steps / 8 < self.entries[owner as usize - 1].steps,
        };
        let gains = |feature: &&u32| is_better(self.owners[**feature as usize]);
        let gained: Vec<u32> = features.iter().filter(gains).copied().collect();
        if gained.is_empty() {
            return false;
        }
        let number = self.entries.len() as u32;
        let mut lost_all = false;
        for feature in &gained {
            let owner = std::mem::replace(&mut self.owners[*feature as usize], number + 1);
            if let Some(former) = self.entries.get_mut((owner as usize).wrapping_sub(1)) {
                former.owned -= 1;
                if former.owned == 0 {
                    former.given = Vec::new();
                    lost_all = true;
                }
            }
        }
        if lost_all {
            let entries = &self.entries;
            self.live.retain(|number| entries[*number as usize].owned > 0);
            self.unfinished
                .retain(|number| entries[*number as usize].owned > 0);
        }
        self.live.push(number);
        self.unfinished.push(number);
        self.entries.push(Entry {
            given,
            steps,
            owned: gained.len() as u32,
            replaced: 0,
        });
        true
    }

    /// Inputs to vary: half of the time one of the latest, else any.
    pub fn pick(&self, random: &mut Random) -> &[ScalarValue] {
        let mut back = random.below(self.live.len());
        if random.one_in(2) {
            back = 0;
            while back + 1 < self.live.len() && !random.one_in(4) {
                back += 1;
            }
        }
        let number = self.live.iter().rev().nth(back);
        number.map_or(&[], |number| &self.entries[*number as usize].given)
    }

    /// The latest inputs in which not every value was yet replaced by every constant, with the next of these
    /// replacements.
    pub fn next_replacement(&mut self, constants: &Constants) -> Option<Vec<ScalarValue>> {
        while let Some(number) = self.unfinished.last() {
            let entry = &mut self.entries[*number as usize];
            let replaced = replacement(&entry.given, entry.replaced, constants);
            entry.replaced += 1;
            if replaced.is_some() {
                return replaced;
            }
            self.unfinished.pop();
        }
        None
    }
}

/// The values with one of them replaced by a constant; none where there are no more such ways, or too many.
fn replacement(values: &[ScalarValue], number: usize, constants: &Constants) -> Option<Vec<ScalarValue>> {
    let (at, number) = (number.checked_rem(values.len())?, number / values.len());
    let ScalarValue::Int(bits) = &values[at] else {
        return Some(values.to_vec());
    };
    let known = constants.fitting(bits.width(), false);
    if known.len() * values.len() > MOST_REPLACEMENTS {
        return None;
    }
    let mut replaced = values.to_vec();
    replaced[at] = ScalarValue::Int(known.get(number)?.clone());
    Some(replaced)
}
