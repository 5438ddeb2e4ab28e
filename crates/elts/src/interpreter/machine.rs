//! The machine: frames, calls and returns, and the switch between the hot loop and the rest.

use std::rc::Rc;

use kripke_value::{BitVec, Float, RoundingMode};

use crate::eval::{self, Environment, evaluate};
use crate::ids::{FunctionId, Id, PropertyId, VariableId};
use crate::interpreter::code::{CallSite, Code, Place, Storage, storage};
use crate::interpreter::compile::compile;
use crate::interpreter::hot::{self, Pause};
use crate::interpreter::memory::{Memory, NewObject, Origin, OutOfMemory, Reached};
use crate::interpreter::misuse;
use crate::interpreter::statements::exit_code;
use crate::interpreter::{Detail, End, Event, Inputs, Observer, RunOptions, View};
use crate::program::{CastOp, InitialRest, NondetSource, Position, Program, Type};
use crate::scalar::{ObjectRef, Pointer, PointerBase, ScalarValue, mask};

/// One activation of a function.
pub struct Frame {
    pub code: Rc<Code>,
    pub pc: usize,
    /// Where its words start in [`State::words`].
    pub base: usize,
    /// Where its wide values start.
    pub wide_base: usize,
    /// How many stack objects there were before it.
    pub stack_objects: usize,
    /// Where the stack's addresses were before it.
    stack_mark: u64,
    /// Where it was called.
    pub call: Position,
    /// Counts the calls of the run.
    activation: u64,
}

/// What the program can see and change.
pub struct State<'p> {
    pub program: &'p Program,
    pub memory: Memory,
    pub frames: Vec<Frame>,
    pub words: Vec<u64>,
    pub wide: Vec<ScalarValue>,
    /// Slots of the live stack objects, oldest first.
    pub stack_objects: Vec<ObjectRef>,
    pub rounding: RoundingMode,
    pub steps: u64,
    /// How many calls were made.
    pub activations: u64,
}

