//! What the program gets from outside: values, which thread goes on, which handler comes.
//!
//! Idea: an answer is kept with what else could be said in its place. Where the run ends at once, as a thread
//! that was chosen has to wait, the next of these is tried.

use std::cell::RefCell;

use kripke_elts::interpreter::{Inputs, StatementSite};
use kripke_elts::trace::machine_type;
use kripke_elts::{
    Callee, FunctionId, NondetSource, Position, Program, ScalarValue, StatementKind, Type, VariableId,
    interrupts, threads,
};
use kripke_value::BitVec;

use super::command::Policy;
use super::session::Session;

/// The choice of the hub that asks whether there is a deadlock.
const DEADLOCK: u64 = 255;
/// How often handlers may come where their number is an arbitrary one.
const OFTEN: u128 = 1 << 32;

/// What was answered once.
pub struct Answer {
    pub value: ScalarValue,
    /// What can be tried in its place.
    pub others: Vec<ScalarValue>,
    /// Steps before it.
    pub step: u64,
}

/// What is asked of the user.
pub struct Question {
    /// `the value of read_sensor() (int) at main.c:5`.
    pub what: String,
    pub ty: Type,
    pub suggested: ScalarValue,
}

impl Question {
    /// What may be worth a try.
    pub fn suggestions(&self) -> Vec<(String, ScalarValue)> {
        let shown = |value: &ScalarValue| match value {
            ScalarValue::Int(bits) if bits.width() == 1 => u8::from(!bits.is_zero()).to_string(),
            ScalarValue::Int(bits) => bits.to_signed_decimal(),
            ScalarValue::Float(float) => float.to_decimal(),
            ScalarValue::Pointer(_) => "NULL".to_owned(),
        };
        let mut values = vec![self.suggested.clone()];
        if let Type::Int(width) = self.ty {
            let ones = BitVec::new(width, 0).not();
            let least = BitVec::new(width, 1).shl(&BitVec::new(width, u128::from(width) - 1));
            let bits = [
                BitVec::new(width, 0),
                BitVec::new(width, 1),
                ones,
                least.not(),
                least,
            ];
            values.extend(bits.map(ScalarValue::Int));
        }
        let mut said: Vec<(String, ScalarValue)> = Vec::new();
        for value in values {
            let text = shown(&value);
            if said.iter().all(|(other, _)| *other != text) {
                said.push((text, value));
            }
        }
        said
    }
}

/// The names of the handlers that can come.
pub fn handlers(program: &Program) -> Vec<String> {
    let mut names = Vec::new();
    for function in program.functions.iter() {
        if function.name.starts_with(interrupts::DISPATCHER) {
            let called = ways(function).into_iter().flatten();
            names.extend(called.map(|id| plain(program, id)));
        }
    }
    names.retain(|name: &String| !name.starts_with("kripke "));
    names.sort_unstable();
    names.dedup();
    names
}

/// How many threads there are; none where the program starts none.
pub fn thread_count(program: &Program) -> usize {
    let numbers = program.functions.iter().filter_map(|function| {
        let rest = function.name.strip_prefix(threads::RUNS)?;
        rest.split(' ').next()?.parse::<usize>().ok()
    });
    numbers.max().map_or(0, |last| last + 1)
}

/// The functions that are called on each way through what chooses a handler.
fn ways(dispatcher: &kripke_elts::Function) -> Vec<Vec<FunctionId>> {
    let mut picks = dispatcher
        .locations
        .iter()
        .filter(|location| location.name == "pick");
    let Some(pick) = picks.next() else {
        return Vec::new();
    };
    let ways = pick.transitions.iter().map(|way| {
        let called = way
            .statements
            .iter()
            .filter_map(|statement| match &statement.kind {
                StatementKind::Call {
                    callee: Callee::Direct(function),
                    ..
                } => Some(*function),
                _ => None,
            });
        called.collect()
    });
    ways.collect()
}

fn plain(program: &Program, function: FunctionId) -> String {
    interrupts::plain_name(&program.functions[function].name).to_owned()
}

/// The answers of a session.
pub struct Asker<'s, 'p>(pub &'s RefCell<Session<'p>>);

impl Inputs for Asker<'_, '_> {
    fn next(&mut self, source: &NondetSource, ty: Type, position: Position) -> ScalarValue {
        let mut session = self.0.borrow_mut();
        let kind = match source {
            NondetSource::Input(_) | NondetSource::External(_) => "()",
            NondetSource::Library(_) | NondetSource::Device(_) | NondetSource::Uninitialised => "",
        };
        let name = match source {
            NondetSource::Input(name)
            | NondetSource::External(name)
            | NondetSource::Library(name)
            | NondetSource::Device(name) => name.as_str(),
            NondetSource::Uninitialised => "something uninitialised",
        };
        let register = if matches!(source, NondetSource::Device(_)) {
            "register "
        } else {
            ""
        };
        session.value(&format!("{register}{name}{kind}"), ty, position)
    }

