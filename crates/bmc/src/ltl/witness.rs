//! From a model of the solver to a trace with letters.
//!
//! The interpreter runs the instrumented program with the model's inputs; the letters it sees are evaluated
//! by a monitor outside the program. Invariant: a witness's letters have the value that the engine claims, or
//! it is an internal error.

use kripke_elts::interpreter::{Contents, Contracts, Detail, End, Event, Observer, RunOptions, View, run};
use kripke_elts::trace::TraceBuilder;
use kripke_elts::{FunctionId, GlobalId, Pointer, Position, Program, ScalarValue};
use kripke_logic::{Atoms, FourValued, Letter};
use kripke_model::{StepKind, Trace};
use kripke_value::BitVec;

use super::check::Formulae;
use super::instrument::Instrumented;
use super::monitor_code::{Field, MonitorCode};
use crate::replay::Script;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// Statements after which a run without another letter counts as one that halts.
const HALT_STEPS: u64 = 1_000_000;
/// Starts of loop iterations that a run may have to repeat itself.
const MAX_HEADS: usize = 2_000;
/// Statements a run may have to reach its letters.
const STEPS: u64 = 100_000_000;

/// One formula's monitor in a program.
pub struct Watch<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its letter function.
    pub letter: FunctionId,
    /// Its head function, where there is one.
    pub head: Option<FunctionId>,
    /// The monitor's memory.
    pub memory: GlobalId,
    /// The monitor.
    pub code: &'a MonitorCode,
    /// The names of its atoms.
    pub atoms: &'a Atoms,
    /// The memory of all monitors.
    pub monitors: Vec<GlobalId>,
}

impl<'a> Watch<'a> {
    /// One formula's monitor, with its memory and that of all monitors, in an instrumented program.
    pub(super) fn new(
        instrumented: &'a Instrumented,
        formula: &'a Formulae<'_>,
        memory: GlobalId,
        monitors: Vec<GlobalId>,
    ) -> Self {
        Watch {
            program: &instrumented.program,
            letter: instrumented.letter,
            head: instrumented.head,
            memory,
            code: &formula.monitored.code,
            atoms: formula.report.formula.atoms(),
            monitors,
        }
    }
}

/// A run as far as it was followed.
pub struct Run {
    /// How it ended.
    pub end: End,
    /// The letters.
    pub letters: Vec<Letter>,
    /// What the run is like at the loop points that were reached.
    pub worlds: Vec<World>,
    /// Two loop points that look the same.
    pub repetition: Option<[LoopPoint; 2]>,
    /// How many steps of the trace come before the first loop point.
    pub loop_start: Option<usize>,
    /// Its trace.
    pub trace: Trace,
}

/// Where a run is to be looked at closely: after so many starts of loop iterations.
#[derive(Clone, Debug)]
pub struct LoopPoints {
    /// The first and the second time.
    pub heads: [usize; 2],
    /// The variables of the function with the loop that matter there; `None`: all.
    pub live: Option<Vec<u64>>,
}

/// The start of a loop iteration: how many there were up to it, and how many letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopPoint {
    /// Its number, from 1.
    pub head: usize,
    /// Letters before it.
    pub letters: usize,
}

/// What a run is followed to.
#[derive(Clone, Debug)]
pub enum Until {
    /// So many letters.
    Letters(usize),
    /// Its end.
    End,
    /// The second of two loop points.
    Loop(LoopPoints),
    /// A loop point where the run has been before.
    Repetition,
}

/// Everything that decides how a run goes on, at the start of a loop iteration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    contents: Contents,
    calls: Vec<FunctionId>,
    places: Vec<usize>,
    outer: Vec<Vec<Option<ScalarValue>>>,
    variables: Vec<Option<ScalarValue>>,
}

/// Runs the program as far as that.
pub fn follow(watch: &Watch<'_>, script: &mut Script, until: Until) -> Run {
    let options = RunOptions {
        max_steps: Some(if matches!(until, Until::Letters(_)) {
            STEPS
        } else {
            HALT_STEPS
        }),
        contracts: Contracts::Ignored,
        ..RunOptions::default()
    };
    let mut observer = LetterObserver {
        watch,
        builder: TraceBuilder::new(watch.program),
        inside: Vec::new(),
        call: Position::default(),
        repeating: false,
        shown: 0,
        letters: Vec::new(),
        until,
        heads: 0,
        worlds: Vec::new(),
        seen: FxHashMap::default(),
        repetition: None,
        steps_at_first: None,
    };
    let end = run(watch.program, script, &options, &mut observer);
    Run {
        end,
        letters: observer.letters,
        worlds: observer.worlds,
        repetition: observer.repetition,
        loop_start: observer.steps_at_first,
        trace: observer.builder.finish(),
    }
}