impl State<'_> {
    /// The value at a place of the current frame.
    pub fn get(&self, place: Place) -> ScalarValue {
        let (base, wide_base) = self
            .frames
            .last()
            .map_or((0, 0), |frame| (frame.base, frame.wide_base));
        self.get_at(base, wide_base, place)
    }

    fn get_at(&self, base: usize, wide_base: usize, place: Place) -> ScalarValue {
        let index = base + place.index as usize;
        match (storage(place.ty), place.ty) {
            (Storage::Wide, _) => self.wide[wide_base + place.index as usize].clone(),
            (_, Type::Int(width)) => ScalarValue::Int(BitVec::new(width, u128::from(self.words[index]))),
            (_, Type::Float(format)) => {
                let bits = BitVec::new(format.bits(), u128::from(self.words[index]));
                ScalarValue::Float(Float::from_bits(format, &bits))
            }
            (_, Type::Pointer) => ScalarValue::Pointer(self.pointer_at_word(index)),
        }
    }

    fn pointer_at_word(&self, index: usize) -> Pointer {
        Pointer::unpack([self.words[index], self.words[index + 1]])
    }

    /// The pointer in the pair of words of the current frame.
    pub fn pointer(&self, index: u32) -> Pointer {
        let base = self.frames.last().map_or(0, |frame| frame.base);
        self.pointer_at_word(base + index as usize)
    }

    /// The integer at a place of the current frame, as far as it fits.
    pub fn int(&self, place: Place) -> Option<u64> {
        self.get(place).as_int().and_then(BitVec::to_u64)
    }

    /// Sets the value at a place of the current frame.
    pub fn set(&mut self, place: Place, value: ScalarValue) {
        let (base, wide_base) = self
            .frames
            .last()
            .map_or((0, 0), |frame| (frame.base, frame.wide_base));
        let index = base + place.index as usize;
        match (storage(place.ty), value) {
            (Storage::Wide, value) => self.wide[wide_base + place.index as usize] = value,
            (_, ScalarValue::Int(value)) => self.words[index] = value.to_u64().unwrap_or(0),
            (_, ScalarValue::Float(value)) => self.words[index] = value.raw_bits() as u64,
            (_, ScalarValue::Pointer(pointer)) => {
                let [first, second] = pointer.pack();
                self.words[index] = first;
                self.words[index + 1] = second;
            }
        }
    }

    /// The value of a variable of the current function.
    pub fn variable(&self, id: VariableId) -> Option<ScalarValue> {
        let frame = self.frames.last()?;
        Some(self.get(*frame.code.variables.get(id.index())?))
    }

    /// The values of the variables of a call, outermost 0.
    pub fn frame_variables(&self, frame: usize) -> Vec<Option<ScalarValue>> {
        let Some(frame) = self.frames.get(frame) else {
            return Vec::new();
        };
        let places = frame.code.variables.iter();
        places
            .map(|place| Some(self.get_at(frame.base, frame.wide_base, *place)))
            .collect()
    }

    /// The value a load would read, where nothing is wrong with it.
    pub fn peek(&self, pointer: Pointer, ty: Type) -> Option<ScalarValue> {
        let size = ty.bytes(&self.program.data_model);
        match self.memory.reach(pointer, size, 1, false).ok()? {
            Reached::Object { slot, offset } if self.memory.first_unwritten(slot, offset, size).is_none() => {
                Some(self.read(slot, offset, ty))
            }
            _ => None,
        }
    }

    /// The value in bytes that were judged.
    pub fn read(&self, slot: u32, offset: u64, ty: Type) -> ScalarValue {
        if ty == Type::Pointer
            && let Some(pointer) = self.memory.stored_pointer(slot, offset)
        {
            return ScalarValue::Pointer(pointer);
        }
        let data_model = &self.program.data_model;
        let bytes = self.memory.bytes(slot, offset, ty.bytes(data_model));
        self.value_of_bytes(bytes, ty)
    }

    /// The value that bytes stand for.
    fn value_of_bytes(&self, bytes: &[u8], ty: Type) -> ScalarValue {
        let mut ordered = bytes.to_vec();
        if !self.memory.big_endian {
            ordered.reverse();
        }
        let bits = ty.bits(&self.program.data_model);
        let value = match ordered.len() <= 16 {
            true => BitVec::new(
                bits,
                ordered
                    .iter()
                    .fold(0, |value, &byte| value << 8 | u128::from(byte)),
            ),
            false => {
                let parts = ordered.iter().map(|&byte| BitVec::new(8, u128::from(byte)));
                parts
                    .reduce(|high, low| high.concat(&low))
                    .unwrap_or(BitVec::zero(8))
                    .trunc(bits)
            }
        };
        match ty {
            Type::Int(_) => ScalarValue::Int(value),
            Type::Float(format) => ScalarValue::Float(Float::from_bits(format, &value)),
            Type::Pointer => {
                let address = value.to_u64().unwrap_or(0);
                ScalarValue::Pointer(self.memory.pointer_at(address, self.program.functions.len()))
            }
        }
    }

    /// Writes a value to bytes that were judged.
    pub fn write(&mut self, slot: u32, offset: u64, value: &ScalarValue) {
        let bits = match value {
            ScalarValue::Pointer(pointer) => return self.memory.write_pointer(slot, offset, *pointer),
            ScalarValue::Int(value) => value.clone(),
            ScalarValue::Float(value) => value.to_bits(),
        };
        let bytes = bits.width().div_ceil(8);
        let padded = bits.zext(bytes * 8);
        let mut buffer: Vec<u8> = match padded.to_u128().filter(|_| bytes <= 16) {
            Some(value) => value.to_le_bytes()[..bytes as usize].to_vec(),
            None => (0..bytes)
                .map(|index| padded.extract(index * 8 + 7, index * 8).to_u64().unwrap_or(0) as u8)
                .collect(),
        };
        if self.memory.big_endian {
            buffer.reverse();
        }
        self.memory.write(slot, offset, &buffer);
    }
}

