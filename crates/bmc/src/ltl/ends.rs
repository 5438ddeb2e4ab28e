//! What the engine notes for monitors: where traces end, and with which values.
//!
//! Every path that the engine follows ends once: with the program, in a loop that goes on for ever without a
//! letter, or where it is cut. The last state of the monitors is read there.

use kripke_elts::{FunctionId, GlobalId, Id, Position, PropertyId};
use kripke_model::PropertyKind;
use kripke_smt::TermId;

use super::monitor_code::{Field, Layout};
use crate::engine::Engine;
use crate::object::ObjectId;
use crate::record::{Cut, Event};
use crate::state::State;
use crate::value::Value;

/// How a trace ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndKind {
    /// With the program: the last letter repeats for ever.
    Ended,
    /// In a loop that goes on for ever and has no letter: the last one repeats too.
    Halted,
    /// All threads wait: the last letter repeats too.
    Stuck,
    /// Its state was seen before, so that what comes after it is among the other traces, or goes on for ever.
    Seen,
    /// It does not, but is followed no further.
    Cut(Cut),
}

/// The end of traces.
#[derive(Clone, Debug)]
pub struct TraceEnd {
    /// How.
    pub kind: EndKind,
    /// When.
    pub condition: TermId,
    /// The value of each formula.
    pub values: Vec<TermId>,
    /// How many events were recorded before.
    pub events: usize,
    /// Where.
    pub position: Position,
}

/// The monitors in the program that runs.
#[derive(Clone, Default)]
pub struct Monitors {
    /// The memory of each, and where its value lies there.
    pub values: Vec<(GlobalId, Field)>,
    /// The function that steps them.
    pub letter: Option<FunctionId>,
    /// The function that is called when a loop starts another iteration.
    pub head: Option<FunctionId>,
    /// The states at the starts of loop iterations are asked for.
    pub wants_snapshots: bool,
    /// The memory of the monitor whose survivors matter to the graph of states.
    pub survivors: Option<(GlobalId, Layout)>,
}

/// The state at the start of a loop iteration other than the first.
#[derive(Clone)]
pub struct Snapshot {
    /// The call, and the loop in it with the iterations of the loops around it.
    pub site: (u32, Vec<u32>),
    /// The state; only the variables that matter are in it.
    pub state: State,
    /// How many events were recorded before.
    pub events: usize,
    /// Where the loop is.
    pub position: Position,
}

impl Monitors {
    /// Is nothing observed?
    pub fn is_empty(&self) -> bool {
        self.letter.is_none() && self.head.is_none() && self.values.is_empty() && !self.wants_snapshots
    }
}

impl Engine<'_> {
    /// Notes that traces end here where the condition holds.
    pub(crate) fn trace_ends(&mut self, state: &State, condition: TermId, kind: EndKind) {
        if self.monitors.values.is_empty() || self.run.cursor.assuming {
            return;
        }
        let condition = self.here(state, condition);
        if self.terms.as_bool(condition) == Some(false) {
            return;
        }
        self.parting.threads.note_end(state);
        let monitors = self.monitors.values.clone();
        let mut state = state.clone();
        let values = monitors
            .into_iter()
            .map(|(global, field)| self.read_field(&mut state, global, field))
            .collect();
        let end = TraceEnd {
            kind,
            condition,
            values,
            events: self.run.record.events.len(),
            position: self.run.cursor.position,
        };
        self.run.record.ends.push(end);
    }

    /// Notes what a failing property does to traces: an assertion ends the program, undefined behaviour
    /// leaves it without a meaning.
    pub(crate) fn trace_fails(&mut self, state: &State, wrong: TermId, property: PropertyId) {
        let site = &self.program.properties[property];
        match site.kind {
            PropertyKind::Ltl => {}
            PropertyKind::Assertion => self.trace_ends(state, wrong, EndKind::Ended),
            // Woven threads say by themselves where traces end.
            PropertyKind::Deadlock if kripke_elts::threads::woven(self.program).is_some() => {}
            PropertyKind::Deadlock => self.trace_ends(state, wrong, EndKind::Stuck),
            _ => {
                let what = site.description.clone();
                self.trace_ends(state, wrong, EndKind::Cut(Cut::Misuse { what }));
            }
        }
    }

    /// What a monitor's memory holds.
    pub(crate) fn read_field(&mut self, state: &mut State, global: GlobalId, field: Field) -> TermId {
        let offset = self.terms.bv_u64(self.pointer_width, field.offset);
        let (value, _) = self.read_at(state, ObjectId(global.index() as u32), offset, field.ty, 1);
        value.term()
    }

    /// Have survivors lived since the last start of an iteration? (See [`super::monitor_code::Survivors`].)
    pub(crate) fn survivors_lived(&mut self, state: &mut State) -> bool {
        let Some((global, layout)) = self.monitors.survivors.clone() else {
            return false;
        };
        let survivors = self.read_field(state, global, layout.survivors);
        let age = self.read_field(state, global, layout.age);
        let is_zero = |term| self.terms.as_bv(term).map(|bits| bits.is_zero());
        is_zero(survivors) != Some(true) && is_zero(age) != Some(false)
    }

    /// Notes calls of the functions that instrumentation has added.
    pub(crate) fn note_monitor_call(&mut self, state: &mut State, function: FunctionId, arguments: &[Value]) {
        let happened = match arguments {
            [Value::Term(happened)] => *happened,
            _ => return,
        };
        if self.monitors.letter == Some(function) {
            let guard = self.here(state, happened);
            if self.terms.as_bool(guard) != Some(false) {
                state.letter = self.run.new_letter();
                self.run.record.events.push(Event::Letter { guard });
            }
        } else if self.monitors.head == Some(function) {
            let guard = self.run.paths.term(state.path);
            self.run.record.events.push(Event::Head { guard });
        }
    }

    /// Notes the state at the start of a loop iteration.
    pub(crate) fn snapshot(&mut self, state: &State, key: &[u32]) {
        if self.run.cursor.assuming || !self.monitors.wants_snapshots || key[key.len() - 2] == 0 {
            return;
        }
        let snapshot = Snapshot {
            site: (self.top().context, key[..key.len() - 2].to_vec()),
            state: state.clone(),
            events: self.run.record.events.len(),
            position: self.run.cursor.position,
        };
        self.run.record.snapshots.push(snapshot);
    }
}
