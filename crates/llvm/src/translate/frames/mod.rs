//! What functions assign: checked where their bodies are executed, used where a contract replaces a call.
//!
//! Idea: while a function with a contract is executed, memory of the translation's own says so and holds the
//! places that its clause named when it was called. Every write in a function that it may come to asserts
//! that it goes to one of them, or to an object that was made since: a stack object of a function that is
//! called from there, or a heap object, which is kept in a list. A call that is replaced gives what is named,
//! and the result, any values instead.
//!
//! Invariant: it is done on the finished functions, by kinds of statements, so that no write can be
//! forgotten. What only the callee and the models of the C library know (`static` variables in functions,
//! `errno`) needs no name, and has any value behind a call that is replaced.
//!
//! Source: CBMC's user documentation, "Assigns Clauses"; Borgida, Mylopoulos, Reiter, "On the frame problem
//! in procedure specifications" (1995).

mod calls;
mod covered;
mod guards;
mod objects;
mod private;
mod replaced;
mod rewriting;

use std::collections::BTreeSet;

use kripke_elts::{
    Callee, Expr, FunctionId, GlobalId, HIDDEN_MEMORY, Id, InitialRest, Position, StatementKind,
    Type as Scalar, VariableId,
};

use super::Translator;
use super::expressions::{int, split_pointer};

use calls::Calls;
use guards::note_fresh;
use objects::{each_statement, escaping_objects, is_listed, makes_listed, own_objects, sets_rounding};
use private::Private;
use replaced::Behind;
use rewriting::Rewriting;

/// Objects in the list: heap objects, and those of recursive functions.
const MOST_FRESH: u64 = 16;
/// Larger places get their values in a loop.
const MOST_AT_ONCE: u64 = 64;

/// A place that is assigned, evaluated where the function is called.
#[derive(Clone, Debug)]
pub struct Target {
    pub start: Expr,
    /// In bytes, of pointer width.
    pub size: Expr,
    pub position: Position,
}

/// What a function that wraps one with a contract says of what that assigns.
#[derive(Clone, Debug)]
pub struct Frame {
    pub wrapper: FunctionId,
    pub own: FunctionId,
    /// The module of that one, and its position there.
    pub source: (usize, usize),
    /// Has the contract a clause?
    pub is_given: bool,
    pub targets: Vec<Target>,
    /// Its calls are to be replaced by the contract.
    pub is_selected: bool,
    /// This one is.
    pub is_replaced: bool,
    pub returns: bool,
    /// The argument that says where a result in memory goes, and how many bytes it has.
    pub result: Option<(usize, u64)>,
}

/// The memory that says what may be written while a function is executed.
struct Guard {
    own: FunctionId,
    active: GlobalId,
    places: Vec<(GlobalId, GlobalId)>,
    /// How many objects of the list there were when it was called.
    base: GlobalId,
    /// The functions that it may come to.
    reached: BTreeSet<FunctionId>,
    /// Variables that nobody else knows.
    private: Private,
    /// Variables that they use by name, its clauses too.
    used: Vec<GlobalId>,
    /// May it leave another rounding mode?
    sets_rounding: bool,
    /// May objects of the list have been made meanwhile?
    lists: bool,
    /// The stack objects of those functions, where each exists once at most.
    locals: Vec<GlobalId>,
}

/// What the program is rewritten with.
struct Frames {
    guards: Vec<Guard>,
    width: u32,
    list: GlobalId,
    count: GlobalId,
    /// A place for what is written to no object.
    nowhere: GlobalId,
    /// The stack objects that are known by their variables, with the memory that holds their addresses.
    sites: Vec<(FunctionId, VariableId, GlobalId)>,
    /// Functions that may be executed more than once at a time.
    recursive: BTreeSet<FunctionId>,
}

