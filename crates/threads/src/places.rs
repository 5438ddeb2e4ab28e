//! The places of a thread beside those before accesses that others can tell.
//!
//! Idea: a thread that wrote what others can tell runs on up to its next place. Others would never see what
//! it wrote where its run ends before that, by a failing property or otherwise, or never comes there, as a
//! loop without places goes on for ever. So it also stops before what may end it, and before such loops,
//! where it has written something since its last place.
//!
//! A loop with a place that not every iteration comes to is entered by the hub in its middle. Its head
//! becomes a place, too, so that all loops of the result but the hub's are entered at their heads.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::passes::liveness::{LiveSet, live_variables};
use kripke_elts::threads::is_in_thread_library;
use kripke_elts::{
    AccessChecks, Callee, Expr, FunctionId, Id, LocationId, Program, StatementKind, Transition,
};
use kripke_graph::{Edge, components};
use kripke_interrupts::is_thread_library;
use kripke_interrupts::terms::truth;

use crate::frames::Keepers;
use crate::weaver::{Stop, Weaver};

/// What a thread has done since its last place.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Since {
    /// It is about to write what others can tell.
    writes: bool,
    /// It has.
    wrote: bool,
}

impl Since {
    fn join(&mut self, other: Since) -> bool {
        let before = *self;
        self.writes |= other.writes;
        self.wrote |= other.wrote;
        *self != before
    }
}

/// A transition, by its location and its number there.
type At = (LocationId, usize);

