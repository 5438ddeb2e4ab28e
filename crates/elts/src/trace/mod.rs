//! Builds the trace that users see from the events of a run.
//!
//! Names come from C: an access to memory is shown as the element or member it falls on
//! (`gq.p[1].x`), a value as its C type reads it. Heap objects are named after the function that
//! allocated them, with a number (`malloc#1`); their type is learned from the first typed pointer
//! that is made to point to their start.
//!
//! Functions of the library models are not shown: what they do appears at the call in the user's
//! code. A long run is cut at its beginning, but never loses an input, because a test harness needs
//! them all.

pub mod c_type;
mod globals;
mod locks;
mod schedule;
mod show;
mod threads;

pub use show::machine_type;

use rustc_hash::{FxHashMap, FxHashSet};

use kripke_model::{Frame, Place, Property, PropertyKind, Step, StepKind, Storage, Trace, TraceValue};

use crate::ids::{CTypeId, FunctionId, IdVec, PropertyId};
use crate::interpreter::{Detail, End, Event, Inputs, ObjectKind, Observer, RunOptions, View, run};
use crate::interrupts::{ATOM, CHOICE, DISPATCHER, plain_name};
use crate::program::{CType, HIDDEN_MEMORY, NondetSource, Position, Program, Type};
use crate::scalar::{Pointer, ScalarValue};

use schedule::ScheduleBuilder;
use threads::Threads;

/// How many steps are kept, inputs not counted.
const DEFAULT_LIMIT: usize = 100_000;

/// How many parts of a copied object are shown one by one.
const SHOWN_PARTS: usize = 16;

/// Runs the program and gives the trace with the end.
pub fn trace_run(program: &Program, inputs: &mut dyn Inputs, options: &RunOptions) -> (End, Trace) {
    let mut builder = TraceBuilder::new(program);
    let end = run(program, inputs, options, &mut builder);
    (end, builder.finish())
}

/// An observer that builds a trace.
pub struct TraceBuilder<'p> {
    program: &'p Program,
    properties: IdVec<PropertyId, Property>,
    trace: Trace,
    limit: usize,
    /// How many of the steps are no inputs.
    others: usize,
    /// The types of heap objects, by number, as far as they were learned.
    heap_types: FxHashMap<u64, CTypeId>,
    /// Heap objects get numbers of their own, per allocating function.
    heap_names: FxHashMap<u64, String>,
    heap_counts: FxHashMap<String, u32>,
    /// The globals, or parts of them, whose value at the start is noted or lost.
    started: FxHashSet<String>,
    threads: Threads,
    schedule: Option<ScheduleBuilder>,
}

impl<'p> TraceBuilder<'p> {
    /// For one run of the program.
    pub fn new(program: &'p Program) -> Self {
        TraceBuilder {
            program,
            properties: program.public_properties(),
            trace: Trace::default(),
            limit: DEFAULT_LIMIT,
            others: 0,
            heap_types: FxHashMap::default(),
            heap_names: FxHashMap::default(),
            heap_counts: FxHashMap::default(),
            started: FxHashSet::default(),
            threads: Threads::new(program),
            schedule: ScheduleBuilder::new(program),
        }
    }

