//! The turns that threads, or a program and its handlers, take in a run.
//!
//! Idea: a turn of a thread begins where the hub lets another one go on. The thread stands there before
//! something that others can tell, so the first access that comes then, or the place in the thread library,
//! is the last thing that matters if the turn ends before the next one. A handler comes right behind what it
//! can tell from coming earlier, so the access before it is the last one of a turn; beside threads, where
//! handlers come as another thread would, that is so where one handler interrupts another one.
//!
//! Invariant: what a turn says is of the run, not of this build of the program: accesses of the library
//! models, and to memory that the translation made, are left out.

use kripke_model::{CountedAccess, Schedule, SharedObject, Turn};
use rustc_hash::FxHashMap;

use crate::ids::FunctionId;
use crate::interpreter::{Event, ObjectInfo, ObjectKind, View};
use crate::interrupts::DISPATCHER;
use crate::program::{HIDDEN_MEMORY, Position, Program};
use crate::scalar::{Pointer, ScalarValue};
use crate::threads::{OF_THREAD, is_in_thread_library, plain_name, woven};

use super::TraceBuilder;

/// Bytes of an object, by its number in the run, that are read or written.
type Bytes = (u64, u64, u64, bool);

/// The turns of a run, while it goes on.
pub(super) struct ScheduleBuilder {
    schedule: Schedule,
    turn: Turn,
    has_threads: bool,
    /// How often bytes were accessed since the beginning of the turn, or the last pass of the library.
    counts: FxHashMap<Bytes, u32>,
    /// A thread has gone on, and accessed nothing yet.
    fresh: bool,
    /// What was accessed last, where handlers come behind it.
    last: Option<(Bytes, SharedObject)>,
    heap: FxHashMap<u64, u32>,
    /// What the arguments of threads point into.
    arguments: FxHashMap<u64, (u32, u64)>,
    handlers: u32,
    /// The thread that runs the handlers, beside others.
    hardware: Option<u32>,
}

impl ScheduleBuilder {
    /// For a run of a program in which something runs side by side.
    pub fn new(program: &Program) -> Option<Self> {
        let is_of_threads = |position| is_in_thread_library(program, position);
        let has_threads = woven(program).is_some() || { program.functions.iter() }
            .any(|function| is_of_threads(function.position));
        let dispatches = |name: &str| name.starts_with(DISPATCHER);
        let has_handlers = { program.functions.iter() }.any(|function| dispatches(&function.name));
        (has_threads || has_handlers).then(|| ScheduleBuilder {
            schedule: Schedule {
                has_threads,
                ..Schedule::default()
            },
            turn: Turn::default(),
            has_threads,
            counts: FxHashMap::default(),
            fresh: false,
            last: None,
            heap: FxHashMap::default(),
            arguments: FxHashMap::default(),
            handlers: 0,
            hardware: None,
        })
    }

    pub fn finish(mut self) -> Schedule {
        self.note_last();
        self.schedule.turns.push(self.turn);
        self.schedule
    }

    /// A thread goes on from where it stands. That of the hardware is told of when a handler comes.
    pub fn goes_on(&mut self, number: u32, in_library: bool, is_hardware: bool) {
        if is_hardware {
            self.hardware = Some(number);
            return;
        }
        self.created(number);
        if number != self.turn.runner {
            self.end_turn(Turn {
                runner: number,
                ..Turn::default()
            });
        }
        if in_library {
            self.passes_library();
        }
        self.fresh = !in_library;
    }

    /// What runs lets others run in the thread library.
    pub fn passes_library(&mut self) {
        self.turn.passed += 1;
        self.turn.access = None;
        self.counts.clear();
        self.last = None;
        self.fresh = false;
    }

    /// A thread waits for ever.
    pub fn waits(&mut self, number: u32) {
        self.end_turn(Turn {
            runner: number,
            passed: Turn::UNTIL_IT_WAITS,
            ..Turn::default()
        });
    }

    /// A thread was created, as its creator is told or as it goes on.
    fn created(&mut self, number: u32) {
        if number != 0 && !self.schedule.created.contains(&number) {
            self.schedule.created.push(number);
        }
    }

