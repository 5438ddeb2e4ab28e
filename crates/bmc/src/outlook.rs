//! What the search knows of the properties that it has not settled.
//!
//! Idea: a reader whom no verdict is given wants to know what is missing: up to which bound nothing was
//! found, which loops go on, and of which variables an invariant would have to speak. That falls off the
//! questions that are asked anyway.
//!
//! Invariant: it only describes; no verdict depends on it.

use std::collections::BTreeMap;

use kripke_elts::PropertyId;
use kripke_model::{Open, OpenLoop};
use kripke_smt::TermId;

use crate::engine::Engine;
use crate::invariants::places_of;
use crate::record::{Cut, CutPath};

/// The variables of a loop that are named.
const MAX_VARIABLES: usize = 4;
/// The properties whose variables are looked for after one induction; the others are told the loop.
const MAX_PROPERTIES: usize = 64;

/// What is known by now.
#[derive(Default)]
pub(crate) struct Outlook {
    /// The last bound within which no open property is violated.
    searched: Option<u32>,
    /// The bound within which single properties were refuted last, where later bounds did not come to an
    /// answer.
    late: BTreeMap<PropertyId, Option<u32>>,
    /// A loop that goes on past the last bound.
    goes_on: Option<OpenLoop>,
    /// The loops of which an induction needs to know more.
    needs: BTreeMap<PropertyId, Vec<OpenLoop>>,
}

impl Outlook {
    /// Everything was searched up to a bound, but for those properties that were not decided.
    pub fn searched<'p>(&mut self, bound: u32, undecided: impl Iterator<Item = &'p PropertyId>) {
        for id in undecided {
            self.late.entry(*id).or_insert(self.searched);
        }
        self.searched = Some(bound);
    }

    /// A path goes on past the bound.
    pub fn goes_on(&mut self, place: String, cut: &CutPath) {
        self.goes_on = Some(OpenLoop {
            place,
            variables: Vec::new(),
            recursion: cut.cut == Cut::Recursion,
        });
    }

    /// Does another property have room?
    pub fn has_room(&self, id: PropertyId) -> bool {
        self.needs.len() < MAX_PROPERTIES || self.needs.contains_key(&id)
    }

    /// An induction does not exclude the condition under which a property is violated.
    pub fn induction_failed(&mut self, engine: &Engine<'_>, id: PropertyId, condition: TermId) {
        let loops = places_of(engine, condition)
            .into_iter()
            .map(|(place, mut variables)| {
                variables.truncate(MAX_VARIABLES);
                OpenLoop {
                    place,
                    variables,
                    recursion: false,
                }
            });
        self.needs.insert(id, loops.collect());
    }

    /// What is known of an open property.
    pub fn of(&self, id: PropertyId) -> Open {
        let needs = self.needs.get(&id).filter(|loops| !loops.is_empty());
        let loops = needs
            .cloned()
            .unwrap_or_else(|| self.goes_on.iter().cloned().collect());
        Open {
            explosion: None,
            searched: self.late.get(&id).copied().unwrap_or(self.searched),
            loops,
        }
    }
}
