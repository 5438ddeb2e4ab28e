//! Induction over what all threads do: one abstract state for each way in which they may stand.
//!
//! Idea: between two choices of a thread a program with threads is at one of finitely many places of each of
//! them. For each such choice of places, and of what else holds one of few constants, an abstract state
//! stands for all states there: what was seen to hold more values than that is any value within bounds, a
//! pointer has the targets that it was seen to have. From each a thread goes on once; a state that comes of
//! that and is not covered makes the abstract state of its places larger, until none does. Then each is run
//! once more, and what this run does not violate, no run of the program violates.
//!
//! Invariant: at the end every state at which a thread is chosen is covered by an abstract state. What was
//! seen only ever makes abstract states larger.
//!
//! Source: P. Cousot, R. Cousot, Abstract interpretation (POPL 1977), widening to thresholds; the thresholds
//! are the program's constants.

mod abstract_state;
mod bounds;
mod forms;
mod slots;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use kripke_elts::threads::NOT_ALONE;
use kripke_elts::{Type, VariableId};
use kripke_smt::{Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Modified;
use crate::engine::{Engine, STEPS_UNCHECKED};
use crate::graph::Graph;
use crate::object::ObjectId;
use crate::parting::Held;
use crate::path::PathId;
use crate::state::State;
use crate::value::Target;

/// How many constants a place of a state may hold before it is any value.
const MOST_CONSTANTS: usize = 8;
/// Where there are more abstract states than that, it is seen whether as few do with one constant,
const SOME_STATES: usize = 300;
/// and where there are more than that, one constant it is.
const MANY_STATES: usize = 1500;
/// There are no more abstract states than that.
const MOST_STATES: usize = 6000;
/// How often a thread goes on from each of those few, at most.
const ROUNDS_OF_COARSE: usize = 2;
/// How often they do before they have no end.
const THRESHOLDS: u32 = 8;
/// How often they grow just so in a row, all abstract states together.
const MOST_ADVANCES: u32 = 4;
/// When those of one have grown as often, they grow as far as those of others have.
const MANY_GROWTHS: u32 = 4;
/// How often bounds that grew too far shrink.
const MOST_NARROWINGS: usize = 40;
/// The widest numbers that have bounds.
const WIDEST: u32 = 64;
/// The type of the number that says from which abstract state a run goes on.
const SELECTOR_BITS: u32 = 16;

/// Part of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Slot {
    Variable(u64),
    Cell(ObjectId, u64),
    Written(ObjectId, u64),
    Array(ObjectId),
    Freed(ObjectId),
    Exists(ObjectId),
    /// Where in a target a pointer points to.
    OffsetOfVariable(u64, Target),
    OffsetOfCell(ObjectId, u64, Target),
}

/// Bounds of a number, and how often they grew. Truths are numbers from 0 to 1.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bounds {
    low: i128,
    high: i128,
    growths: u32,
}

/// The least and the largest value of a part of states while a thread stands at a place.
type Hulls = FxHashMap<(Slot, (VariableId, TermId)), (i128, i128)>;

struct AbstractState {
    /// Without its bounds.
    state: State,
    /// What it does not fix.
    slots: Vec<Slot>,
    /// What stands for that.
    modified: Modified,
    bounds: BTreeMap<TermId, Bounds>,
}

/// All that is known of the states at which a thread is chosen.
struct Cover {
    states: Vec<AbstractState>,
    of: FxHashMap<Vec<Held>, usize>,
    /// Those that have grown since a thread last went on from them. The oldest goes on first: later ones come
    /// of it and are there to take up what it has become.
    grown: BTreeSet<usize>,
    /// What holds more than a few constants.
    varying: FxHashSet<Slot>,
    constants: FxHashMap<Slot, FxHashSet<Held>>,
    /// The cells that some state has: all have them.
    cells: BTreeMap<(ObjectId, u64), Type>,
    /// How many that are.
    most_constants: usize,
    /// May it be seen whether fewer states do?
    may_be_coarse: bool,
    /// What bounds grow to.
    widening: Widening,
    /// How many addresses were told apart when all states were last looked at.
    addresses: usize,
}