struct LetterObserver<'a> {
    watch: &'a Watch<'a>,
    builder: TraceBuilder<'a>,
    /// The calls inside the functions of instrumentation: does their return complete a letter?
    inside: Vec<bool>,
    call: Position,
    /// The letter only repeats the last one, at the start of a loop iteration; readers are spared it.
    repeating: bool,
    shown: u32,
    letters: Vec<Letter>,
    until: Until,
    /// How many loop iterations have started.
    heads: usize,
    worlds: Vec<World>,
    /// Hashes of the worlds so far, with the number of their loop point and of the letters before.
    seen: FxHashMap<u64, LoopPoint>,
    repetition: Option<[LoopPoint; 2]>,
    steps_at_first: Option<usize>,
}

impl LetterObserver<'_> {
    fn is_ours(&self, function: FunctionId) -> bool {
        function == self.watch.letter || Some(function) == self.watch.head
    }

    fn field(&self, view: &View<'_>, field: Field) -> Option<BitVec> {
        let start = view.global(self.watch.memory);
        let pointer = Pointer {
            offset: field.offset,
            ..start
        };
        view.read(pointer, field.ty)?.as_int().cloned()
    }

    /// A loop has started another iteration.
    fn head_done(&mut self, view: &View<'_>) {
        self.heads += 1;
        match &self.until {
            Until::Loop(points) if points.heads.contains(&self.heads) => {
                let world = self.world(view, points.live.as_deref());
                self.worlds.push(world);
                self.steps_at_first.get_or_insert(self.builder.steps());
            }
            Until::Repetition => {
                let point = LoopPoint {
                    head: self.heads,
                    letters: self.letters.len(),
                };
                let hash = FxBuildHasher.hash_one(self.world(view, None));
                match self.seen.get(&hash) {
                    Some(earlier) => self.repetition = self.repetition.or(Some([*earlier, point])),
                    None => {
                        self.seen.insert(hash, point);
                    }
                }
            }
            _ => {}
        }
    }

    fn world(&self, view: &View<'_>, live: Option<&[u64]>) -> World {
        // The head function itself is the innermost call.
        let calls: Vec<FunctionId> = view.frames().map(|(function, _)| function).collect();
        let inner = calls.len().saturating_sub(2);
        let variables = view.frame_variables(inner);
        World {
            contents: view.contents(&self.watch.monitors),
            places: view.program_counters()[..=inner.min(calls.len().saturating_sub(1))].to_vec(),
            outer: (0..inner).map(|frame| view.frame_variables(frame)).collect(),
            variables: match live {
                Some(live) => live
                    .iter()
                    .map(|index| variables.get(*index as usize).cloned().flatten())
                    .collect(),
                None => variables,
            },
            calls,
        }
    }

    fn letter(&mut self, view: &View<'_>) {
        let layout = &self.watch.code.layout;
        let bits = self
            .field(view, layout.letter)
            .and_then(|bits| bits.to_u64())
            .unwrap_or(0);
        let letter = Letter(bits);
        self.letters.push(letter);
        let state = self.field(view, layout.state).unwrap_or_else(|| BitVec::zero(16));
        let value = self
            .field(view, layout.value)
            .and_then(|bits| bits.to_u64())
            .unwrap_or(0);
        let value = FourValued::ALL
            .get(value as usize)
            .copied()
            .unwrap_or(FourValued::False);
        if self.repeating {
            return;
        }
        self.shown += 1;
        let atoms = self
            .watch
            .atoms
            .iter()
            .map(|(id, atom)| (atom.text.clone(), letter.value(id)));
        let kind = StepKind::Letter {
            number: self.shown,
            atoms: atoms.collect(),
            state: self.watch.code.describe_state(&state),
            value: value.words().to_string(),
        };
        self.builder.note(view, self.call, kind);
    }
}

impl Observer for LetterObserver<'_> {
    fn detail(&self) -> Detail {
        Detail::Steps
    }

    fn event(&mut self, view: &View<'_>, event: &Event<'_>) {
        if self.is_done() {
            return;
        }
        match event {
            Event::Call {
                function,
                arguments,
                position,
            } if !self.inside.is_empty() || self.is_ours(*function) => {
                if self.inside.is_empty() {
                    self.call = *position;
                }
                let happened = arguments
                    .first()
                    .and_then(|value| value.as_int())
                    .is_some_and(|bits| !bits.is_zero());
                self.repeating |= Some(*function) == self.watch.head;
                self.inside.push(*function == self.watch.letter && happened);
            }
            Event::Return { function, .. } if !self.inside.is_empty() => {
                if self.inside.pop() == Some(true) {
                    self.letter(view);
                }
                if self.inside.is_empty() && Some(*function) == self.watch.head {
                    self.repeating = false;
                    self.head_done(view);
                }
            }
            _ if !self.inside.is_empty() => {}
            // A repetition is looked for first, and shown in a second run.
            _ if matches!(self.until, Until::Repetition) => {}
            other => self.builder.event(view, other),
        }
    }

    fn is_done(&self) -> bool {
        match &self.until {
            Until::Letters(wanted) => self.letters.len() >= *wanted && self.inside.is_empty(),
            Until::End => false,
            Until::Loop(points) => self.heads >= points.heads[1],
            Until::Repetition => self.repetition.is_some() || self.heads >= MAX_HEADS,
        }
    }
}