impl Environment for State<'_> {
    fn variable(&self, id: VariableId) -> Option<ScalarValue> {
        State::variable(self, id)
    }
    fn rounding(&self) -> Option<RoundingMode> {
        Some(self.rounding)
    }
    fn pointer_width(&self) -> u32 {
        self.memory.pointer_width
    }
    fn address(&self, pointer: Pointer) -> Option<u64> {
        Some(self.memory.address(pointer))
    }
    fn pointer_at(&self, address: u64) -> Option<Pointer> {
        Some(self.memory.pointer_at(address, self.program.functions.len()))
    }
    fn object_size(&self, pointer: Pointer) -> Option<u64> {
        let pointer = self.memory.locate(pointer);
        Some(self.memory.live(pointer).map_or(0, |object| object.size))
    }
    fn locate(&self, pointer: Pointer) -> Option<Pointer> {
        Some(self.memory.locate(pointer))
    }
}

/// A run: the state, and what it talks to.
pub struct Machine<'p> {
    pub state: State<'p>,
    pub inputs: &'p mut dyn Inputs,
    observer: &'p mut dyn Observer,
    pub observed: bool,
    detail: Detail,
    pub options: RunOptions,
    compiled: Vec<Option<Rc<Code>>>,
}

/// Goes on, or ends the run.
pub type Flow<T = ()> = Result<T, Box<End>>;

impl<'p> Machine<'p> {
    pub fn new(
        program: &'p Program,
        inputs: &'p mut dyn Inputs,
        options: &RunOptions,
        observer: &'p mut dyn Observer,
    ) -> Self {
        let detail = observer.detail();
        Machine {
            state: State {
                program,
                memory: Memory::new(&program.data_model, options.max_memory),
                frames: Vec::new(),
                words: Vec::new(),
                wide: Vec::new(),
                stack_objects: Vec::new(),
                rounding: RoundingMode::NearestEven,
                steps: 0,
                activations: 0,
            },
            inputs,
            observer,
            observed: detail == Detail::Steps,
            detail,
            options: options.clone(),
            compiled: vec![None; program.functions.len()],
        }
    }

    /// Goes on with what earlier runs with the same options and as much detail have compiled.
    pub fn with_compiled(mut self, compiled: Vec<Option<Rc<Code>>>) -> Self {
        self.compiled = compiled;
        self
    }

    /// What was compiled so far.
    pub fn into_compiled(self) -> Vec<Option<Rc<Code>>> {
        self.compiled
    }

    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    pub fn run(&mut self) -> End {
        match self.start().and_then(|()| self.run_frames()) {
            Ok(end) => end,
            Err(end) => *end,
        }
    }

    fn start(&mut self) -> Flow {
        self.make_globals()?;
        let program = self.state.program;
        let entry = program.entry;
        if program
            .functions
            .get(entry)
            .is_none_or(|function| function.locations.is_empty())
        {
            let what = "a program without an entry function".to_owned();
            return Err(Box::new(End::Unsupported {
                what,
                position: Position::default(),
            }));
        }
        let position = Position::default();
        let code = self.code(entry);
        self.enter(code, position)?;
        for &parameter in &program.functions[entry].parameters {
            self.uninitialised_variable(entry, parameter);
        }
        self.tell_call(entry, position);
        Ok(())
    }

    fn make_globals(&mut self) -> Flow {
        let program = self.state.program;
        for (id, global) in program.globals.enumerate() {
            let external = global.rest != InitialRest::Zero;
            let new = NewObject {
                origin: Origin::Global(id),
                size: global.size,
                align: global.align,
                zeroed: !external,
                constant: global.constant,
                external,
                registers: global.rest == InitialRest::Registers,
                created: global.position,
            };
            self.create(&new)?;
        }
        for (id, global) in program.globals.enumerate() {
            for cell in &global.cells {
                let Some(value) = evaluate(&cell.value, &self.state) else {
                    let what = format!("the initial value of `{}`", global.name);
                    return Err(Box::new(End::Unsupported {
                        what,
                        position: global.position,
                    }));
                };
                let size = cell.ty.bytes(&program.data_model);
                if cell
                    .offset
                    .checked_add(size)
                    .is_some_and(|end| end <= global.size)
                {
                    self.state.write(id.index() as u32, cell.offset, &value);
                }
            }
        }
        Ok(())
    }

