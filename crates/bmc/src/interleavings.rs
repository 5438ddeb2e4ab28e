//! Threads interleaving by interleaving, as the papers on ESBMC explore them.
//!
//! Idea: with each choice of a thread a schedule grows by one, and states of different schedules never meet:
//! each schedule is executed symbolically by itself. Of states that are the same where a thread is chosen one
//! is followed: all values are the same terms, and the paths say the same of inputs. What paths say of the
//! choices of threads does not count, as no value depends on it. Where all are followed, one is to its end
//! before the one that parted from it last (depth first). Of orders of independent steps one may do
//! ([`crate::reduction`]).
//!
//! Invariant: a state that is left has the future of one that is followed.
//!
//! Source: J. Morse, L. Cordeiro, D. Nicole, B. Fischer, "Context-Bounded Model Checking of LTL Properties
//! for ANSI-C Software" (SEFM 2011), section 4. Terms are unique here, so that they are compared, not hashed.

use kripke_elts::LocationId;
use kripke_model::Interleavings as Counts;
use kripke_smt::{Op, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::Engine;
use crate::execute::same_values;
use crate::graph::Graph;
use crate::options::Explore;
use crate::parting::Held;
use crate::reduction::{Reduction, Set, Sleep, set_of};
use crate::state::State;
use crate::value::Value;

/// What is known of the schedules so far.
pub(crate) struct Interleavings {
    /// Are states that were seen left?
    leaves_seen: bool,
    schedules: u32,
    /// The variables that say which thread goes on.
    choices: FxHashSet<TermId>,
    speaks_of: FxHashMap<TermId, Speaks>,
    seen: FxHashMap<Vec<Held>, Vec<Seen>>,
    counts: Counts,
    /// Which orders of independent steps are left out, where some are.
    pub reduction: Option<Reduction>,
}

struct Seen {
    state: State,
    /// What its path says of inputs; nothing where that cannot be told from what it says of choices.
    inputs: Option<FxHashSet<TermId>>,
    /// The threads that were chosen nowhere where the state was seen.
    sleeping: Set,
}

/// What a condition speaks of.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Speaks {
    of_choices: bool,
    of_inputs: bool,
}

impl Interleavings {
    /// Nothing where interleavings are merged.
    pub fn new(explore: Explore) -> Option<Self> {
        match explore {
            Explore::Merged => None,
            Explore::Interleavings { state_hashing, .. } => Some(Interleavings {
                leaves_seen: state_hashing,
                schedules: 0,
                choices: FxHashSet::default(),
                speaks_of: FxHashMap::default(),
                seen: FxHashMap::default(),
                counts: Counts::default(),
                reduction: None,
            }),
        }
    }

    /// Another run begins.
    pub fn start_run(&mut self) {
        self.schedules = 0;
        self.choices.clear();
        self.speaks_of.clear();
        self.seen.clear();
        self.counts = Counts::default();
        if let Some(reduction) = &mut self.reduction {
            reduction.start_run();
            self.counts.pruned = Some(0);
        }
    }

    /// A thread is chosen by that value.
    pub fn note_choice(&mut self, value: &Value) {
        if let Value::Term(term) = value {
            self.choices.insert(*term);
        }
    }

    /// A thread goes on: the number of the schedule.
    pub fn grow(&mut self, schedule: u32, thread: u8) -> u32 {
        if let Some(reduction) = &mut self.reduction {
            return reduction.step(schedule, thread);
        }
        self.schedules += 1;
        self.schedules
    }

    /// Does the thread sleep that would go on?
    pub fn is_asleep(&mut self, schedule: u32, thread: u8) -> bool {
        let reduction = self.reduction.as_ref();
        let asleep = reduction.and_then(|reduction| reduction.sleeps(schedule, thread));
        if asleep == Some(true) {
            *self.counts.pruned.get_or_insert(0) += 1;
        }
        asleep.is_some()
    }

    /// A schedule comes to the end of the program.
    pub fn note_end(&mut self) {
        self.counts.complete += 1;
    }