impl Weaver<'_> {
    /// Adds the places of a thread that its accesses do not bring.
    pub fn add_places(&mut self, thread: usize) {
        self.add_heads(thread);
        loop {
            let missing = self.missing(thread);
            if missing.is_empty() {
                return;
            }
            for (at, statement) in missing {
                self.split_before(thread, at, statement);
            }
            self.add_heads(thread);
        }
    }

    /// Marks where a thread makes an object once at most, or as if it did.
    pub fn mark_objects(&mut self, thread: usize) {
        let of_thread = |index: &usize| self.thread_of[*index] == thread;
        let all: BTreeSet<usize> = (0..self.thread_of.len()).filter(of_thread).collect();
        let repeated: BTreeSet<usize> = self
            .cycles(&all, &BTreeSet::new())
            .into_iter()
            .flatten()
            .collect();
        let live = self.needed();
        let mut keepers = Keepers::default();
        for index in all {
            let at = LocationId::new(index);
            for (number, transition) in self.function.locations[at].transitions.clone().iter().enumerate() {
                for (place, statement) in transition.statements.iter().enumerate() {
                    let StatementKind::StackObject { target, site, .. } = &statement.kind else {
                        continue;
                    };
                    let rest = (transition.target, &transition.statements[place + 1..]);
                    if repeated.contains(&index) && !self.forgets_before(&mut keepers, &live, rest, *target) {
                        continue;
                    }
                    let mut once = self.target.object_sites[*site].clone();
                    once.once = true;
                    let own = self.target.object_sites.push(once);
                    let transition = &mut self.function.locations[at].transitions[number];
                    if let StatementKind::StackObject { site, .. } = &mut transition.statements[place].kind {
                        *site = own;
                    }
                }
            }
        }
    }

    fn stops(&self, thread: usize) -> BTreeSet<usize> {
        self.places_of(thread)
            .map(|(_, place)| place.at.index())
            .collect()
    }

    /// The heads of loops that the hub enters in their middle become places, and those of loops that are
    /// never left: else what the rest of the run is would have no end. Where formulas are checked, also those
    /// of other loops that may go on for ever by themselves, so that infinite runs come to the hub again and
    /// again.
    fn add_heads(&mut self, thread: usize) {
        loop {
            let stops = self.stops(thread);
            let (heads, mut entries) = self.loops(thread, &stops);
            let never_left = heads.iter().filter(|(_, members)| self.is_never_left(members));
            entries.extend(never_left.map(|(head, _)| *head));
            if self.has_formulas {
                let live = live_variables(&self.function);
                let repeated = heads.iter().filter(|(head, members)| {
                    let needed = &live[LocationId::new(*head)];
                    self.repeats_itself(members, needed)
                });
                entries.extend(repeated.map(|(head, _)| *head));
            }
            if entries.is_empty() {
                return;
            }
            for entry in entries {
                self.add_place(thread, LocationId::new(entry), Stop::Gap { writes: false });
            }
        }
    }

    fn is_never_left(&self, members: &BTreeSet<usize>) -> bool {
        let mut targets = members.iter().flat_map(|index| {
            let transitions = self.function.locations[LocationId::new(*index)]
                .transitions
                .iter();
            transitions.map(|transition| transition.target.index())
        });
        targets.all(|target| members.contains(&target))
    }

    /// Is an iteration like the one before it, so that a loop which is not left at first never is?
    fn repeats_itself(&self, members: &BTreeSet<usize>, live: &LiveSet) -> bool {
        let mut transitions = members
            .iter()
            .flat_map(|index| &self.function.locations[LocationId::new(*index)].transitions)
            .filter(|transition| members.contains(&transition.target.index()));
        transitions.all(|transition| {
            transition.statements.iter().all(|statement| {
                let carries = statement
                    .kind
                    .targets()
                    .iter()
                    .any(|target| live.contains(*target));
                let does_more = matches!(statement.kind, StatementKind::Call { .. });
                !carries && !does_more && !writes(&statement.kind)
            })
        })
    }

    /// The heads of a thread's loops without places, each with its loop, and the entries of those that have
    /// several.
    fn loops(
        &self,
        thread: usize,
        stops: &BTreeSet<usize>,
    ) -> (Vec<(usize, BTreeSet<usize>)>, BTreeSet<usize>) {
        let of_thread = |index: &usize| self.thread_of[*index] == thread;
        let all: BTreeSet<usize> = (0..self.thread_of.len()).filter(of_thread).collect();
        let predecessors = self.function.predecessors();
        let mut heads = Vec::new();
        let mut several = BTreeSet::new();
        let mut open = vec![all];
        while let Some(part) = open.pop() {
            for component in self.cycles(&part, stops) {
                let members: BTreeSet<usize> = component.into_iter().collect();
                let is_entry = |index: &&usize| {
                    let mut before = predecessors[LocationId::new(**index)].iter();
                    before.any(|(from, _)| !members.contains(&from.index()))
                };
                let entries: Vec<usize> = members.iter().filter(is_entry).copied().collect();
                match entries[..] {
                    [] => {}
                    [head] => {
                        let mut inside = members.clone();
                        inside.remove(&head);
                        heads.push((head, members));
                        open.push(inside);
                    }
                    _ => several.extend(entries),
                }
            }
        }
        (heads, several)
    }

    /// The strongly connected parts of some locations, where edges to places do not count.
    pub fn cycles(&self, part: &BTreeSet<usize>, stops: &BTreeSet<usize>) -> Vec<Vec<usize>> {
        let edge = |node: usize, position: usize| {
            let transitions = &self.function.locations[LocationId::new(node)].transitions;
            match transitions
                .get(position)
                .map(|transition| transition.target.index())
            {
                None => Edge::End,
                Some(target) if part.contains(&target) && !stops.contains(&target) => Edge::To(target),
                Some(_) => Edge::Skipped,
            }
        };
        let found = components(self.function.locations.len(), part.iter().copied(), edge);
        let is_cycle = |members: &Vec<usize>| {
            let [only] = members[..] else { return true };
            let transitions = &self.function.locations[LocationId::new(only)].transitions;
            let mut targets = transitions.iter().map(|transition| transition.target.index());
            !stops.contains(&only) && targets.any(|target| target == only)
        };
        found.into_iter().filter(is_cycle).collect()
    }

    /// Where places are missing: before which statement of which transitions, the first of each.
    fn missing(&self, thread: usize) -> BTreeMap<At, usize> {
        let stops = self.stops(thread);
        let heads = self.loops(thread, &stops).0;
        let enters_loop = |from: usize, to: usize| {
            let mut heads = heads.iter();
            heads.any(|(head, members)| *head == to && !members.contains(&from))
        };
        let of_thread = (0..self.thread_of.len()).filter(|index| self.thread_of[*index] == thread);
        let locations: Vec<usize> = of_thread.collect();
        let mut since = vec![Since::default(); self.thread_of.len()];
        for (_, place) in self.places_of(thread) {
            since[place.at.index()].writes = place.stop == Stop::Gap { writes: true };
        }
        let mut grown = true;
        let mut missing = BTreeMap::new();
        while std::mem::take(&mut grown) {
            missing.clear();
            for index in &locations {
                let id = LocationId::new(*index);
                for (number, transition) in self.function.locations[id].transitions.iter().enumerate() {
                    let (mut now, before) =
                        self.passes(transition, since[*index], self.unseen.contains(index));
                    missing.extend(before.map(|statement| ((id, number), statement)));
                    let target = transition.target.index();
                    let in_library = is_in_thread_library(&self.program, transition.position);
                    if now.wrote && !in_library && enters_loop(*index, target) {
                        missing.entry((id, number)).or_insert(transition.statements.len());
                        now = Since::default();
                    }
                    if self.thread_of.get(target) == Some(&thread) && !stops.contains(&target) {
                        grown |= since[target].join(now);
                    }
                }
            }
        }
        missing
    }

    /// What is so behind a transition, and before which statement a place is missing.
    fn passes(&self, transition: &Transition, mut since: Since, is_unseen: bool) -> (Since, Option<usize>) {
        let mut missing = None;
        for (index, statement) in transition.statements.iter().enumerate() {
            // What the model of the thread library does is done at once.
            let in_library = is_in_thread_library(&self.program, statement.position);
            if since.wrote && !in_library && self.faults.may_end(&statement.kind) {
                missing = missing.or(Some(index));
                // What comes after it is looked at again when it is there.
                since = Since::default();
            }
            if writes(&statement.kind) && (since.writes || in_library && !is_unseen) {
                since = Since {
                    writes: false,
                    wrote: true,
                };
            }
            if let StatementKind::Assign { target, .. } = &statement.kind {
                since.wrote |= self.threads.iter().any(|thread| thread.place == *target);
            }
        }
        (since, missing)
    }

    fn split_before(&mut self, thread: usize, (location, number): At, statement: usize) {
        let rest = self.location("may end", thread);
        let transition = &mut self.function.locations[location].transitions[number];
        let statements = transition.statements.split_off(statement);
        let target = std::mem::replace(&mut transition.target, rest);
        let position = transition.position;
        self.function.locations[rest].transitions.push(Transition {
            guard: truth(true),
            statements,
            target,
            position,
        });
        self.add_place(thread, rest, Stop::Gap { writes: false });
    }
}