    /// Makes an object, where the inputs want it.
    pub fn create(&mut self, new: &NewObject) -> Flow<Pointer> {
        let number = self.state.memory.created();
        let dictated = self.inputs.object_address(number, new.size, new.align.max(1));
        match self.state.memory.create(new, dictated) {
            Ok(object) => Ok(Pointer::object(object)),
            Err(error) => {
                let what = match error {
                    OutOfMemory::Bytes => format!(
                        "an object of {} (the memory limit is reached)",
                        misuse::bytes(new.size)
                    ),
                    OutOfMemory::Addresses => {
                        format!("an object of {} (no address is left)", misuse::bytes(new.size))
                    }
                };
                Err(Box::new(End::Unsupported {
                    what,
                    position: new.created,
                }))
            }
        }
    }

    fn code(&mut self, function: FunctionId) -> Rc<Code> {
        let (program, detail, options) = (self.state.program, self.detail, &self.options);
        self.compiled[function.index()]
            .get_or_insert_with(|| Rc::new(compile(program, function, detail, options)))
            .clone()
    }

    fn run_frames(&mut self) -> Flow<End> {
        let max_steps = self.options.max_steps.unwrap_or(u64::MAX);
        loop {
            let Some(frame) = self.state.frames.last() else {
                return Ok(End::Exit { code: None });
            };
            let (code, mut pc, base) = (frame.code.clone(), frame.pc, frame.base);
            let State {
                words,
                memory,
                rounding,
                steps,
                ..
            } = &mut self.state;
            let words = &mut words[base..base + code.template.len()];
            let pause = hot::execute(&code, words, &mut pc, memory, *rounding, steps, max_steps);
            if let Some(frame) = self.state.frames.last_mut() {
                frame.pc = pc;
            }
            match pause {
                Pause::Call(call) => self.call(&code.calls[call as usize])?,
                Pause::Return => {
                    if let Some(end) = self.leave(&code)? {
                        return Ok(end);
                    }
                }
                Pause::Operate(operation) => self.operate(&code, &code.operations[operation as usize])?,
                Pause::Access(instr) => self.access(&code, instr)?,
                Pause::StepLimit => return Ok(End::StepLimit),
            }
        }
    }

    fn enter(&mut self, code: Rc<Code>, call: Position) -> Flow {
        if self.state.frames.len() >= self.options.max_depth {
            return Err(Box::new(End::DepthLimit));
        }
        let state = &mut self.state;
        let frame = Frame {
            pc: 0,
            base: state.words.len(),
            wide_base: state.wide.len(),
            stack_objects: state.stack_objects.len(),
            stack_mark: state.memory.stack_mark(),
            call,
            code,
            activation: state.activations,
        };
        state.activations += 1;
        state.words.extend_from_slice(&frame.code.template);
        state.wide.resize(
            state.wide.len() + frame.code.wide,
            ScalarValue::Pointer(Pointer::NULL),
        );
        state.frames.push(frame);
        Ok(())
    }

