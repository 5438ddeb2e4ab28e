//! Global variables as earlier calls may have left them.
//!
//! Idea: a function of a driver finds in its static variables what other calls have put there. So before the
//! call that a run starts with every number in a global variable that the program may write is an input,
//! named as C names it. It is done on the finished program: a function of its own makes the values, after
//! constructors have run.
//!
//! Invariant: constants, and variables that no code of the program writes, keep their initial values, as
//! they do in every run; that nobody else writes them is listed where others could. What cannot be an input
//! (unions, bit-fields, long arrays) has any bytes.
//!
//! A function that is checked against its contract may be called in any state: there pointers are inputs,
//! too, and so are `errno` and the rounding mode. Other state of the C library begins as in a program, which
//! leaves its models most to do. A function that is only looked at by itself finds pointers as initialised,
//! and what has any bytes beside pointers, or where it is volatile.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::passes::{self, PassOptions};
use kripke_elts::{
    AccessChecks, BinaryOp, CType, CTypeId, Callee, CastOp, Encoding, Expr, Function, FunctionId, Global,
    GlobalId, Id, IdVec, InitialCell, InitialRest, Location, NondetSource, Position, Program, Statement,
    StatementKind, Transition, Type, Variable, VariableId, VariableKind,
};
use kripke_value::{BitVec, FloatFormat};

use super::called::call_of;

/// The function that gives global variables their values.
pub(crate) const NAME: &str = "kripke.globals";
/// Arrays with more elements than this have no inputs of their own.
const NAMED_ELEMENTS: u64 = 64;
/// Passes that look at one entry only, or at initial values.
const ENTRY_PASSES: [&str; 6] = [
    "selection",
    "constants",
    "read-only-globals",
    "unreachable",
    "slice",
    "unused",
];
/// How deep records and arrays are opened.
const LEVELS: u32 = 16;
/// The only state of the C library that programs see, beside the rounding mode.
const ERRNO: &str = "errno";
/// What the names of globals begin with that the translation makes.
const SYNTHETIC: &str = "kripke.";

/// What the code of a program does with its global variables, by their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    /// Those that it may write.
    pub written: BTreeSet<String>,
    /// Those that it reads only.
    pub only_read: BTreeSet<String>,
}

/// What some code of a program does with its global variables.
pub(crate) fn uses(program: &Program) -> Uses {
    // Addresses that are only loaded from stand in the loads then.
    let mut program = program.clone();
    let options = PassOptions {
        disabled: ENTRY_PASSES.iter().map(ToString::to_string).collect(),
        ..PassOptions::default()
    };
    passes::optimise(&mut program, &options);
    let written = passes::possibly_written(&program);
    let mut named = vec![false; program.globals.len()];
    for statement in program.statements() {
        let mut note = |id: GlobalId| named[id.index()] = true;
        statement.kind.each_expr(&mut |expr| expr.each_global(&mut note));
    }
    let names = |is_meant: &dyn Fn(usize) -> bool| {
        let globals = program.globals.enumerate().filter(|(id, _)| is_meant(id.index()));
        globals.map(|(_, global)| global.name.clone()).collect()
    };
    Uses {
        written: names(&|at| written[at]),
        only_read: names(&|at| named[at] && !written[at]),
    }
}

/// Gives the numbers in those of the global variables that are named any values, before the call of `entry`
/// that the run starts with. What they were, but for zeros, by the names of the inputs; nothing where there
/// are none.
pub(crate) fn make_any(
    program: &mut Program,
    entry: &str,
    written: &BTreeSet<String>,
) -> Option<BTreeMap<String, u128>> {
    make(program, entry, written, false)
}

/// The same with any state that a program can leave; true where there is some that it may write.
pub(crate) fn make_any_state(program: &mut Program, entry: &str, written: &BTreeSet<String>) -> bool {
    make(program, entry, written, true).is_some()
}

