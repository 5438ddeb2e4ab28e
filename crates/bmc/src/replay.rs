//! From a model of the solver to a concrete run.
//!
//! The record of a symbolic run lists every input with the path on which it is read, on each path in the
//! order of the program; the inputs whose paths hold in the model are, in that order, those of the concrete
//! run. The interpreter, which shares nothing with the engine but the program, then has to end in the very
//! violation that was claimed.

use std::cell::RefCell;
use std::collections::VecDeque;

use kripke_elts::interpreter::{Contracts, End, Inputs, NoObserver, RunOptions, StatementSite, run};
use kripke_elts::trace::trace_run;
use kripke_elts::{
    FunctionId, NondetSource, Pointer, Position, Program, PropertyId, ScalarValue, Type, VariableId,
};
use kripke_model::Trace;
use kripke_smt::{Evaluator, Solver, SolverError, TermId, Value};
use kripke_value::{BitVec, Float, MathFunction};
use rustc_hash::FxHashMap;

use crate::addresses::free_addresses;
use crate::engine::Engine;
use crate::fuzzing::inputs::Given;
use crate::object::ObjectId;
use crate::placement::{Wanted, place};
use crate::record::Event;

/// The inputs of one concrete run.
#[derive(Clone, Default)]
pub struct Script {
    inputs: VecDeque<ScalarValue>,
    locals: FxHashMap<(u64, VariableId), ScalarValue>,
    addresses: Vec<Option<u64>>,
    bytes: FxHashMap<(u64, u64), u8>,
    /// What is read when the inputs have run out: all bits set, or none.
    ones: bool,
    /// The free addresses that are left, where later objects are to lie below earlier ones.
    downwards: Option<(u64, u64)>,
}

impl Script {
    /// These inputs, with objects where the interpreter puts them.
    pub fn of(given: &Given) -> Self {
        Script {
            inputs: given.values.iter().cloned().collect(),
            locals: given.locals.clone(),
            bytes: given.bytes.clone(),
            ..Script::default()
        }
    }

    /// The same, with later objects below earlier ones; the interpreter puts them above.
    pub fn downwards(self, pointer_width: u32) -> Script {
        Script {
            downwards: Some(free_addresses(pointer_width)),
            ..self
        }
    }

    /// The same, with objects where the interpreter puts them; none where that is so already.
    fn without_addresses(&self) -> Option<Script> {
        self.addresses.iter().any(Option::is_some).then(|| Script {
            addresses: Vec::new(),
            ..self.clone()
        })
    }

    /// The same, with all bits of the inputs after the last one set.
    pub fn then_ones(mut self) -> Script {
        self.ones = true;
        self
    }
}

impl Inputs for Script {
    fn next(&mut self, _: &NondetSource, ty: Type, _: Position) -> ScalarValue {
        match (self.inputs.pop_front(), ty) {
            (Some(value), _) => value,
            (None, Type::Int(width)) if self.ones => ScalarValue::Int(BitVec::ones(width)),
            (None, _) => ScalarValue::zero(ty),
        }
    }

    fn math(&mut self, _: StatementSite, function: MathFunction, exact: Float, _: Position) -> Float {
        let Some(claimed) = self
            .inputs
            .pop_front()
            .and_then(|value| value.as_float().copied())
        else {
            return exact;
        };
        match function.allows(exact, claimed) {
            true => claimed,
            false => exact,
        }
    }

    fn uninitialised_variable_of(
        &mut self,
        activation: u64,
        _: FunctionId,
        variable: VariableId,
        ty: Type,
        _: Position,
    ) -> ScalarValue {
        self.locals
            .get(&(activation, variable))
            .cloned()
            .unwrap_or_else(|| ScalarValue::zero(ty))
    }

    fn unwritten_byte(&mut self, object: u64, offset: u64) -> u8 {
        self.bytes.get(&(object, offset)).copied().unwrap_or(0)
    }

    fn object_address(&mut self, object: u64, size: u64, align: u32) -> Option<u64> {
        if let Some((first, end)) = &mut self.downwards {
            let last = end.checked_sub(size + 1)?;
            let address = last - last % u64::from(align.max(1));
            *end = address;
            return (address >= *first).then_some(address);
        }
        self.addresses.get(object as usize).copied().flatten()
    }
}