    fn call(&mut self, site: &CallSite) -> Flow {
        let callee = match site.callee {
            Ok(function) => function,
            Err(pointer) => self.indirect(site, self.state.pointer(pointer))?,
        };
        let program = self.state.program;
        let function = &program.functions[callee];
        if function.locations.is_empty() {
            return self.call_external(site, &function.name);
        }
        let code = self.code(callee);
        let Some(caller) = self.state.frames.last() else {
            return Ok(());
        };
        let (base, wide_base) = (caller.base, caller.wide_base);
        self.enter(code.clone(), site.position)?;
        let mut missing = Vec::new();
        for (index, &parameter) in code.parameters.iter().enumerate() {
            let Some(&argument) = site.arguments.get(index) else {
                missing.push(function.parameters[index]);
                continue;
            };
            match (argument.ty == parameter.ty, storage(parameter.ty)) {
                (true, Storage::Word) => {
                    let target = self.state.words.len() - code.template.len() + parameter.index as usize;
                    self.state.words[target] = self.state.words[base + argument.index as usize];
                }
                (same, _) => {
                    let value = self.state.get_at(base, wide_base, argument);
                    let value = if same {
                        Some(value)
                    } else {
                        self.convert(value, parameter.ty)
                    };
                    match value {
                        Some(value) => self.state.set(parameter, value),
                        None => missing.push(function.parameters[index]),
                    }
                }
            }
        }
        for parameter in missing {
            self.uninitialised_variable(callee, parameter);
        }
        self.tell_call(callee, site.position);
        Ok(())
    }

    /// The function that an indirect call means, if it has the right shape.
    fn indirect(&mut self, site: &CallSite, pointer: Pointer) -> Flow<FunctionId> {
        let program = self.state.program;
        let pointer = match pointer.base {
            PointerBase::Raw => self
                .state
                .memory
                .pointer_at(pointer.offset, program.functions.len()),
            _ => pointer,
        };
        let wrong = match pointer.base {
            PointerBase::Function(id) if pointer.offset == 0 && program.functions.get(id).is_some() => {
                match self.has_shape(site, id) {
                    true => return Ok(id),
                    false => format!(
                        "call of `{}` with arguments or results of another type",
                        program.functions[id].name
                    ),
                }
            }
            PointerBase::Null => "call through a null pointer".to_owned(),
            PointerBase::Function(_) | PointerBase::Raw => {
                format!(
                    "call of address {:#x}, which is no function",
                    self.state.memory.address(pointer)
                )
            }
            PointerBase::Object(_) => match self.state.memory.live(pointer) {
                Some(object) => format!("call of {}, which is no function", misuse::name(program, object)),
                None => "call through a pointer to a dead object".to_owned(),
            },
        };
        Err(self.misused(site.check, wrong, site.position))
    }

    fn has_shape(&self, site: &CallSite, id: FunctionId) -> bool {
        let function = &self.state.program.functions[id];
        let ty = |&variable: &VariableId| function.variables[variable].ty;
        // A function without body says nothing of its parameters.
        if function.locations.is_empty() {
            return true;
        }
        let same = |places: &[Place], variables: &[VariableId]| {
            places.len() == variables.len()
                && places.iter().map(|place| place.ty).eq(variables.iter().map(ty))
        };
        same(&site.arguments, &function.parameters)
            && (site.results.is_empty() || same(&site.results, &function.results))
    }

    /// A function without body returns anything.
    fn call_external(&mut self, site: &CallSite, name: &str) -> Flow {
        let source = NondetSource::External(name.to_owned());
        for &result in &site.results {
            let value = self.inputs.next_at(site.site, &source, result.ty, site.position);
            let value = self
                .convert(value, result.ty)
                .unwrap_or_else(|| ScalarValue::zero(result.ty));
            self.tell(&Event::Input {
                source: &source,
                value: &value,
                position: site.position,
            });
            self.state.set(result, value);
        }
        self.set_flags(site);
        Ok(())
    }

    fn set_flags(&mut self, site: &CallSite) {
        let base = self.state.frames.last().map_or(0, |frame| frame.base);
        for &flag in site.flags.iter().flatten() {
            self.state.words[base + flag as usize] = 1;
        }
    }

    /// A value given where another type is expected, as calls without prototypes do; `None` where
    /// it has no meaning.
    pub fn convert(&self, value: ScalarValue, ty: Type) -> Option<ScalarValue> {
        if value.ty() == ty {
            return Some(value);
        }
        match (&value, ty) {
            (ScalarValue::Int(bits), Type::Int(width)) => Some(ScalarValue::Int(bits.resize(width))),
            (ScalarValue::Int(_), Type::Pointer) => eval::cast(CastOp::IntToPointer, &value, ty, &self.state),
            (ScalarValue::Pointer(_), Type::Int(_)) => {
                eval::cast(CastOp::PointerToInt, &value, ty, &self.state)
            }
            _ => None,
        }
    }