fn make(
    program: &mut Program,
    entry: &str,
    written: &BTreeSet<String>,
    all: bool,
) -> Option<BTreeMap<String, u128>> {
    let globals: Vec<GlobalId> = program
        .globals
        .enumerate()
        .filter(|(_, global)| written.contains(&global.name) && is_variable(program, global, all))
        .map(|(id, _)| id)
        .collect();
    let rounding = all && sets_rounding(program);
    let mut maker = Maker {
        program,
        variables: IdVec::new(),
        statements: Vec::new(),
        all,
        named: Vec::new(),
        initial: BTreeMap::new(),
    };
    for id in &globals {
        maker.global(*id);
    }
    if rounding {
        maker.rounding();
    }
    if globals.is_empty() && !rounding {
        return None;
    }
    Some(maker.finish(entry))
}

/// A variable of the user's program; objects that were made for a start have any contents already.
fn is_variable(program: &Program, global: &Global, all: bool) -> bool {
    let is_library = program.is_library(global.position);
    let is_own = match &global.c_name {
        Some(name) => global.position.line > 0 && (!is_library || all && name == ERRNO),
        // A compound literal, or one of a source without debug information.
        None => all && !global.name.starts_with(SYNTHETIC) && !is_library,
    };
    !global.constant && global.rest == InitialRest::Zero && is_own
}

fn sets_rounding(program: &Program) -> bool {
    let mut statements = program.statements();
    statements.any(|statement| matches!(statement.kind, StatementKind::SetRounding { .. }))
}

fn call(callee: FunctionId, results: Vec<VariableId>) -> StatementKind {
    StatementKind::Call {
        results,
        callee: Callee::Direct(callee),
        arguments: Vec::new(),
        check: None,
    }
}

/// What the type of a variable is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Parts {
    /// Some parts are no inputs.
    nameless: bool,
    /// There are numbers only, and nothing is volatile.
    plain: bool,
}

impl Parts {
    /// It may begin with any bytes.
    const ANY_BYTES: Parts = Parts {
        nameless: true,
        plain: true,
    };
}

struct Maker<'p> {
    program: &'p mut Program,
    variables: IdVec<VariableId, Variable>,
    statements: Vec<Statement>,
    /// All of it, pointers too.
    all: bool,
    /// The inputs, and where they go.
    named: Vec<(String, GlobalId, u64)>,
    initial: BTreeMap<String, u128>,
}