    fn next_at(
        &mut self,
        site: StatementSite,
        source: &NondetSource,
        ty: Type,
        position: Position,
    ) -> ScalarValue {
        match source {
            NondetSource::Library(name) if name == threads::CHOICE => {
                let mut session = self.0.borrow_mut();
                session.answer(ty, Session::threads_in_order)
            }
            NondetSource::Library(name) if name == interrupts::CHOICE => {
                let mut session = self.0.borrow_mut();
                session.answer(ty, |session| session.handler(site.function, ty))
            }
            _ => self.next(source, ty, position),
        }
    }

    fn uninitialised_variable(
        &mut self,
        function: FunctionId,
        variable: VariableId,
        ty: Type,
        position: Position,
    ) -> ScalarValue {
        let mut session = self.0.borrow_mut();
        let variable = &session.program.functions[function].variables[variable];
        let name = format!(
            "{}, which is not initialised,",
            threads::plain_name(&variable.name)
        );
        session.value(&name, ty, position)
    }

    fn unwritten_byte(&mut self, _: u64, offset: u64) -> u8 {
        let mut session = self.0.borrow_mut();
        let name = format!("byte {offset} of memory that was not written");
        let value = session.value(&name, Type::Int(8), Position::default());
        let byte = value.as_int().and_then(|bits| bits.to_u64());
        byte.and_then(|byte| u8::try_from(byte).ok()).unwrap_or(0)
    }
}

impl Session<'_> {
    /// A value: as before in this run, from the policy or from the user.
    fn value(&mut self, name: &str, ty: Type, position: Position) -> ScalarValue {
        let place = match position.line {
            0 => self.place.clone(),
            _ if self.program.is_library(position) => self.place.clone(),
            _ => self.program.place(position, ""),
        };
        let what = match place.line {
            0 => format!("the value of {name} ({})", machine_type(ty)),
            _ => format!("the value of {name} ({}) at {place}", machine_type(ty)),
        };
        self.answer(ty, |session| match session.policy {
            Policy::Quiet => vec![ScalarValue::zero(ty)],
            Policy::Random(_) => vec![session.random.scalar(ty)],
            Policy::Ask => {
                let suggested = ScalarValue::zero(ty);
                vec![session.ask(Question { what, ty, suggested })]
            }
        })
    }

    /// What was answered here before, or the first of what can be said now.
    fn answer(&mut self, ty: Type, said: impl FnOnce(&mut Self) -> Vec<ScalarValue>) -> ScalarValue {
        if !self.is_going() {
            return ScalarValue::zero(ty);
        }
        if self.used == self.answers.len() {
            let mut others = said(self);
            others.reverse();
            let value = others.pop().unwrap_or_else(|| ScalarValue::zero(ty));
            others.reverse();
            if !self.is_going() {
                return value;
            }
            let step = self.steps;
            self.answers.push(Answer { value, others, step });
        }
        self.used += 1;
        self.answers[self.used - 1].value.clone()
    }

    /// The threads that may go on, in the order in which that is tried: the one that is wanted, the one that
    /// runs, the others; where none can, whether that is a deadlock.
    fn threads_in_order(&mut self) -> Vec<ScalarValue> {
        let mut order: Vec<u64> = (0..self.thread_count as u64).collect();
        let first = match self.policy {
            Policy::Random(_) => (self.random.next() % (order.len() as u64).max(1)) as usize,
            _ => self.thread,
        };
        if first < order.len() {
            order[..=first].rotate_right(1);
        }
        if let Some(wanted) = self.wanted_thread() {
            order.retain(|thread| *thread != wanted);
            order.insert(0, wanted);
        }
        order.push(DEADLOCK);
        let values = order.into_iter();
        values
            .map(|thread| ScalarValue::Int(BitVec::new(8, u128::from(thread))))
            .collect()
    }

    /// Which handler comes: none, unless one is wanted.
    fn handler(&mut self, dispatcher: FunctionId, ty: Type) -> Vec<ScalarValue> {
        let Type::Int(width) = ty else {
            return vec![ScalarValue::zero(ty)];
        };
        let value = |number: u128| vec![ScalarValue::Int(BitVec::new(width, number))];
        let function = &self.program.functions[dispatcher];
        let is_dispatcher = function.name.starts_with(interrupts::DISPATCHER);
        if is_dispatcher && width == 64 {
            return value(OFTEN);
        }
        let ways = if is_dispatcher { ways(function) } else { Vec::new() };
        if let Some(wanted) = self.wanted_handler() {
            let calls = |way: &Vec<FunctionId>| way.iter().any(|id| plain(self.program, *id) == wanted);
            let found = ways.iter().position(calls);
            return value(found.map_or(0, |index| index as u128 + 1));
        }
        match self.policy {
            Policy::Random(_) if !ways.is_empty() && self.random.next().is_multiple_of(8) => {
                value(u128::from(self.random.next() % ways.len() as u64))
            }
            _ => value(0),
        }
    }
}