    fn speaks_of(&mut self, terms: &Terms, term: TermId) -> Speaks {
        if let Some(known) = self.speaks_of.get(&term) {
            return *known;
        }
        let mut speaks = Speaks::default();
        if self.choices.contains(&term) {
            speaks.of_choices = true;
        } else if matches!(terms.op(term), Op::Variable(_)) {
            speaks.of_inputs = true;
        }
        for child in terms.children(term).to_vec() {
            let of = self.speaks_of(terms, child);
            speaks.of_choices |= of.of_choices;
            speaks.of_inputs |= of.of_inputs;
        }
        self.speaks_of.insert(term, speaks);
        speaks
    }
}

impl Engine<'_> {
    /// How many schedules there were, where each is explored by itself.
    pub(crate) fn interleavings(&self) -> Option<Counts> {
        let all = self.parting.threads.interleavings.as_ref();
        all.map(|all| all.counts)
    }

    /// Is each schedule of the running function followed to its end before the next one?
    pub(crate) fn follows_schedules(&mut self) -> bool {
        let all = self.parting.threads.interleavings.as_ref();
        all.is_some_and(|all| !all.leaves_seen) && self.is_woven()
    }

    /// Is it where a thread is chosen in schedules that are followed one after the other, depth first? Then
    /// only the states beside the one that is followed wait. Where states are left, the shortest way to each
    /// is followed, as the bound might come first on a longer one.
    pub(crate) fn begins_schedules(&mut self, key: &[u32]) -> bool {
        if !self.follows_schedules() {
            return false;
        }
        let graph = self.top().graph.clone();
        let location = graph.location(key);
        self.is_at_choice(&graph, location)
    }

    /// Is a thread chosen at a location of the running function?
    pub(crate) fn is_at_choice(&mut self, graph: &Graph, location: LocationId) -> bool {
        self.is_woven() && self.parting.threads.is_hub(graph, location)
    }

    /// A run of threads ends.
    pub(crate) fn note_end_of_schedule(&mut self) {
        if self.parting.threads.interleavings.is_some()
            && self.is_woven()
            && let Some(all) = &mut self.parting.threads.interleavings
        {
            all.note_end();
        }
    }

    /// Was such a state seen where a thread is chosen, so that this one is left? `held` are its constants.
    pub(crate) fn is_left(&mut self, held: Vec<Held>, state: &mut State) -> bool {
        let Some(mut all) = self.parting.threads.interleavings.take() else {
            return false;
        };
        let mut sleep = match &mut all.reduction {
            Some(reduction) => reduction.sleep(state.schedule),
            None => Sleep::new(),
        };
        let chosen = match all.leaves_seen {
            true => self.threads_left(&mut all, held, state, &mut sleep),
            false => Set::MAX,
        };
        let left = chosen == 0;
        if let Some(reduction) = &mut all.reduction {
            state.schedule = reduction.choose(sleep, chosen);
        }
        all.counts.states += u64::from(!left);
        all.counts.left += u64::from(left);
        self.parting.threads.interleavings = Some(all);
        left
    }

    /// The threads that are still to be chosen at a state: all, where it was not seen. Else those that slept
    /// wherever it was, and do not here; those that did both sleep from now on.
    fn threads_left(
        &mut self,
        all: &mut Interleavings,
        held: Vec<Held>,
        state: &State,
        sleep: &mut Sleep,
    ) -> Set {
        let inputs = self.of_inputs(all, state);
        let known = all.seen.entry(held).or_default();
        let mut alike = known.iter_mut().filter(|seen| same_values(&seen.state, state));
        if inputs.is_some()
            && let Some(seen) = alike.find(|seen| seen.inputs == inputs)
        {
            let sleeping = set_of(sleep);
            let left = seen.sleeping & !sleeping;
            seen.sleeping &= sleeping;
            sleep.retain(|(thread, _)| seen.sleeping & 1 << thread != 0);
            return left;
        }
        known.push(Seen {
            state: state.clone(),
            inputs,
            sleeping: set_of(sleep),
        });
        Set::MAX
    }

    /// The conditions of a path that speak of inputs, if each speaks of inputs or of choices only.
    fn of_inputs(&self, all: &mut Interleavings, state: &State) -> Option<FxHashSet<TermId>> {
        let mut found = FxHashSet::default();
        for condition in self.run.paths.conditions(state.path) {
            match all.speaks_of(&self.terms, condition) {
                Speaks {
                    of_choices: true,
                    of_inputs: true,
                } => return None,
                Speaks { of_choices: true, .. } => {}
                _ => {
                    found.insert(condition);
                }
            }
        }
        Some(found)
    }
}