    /// Returns to the caller; the end, if this was the entry.
    fn leave(&mut self, code: &Code) -> Flow<Option<End>> {
        if self.observed {
            let results: Vec<ScalarValue> = code.results.iter().map(|&place| self.state.get(place)).collect();
            self.tell(&Event::Return {
                function: code.function,
                results: &results,
            });
        }
        let last = self.state.frames.len() == 1;
        if last {
            let code = code
                .results
                .first()
                .map(|&place| self.state.get(place))
                .and_then(exit_code);
            return self.exit(code, self.exit_position()).map(Some);
        }
        let Some(callee) = self.state.frames.pop() else {
            return Ok(None);
        };
        for object in self.state.stack_objects.split_off(callee.stack_objects) {
            if self.state.memory.is_live(object) {
                self.state.memory.kill(object.slot, Position::default());
            }
        }
        self.state.memory.restore_stack(callee.stack_mark);
        self.hand_over(&callee);
        self.state.words.truncate(callee.base);
        self.state.wide.truncate(callee.wide_base);
        Ok(None)
    }

    fn exit_position(&self) -> Position {
        let program = self.state.program;
        let function = &program.functions[program.entry];
        function
            .locations
            .get(function.exit)
            .map_or(function.position, |location| location.position)
    }

    /// Copies the results of a function that returns into the variables of its caller.
    fn hand_over(&mut self, callee: &Frame) {
        let Some(caller) = self.state.frames.last() else {
            return;
        };
        let code = caller.code.clone();
        let base = caller.base;
        let Some(crate::interpreter::code::Instr::Call { call }) = code.instrs.get(caller.pc.wrapping_sub(1))
        else {
            return;
        };
        let site = &code.calls[*call as usize];
        for (index, &target) in site.results.iter().enumerate() {
            let source = callee.code.results.get(index).copied();
            match source {
                Some(source) if source.ty == target.ty && storage(target.ty) == Storage::Word => {
                    self.state.words[base + target.index as usize] =
                        self.state.words[callee.base + source.index as usize];
                }
                _ => {
                    let value = source
                        .map(|source| self.state.get_at(callee.base, callee.wide_base, source))
                        .and_then(|value| self.convert(value, target.ty));
                    let value = match value {
                        Some(value) => value,
                        None => self.uninitialised(target.ty, site.position),
                    };
                    self.state.set(target, value);
                }
            }
        }
        self.set_flags(site);
    }

    /// The program ends by `exit` or the end of `main`.
    pub fn exit(&mut self, code: Option<i32>, position: Position) -> Flow<End> {
        let program = self.state.program;
        let leak = program
            .properties
            .enumerate()
            .find(|(_, site)| site.kind == kripke_model::PropertyKind::Leak);
        if let Some((property, site)) = leak {
            let mut leaks = self.state.memory.leaks();
            if let Some(object) = leaks.next() {
                let others = match leaks.count() {
                    0 => String::new(),
                    1 => ", nor is one other object".to_owned(),
                    count => format!(", nor are {count} other objects"),
                };
                let message = format!(
                    "{} ({}) is not freed{others}",
                    misuse::name(program, object),
                    misuse::bytes(object.size)
                );
                let position = if position.line == 0 {
                    site.position
                } else {
                    position
                };
                return Err(self.violation(property, message, position));
            }
        }
        Ok(End::Exit { code })
    }