    /// The thread that goes on begins, with an argument that points into an object.
    pub fn thread_begins(&mut self, argument: Option<(Pointer, ObjectInfo)>) {
        if let Some((pointer, object)) = argument.filter(|_| self.turn.runner != 0) {
            let of = (self.turn.runner, pointer.offset);
            self.arguments.entry(object.number).or_insert(of);
        }
    }

    /// A handler interrupts what runs.
    pub fn handler_comes(&mut self, name: &str) {
        self.end_turn(Turn {
            runner: self.hardware.unwrap_or(self.handlers + 1),
            begins: Some(name.to_owned()),
            ..Turn::default()
        });
        self.handlers += 1;
    }

    /// It returns. Beside threads, which of them goes on is told when it does.
    pub fn handler_returns(&mut self) {
        self.handlers = self.handlers.saturating_sub(1);
        self.turn.returns = true;
        self.last = None;
        self.end_turn(Turn {
            runner: self.hardware.unwrap_or(self.handlers),
            ..Turn::default()
        });
    }

    /// What runs reads an input that is a step of the trace.
    pub fn reads_input(&mut self) {
        self.schedule.inputs.push(self.turn.runner);
    }

    fn end_turn(&mut self, next: Turn) {
        self.note_last();
        let turn = std::mem::replace(&mut self.turn, next);
        let idle = Turn {
            runner: turn.runner,
            ..Turn::default()
        };
        // Between its handlers the hardware does nothing. A handler that was interrupted stands there.
        if self.hardware != Some(turn.runner) || turn != idle || self.handlers > 0 {
            self.schedule.turns.push(turn);
        }
        self.counts.clear();
        self.fresh = false;
    }

    /// The last access of the turn is the one that was made last.
    fn note_last(&mut self) {
        if let Some((bytes, object)) = self.last.take() {
            self.turn.access = Some(self.counted(bytes, object));
        }
    }

    /// The access that was made last, with how many there were to some of its bytes.
    fn counted(&self, bytes: Bytes, object: SharedObject) -> CountedAccess {
        let (number, offset, length, writes) = bytes;
        let is_any = object == SharedObject::Frame;
        let meets = |other: &&Bytes| {
            let same = other.0 == number && other.1 < offset + length && offset < other.1 + other.2;
            other.3 == writes && (same || is_any && other.0 == number)
        };
        let of_bytes = self.counts.iter().filter(|(other, _)| meets(other));
        CountedAccess {
            object,
            offset,
            length,
            writes,
            count: of_bytes.map(|(_, count)| count).sum(),
        }
    }

    fn accessed(
        &mut self,
        info: &ObjectInfo,
        object: SharedObject,
        (offset, length): (u64, u64),
        writes: bool,
    ) {
        // Objects of frames are not told apart.
        let number = if object == SharedObject::Frame {
            u64::MAX
        } else {
            info.number
        };
        let bytes = (number, offset, length, writes);
        *self.counts.entry(bytes).or_default() += 1;
        if !self.has_threads || self.handlers > 0 {
            self.last = Some((bytes, object));
        } else if std::mem::take(&mut self.fresh) {
            self.turn.access = Some(self.counted(bytes, object));
        }
    }

    /// How other builds know an object; none of what they do not have.
    fn shared(&self, program: &Program, info: &ObjectInfo) -> Option<SharedObject> {
        if let Some((thread, offset)) = self
            .arguments
            .get(&info.number)
            .filter(|_| info.kind == ObjectKind::Stack)
        {
            return Some(SharedObject::Argument(*thread, *offset));
        }
        match (info.kind, info.global) {
            (ObjectKind::Global, Some(global)) => {
                let global = &program.globals[global];
                let is_own = global.thread_local || global.name.contains(OF_THREAD);
                let path = program.place(global.position, "").file;
                (!is_own).then(|| SharedObject::Global {
                    name: global.name.clone(),
                    file: path.rsplit('/').next().unwrap_or_default().to_owned(),
                })
            }
            (ObjectKind::Heap, _) => self
                .heap
                .get(&info.number)
                .map(|number| SharedObject::Heap(*number)),
            (ObjectKind::Stack, _) => Some(SharedObject::Frame),
            _ => None,
        }
    }
}

