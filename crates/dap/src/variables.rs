//! What variables, registers and atoms hold at each step of a run.
//!
//! Idea: for each of them, the list of its changes with the step from which each is seen. The value at a step
//! is found by bisection, so going back costs no more than going on, and a run of 100,000 steps none.
//!
//! Invariant: the changes of a variable are in the order of their steps.

use std::collections::HashMap;

use kripke_model::{Step, StepKind, Storage, Trace, TraceValue};

use crate::stacks::{FrameId, Stacks};

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// As long as the program.
    Global,
    /// On the heap.
    Heap,
    /// In a call.
    Frame(FrameId),
    /// A register of the processor.
    Register,
    /// An I/O register.
    Io,
    /// A byte of memory without a name.
    Memory,
    /// An atom of the formula.
    Atom,
}

/// A value, and the step from which it is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The first step before which it holds.
    pub from: usize,
    /// The value as it is shown.
    pub text: String,
}

/// A variable, or a part of one that is no structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Where it lives.
    pub home: Home,
    /// Its C expression, or the register's name.
    pub name: String,
    /// Its type, where it is known.
    pub type_name: String,
    /// Its changes.
    pub changes: Vec<Change>,
}

impl Variable {
    /// What it holds before a step, and where that change is in the list; none before the first.
    pub fn at(&self, step: usize) -> Option<(usize, &Change)> {
        let after = self.changes.partition_point(|change| change.from <= step);
        let index = after.checked_sub(1)?;
        Some((index, self.changes.get(index)?))
    }

    /// Whether it changes in the step before that one.
    pub fn changes_before(&self, step: usize) -> bool {
        self.at(step)
            .is_some_and(|(index, change)| change.from == step && step > 0 && self.differs(index))
    }

    /// Whether a change brings another value.
    fn differs(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.changes.get(before));
        before.is_none_or(|before| before.text != self.changes[index].text)
    }
}

/// All variables of a run.
#[derive(Debug, Default)]
pub struct Variables {
    all: Vec<Variable>,
    known: HashMap<(Home, String), usize>,
}

impl Variables {
    /// Follows a run.
    pub fn new(trace: &Trace, stacks: &Stacks) -> Self {
        let mut variables = Variables::default();
        for (name, value) in &trace.initial {
            variables.change(Home::Global, name, value, 0);
        }
        for (index, step) in trace.steps.iter().enumerate() {
            variables.step(step, index, stacks);
        }
        variables
    }

    /// All of them, in the order in which they are first heard of.
    pub fn all(&self) -> &[Variable] {
        &self.all
    }

    /// The variable of that name there.
    pub fn named(&self, home: Home, name: &str) -> Option<&Variable> {
        let index = self.known.get(&(home, name.to_owned()))?;
        self.all.get(*index)
    }

    fn change(&mut self, home: Home, name: &str, value: &TraceValue, from: usize) {
        self.set(home, name, &value.type_name, value.text.clone(), from);
    }

    fn set(&mut self, home: Home, name: &str, type_name: &str, text: String, from: usize) {
        let index = *self.known.entry((home, name.to_owned())).or_insert_with(|| {
            self.all.push(Variable {
                home,
                name: name.to_owned(),
                type_name: type_name.to_owned(),
                changes: Vec::new(),
            });
            self.all.len() - 1
        });
        self.all[index].changes.push(Change { from, text });
    }

    fn step(&mut self, step: &Step, index: usize, stacks: &Stacks) {
        match &step.kind {
            StepKind::Call { arguments, .. } => {
                let Some(frame) = stacks.after(index) else { return };
                for (name, value) in arguments {
                    self.change(Home::Frame(frame), name, value, index + 1);
                }
            }
            StepKind::Assign {
                target,
                value,
                storage,
            } => {
                let home = match storage {
                    Storage::Global => Home::Global,
                    Storage::Heap => Home::Heap,
                    Storage::Local => self.home_of_local(stacks, index, target, value),
                };
                self.change(home, target, value, index + 1);
            }
            StepKind::Letter { atoms, .. } => {
                for (name, is_true) in atoms {
                    self.set(Home::Atom, name, "", is_true.to_string(), index + 1);
                }
            }
            StepKind::Instruction { changes, .. } => {
                for (name, text) in changes {
                    self.set(home_in_firmware(name, text), name, "", text.clone(), index + 1);
                }
            }
            _ => {}
        }
    }