impl Maker<'_> {
    fn global(&mut self, id: GlobalId) {
        let global = &self.program.globals[id];
        let (c_type, name) = (global.c_type, global.c_name.clone().unwrap_or_default());
        let cells = global.cells.clone();
        match c_type {
            _ if self.all && c_type.is_none_or(|c_type| self.parts(c_type).nameless) => self.bytes(id),
            // Reads of a volatile object that holds any bytes would be those of a register.
            Some(c_type) if self.parts(c_type) == Parts::ANY_BYTES => {
                let global = &mut self.program.globals[id];
                global.cells.clear();
                global.rest = InitialRest::Nondet;
            }
            _ => {}
        }
        if let Some(c_type) = c_type {
            self.part(id, 0, c_type, &name, LEVELS);
        }
        self.note_initial(id, &cells);
    }

    /// Makes the numbers of a type inputs, and the pointers where all of it is made any.
    fn part(&mut self, id: GlobalId, offset: u64, c_type: CTypeId, name: &str, levels: u32) {
        let Some(levels) = levels.checked_sub(1) else {
            return;
        };
        match self.content(c_type) {
            CType::Base { bits, encoding, .. } => self.number(id, offset, bits, encoding, name),
            CType::Enum { bits, .. } => self.number(id, offset, bits, Encoding::Signed, name),
            CType::Pointer { .. } if self.all => self.input(id, offset, name, (Type::Pointer, Type::Pointer)),
            CType::Record {
                union: false,
                members,
                ..
            } => {
                for member in members.iter().filter(|member| !member.bit_field) {
                    let name = match member.name.as_str() {
                        "" => name.to_owned(),
                        member => format!("{name}.{member}"),
                    };
                    self.part(id, offset + member.bit_offset / 8, member.c_type, &name, levels);
                }
            }
            CType::Array { element, count } if count <= NAMED_ELEMENTS => {
                let size = self.size(element, LEVELS);
                for index in 0..count {
                    self.part(
                        id,
                        offset + index * size,
                        element,
                        &format!("{name}[{index}]"),
                        levels,
                    );
                }
            }
            _ => {}
        }
    }

    /// Copies any bytes into a variable, which keeps what it is.
    fn bytes(&mut self, id: GlobalId) {
        let global = &self.program.globals[id];
        let (size, width) = (global.size, self.program.data_model.pointer_width);
        let source = Global {
            name: format!("{SYNTHETIC}any.{}", global.name),
            c_name: None,
            cells: Vec::new(),
            rest: InitialRest::Nondet,
            c_type: None,
            ..global.clone()
        };
        let source = self.program.globals.push(source);
        self.emit(StatementKind::CopyMemory {
            target: Expr::GlobalAddress(id),
            source: Expr::GlobalAddress(source),
            length: Expr::Int(BitVec::new(width, u128::from(size))),
            overlap: false,
            checks: AccessChecks::default(),
        });
    }

    /// Any of the four rounding modes.
    fn rounding(&mut self) {
        let target = self.variable("rounding", Type::Int(32));
        let source = NondetSource::Input("rounding mode".to_owned());
        self.emit(StatementKind::Nondet { target, source });
        let number = |value: u128| Box::new(Expr::Int(BitVec::new(32, value)));
        let mode = Expr::Binary(BinaryOp::And, Box::new(Expr::Variable(target)), number(3));
        self.emit(StatementKind::SetRounding { mode });
    }

    fn number(&mut self, id: GlobalId, offset: u64, bits: u32, encoding: Encoding, name: &str) {
        let (ty, stored) = match (encoding, bits) {
            (Encoding::Bool, _) => (Type::BOOL, Type::Int(bits)),
            (Encoding::Float, 32) => (
                Type::Float(FloatFormat::Binary32),
                Type::Float(FloatFormat::Binary32),
            ),
            (Encoding::Float, 64) => (
                Type::Float(FloatFormat::Binary64),
                Type::Float(FloatFormat::Binary64),
            ),
            (Encoding::Float, _) => return,
            (_, 8 | 16 | 32 | 64 | 128) => (Type::Int(bits), Type::Int(bits)),
            _ => return,
        };
        self.input(id, offset, name, (ty, stored));
    }

    /// An input of a type, stored as another.
    fn input(&mut self, id: GlobalId, offset: u64, name: &str, (ty, stored): (Type, Type)) {
        let target = self.variable(name, ty);
        self.named.push((name.to_owned(), id, offset));
        let source = NondetSource::Input(name.to_owned());
        self.emit(StatementKind::Nondet { target, source });
        let value = Expr::Variable(target);
        let value = match ty == stored {
            true => value,
            false => Expr::Cast(CastOp::ZExt, Box::new(value), stored),
        };
        let width = self.program.data_model.pointer_width;
        let distance = Expr::Int(BitVec::new(width, u128::from(offset)));
        self.emit(StatementKind::Store {
            address: Expr::PointerAdd(Box::new(Expr::GlobalAddress(id)), Box::new(distance)),
            value,
            ty: stored,
            align: 1,
            volatile: false,
            checks: AccessChecks::default(),
        });
    }

    /// Notes what the inputs of a global variable would be in its initial state.
    fn note_initial(&mut self, id: GlobalId, cells: &[InitialCell]) {
        for (name, global, offset) in &self.named {
            let cell = cells.iter().find(|cell| *global == id && cell.offset == *offset);
            let bits = cell.and_then(|cell| match &cell.value {
                Expr::Int(value) => value.to_u128(),
                Expr::Float(value) => value.to_bits().to_u128(),
                _ => None,
            });
            self.initial.extend(bits.map(|bits| (name.clone(), bits)));
        }
    }

    fn variable(&mut self, name: &str, ty: Type) -> VariableId {
        let number = self.variables.len();
        self.variables.push(Variable {
            name: format!("{name}.{number}"),
            ty,
            kind: VariableKind::Temporary,
            c_type: None,
            position: self.position(),
        })
    }

    fn emit(&mut self, kind: StatementKind) {
        let position = self.position();
        self.statements.push(Statement { kind, position });
    }

    /// Where the run starts.
    fn position(&self) -> Position {
        self.program.functions[self.program.entry].position
    }

    /// Adds the function that does it, and its call before that of the entry.
    fn finish(mut self, entry: &str) -> BTreeMap<String, u128> {
        let started = self.program.entry;
        let place = call_of(self.program, started, entry);
        let mut results = Vec::new();
        if place.is_none() {
            let function = &self.program.functions[started];
            let types: Vec<Type> = function
                .results
                .iter()
                .map(|id| function.variables[*id].ty)
                .collect();
            results = types.into_iter().map(|ty| self.variable("result", ty)).collect();
            self.emit(call(started, results.clone()));
        }
        let position = self.position();
        let mut locations = IdVec::new();
        let location = |name: &str| Location {
            name: name.to_owned(),
            transitions: Vec::new(),
            position,
        };
        let (first, exit) = (
            locations.push(location("entry")),
            locations.push(location("exit")),
        );
        locations[first].transitions.push(Transition {
            guard: Expr::Int(BitVec::new(1, 1)),
            statements: self.statements,
            target: exit,
            position,
        });
        let id = self.program.functions.push(Function {
            name: NAME.to_owned(),
            parameters: Vec::new(),
            results,
            variables: self.variables,
            locations,
            entry: first,
            exit,
            position,
            variadic: false,
        });
        match place {
            None => self.program.entry = id,
            Some((location, transition, at)) => {
                let kind = call(id, Vec::new());
                let transition =
                    &mut self.program.functions[started].locations[location].transitions[transition];
                transition.statements.insert(at, Statement { kind, position });
            }
        }
        self.initial
    }

    fn content(&self, c_type: CTypeId) -> CType {
        let types = &self.program.c_types;
        types.get(types.plain(c_type)).cloned().unwrap_or(CType::Void)
    }

    /// What a type is made of.
    fn parts(&self, c_type: CTypeId) -> Parts {
        let is_nameless = |ty: &CType| match ty {
            CType::Array { count, .. } => *count > NAMED_ELEMENTS,
            CType::Record { union, members, .. } => *union || members.iter().any(|member| member.bit_field),
            CType::Base { bits, encoding, .. } => *encoding == Encoding::Float && *bits > 64,
            CType::Pointer { .. } | CType::Enum { .. } => false,
            _ => true,
        };
        let mut parts = Parts {
            nameless: false,
            plain: true,
        };
        let mut open = vec![(c_type, LEVELS)];
        while let Some((c_type, levels)) = open.pop() {
            let ty = self.content(c_type);
            parts.nameless |= is_nameless(&ty) || levels == 0;
            parts.plain &= levels > 0 && !self.is_volatile(c_type);
            match ty {
                _ if levels == 0 => {}
                CType::Array { element, .. } => open.push((element, levels - 1)),
                CType::Record { members, .. } => {
                    open.extend(members.iter().map(|member| (member.c_type, levels - 1)));
                }
                CType::Base { .. } | CType::Enum { .. } => {}
                _ => parts.plain = false,
            }
        }
        parts
    }

    fn is_volatile(&self, mut c_type: CTypeId) -> bool {
        for _ in 0..=self.program.c_types.len() {
            match self.program.c_types.get(c_type) {
                Some(CType::Qualified { qualifier, .. }) if qualifier == "volatile" => return true,
                Some(CType::Typedef { of, .. } | CType::Qualified { of, .. }) => c_type = *of,
                _ => return false,
            }
        }
        true
    }

    /// Bytes of an object of the type.
    fn size(&self, c_type: CTypeId, levels: u32) -> u64 {
        let Some(levels) = levels.checked_sub(1) else {
            return 0;
        };
        match self.content(c_type) {
            CType::Base { bits, .. } | CType::Enum { bits, .. } => u64::from(bits.div_ceil(8)),
            CType::Pointer { .. } => u64::from(self.program.data_model.pointer_width / 8),
            CType::Record { bytes, .. } => bytes,
            CType::Array { element, count } => count.saturating_mul(self.size(element, levels)),
            _ => 1,
        }
    }
}