/// The values of a model, read from the solver when first asked for.
pub struct Model<'s> {
    solver: RefCell<&'s mut dyn Solver>,
    values: RefCell<FxHashMap<TermId, Value>>,
    error: RefCell<Option<SolverError>>,
}

impl<'s> Model<'s> {
    /// The model of the solver's last check.
    pub fn new(solver: &'s mut dyn Solver) -> Self {
        Model {
            solver: RefCell::new(solver),
            values: RefCell::default(),
            error: RefCell::default(),
        }
    }

    fn variable(&self, engine: &Engine<'_>, variable: TermId) -> Value {
        if let Some(value) = self.values.borrow().get(&variable) {
            return value.clone();
        }
        let value = match self.solver.borrow_mut().variable_value(&engine.terms, variable) {
            Ok(value) => value,
            Err(error) => {
                self.error.borrow_mut().get_or_insert(error);
                Value::zero(engine.terms.sort(variable))
            }
        };
        self.values.borrow_mut().insert(variable, value.clone());
        value
    }

    /// The values of the variables that were looked at.
    pub fn into_values(self) -> FxHashMap<TermId, Value> {
        self.values.into_inner()
    }

    /// Evaluates terms.
    pub fn evaluate(&self, engine: &Engine<'_>, wanted: &[TermId]) -> Result<Vec<Value>, SolverError> {
        let variable = |variable: TermId| self.variable(engine, variable);
        let mut evaluator = Evaluator::new(&engine.terms, &variable);
        let values = wanted.iter().map(|term| evaluator.evaluate(*term)).collect();
        match self.error.borrow_mut().take() {
            Some(error) => Err(error),
            None => Ok(values),
        }
    }
}

/// A value of the model as the interpreter takes it.
fn scalar(value: &Value, ty: Type) -> ScalarValue {
    match (value, ty) {
        (Value::Bool(value), _) => ScalarValue::bool(*value),
        (Value::BitVec(bits), Type::Float(format)) => ScalarValue::Float(Float::from_bits(format, bits)),
        (Value::BitVec(bits), Type::Pointer) => {
            ScalarValue::Pointer(Pointer::raw(bits.to_u64().unwrap_or(0)))
        }
        (Value::BitVec(bits), _) => ScalarValue::Int(bits.clone()),
        _ => ScalarValue::zero(ty),
    }
}

