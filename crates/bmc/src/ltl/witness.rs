//! From a model of the solver to a trace with letters.
//!
//! The interpreter runs the instrumented program with the model's inputs; the letters it sees are evaluated by a monitor outside the
//! program. Invariant: a witness's letters have the value that the engine claims, or it is an internal error.

use kripke_elts::interpreter::{Detail, End, Event, Observer, RunOptions, View, run};
use kripke_elts::trace::TraceBuilder;
use kripke_elts::{FunctionId, GlobalId, Pointer, Position, Program};
use kripke_logic::{Atoms, FourValued, Letter};
use kripke_model::{StepKind, Trace};
use kripke_value::BitVec;

use super::monitor_code::{Field, MonitorCode};
use crate::replay::Script;

/// Statements after which a run without another letter counts as one that halts.
const HALT_STEPS: u64 = 1_000_000;
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
}

/// A run as far as it was followed.
pub struct Run {
    /// How it ended.
    pub end: End,
    /// The letters.
    pub letters: Vec<Letter>,
    /// For each start of a loop iteration the number of letters before it.
    pub heads: Vec<usize>,
    /// Its trace.
    pub trace: Trace,
}

/// Runs the program until so many letters were seen (`None`: to its end).
pub fn follow(watch: &Watch<'_>, script: &mut Script, letters: Option<usize>) -> Run {
    let mut observer = LetterObserver {
        watch,
        builder: TraceBuilder::new(watch.program),
        inside: Vec::new(),
        call: Position::default(),
        letters: Vec::new(),
        values: Vec::new(),
        heads: Vec::new(),
        wanted: letters.unwrap_or(usize::MAX),
    };
    let options = RunOptions {
        max_steps: Some(if letters.is_some() { STEPS } else { HALT_STEPS }),
        ..RunOptions::default()
    };
    let end = run(watch.program, script, &options, &mut observer);
    Run {
        end,
        letters: observer.letters,
        heads: observer.heads,
        trace: observer.builder.finish(),
    }
}

struct LetterObserver<'a> {
    watch: &'a Watch<'a>,
    builder: TraceBuilder<'a>,
    /// The calls inside the functions of instrumentation: does their return complete a letter?
    inside: Vec<bool>,
    call: Position,
    letters: Vec<Letter>,
    values: Vec<FourValued>,
    heads: Vec<usize>,
    wanted: usize,
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
        self.values.push(value);
        let atoms = self
            .watch
            .atoms
            .iter()
            .map(|(id, atom)| (atom.text.clone(), letter.value(id)));
        let kind = StepKind::Letter {
            number: self.letters.len() as u32,
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
                if Some(*function) == self.watch.head {
                    self.heads.push(self.letters.len());
                }
                let happened = arguments
                    .first()
                    .and_then(|value| value.as_int())
                    .is_some_and(|bits| !bits.is_zero());
                self.inside.push(*function == self.watch.letter && happened);
            }
            Event::Return { .. } if !self.inside.is_empty() => {
                if self.inside.pop() == Some(true) {
                    self.letter(view);
                }
            }
            _ if !self.inside.is_empty() => {}
            other => self.builder.event(view, other),
        }
    }

    fn is_done(&self) -> bool {
        self.letters.len() >= self.wanted && self.inside.is_empty()
    }
}