    /// A local is the innermost call's, unless what that has of the name is of another type: then a pointer
    /// led to its caller's.
    fn home_of_local(&self, stacks: &Stacks, step: usize, name: &str, value: &TraceValue) -> Home {
        let Some(frame) = stacks.before(step) else {
            return Home::Global;
        };
        let own = self.named(Home::Frame(frame), name);
        let is_other = own.is_some_and(|own| own.type_name != value.type_name);
        let outer = stacks.frame(frame).and_then(|frame| frame.outer);
        match outer {
            Some(outer) if is_other => Home::Frame(outer),
            _ => Home::Frame(frame),
        }
    }
}

/// What a name of a firmware's run stands for. Values of variables are decimal, those of registers are not.
fn home_in_firmware(name: &str, text: &str) -> Home {
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if name.starts_with('{') {
        return Home::Atom;
    }
    if name.starts_with("0x") {
        return Home::Memory;
    }
    if name.strip_prefix('r').is_some_and(is_number) || matches!(name, "SREG" | "SP" | "SPL" | "SPH" | "PC") {
        return Home::Register;
    }
    let is_upper = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let is_byte = text == "?"
        || text.starts_with("0x") && text.len() == 4
        || text.len() == 8 && text.bytes().all(|byte| matches!(byte, b'0' | b'1' | b'?'));
    match name.bytes().all(is_upper) && is_byte {
        true => Home::Io,
        false => Home::Global,
    }
}

/// A name, cut into what it is a part of and the parts: `motor.jobs[1]` is `motor`, `.jobs` and `[1]`.
pub fn parts(name: &str) -> Vec<&str> {
    /// Names with more are not unfolded further.
    const MOST: usize = 32;
    let is_path = name
        .bytes()
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if !is_path {
        return vec![name];
    }
    let mut found = Vec::new();
    let mut start = 0;
    for (index, _) in name.match_indices(['.', '[', '-']) {
        if found.len() == MOST || index == start {
            break;
        }
        found.push(&name[start..index]);
        start = index;
    }
    found.push(&name[start..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut() {
        assert_eq!(parts("motor.jobs[1].x"), ["motor", ".jobs", "[1]", ".x"]);
        assert_eq!(parts("malloc#1[0]->next"), ["malloc#1", "[0]", "->next"]);
        assert_eq!(parts("*0x1234"), ["*0x1234"]);
        assert_eq!(parts(""), [""]);
    }

    #[test]
    fn names_of_firmware_are_told_apart() {
        assert_eq!(home_in_firmware("r24", "0x01"), Home::Register);
        assert_eq!(home_in_firmware("PORTB", "0x01"), Home::Io);
        assert_eq!(home_in_firmware("GIFR", "0??00000"), Home::Io);
        assert_eq!(home_in_firmware("i", "30 (0x1e)"), Home::Global);
        assert_eq!(home_in_firmware("LIMIT", "30"), Home::Global);
        assert_eq!(home_in_firmware("0x045e", "0x00"), Home::Memory);
        assert_eq!(home_in_firmware("{i <= 30}", "true"), Home::Atom);
    }

    #[test]
    fn values_are_found_at_every_step() {
        let change = |from, text: &str| Change {
            from,
            text: text.to_owned(),
        };
        let variable = Variable {
            home: Home::Global,
            name: "x".to_owned(),
            type_name: "int".to_owned(),
            changes: vec![change(0, "0"), change(3, "1"), change(4, "1")],
        };
        let at = |step| variable.at(step).map(|(_, change)| change.text.as_str());
        assert_eq!(
            [at(0), at(2), at(3), at(9)],
            [Some("0"), Some("0"), Some("1"), Some("1")]
        );
        assert_eq!(
            [0, 3, 4].map(|step| variable.changes_before(step)),
            [false, true, false]
        );
    }
}