    /// Gives a variable that is read before it is assigned a value, and tells the observer.
    pub fn uninitialised_variable(&mut self, function: FunctionId, id: VariableId) {
        let variable = &self.state.program.functions[function].variables[id];
        let (ty, position) = (variable.ty, variable.position);
        let activation = self.state.frames.last().map_or(0, |frame| frame.activation);
        let value = self
            .inputs
            .uninitialised_variable_of(activation, function, id, ty, position);
        let value = self.convert(value, ty).unwrap_or_else(|| ScalarValue::zero(ty));
        self.tell(&Event::Input {
            source: &NondetSource::Uninitialised,
            value: &value,
            position,
        });
        if let Some(place) = self
            .state
            .frames
            .last()
            .map(|frame| frame.code.variables[id.index()])
        {
            self.state.set(place, value);
        }
    }

    fn uninitialised(&mut self, ty: Type, position: Position) -> ScalarValue {
        self.input(&NondetSource::Uninitialised, ty, position)
    }

    /// Reads a value from outside, and tells so.
    pub(super) fn input(&mut self, source: &NondetSource, ty: Type, position: Position) -> ScalarValue {
        let value = self.inputs.next(source, ty, position);
        let value = self.convert(value, ty).unwrap_or_else(|| ScalarValue::zero(ty));
        self.tell(&Event::Input {
            source,
            value: &value,
            position,
        });
        value
    }

    /// Tells the observer.
    pub fn tell(&mut self, event: &Event<'_>) {
        self.observer.event(&View { state: &self.state }, event);
        if self.observer.is_done()
            && let Some(limit) = self.options.max_steps
        {
            self.state.steps = self.state.steps.max(limit.saturating_add(1));
        }
    }

    fn tell_call(&mut self, function: FunctionId, position: Position) {
        if !self.observed {
            return;
        }
        let Some(frame) = self.state.frames.last() else {
            return;
        };
        let arguments: Vec<ScalarValue> = frame
            .code
            .parameters
            .iter()
            .map(|&place| self.state.get(place))
            .collect();
        self.tell(&Event::Call {
            function,
            arguments: &arguments,
            position,
        });
    }

    /// Ends the run with a violation.
    pub fn violation(&mut self, property: PropertyId, message: String, position: Position) -> Box<End> {
        self.tell(&Event::Violation {
            property,
            message: &message,
            position,
        });
        Box::new(End::Violation {
            property,
            message,
            position,
        })
    }

    /// Ends the run with a violation where the misuse is checked.
    pub fn misused(&mut self, check: Option<PropertyId>, what: String, position: Position) -> Box<End> {
        match check {
            Some(property) => self.violation(property, what, position),
            None => Box::new(End::UncheckedMisuse { what, position }),
        }
    }

    /// The position, or that of the user's call where a library model runs.
    pub fn user_position(&self, position: Position) -> Position {
        let program = self.state.program;
        if !program.is_library(position) {
            return position;
        }
        let calls = self.state.frames.iter().rev().map(|frame| frame.call);
        calls
            .into_iter()
            .find(|&call| !program.is_library(call))
            .unwrap_or(position)
    }

    /// The bytes up to the next zero.
    pub fn c_string(&self, pointer: Pointer, limit: u64) -> Result<Vec<u8>, String> {
        let memory = &self.state.memory;
        let mut text = Vec::new();
        while (text.len() as u64) < limit {
            let at = pointer.add(text.len() as u64, memory.pointer_width);
            match memory.reach(at, 1, 1, false) {
                Ok(Reached::Object { slot, offset }) => {
                    if memory.first_unwritten(slot, offset, 1).is_some() {
                        return Err("print of a string with a byte that was never written".to_owned());
                    }
                    match memory.bytes(slot, offset, 1)[0] {
                        0 => break,
                        byte => text.push(byte),
                    }
                }
                Ok(Reached::Device(address)) => {
                    return Err(format!(
                        "print of a string at address {:#x}, which is no object",
                        address & mask(64)
                    ));
                }
                Err(wrong) => {
                    let program = self.state.program;
                    let message = misuse::message(program, memory, wrong, misuse::AccessKind::Read, 1);
                    return Err(format!("print of a string: {message}"));
                }
            }
        }
        Ok(text)
    }
}