impl TraceBuilder<'_> {
    pub(super) fn is_in_thread_library(&self, function: FunctionId) -> bool {
        let function = self.program.functions.get(function);
        function.is_some_and(|function| is_in_thread_library(self.program, function.position))
    }

    /// Notes what an event says of the turns.
    pub(super) fn note_turns(&mut self, view: &View<'_>, event: &Event<'_>) {
        if self.schedule.is_none() {
            return;
        }
        match *event {
            Event::Allocated { pointer } => {
                let number = view.object(pointer).map(|object| object.number);
                if let (Some(number), Some(schedule)) = (number, &mut self.schedule) {
                    let next = schedule.heap.len() as u32 + 1;
                    schedule.heap.insert(number, next);
                }
            }
            // Others can tell when an object ends, as they can of a write to all of it.
            Event::Freed { pointer } => {
                if let (Some(info), Some(schedule)) = (view.object(pointer), &mut self.schedule)
                    && let Some(object) = schedule.shared(self.program, &info)
                {
                    schedule.accessed(&info, object, (0, info.size.max(1)), true);
                }
            }
            Event::Load {
                pointer,
                length,
                position,
            } => self.note_access(view, pointer, (length, false), position),
            Event::Fill {
                pointer,
                length,
                position,
            } => self.note_access(view, pointer, (length, true), position),
            Event::Store {
                pointer,
                value,
                position,
                ..
            } => {
                let length = value.ty().bytes(&self.program.data_model);
                self.note_created(
                    view,
                    pointer,
                    value.as_int().and_then(kripke_value::BitVec::to_u64),
                );
                self.note_access(view, pointer, (length, true), position);
            }
            _ => {}
        }
    }

    /// A thread says what it does next: `thread 1 (f) writes here next`, with the bytes.
    pub(super) fn note_next(&mut self, view: &View<'_>, message: &str, arguments: &[ScalarValue]) {
        let [at, length, writes] = arguments else { return };
        let number_of = |value: &ScalarValue| value.as_int().and_then(kripke_value::BitVec::to_u64);
        let (length, writes) = (number_of(length), number_of(writes) == Some(1));
        let number = message
            .strip_prefix("thread ")
            .and_then(|rest| rest.split(' ').next());
        let runner = number.map_or(Some(0), |number| number.parse().ok());
        let found = at.as_pointer().and_then(|at| Some((at.offset, view.object(at)?)));
        if let (Some((offset, info)), Some(length), Some(runner), Some(schedule)) =
            (found, length, runner, &mut self.schedule)
            && let Some(object) = schedule.shared(self.program, &info)
        {
            let access = CountedAccess {
                object,
                offset,
                length,
                writes,
                count: 1,
            };
            schedule.schedule.next.push((runner, access));
        }
    }

    fn note_access(
        &mut self,
        view: &View<'_>,
        pointer: Pointer,
        (length, writes): (u64, bool),
        position: Position,
    ) {
        if self.program.is_library(position) || self.is_in_condition(view) {
            return;
        }
        let Some(info) = view.object(pointer) else {
            return;
        };
        if info.name.starts_with(HIDDEN_MEMORY) || info.library {
            return;
        }
        let innermost = self.frames(view).last().map(|frame| frame.0);
        if innermost.is_some_and(|function| self.is_library_function(function)) {
            return;
        }
        if let Some(schedule) = &mut self.schedule
            && let Some(object) = schedule.shared(self.program, &info)
        {
            schedule.accessed(&info, object, (pointer.offset, length), writes);
        }
    }

    /// The model of the thread library gives its caller the number of a thread that it started, and 1.
    fn note_created(&mut self, view: &View<'_>, pointer: Pointer, value: Option<u64>) {
        let frames = self.frames(view);
        let Some(&(innermost, _)) = frames.last().filter(|frame| self.is_in_thread_library(frame.0)) else {
            return;
        };
        let creates = plain_name(&self.program.functions[innermost].name) == "create";
        let is_callers = view.object(pointer).is_some_and(|object| !object.library);
        if let (true, true, Some(value), Some(schedule)) = (creates, is_callers, value, &mut self.schedule) {
            schedule.created(value.saturating_sub(1) as u32);
        }
    }
}
