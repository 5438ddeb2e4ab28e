//! What variables hold, as the steps of a run tell it.
//!
//! Idea: each thread has calls, each call its locals; a call that has returned takes its locals with it, and
//! those of a recursive call are its own. So what is shown is never that of a call that has ended.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use kripke_dap::expression::{self, Value};
use kripke_model::{Place, Step, StepKind, Storage, TraceValue};

/// All variables of a run.
#[derive(Debug, Default)]
pub struct Values {
    globals: BTreeMap<String, String>,
    /// For each thread the calls that are active, outermost first.
    threads: Vec<Vec<Call>>,
    running: usize,
    declared: Declared,
}

/// The locals that each function declares.
pub type Declared = BTreeMap<String, BTreeSet<String>>;

/// An active call.
#[derive(Debug, Default)]
struct Call {
    function: String,
    place: Place,
    locals: BTreeMap<String, String>,
}

impl Values {
    /// Before the first step.
    pub fn new(globals: Vec<(String, TraceValue)>, declared: Declared) -> Self {
        Self {
            declared,
            globals: globals
                .into_iter()
                .map(|(name, value)| (name, value.text))
                .collect(),
            ..Self::default()
        }
    }

    /// A thread took a step.
    pub fn apply(&mut self, step: &Step, thread: usize) {
        self.running = thread;
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Vec::new);
        }
        let calls = &mut self.threads[thread];
        let depth = step.depth as usize;
        match &step.kind {
            StepKind::Call { function, arguments } => {
                if !calls.is_empty() {
                    calls.resize_with(depth + 1, Call::default);
                }
                let locals = arguments
                    .iter()
                    .map(|(name, value)| (name.clone(), value.text.clone()));
                calls.push(Call {
                    function: function.clone(),
                    place: step.place.clone(),
                    locals: locals.collect(),
                });
            }
            StepKind::Return { .. } => calls.truncate(depth),
            StepKind::Assign {
                target,
                value,
                storage,
            } => {
                calls.resize_with((depth + 1).max(1), Call::default);
                let place = match storage {
                    Storage::Local => local(calls, target, &self.declared),
                    Storage::Global | Storage::Heap => &mut self.globals,
                };
                place.insert(target.clone(), value.text.clone());
            }
            StepKind::Environment { .. } => {}
            _ => calls.truncate(depth + 1),
        }
    }

    /// How many calls are active in the thread that runs.
    pub fn depth(&self) -> usize {
        self.calls().len()
    }

    fn calls(&self) -> &[Call] {
        self.threads.get(self.running).map_or(&[], Vec::as_slice)
    }

    fn look_up(&self, name: &str) -> Option<&String> {
        let local = self.calls().last().and_then(|call| call.locals.get(name));
        local.or_else(|| self.globals.get(name))
    }

    /// The value of an expression.
    pub fn evaluate(&self, text: &str) -> Result<Value, String> {
        let look_up = |name: &str| self.look_up(name).map(|text| Value::read(text));
        expression::evaluate(text, &look_up)
    }

    /// An expression with its value, or a structure or array with its parts.
    pub fn printed(&self, text: &str) -> Result<String, String> {
        let is_part = |name: &&String| {
            name.strip_prefix(text)
                .is_some_and(|rest| rest.starts_with(['.', '[']))
        };
        let locals = self.calls().last().map(|call| &call.locals);
        let both = locals.into_iter().chain([&self.globals]);
        for variables in both {
            let parts: Vec<_> = variables.iter().filter(|(name, _)| is_part(name)).collect();
            if !parts.is_empty() && !variables.contains_key(text) {
                return Ok(lines(parts.into_iter()));
            }
        }
        match self.look_up(text) {
            Some(value) => Ok(format!("{text} = {value}\n")),
            None => self.evaluate(text).map(|value| format!("{text} = {value}\n")),
        }
    }

    /// Locals of the call that runs, then globals.
    pub fn all(&self) -> String {
        let locals = self.calls().last();
        let locals = locals.map_or_else(String::new, |call| lines(call.locals.iter()));
        match locals + &lines(self.globals.iter()) {
            text if text.is_empty() => "no variable has a value yet\n".to_owned(),
            text => text,
        }
    }

    /// The calls, innermost first.
    pub fn stack(&self) -> String {
        let mut text = String::new();
        for call in self.calls().iter().rev() {
            let _ = match call.place.line {
                0 => writeln!(text, "{}", call.function),
                _ => writeln!(text, "{}, called at {}", call.function, call.place),
            };
        }
        match text.is_empty() {
            true => "no call is active\n".to_owned(),
            false => text,
        }
    }
}

/// The locals among which a name is: of the innermost call, unless its function declares none of that name
/// and a caller has one, to which it got a pointer then.
fn local<'c>(calls: &'c mut [Call], target: &str, declared: &Declared) -> &'c mut BTreeMap<String, String> {
    let base = target.split(['.', '[']).next().unwrap_or(target);
    let declares = |call: &Call| {
        let names = declared.get(&call.function);
        names.is_none_or(|names| names.contains(base))
    };
    let innermost = calls.len() - 1;
    let index = calls.iter().rposition(declares).unwrap_or(innermost);
    &mut calls[index].locals
}

fn lines<'v>(variables: impl Iterator<Item = (&'v String, &'v String)>) -> String {
    variables
        .map(|(name, value)| format!("{name} = {value}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> TraceValue {
        TraceValue {
            type_name: "int".into(),
            text: text.into(),
            bits: String::new(),
        }
    }

    fn apply(values: &mut Values, depth: u32, kind: StepKind) {
        let place = Place::default();
        values.apply(&Step { place, depth, kind }, 0);
    }

    fn call(values: &mut Values, depth: u32, function: &str, argument: &str) {
        let arguments = vec![("n".into(), value(argument))];
        let function = function.into();
        apply(values, depth, StepKind::Call { function, arguments });
    }

    #[test]
    fn recursive_calls_have_variables_of_their_own() {
        let mut values = Values::new(vec![("total".into(), value("7"))], Declared::new());
        call(&mut values, 0, "main", "0");
        call(&mut values, 0, "sum", "2");
        call(&mut values, 1, "sum", "1");
        assert_eq!(values.printed("n + total"), Ok("n + total = 8\n".into()));
        let returns = |function: &str| StepKind::Return {
            function: function.into(),
            value: None,
        };
        apply(&mut values, 2, returns("sum"));
        assert_eq!(values.printed("n"), Ok("n = 2\n".into()));
        let storage = Storage::Local;
        let (target, three) = ("cells[1]".into(), value("3"));
        let assign = StepKind::Assign {
            target,
            value: three,
            storage,
        };
        apply(&mut values, 1, assign);
        assert_eq!(values.printed("cells"), Ok("cells[1] = 3\n".into()));
        apply(&mut values, 1, returns("sum"));
        assert!(values.printed("cells[1]").is_err());
        assert_eq!(values.stack(), "main\n");
    }
}