    /// Keeps at most that many steps beside the inputs.
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit.max(2);
        self
    }

    /// How many steps there are so far.
    pub fn steps(&self) -> usize {
        self.trace.steps.len()
    }

    /// Takes the steps away that there are so far.
    pub fn take_steps(&mut self) -> Vec<Step> {
        self.others = 0;
        self.trace.locks.clear();
        std::mem::take(&mut self.trace.steps)
    }

    /// Which thread runs.
    pub fn thread(&self) -> usize {
        self.threads.running()
    }

    /// The trace of the run.
    pub fn finish(mut self) -> Trace {
        if let Some(schedule) = self.schedule {
            self.trace.schedule = schedule.finish();
        }
        self.trace
    }

    fn is_library_function(&self, function: FunctionId) -> bool {
        self.program
            .functions
            .get(function)
            .is_some_and(|function| self.program.is_library(function.position))
    }

    fn name(&self, function: FunctionId) -> String {
        self.program
            .functions
            .get(function)
            .map(|function| crate::threads::plain_name(&function.name).to_owned())
            .unwrap_or_default()
    }

    /// The user's frames, outermost first; and the place of an event at `position`: in the innermost user's
    /// function, at its call where a library model runs.
    fn situation(&self, view: &View<'_>, position: Position) -> Situation {
        let frames = self.frames(view);
        let innermost = frames
            .iter()
            .rposition(|&(function, _)| !self.is_library_function(function));
        let position = match innermost {
            Some(index) => frames.get(index + 1).map_or(position, |&(_, call)| call),
            // A function of the library that is called with what a thread's function returned.
            None => { frames.first().map(|&(_, call)| call) }
                .filter(|call| self.program.is_library(position) && !self.program.is_library(*call))
                .unwrap_or(position),
        };
        let function = innermost
            .map(|index| self.name(frames[index].0))
            .unwrap_or_default();
        let in_library = innermost.is_none_or(|index| index + 1 < frames.len());
        let depth = frames
            .iter()
            .filter(|&&(function, _)| !self.is_library_function(function))
            .count();
        Situation {
            place: self.program.place(position, &function),
            depth: depth.saturating_sub(1) as u32,
            in_library,
        }
    }

    /// The place of an access that a handler came into, which is found where the handler's access is made.
    fn situation_interrupted(&self, view: &View<'_>, property: PropertyId) -> Option<Situation> {
        let site = self.program.properties.get(property)?;
        let function = &self.program.functions.get(site.function)?.name;
        if site.kind != PropertyKind::TornAccess || self.program.is_library(site.position) {
            return None;
        }
        let frames = self.frames(view).into_iter().map(|(function, _)| function);
        let own = frames.filter(|function| !self.is_library_function(*function));
        let own: Vec<String> = own.map(|function| self.name(function)).collect();
        let depth = own.iter().rposition(|name| plain_name(name) == function)?;
        Some(Situation {
            place: self.program.place(site.position, &own[depth]),
            depth: depth as u32,
            in_library: false,
        })
    }

    fn stack(&self, view: &View<'_>) -> Vec<Frame> {
        let frames = self.frames(view);
        let mut stack: Vec<Frame> = Vec::new();
        for (index, &(function, call)) in frames.iter().enumerate() {
            if self.is_library_function(function) {
                continue;
            }
            // Called by the library (a comparison function, say): the call is where the library was called.
            let caller = frames[..index]
                .iter()
                .rposition(|&(function, _)| !self.is_library_function(function));
            let call = match caller {
                Some(caller) => frames.get(caller + 1).map_or(call, |&(_, call)| call),
                None => Position::default(),
            };
            let caller = caller
                .map(|caller| self.name(frames[caller].0))
                .unwrap_or_default();
            stack.push(Frame {
                function: self.name(function),
                call: self.program.place(call, &caller),
            });
        }
        stack
    }

    /// Adds a step of another kind, where the run stands.
    pub fn note(&mut self, view: &View<'_>, position: Position, kind: StepKind) {
        let situation = self.situation(view, position);
        self.push(&situation, kind);
    }

    fn push(&mut self, situation: &Situation, kind: StepKind) {
        self.others += usize::from(!matches!(kind, StepKind::Input { .. }));
        self.trace.steps.push(Step {
            place: situation.place.clone(),
            depth: situation.depth,
            kind,
        });
        if self.others > self.limit {
            self.drop_early_steps();
        }
    }

    /// Drops the older half of the steps that are no inputs.
    fn drop_early_steps(&mut self) {
        let is_input = |step: &Step| matches!(step.kind, StepKind::Input { .. });
        let mut excess = self.others - self.limit / 2;
        self.others = self.limit / 2;
        // For each step how many stay of those before it.
        let (mut stay, mut before) = (0, Vec::with_capacity(self.trace.steps.len()));
        self.trace.steps.retain(|step| {
            let dropped = !is_input(step) && excess > 0;
            excess -= usize::from(dropped);
            before.push(stay);
            stay += usize::from(!dropped);
            !dropped
        });
        for change in &mut self.trace.locks {
            change.step = before.get(change.step).copied().unwrap_or(stay);
        }
    }

    /// The name of a pointer's object, and its type as far as known.
    fn object_name(&self, view: &View<'_>, pointer: Pointer) -> Option<(String, Option<CTypeId>)> {
        let object = view.object(pointer)?;
        if object.kind != ObjectKind::Heap {
            return Some((object.name, object.c_type));
        }
        let name = self
            .heap_names
            .get(&object.number)
            .cloned()
            .unwrap_or(object.name);
        Some((
            name,
            object
                .c_type
                .or_else(|| self.heap_types.get(&object.number).copied()),
        ))
    }

    /// Gives a heap object a name, and a type where the pointer to it has one.
    fn learn(&mut self, view: &View<'_>, value: &ScalarValue, c_type: Option<CTypeId>) {
        let Some(pointer) = value.as_pointer() else { return };
        let Some(object) = view
            .object(pointer)
            .filter(|object| object.kind == ObjectKind::Heap)
        else {
            return;
        };
        if !self.heap_names.contains_key(&object.number) {
            let count = self.heap_counts.entry(object.name.clone()).or_default();
            *count += 1;
            self.heap_names
                .insert(object.number, format!("{}#{count}", object.name));
        }
        let Some(CType::Pointer { to }) = c_type.map(|id| c_type::resolved(self.program, id)) else {
            return;
        };
        if pointer.offset == 0 && c_type::size(self.program, *to) != 0 {
            self.heap_types.entry(object.number).or_insert(*to);
        }
    }

    /// How to write the part of an object that an access reaches, and its type.
    fn target(&self, view: &View<'_>, pointer: Pointer, size: u64) -> (String, Option<CTypeId>) {
        let Some((name, c_type)) = self.object_name(view, pointer) else {
            return (format!("*{:#x}", view.address(pointer)), None);
        };
        let Some(c_type) = c_type else {
            let at = if pointer.offset == 0 {
                String::new()
            } else {
                format!("+{}", pointer.offset)
            };
            return (format!("{name}{at}"), None);
        };
        let mut offset = pointer.offset;
        let mut prefix = String::new();
        // A heap object holds as many values of its type as it has room for.
        let element = c_type::size(self.program, c_type);
        let whole = view.object(pointer).map_or(0, |object| object.size);
        if element != 0
            && whole >= 2 * element
            && !matches!(c_type::resolved(self.program, c_type), CType::Array { .. })
        {
            prefix = format!("[{}]", offset / element);
            offset %= element;
        }
        let part = c_type::part(self.program, c_type, offset, size);
        let rest = if part.rest == 0 {
            String::new()
        } else {
            format!("+{}", part.rest)
        };
        (format!("{name}{prefix}{}{rest}", part.path), Some(part.c_type))
    }

    /// Is it in a local object of a library model, or in memory of the translation's own, which users do not
    /// know?
    fn is_hidden(&self, view: &View<'_>, pointer: Pointer) -> bool {
        let is_unknown = view.object(pointer).is_some_and(|object| {
            object.library && object.kind == ObjectKind::Stack || object.name.starts_with(HIDDEN_MEMORY)
        });
        is_unknown || self.is_in_condition(view)
    }

    fn stored(&mut self, view: &View<'_>, event: &StoreEvent<'_>) {
        if crate::threads::is_in_thread_library(self.program, event.position) {
            return self.stored_by_threads(view, event);
        }
        if self.is_hidden(view, event.pointer) {
            return;
        }
        let situation = self.situation(view, event.position);
        let size = event.value.ty().bytes(&self.program.data_model);
        let c_type = self
            .object_name(view, event.pointer)
            .and_then(|(_, c_type)| c_type);
        if let (Some(c_type), ScalarValue::Int(bits)) = (c_type, event.value) {
            let fields = c_type::bit_fields(self.program, c_type, event.pointer.offset, size);
            if !fields.is_empty() {
                return self.stored_bit_fields(view, &situation, event, bits, fields);
            }
        }
        let (target, c_type) = self.target(view, event.pointer, size);
        self.learn(view, event.value, c_type);
        let value = self.show(view, event.value, c_type);
        let storage = storage(view, event.pointer);
        if storage == Storage::Global
            && self.started.insert(target.clone())
            && let Some(old) = event.old
        {
            let before = self.show(view, old, c_type);
            self.trace.initial.push((target.clone(), before));
        }
        self.assign(&situation, target, value, storage);
    }

    fn assign(&mut self, situation: &Situation, target: String, value: TraceValue, storage: Storage) {
        let kind = StepKind::Assign {
            target,
            value,
            storage,
        };
        self.push(situation, kind);
    }

    /// A store to the unit that holds bit-fields: shows the fields that change.
    fn stored_bit_fields(
        &mut self,
        view: &View<'_>,
        situation: &Situation,
        event: &StoreEvent<'_>,
        bits: &kripke_value::BitVec,
        fields: Vec<c_type::BitField>,
    ) {
        let Some((name, _)) = self.object_name(view, event.pointer) else {
            return;
        };
        for field in fields {
            let low = match self.program.data_model.big_endian {
                true => u64::from(bits.width()).saturating_sub(field.start + field.bits),
                false => field.start,
            } as u32;
            let high = low + field.bits as u32 - 1;
            if high >= bits.width() || field.bits == 0 {
                continue;
            }
            let new = bits.extract(high, low);
            let old = event
                .old
                .and_then(|old| old.as_int().map(|old| old.extract(high, low)));
            if old.as_ref() == Some(&new) {
                continue;
            }
            let (signed, width) = match c_type::resolved(self.program, field.c_type) {
                CType::Base { encoding, bits, .. } => {
                    use crate::program::Encoding::{Signed, SignedChar};
                    (matches!(encoding, Signed | SignedChar), *bits)
                }
                CType::Enum { signed, bits, .. } => (*signed, *bits),
                _ => (false, field.bits as u32),
            };
            let width = width.max(new.width());
            let value = ScalarValue::Int(if signed { new.sext(width) } else { new.zext(width) });
            let value = self.show(view, &value, Some(field.c_type));
            let target = format!("{name}{}", field.path);
            self.assign(situation, target, value, storage(view, event.pointer));
        }
    }

    /// Bytes were copied or set: shows the parts if they are few.
    fn filled(&mut self, view: &View<'_>, pointer: Pointer, length: u64, position: Position) {
        if self.is_hidden(view, pointer) {
            return;
        }
        let situation = self.situation(view, position);
        let Some((name, c_type)) = self.object_name(view, pointer) else {
            return;
        };
        let (target, part) = self.target(view, pointer, length);
        let type_name = part.map_or_else(|| "char[]".to_owned(), |id| c_type::name(self.program, id));
        // Text is shown as text, anything else by its parts, if they are few.
        let is_text = type_name.contains("char[");
        let literal = show::string_literal(view, pointer).filter(|text| is_text && text.len() > 2);
        let parts = match c_type {
            Some(c_type) if literal.is_none() => {
                c_type::leaves(self.program, c_type, pointer.offset, length, SHOWN_PARTS)
            }
            _ => Vec::new(),
        };
        if parts.is_empty() || parts.len() > SHOWN_PARTS {
            let text = literal.unwrap_or_else(|| format!("{{{length} bytes}}"));
            let bits = String::new();
            let value = TraceValue {
                type_name,
                text,
                bits,
            };
            self.started.insert(target.clone());
            self.assign(&situation, target, value, storage(view, pointer));
            return;
        }
        for (offset, path, leaf) in parts {
            let at = Pointer {
                base: pointer.base,
                offset,
            };
            let Some(value) = self.scalar_type(leaf).and_then(|ty| view.read(at, ty)) else {
                continue;
            };
            self.learn(view, &value, Some(leaf));
            let value = self.show(view, &value, Some(leaf));
            let target = format!("{name}{path}");
            self.started.insert(target.clone());
            self.assign(&situation, target, value, storage(view, at));
        }
    }

    /// The machine type of a scalar C type.
    fn scalar_type(&self, id: CTypeId) -> Option<Type> {
        use crate::program::Encoding;
        use kripke_value::FloatFormat;
        Some(match c_type::resolved(self.program, id) {
            CType::Base {
                encoding: Encoding::Float,
                bits,
                name,
            } => Type::Float(match bits {
                16 => FloatFormat::Binary16,
                32 => FloatFormat::Binary32,
                64 => FloatFormat::Binary64,
                128 if name.contains("128") => FloatFormat::Binary128,
                80 | 96 | 128 => FloatFormat::X87Extended,
                _ => return None,
            }),
            CType::Base { bits, .. } | CType::Enum { bits, .. } => Type::Int(*bits),
            CType::Pointer { .. } => Type::Pointer,
            _ => return None,
        })
    }

    fn called(
        &mut self,
        view: &View<'_>,
        function: FunctionId,
        arguments: &[ScalarValue],
        position: Position,
    ) {
        let is_hidden = self.is_library_function(function) || self.is_in_condition(view);
        if self.teller_called(view, function, arguments) || is_hidden {
            return;
        }
        // The place is that of the call, in the caller, one call less deep.
        let own = self.situation(view, position);
        let caller = self.stack(view).pop().map(|frame| frame.call).unwrap_or_default();
        let callee = &self.program.functions[function];
        let mut shown = Vec::new();
        for (&parameter, value) in callee.parameters.iter().zip(arguments) {
            let variable = &callee.variables[parameter];
            self.learn(view, value, variable.c_type);
            let name = crate::threads::plain_name(&variable.name).to_owned();
            shown.push((name, self.show(view, value, variable.c_type)));
        }
        let situation = Situation {
            place: caller,
            depth: own.depth.saturating_sub(1),
            in_library: false,
        };
        if self.is_interrupt(view) {
            if let Some(schedule) = &mut self.schedule {
                schedule.handler_comes(plain_name(&callee.name));
            }
            let message = format!("interrupted here by {}", plain_name(&callee.name));
            let interrupted = self.interrupted(view).unwrap_or_else(|| situation.clone());
            self.push(&interrupted, StepKind::Environment { message });
        }
        self.push(
            &situation,
            StepKind::Call {
                function: self.name(function),
                arguments: shown,
            },
        );
    }

    /// Is what is done there a step that users know?
    fn is_shown(&self, situation: &Situation, view: &View<'_>, position: Position) -> bool {
        !situation.in_library && !self.is_of_no_thread(view, position) && !self.is_in_condition(view)
    }

    /// Is it asked whether a handler may come? That is no step of the program.
    pub(super) fn is_in_condition(&self, view: &View<'_>) -> bool {
        let mut running = view.frames().map(|(function, _)| function);
        running.any(|function| self.name(function).starts_with(ATOM))
    }

    /// Was the function that runs called because an interrupt came?
    pub(super) fn is_interrupt(&self, view: &View<'_>) -> bool {
        let frames = self.frames(view);
        let caller = frames.len().checked_sub(2).map(|index| frames[index].0);
        caller.is_some_and(|caller| self.name(caller).starts_with(DISPATCHER))
    }

    fn returned(&mut self, view: &View<'_>, function: FunctionId, results: &[ScalarValue]) {
        let is_hidden = self.is_library_function(function) || self.is_in_condition(view);
        if self.teller_returned(function) || is_hidden {
            return;
        }
        let callee = &self.program.functions[function];
        let position = callee
            .locations
            .get(callee.exit)
            .map_or(callee.position, |location| location.position);
        let situation = self.situation(view, position);
        let value = match (results, &callee.results[..]) {
            ([value], [variable]) => Some(self.show(view, value, callee.variables[*variable].c_type)),
            _ => None,
        };
        self.push(
            &situation,
            StepKind::Return {
                function: self.name(function),
                value,
            },
        );
        self.note_handler_return(view);
    }

    /// The C type that the name of a `nondet` function promises; compilers leave functions that are only
    /// declared out of the debug information.
    fn input_type(&self, function: &str) -> Option<CTypeId> {
        let (prefix, suffix) = function.rsplit_once('_')?;
        let names: &[&str] = match suffix {
            _ if !prefix.ends_with("nondet") => return None,
            "bool" => &["_Bool", "bool"],
            "char" => &["char"],
            "schar" => &["signed char"],
            "uchar" | "u8" => &["unsigned char"],
            "short" => &["short", "short int"],
            "ushort" | "u16" => &["unsigned short", "unsigned short int"],
            "int" => &["int"],
            "uint" | "unsigned" | "u32" => &["unsigned int"],
            "long" => &["long", "long int"],
            "ulong" => &["unsigned long", "unsigned long int"],
            "longlong" => &["long long", "long long int"],
            "ulonglong" => &["unsigned long long", "unsigned long long int"],
            "float" => &["float"],
            "double" => &["double"],
            _ => return None,
        };
        let is_named =
            |c_type: &CType| matches!(c_type, CType::Base { name, .. } if names.contains(&name.as_str()));
        self.program
            .c_types
            .enumerate()
            .find(|(_, c_type)| is_named(c_type))
            .map(|(id, _)| id)
    }

    fn input(&mut self, view: &View<'_>, source: &NondetSource, value: &ScalarValue, position: Position) {
        let is_choice = |name: &str| name == CHOICE || name == crate::threads::CHOICE;
        if matches!(source, NondetSource::Library(name) if is_choice(name)) {
            return;
        }
        let (name, category) = match source {
            NondetSource::Input(name) => (name.as_str(), "input"),
            NondetSource::External(name) => (name.as_str(), "external"),
            NondetSource::Library(name) => (name.as_str(), "library"),
            NondetSource::Device(name) => (name.as_str(), "device"),
            NondetSource::Uninitialised => ("uninitialised", "uninitialised"),
        };
        let kind = StepKind::Input {
            source: name.to_owned(),
            category: category.to_owned(),
            value: self.show(view, value, self.input_type(name)),
            machine_type: machine_type(value.ty()),
        };
        if let Some(schedule) = &mut self.schedule {
            schedule.reads_input();
        }
        let situation = self.situation(view, position);
        self.push(&situation, kind);
    }
}