impl Engine<'_> {
    /// The concrete inputs that a model of the last run means.
    pub fn script(&mut self, model: &Model<'_>) -> Result<Script, SolverError> {
        let mut wanted = Vec::new();
        for event in &self.run.record.events {
            match event {
                Event::Input { guard, value, .. } => wanted.extend([*guard, *value]),
                Event::Local { value, .. } => wanted.push(*value),
                Event::Object { guard, .. }
                | Event::Call { guard, .. }
                | Event::Letter { guard }
                | Event::Head { guard } => wanted.push(*guard),
            }
        }
        let mut values = model.evaluate(self, &wanted)?.into_iter();
        let mut script = Script::default();
        let mut objects: Vec<ObjectId> = (0..self.program.globals.len() as u32).map(ObjectId).collect();
        let holds = |value: Option<Value>| value.and_then(|value| value.as_bool()) == Some(true);
        let mut activations: FxHashMap<u32, u64> = FxHashMap::default();
        for event in &self.run.record.events {
            let first = values.next();
            match event {
                Event::Input { ty, .. } => {
                    let value = values.next();
                    if let (true, Some(value)) = (holds(first), value) {
                        script.inputs.push_back(scalar(&value, *ty));
                    }
                }
                Event::Local {
                    context,
                    variable,
                    ty,
                    ..
                } => {
                    if let (Some(activation), Some(value)) = (activations.get(context), first) {
                        script
                            .locals
                            .insert((*activation, *variable), scalar(&value, *ty));
                    }
                }
                Event::Call { context, .. } => {
                    if holds(first) {
                        let number = activations.len() as u64;
                        activations.insert(*context, number);
                    }
                }
                Event::Object { object, .. } => {
                    if holds(first) {
                        objects.push(*object);
                    }
                }
                Event::Letter { .. } | Event::Head { .. } => {}
            }
        }
        self.script_objects(model, &objects, &mut script)?;
        Ok(script)
    }

    /// Addresses and unwritten bytes of the objects, in the order of their creation.
    fn script_objects(
        &mut self,
        model: &Model<'_>,
        objects: &[ObjectId],
        script: &mut Script,
    ) -> Result<(), SolverError> {
        script.addresses = self.script_addresses(model, objects)?;
        for (number, object) in objects.iter().enumerate() {
            let info = self.run.objects[*object].clone();
            let number = number as u64;
            for offset in 0..64 {
                if let Some(variable) = self
                    .terms
                    .find_variable(&format!("initial!{}!{offset}", info.name))
                {
                    let value = &model.evaluate(self, &[variable])?[0];
                    let byte = value.as_bv().and_then(BitVec::to_u64).unwrap_or(0) as u8;
                    script.bytes.insert((number, offset), byte);
                }
            }
            let Some(width) = info.origin_bytes else { continue };
            let name = self.origin_name(*object, width, self.index_bits(*object, width));
            let Some(array) = self.terms.find_variable(&name) else {
                continue;
            };
            if let Value::Array(array) = &model.evaluate(self, &[array])?[0] {
                self.script_array(script, number, u64::from(width), array);
            }
        }
        Ok(())
    }

    /// Where the objects lie: those whose addresses the program looked at where the model says, the others
    /// elsewhere. Where it looked at none the interpreter chooses.
    fn script_addresses(
        &mut self,
        model: &Model<'_>,
        objects: &[ObjectId],
    ) -> Result<Vec<Option<u64>>, SolverError> {
        if self.run.objects.observed.is_empty() {
            return Ok(Vec::new());
        }
        let mut wanted = Vec::with_capacity(objects.len());
        for object in objects {
            let info = &self.run.objects[*object];
            let (base, size, align) = (info.base, info.size, u64::from(info.align));
            let number = |value: &Value| value.as_bv().and_then(BitVec::to_u64);
            let size = number(&model.evaluate(self, &[size])?[0]).unwrap_or(0);
            let fixed = match base {
                Some(base) => number(&model.evaluate(self, &[base])?[0]),
                None => None,
            };
            wanted.push(Wanted { size, align, fixed });
        }
        let (from, to) = self.free_addresses();
        Ok(place(&wanted, &self.reserved_addresses(), from, to))
    }

    fn script_array(&self, script: &mut Script, number: u64, width: u64, array: &kripke_smt::ArrayValue) {
        for (index, element) in array.entries.iter() {
            let Some(index) = index.to_u64() else { continue };
            for byte in 0..width {
                let low = self.byte_shift(byte, width);
                let value = element.extract(low + 7, low).to_u64().unwrap_or(0) as u8;
                script.bytes.insert((number, index * width + byte), value);
            }
        }
    }
}

/// What a replay came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// The claimed violation.
    Confirmed,
    /// The interpreter cannot follow: it meets something that it does not model.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        position: Position,
    },
    /// Anything else: the engine and the interpreter disagree.
    Refuted {
        /// How the run ended.
        end: End,
    },
}

/// How a run goes that is to end in a violation of the property.
fn until_violated(property: PropertyId) -> RunOptions {
    RunOptions {
        max_steps: Some(100_000_000),
        contracts: Contracts::Only(property),
        ..RunOptions::default()
    }
}

/// Does the run with these inputs violate the property?
pub(crate) fn violates(program: &Program, property: PropertyId, mut script: Script) -> bool {
    let end = run(program, &mut script, &until_violated(property), &mut NoObserver);
    matches!(end, End::Violation { property: found, .. } if found == property)
}

/// Runs the interpreter on a script.
pub fn replay(program: &Program, property: PropertyId, script: &mut Script) -> (Replay, Trace) {
    let elsewhere = script.without_addresses();
    let (end, mut trace) = trace_run(program, script, &until_violated(property));
    if let Some(elsewhere) = elsewhere {
        trace.depends_on_addresses = !violates(program, property, elsewhere);
    }
    let replay = match end {
        End::Violation { property: found, .. } if found == property => Replay::Confirmed,
        End::Unsupported { what, position } | End::UncheckedMisuse { what, position } => {
            Replay::Unsupported { what, position }
        }
        End::StepLimit | End::DepthLimit => Replay::Unsupported {
            what: "a run that is too long to be followed".to_string(),
            position: program.properties[property].position,
        },
        end => Replay::Refuted { end },
    };
    (replay, trace)
}