fn writes(kind: &StatementKind) -> bool {
    use StatementKind as K;
    matches!(
        kind,
        K::Store { .. } | K::CopyMemory { .. } | K::SetMemory { .. } | K::Free { .. } | K::EndObject { .. }
    )
}

/// What may end a run, or never come to an end.
pub struct Faults {
    functions: BTreeSet<FunctionId>,
}

impl Faults {
    /// Of the program's own functions: those that only tell traces something come later, and do neither.
    pub fn new(program: &Program) -> Self {
        let functions = program.functions.ids();
        Faults {
            functions: functions.filter(|id| !is_harmless(program, *id)).collect(),
        }
    }

    fn may_end(&self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::Call {
                callee: Callee::Direct(callee),
                ..
            } => self.functions.contains(callee),
            kind => may_end(kind),
        }
    }
}

/// Does a function neither end a run nor go on for ever?
fn is_harmless(program: &Program, id: FunctionId) -> bool {
    let function = &program.functions[id];
    let order = function.reverse_postorder();
    let mut seen = BTreeSet::new();
    let has_cycle = order.iter().any(|id| {
        seen.insert(*id);
        let mut transitions = function.locations[*id].transitions.iter();
        transitions.any(|transition| seen.contains(&transition.target))
    });
    let calls = |kind: &StatementKind| matches!(kind, StatementKind::Call { .. });
    !is_thread_library(program, id)
        && !has_cycle
        && !function
            .statements()
            .any(|statement| calls(&statement.kind) || may_end(&statement.kind))
}

/// May a statement end the run?
fn may_end(kind: &StatementKind) -> bool {
    use StatementKind as K;
    let is_known = |pointer: &Expr| matches!(pointer, Expr::GlobalAddress(_));
    let fails = |checks: &AccessChecks, known: bool| {
        !known && (checks.uninitialised.is_some() || checks.pointer.is_some())
    };
    match kind {
        K::Assert { .. } | K::Assume { .. } | K::Stop { .. } | K::Unsupported { .. } | K::Call { .. } => true,
        K::Load { address, checks, .. } | K::Store { address, checks, .. } => {
            fails(checks, is_known(address))
        }
        K::CopyMemory { checks, .. } | K::SetMemory { checks, .. } => fails(checks, false),
        K::Free { check, .. } => check.is_some(),
        _ => false,
    }
}