impl Translator<'_> {
    /// Checks what functions assign, and replaces their calls.
    pub(super) fn check_frames(&mut self) {
        let is_used = |frame: &&Frame| frame.is_given || frame.is_selected;
        let frames: Vec<Frame> = self.contracts.frames().iter().filter(is_used).cloned().collect();
        if frames.is_empty() {
            return;
        }
        let made = self.make_guards(&frames);
        for id in self.functions.ids().collect::<Vec<_>>() {
            let around: Vec<&Frame> = frames.iter().filter(|frame| frame.wrapper == id).collect();
            let is_inside = made.guards.iter().any(|guard| guard.reached.contains(&id));
            if is_inside || !around.is_empty() {
                self.rewrite(id, &made, around.first().copied());
            }
        }
    }

    fn make_guards(&mut self, frames: &[Frame]) -> Frames {
        let width = self.data_model.pointer_width;
        let calls = Calls::of(self);
        let mut made = Frames {
            guards: Vec::new(),
            width,
            list: self.frame_memory("fresh", MOST_FRESH * u64::from(width / 8)),
            count: self.frame_memory("fresh.count", u64::from(width / 8)),
            nowhere: self.frame_memory("nowhere", MOST_AT_ONCE),
            sites: Vec::new(),
            recursive: calls.recursive(),
        };
        let owners: BTreeSet<FunctionId> = frames.iter().map(|frame| frame.own).collect();
        for own in owners {
            let reached = calls.reached_from(own);
            let all = frames.iter().filter(|frame| frame.own == own);
            let places = all.map(|frame| frame.targets.len() + self.passed_objects(frame).len());
            let places = places.max().unwrap_or_default();
            let name = self.functions[own].name.clone();
            let bytes = u64::from(width / 8);
            let place = |unit: &mut Self, index: usize| {
                let start = unit.frame_memory(&format!("assigns.{name}.{index}"), bytes);
                (
                    start,
                    unit.frame_memory(&format!("assigns.{name}.{index}.size"), bytes),
                )
            };
            let wrappers = frames.iter().filter(|frame| frame.own == own);
            let around = wrappers
                .flat_map(|frame| calls.reached_from(frame.wrapper))
                .collect();
            let private = self.private_variables(&reached);
            let used = self.used_variables(&around);
            let guard = Guard {
                own,
                active: self.frame_memory(&format!("active.{name}"), 1),
                places: (0..places).map(|index| place(self, index)).collect(),
                base: self.frame_memory(&format!("fresh.{name}"), bytes),
                lists: reached
                    .iter()
                    .any(|id| makes_listed(&self.functions[*id], made.recursive.contains(id))),
                sets_rounding: reached.iter().any(|id| sets_rounding(&self.functions[*id])),
                reached,
                private,
                used,
                locals: Vec::new(),
            };
            made.guards.push(guard);
        }
        self.find_sites(&mut made);
        made
    }

    fn frame_memory(&mut self, name: &str, size: u64) -> GlobalId {
        let align = if size.is_power_of_two() { size.min(8) } else { 1 };
        let name = format!("{HIDDEN_MEMORY}{name}");
        self.synthetic_global(&name, size, align as u32, Vec::new())
    }

    /// Gives memory to the addresses of stack objects that others may get to know.
    fn find_sites(&mut self, made: &mut Frames) {
        let inside: BTreeSet<FunctionId> = made
            .guards
            .iter()
            .flat_map(|guard| &guard.reached)
            .copied()
            .collect();
        for function in inside.difference(&made.recursive) {
            for variable in escaping_objects(&self.functions[*function]) {
                let name = format!("object.{}.{}", self.functions[*function].name, variable.index());
                let memory = self.frame_memory(&name, u64::from(made.width / 8));
                made.sites.push((*function, variable, memory));
                for guard in &mut made.guards {
                    if guard.reached.contains(function) {
                        guard.locals.push(memory);
                    }
                }
            }
        }
    }

    /// What a wrapper gives the function to write that is no place of the program: for the result, and
    /// copies of what is passed by value.
    fn passed_objects(&self, frame: &Frame) -> Vec<Target> {
        let function = &self.functions[frame.wrapper];
        let objects = own_objects(function);
        let mut passed = Vec::new();
        each_statement(function, |kind| {
            if let StatementKind::Call {
                callee, arguments, ..
            } = kind
                && *callee == Callee::Direct(frame.own)
            {
                for (index, argument) in arguments.iter().enumerate() {
                    let size = match (frame.result, split_pointer(argument).0) {
                        (Some((at, size)), _) if at == index => {
                            int(self.data_model.pointer_width, i128::from(size))
                        }
                        (_, Expr::Variable(id)) if objects.contains(id) => {
                            Expr::ObjectSize(Box::new(argument.clone()))
                        }
                        _ => continue,
                    };
                    let start = argument.clone();
                    let position = function.position;
                    passed.push(Target {
                        start,
                        size,
                        position,
                    });
                }
            }
        });
        passed
    }

    /// Puts the checks into one function.
    fn rewrite(&mut self, id: FunctionId, made: &Frames, frame: Option<&Frame>) {
        let function = self.functions[id].clone();
        let objects = own_objects(&function);
        let passed = frame.map_or_else(Vec::new, |frame| self.passed_objects(frame));
        let guards: Vec<&Guard> = made
            .guards
            .iter()
            .filter(|guard| guard.reached.contains(&id))
            .collect();
        let behind = frame
            .filter(|frame| frame.is_replaced)
            .map(|frame| Behind::call(&function, frame.own));
        let is_called_by_clauses = behind.as_ref().is_some_and(|behind| behind.calls > 1);
        let mut out = Rewriting::new(function);
        while let Some(statement) = out.next() {
            let position = statement.position;
            match &statement.kind {
                // The function was checked: for the results that it has, what is ensured has a value.
                StatementKind::Assert { condition, .. }
                    if behind.as_ref().is_some_and(|behind| behind.contains(out.at())) =>
                {
                    out.position = position;
                    let condition = condition.clone();
                    out.emit(StatementKind::Assume { condition });
                }
                StatementKind::Call { callee, results, .. } => {
                    let around = frame.filter(|frame| *callee == Callee::Direct(frame.own));
                    match around {
                        // What a clause calls itself is no call of the program.
                        Some(frame) if frame.is_replaced && is_called_by_clauses => {
                            let name = &self.functions[frame.own].name;
                            let what = format!("a contract in the place of a call of `{name}` that calls it");
                            out.position = position;
                            out.emit(StatementKind::Unsupported { what });
                        }
                        Some(frame) if frame.is_replaced => {
                            self.replace_call(&mut out, made, frame, &passed, results, position);
                        }
                        Some(frame) => self.guard_call(&mut out, made, frame, &passed, statement),
                        None => out.push(statement),
                    }
                }
                kind => {
                    if let Some(write) = self.write_of(kind, &objects, made.width) {
                        self.check_write(&mut out, id, made, &guards, &write, position);
                    }
                    let born = match kind {
                        StatementKind::StackObject { target, .. } => Some((*target, made.site(id, *target))),
                        StatementKind::HeapObject { target, .. } => Some((*target, None)),
                        _ => None,
                    };
                    let is_listed = is_listed(kind, made.recursive.contains(&id));
                    out.push(statement);
                    match born {
                        Some((target, Some(memory))) => {
                            out.store(
                                Expr::GlobalAddress(memory),
                                Expr::Variable(target),
                                Scalar::Pointer,
                            );
                        }
                        Some((target, None)) if !guards.is_empty() && is_listed => {
                            note_fresh(&mut out, made, &guards, target);
                        }
                        _ => {}
                    }
                }
            }
        }
        self.functions[id] = out.finish();
    }

    /// What a statement writes, unless it is certainly an object of this function or a register.
    fn write_of(&self, kind: &StatementKind, objects: &BTreeSet<VariableId>, width: u32) -> Option<Write> {
        let (address, length, frees) = match kind {
            StatementKind::Store { address, ty, .. } => {
                let bytes = ty.bytes(&self.data_model);
                (address, int(width, i128::from(bytes)), false)
            }
            StatementKind::CopyMemory { target, length, .. }
            | StatementKind::SetMemory { target, length, .. } => (target, length.clone(), false),
            StatementKind::Free { pointer, .. } => (pointer, int(width, 0), true),
            _ => return None,
        };
        match split_pointer(address).0 {
            Expr::Variable(id) if objects.contains(id) => return None,
            Expr::GlobalAddress(id) if self.globals[*id].rest == InitialRest::Registers => return None,
            _ => {}
        }
        Some(Write {
            address: address.clone(),
            length,
            frees,
        })
    }
}

/// A write, or the end of an object.
struct Write {
    address: Expr,
    /// In bytes.
    length: Expr,
    frees: bool,
}

impl Frames {
    /// Where the address of a stack object is kept.
    fn site(&self, function: FunctionId, variable: VariableId) -> Option<GlobalId> {
        let mut sites = self.sites.iter();
        let found = sites.find(|(of, target, _)| *of == function && *target == variable);
        found.map(|(.., memory)| *memory)
    }
}