/// How far the bounds of a part of states grow, in all abstract states together.
#[derive(Clone, Default)]
struct Widening {
    /// The numbers at which they stop, with the width in which the program has them, rising.
    thresholds: BTreeSet<(i128, u32)>,
    /// The bounds of all, and how often they grew to a threshold.
    widest: FxHashMap<Slot, Bounds>,
    /// How often one of them went past that of all, since one last went to a threshold.
    advances: FxHashMap<Slot, u32>,
}

/// What is executed after an iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Nothing,
    LeaveLoop,
}

/// The loop in which threads are chosen.
struct Hub {
    graph: Rc<Graph>,
    of: u32,
    key: Rc<[u32]>,
}

/// The search for abstract states that cover all which come of the first state.
pub(crate) struct CoverSearch {
    hub: Hub,
    cover: Cover,
    first: State,
}

impl Engine<'_> {
    /// Finds what covers all states that come of one at which the first thread is chosen, and runs it once.
    pub(super) fn cover_threads(&mut self, graph: &Rc<Graph>, of: u32, key: &Rc<[u32]>, first: &State) {
        let (graph, key) = (graph.clone(), key.clone());
        self.run.compares_ranges = true;
        let cover = Cover {
            states: Vec::new(),
            of: FxHashMap::default(),
            grown: BTreeSet::new(),
            varying: FxHashSet::default(),
            constants: FxHashMap::default(),
            cells: BTreeMap::new(),
            most_constants: MOST_CONSTANTS,
            may_be_coarse: self.tries_coarse_cover,
            widening: Widening {
                thresholds: self.thresholds(),
                ..Widening::default()
            },
            addresses: self.run.objects.addresses(),
        };
        let search = CoverSearch {
            hub: Hub { graph, of, key },
            cover,
            first: first.clone(),
        };
        self.search_cover(search);
    }

    /// Goes on with a search; where its turn ends before it does, it waits in the run.
    pub(super) fn search_cover(&mut self, mut search: CoverSearch) {
        let record = std::mem::take(&mut self.run.record);
        let found = self.find_cover(&search.hub, &mut search.cover, &search.first);
        self.run.record = record;
        if found.is_err() && self.is_turn_over() {
            self.run.waiting = Some(Box::new(search));
            return;
        }
        // One round more, and what follows it, ends soon, and what it records is of use only as a whole.
        self.patience = None;
        let run = found.and_then(|()| self.run_cover(&search.hub, &mut search.cover, &search.first));
        if let Err(why) = run {
            self.give_up(&why);
        }
    }

    /// Abstract states that cover all that comes of the first. What is known of addresses only grows, and
    /// with it what any number may point to: where it did, it is looked at all states again. An error where
    /// it is interrupted; called again it goes on, and what an interruption lost [`Self::run_cover`] notices.
    fn find_cover(&mut self, hub: &Hub, cover: &mut Cover, first: &State) -> Result<(), String> {
        self.grow(hub, cover, first)?;
        self.narrow(hub, cover, first)?;
        while cover.addresses != self.run.objects.addresses() {
            cover.addresses = self.run.objects.addresses();
            cover.grown = (0..cover.states.len()).collect();
            self.grow(hub, cover, first)?;
        }
        Ok(())
    }

    /// Until all that threads do from abstract states is covered.
    fn grow(&mut self, hub: &Hub, cover: &mut Cover, first: &State) -> Result<(), String> {
        self.come_to_hub(hub, cover, None, first.clone())?;
        let mut detail = cover.detail();
        loop {
            if detail != cover.detail() || cover.states.len() > cover.most_states() {
                self.tell_apart_again(hub, cover)?;
                detail = cover.detail();
            }
            let is_first = cover.states.len() > SOME_STATES && std::mem::take(&mut cover.may_be_coarse);
            if is_first && let Some(coarse) = self.coarse_cover(hub, cover) {
                *cover = coarse;
                return Ok(());
            }
            let Some(index) = cover.grown.pop_first() else {
                return Ok(());
            };
            if let Err(why) = self.go_on_from(hub, cover, index) {
                cover.grown.insert(index);
                return Err(why);
            }
        }
    }

    /// A thread goes on once from an abstract state.
    fn go_on_from(&mut self, hub: &Hub, cover: &mut Cover, index: usize) -> Result<(), String> {
        self.run.record = Default::default();
        let path = self.run.paths.root();
        let Some(state) = self.within_bounds(&cover.states[index], path) else {
            return Ok(());
        };
        let from = Some(state.path);
        for after in self.one_iteration(hub, state, Then::Nothing)? {
            self.come_to_hub(hub, cover, from, after)?;
        }
        Ok(())
    }

    /// A cover with one constant, where that has no more states than are there already and takes no longer:
    /// what differs in data alone need not be told apart then. Only where nothing may be violated.
    fn coarse_cover(&mut self, hub: &Hub, cover: &Cover) -> Option<Cover> {
        let mut coarse = Cover {
            states: Vec::new(),
            of: FxHashMap::default(),
            grown: BTreeSet::new(),
            varying: cover.varying.clone(),
            constants: cover.constants.clone(),
            cells: cover.cells.clone(),
            widening: cover.widening.clone(),
            most_constants: 1,
            may_be_coarse: false,
            addresses: cover.addresses,
        };
        let come = self.come_again(hub, &mut coarse, &cover.states, &cover.grown);
        come.ok()?;
        let mut detail = coarse.detail();
        for _ in 0..ROUNDS_OF_COARSE * SOME_STATES {
            if detail != coarse.detail() {
                self.tell_apart_again(hub, &mut coarse).ok()?;
                detail = coarse.detail();
            }
            let Some(index) = coarse.grown.pop_first() else {
                self.note_coarse_cover();
                return Some(coarse);
            };
            if coarse.states.len() > SOME_STATES {
                break;
            }
            self.go_on_from(hub, &mut coarse, index).ok()?;
            // What it takes a solver to exclude may be excluded by constants.
            if !self.run.record.violations.is_empty() {
                break;
            }
        }
        None
    }

    fn note_coarse_cover(&mut self) {
        if let Some(induction) = &mut self.run.induction {
            induction.is_coarse = true;
        }
    }

    /// Where more turned out to vary: the same states, of which some are covered by one now.
    fn tell_apart_again(&mut self, hub: &Hub, cover: &mut Cover) -> Result<(), String> {
        if cover.states.len() > cover.most_states() {
            cover.most_constants = 1;
        }
        let states = std::mem::take(&mut cover.states);
        let waiting = std::mem::take(&mut cover.grown);
        cover.of.clear();
        self.come_again(hub, cover, &states, &waiting)
    }

    /// All states come to a cover without any, of which some wait for a thread to go on from them.
    fn come_again(
        &mut self,
        hub: &Hub,
        cover: &mut Cover,
        states: &[AbstractState],
        waiting: &BTreeSet<usize>,
    ) -> Result<(), String> {
        for (index, of) in states.iter().enumerate() {
            let path = self.run.paths.root();
            let Some(state) = self.within_bounds(of, path) else {
                continue;
            };
            let before = cover.states.len();
            self.come_to_hub(hub, cover, None, state)?;
            // What goes on from one state alone is covered already.
            if before < cover.states.len() && !waiting.contains(&index) {
                cover.grown.remove(&before);
            }
        }
        Ok(())
    }

    /// A thread goes on once from each abstract state, everything checked; what comes of it must be covered.
    fn run_cover(&mut self, hub: &Hub, cover: &mut Cover, first: &State) -> Result<(), String> {
        let selector = self.fresh_variable("abstract state", Sort::BitVec(SELECTOR_BITS));
        let mut heads = Vec::new();
        for index in 0..cover.states.len() {
            let number = self.terms.bv_u64(SELECTOR_BITS, index as u64);
            let chosen = self.terms.eq(selector, number);
            let path = self.run.paths.root();
            let path = self.run.paths.extend(&mut self.terms, path, chosen);
            let path = path.ok_or("no path")?;
            let function = self.top().function;
            let modified = &cover.states[index].modified;
            heads.push((
                path,
                self.note_abstract_head(function, hub.of, index as u32, path, modified),
            ));
        }
        let mut arrivals = vec![(None, first.clone())];
        for (index, (path, _)) in heads.iter().enumerate() {
            if let Some(state) = self.within_bounds(&cover.states[index], *path) {
                let from = Some(state.path);
                let after = self.one_iteration(hub, state, Then::LeaveLoop)?.into_iter();
                arrivals.extend(after.map(|state| (from, state)));
            }
        }
        for (from, arrival) in arrivals {
            let Some((index, arrival)) = self.come_to_hub(hub, cover, from, arrival)? else {
                continue;
            };
            if !cover.grown.is_empty() {
                return Err("the abstract states of threads do not cover all".to_string());
            }
            self.note_abstract_arrival(heads[index].1, &arrival);
        }
        Ok(())
    }

    /// The states at the start of the next iteration.
    fn one_iteration(&mut self, hub: &Hub, state: State, and_then: Then) -> Result<Vec<State>, String> {
        self.note_lives(&state);
        let cursor = self.run.cursor.clone();
        let depth = self.run.stack.len();
        let mut result = self.run_iteration(&hub.graph, hub.of, &hub.key, state);
        if result.is_ok()
            && and_then == Then::LeaveLoop
            && let Err(why) = self.run_what_left(depth + 1)
        {
            result = Err(why);
        }
        if and_then == Then::LeaveLoop {
            self.hand_on_ends(depth);
        }
        self.run.stack.truncate(depth);
        self.run.cursor = cursor;
        let mut cuts = self.run.record.cuts.iter();
        if cuts.clone().any(|path| path.cut.is_not_alone()) {
            return Err(NOT_ALONE.to_string());
        }
        if cuts.any(|path| path.cut.is_unwinding()) {
            return Err("a loop or recursion of a thread goes on past its bound".to_string());
        }
        result
    }

    /// Executes what left the loop: the questions whether threads wait for each other or race, and ends.
    fn run_what_left(&mut self, depth: usize) -> Result<(), String> {
        let mut steps = 0u64;
        loop {
            let is_top = self.run.stack.len() == depth;
            let top = self.top();
            if is_top && top.rests() && top.pending.is_empty() {
                return Ok(());
            }
            steps += 1;
            if steps.is_multiple_of(STEPS_UNCHECKED) {
                self.may_go_on(steps).map_err(|reason| format!("{reason:?}"))?;
            }
            self.step();
        }
    }

    /// What returned from the function of all threads does so from where the hub was come to, so that what
    /// follows it is executed: the end of the program.
    fn hand_on_ends(&mut self, depth: usize) {
        let iteration = self.run.stack.split_off(depth).into_iter().next();
        if let (Some(iteration), Some(around)) = (iteration, self.run.stack.last_mut()) {
            around.exits.extend(iteration.exits);
            around.stack_objects.extend(iteration.stack_objects);
        }
    }

    /// A state comes to where a thread is chosen: its abstract state covers it from now on. Which one that
    /// is, and the state without what is over; nothing where no run comes there from the path of another.
    fn come_to_hub(
        &mut self,
        hub: &Hub,
        cover: &mut Cover,
        from: Option<PathId>,
        mut state: State,
    ) -> Result<Option<(usize, State)>, String> {
        self.settle(hub, cover, &mut state);
        let (key, slots) = self.key_of(cover, &state)?;
        let known = cover.of.get(&key).copied();
        let is_covered = match known {
            Some(index) => self.cover_state(&mut cover.states[index], &state, None)?,
            None => false,
        };
        if is_covered {
            return Ok(known.map(|index| (index, state)));
        }
        if self.is_in_vain(from, state.path, known.is_none()) {
            return Ok(None);
        }
        let index = match known {
            Some(index) => {
                self.cover_state(&mut cover.states[index], &state, Some(&mut cover.widening))?;
                index
            }
            None => {
                if cover.states.len() > MOST_STATES {
                    return Err(format!("more than {MOST_STATES} abstract states of threads"));
                }
                let new = self.abstracted(&state, slots, &mut cover.widening)?;
                cover.states.push(new);
                cover.of.insert(key, cover.states.len() - 1);
                cover.states.len() - 1
            }
        };
        cover.grown.insert(index);
        Ok(Some((index, state)))
    }

    /// Is it known that no run goes from one path to another? Where that would be something new, the solver
    /// is asked, if numbers that have bounds decide it.
    fn is_in_vain(&mut self, from: Option<PathId>, path: PathId, is_new: bool) -> bool {
        let Some(from) = from else {
            return false;
        };
        if self.facts(path).contradict_each_other() {
            return true;
        }
        let conditions = self.run.paths.since(from, path);
        let variables = self.terms.variables_of(&conditions);
        let facts = self.facts(from);
        is_new && variables.iter().any(|variable| facts.speaks_of(*variable)) && self.is_excluded(path)
    }
}