fn storage(view: &View<'_>, pointer: Pointer) -> Storage {
    match view.object(pointer).map(|object| object.kind) {
        Some(ObjectKind::Stack) => Storage::Local,
        Some(ObjectKind::Heap) => Storage::Heap,
        Some(ObjectKind::Global) | None => Storage::Global,
    }
}

/// Where an event is shown.
#[derive(Clone)]
struct Situation {
    place: Place,
    depth: u32,
    /// A library model runs.
    in_library: bool,
}

/// A store, with the value before it.
struct StoreEvent<'e> {
    pointer: Pointer,
    value: &'e ScalarValue,
    old: Option<&'e ScalarValue>,
    position: Position,
}

impl Observer for TraceBuilder<'_> {
    fn detail(&self) -> Detail {
        Detail::Steps
    }

    fn event(&mut self, view: &View<'_>, event: &Event<'_>) {
        self.note_turns(view, event);
        match *event {
            Event::Load { .. } | Event::Allocated { .. } | Event::Freed { .. } => {}
            Event::Call {
                function,
                arguments,
                position,
            } => self.called(view, function, arguments, position),
            Event::Return { function, results } => self.returned(view, function, results),
            Event::Assign {
                variable,
                value,
                position,
            } => {
                let situation = self.situation(view, position);
                let Some(function) = view.function() else { return };
                let variable = &self.program.functions[function].variables[variable];
                self.learn(view, value, variable.c_type);
                if self.is_shown(&situation, view, position) {
                    let value = self.show(view, value, variable.c_type);
                    let target = crate::threads::plain_name(&variable.name).to_owned();
                    self.assign(&situation, target, value, Storage::Local);
                }
            }
            Event::Store {
                pointer,
                value,
                old,
                position,
            } => {
                self.stored(
                    view,
                    &StoreEvent {
                        pointer,
                        value,
                        old,
                        position,
                    },
                );
            }
            Event::Fill {
                pointer,
                length,
                position,
            } => self.filled(view, pointer, length, position),
            Event::Input {
                source,
                value,
                position,
            } => self.input(view, source, value, position),
            Event::Output { text, position } => {
                let situation = self.situation(view, position);
                self.push(
                    &situation,
                    StepKind::Output {
                        text: String::from_utf8_lossy(text).into_owned(),
                    },
                );
            }
            Event::Location { .. } => {}
            Event::Branch {
                transition,
                count,
                position,
            } => {
                let situation = self.situation(view, position);
                if count == 2 && self.is_shown(&situation, view, position) {
                    self.push(
                        &situation,
                        StepKind::Branch {
                            taken: transition == 0,
                        },
                    );
                }
            }
            Event::Violation {
                property,
                message,
                position,
            } => {
                let mut situation = self.situation(view, position);
                self.trace.stack = self.stack(view);
                if self.is_of_several_threads(property) {
                    self.show_waiting(property);
                    situation = self.situation_of(property);
                    self.trace.stack.clear();
                } else if let Some(interrupted) = self.situation_interrupted(view, property) {
                    situation = interrupted;
                }
                let id = self
                    .properties
                    .get(property)
                    .map(|property| property.id.clone())
                    .unwrap_or_default();
                self.push(
                    &situation,
                    StepKind::Violation {
                        property: id,
                        message: message.to_owned(),
                    },
                );
            }
        }
    }
}
