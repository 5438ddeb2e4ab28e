//! Global variables as earlier calls may have left them.
//!
//! Idea: a function of a driver finds in its static variables what other calls have put there. So before a
//! run every number in a global variable that the program may write is an input, named as C names it;
//! pointers keep their initial values. It is done on the finished program: a function of its own makes the
//! values and calls the one that the run starts in.
//!
//! Invariant: constants, and variables that no code of the program writes, keep their initial values, as
//! they do in every run; that nobody else writes them is listed where others could. So does what cannot be an
//! input (unions, bit-fields, long arrays) beside pointers, or where it is volatile.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::passes::{self, PassOptions};
use kripke_elts::{
    AccessChecks, CType, CTypeId, Callee, CastOp, Encoding, Expr, Function, Global, GlobalId, Id, IdVec,
    InitialCell, InitialRest, Location, NondetSource, Position, Program, Statement, StatementKind,
    Transition, Type, Variable, VariableId, VariableKind,
};
use kripke_value::{BitVec, FloatFormat};

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
    let transitions = program
        .functions
        .iter()
        .flat_map(|function| function.locations.iter())
        .flat_map(|location| &location.transitions);
    for statement in transitions.flat_map(|transition| &transition.statements) {
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

/// Gives the numbers in those of the global variables that are named any values. What they were, but for
/// zeros, by the names of the inputs; nothing where there are none.
pub(crate) fn make_any(program: &mut Program, written: &BTreeSet<String>) -> Option<BTreeMap<String, u128>> {
    make(program, written, false)
}

/// The same with any pointers, too; true where there are some variables that may be written.
pub(crate) fn make_any_with_pointers(program: &mut Program, written: &BTreeSet<String>) -> bool {
    make(program, written, true).is_some()
}

fn make(program: &mut Program, written: &BTreeSet<String>, pointers: bool) -> Option<BTreeMap<String, u128>> {
    let globals: Vec<GlobalId> = program
        .globals
        .enumerate()
        .filter(|(_, global)| written.contains(&global.name) && is_variable(program, global))
        .map(|(id, _)| id)
        .collect();
    let mut maker = Maker {
        program,
        variables: IdVec::new(),
        statements: Vec::new(),
        pointers,
        named: Vec::new(),
        initial: BTreeMap::new(),
    };
    for id in &globals {
        maker.global(*id);
    }
    if globals.is_empty() {
        return None;
    }
    Some(maker.finish())
}

/// A variable of the user's program; objects that were made for a start have any contents already.
fn is_variable(program: &Program, global: &Global) -> bool {
    let is_own = !program.is_library(global.position) && global.position.line > 0;
    !global.constant && global.c_name.is_some() && global.rest == InitialRest::Zero && is_own
}

struct Maker<'p> {
    program: &'p mut Program,
    variables: IdVec<VariableId, Variable>,
    statements: Vec<Statement>,
    /// Pointers are made inputs, too.
    pointers: bool,
    /// The inputs, and where they go.
    named: Vec<(String, GlobalId, u64)>,
    initial: BTreeMap<String, u128>,
}

impl Maker<'_> {
    fn global(&mut self, id: GlobalId) {
        let global = &self.program.globals[id];
        let (c_type, name) = (global.c_type, global.c_name.clone().unwrap_or_default());
        let cells = global.cells.clone();
        // Reads of a volatile object that holds any bytes would be those of a register.
        if c_type.is_some_and(|c_type| self.has_nameless_bytes(c_type)) {
            let global = &mut self.program.globals[id];
            global.cells.clear();
            global.rest = InitialRest::Nondet;
        }
        if let Some(c_type) = c_type {
            self.part(id, 0, c_type, &name, LEVELS);
        }
        self.note_initial(id, &cells);
    }

    /// Makes the numbers of a type inputs.
    fn part(&mut self, id: GlobalId, offset: u64, c_type: CTypeId, name: &str, levels: u32) {
        let Some(levels) = levels.checked_sub(1) else {
            return;
        };
        match self.content(c_type) {
            CType::Base { bits, encoding, .. } => self.number(id, offset, bits, encoding, name),
            CType::Enum { bits, .. } => self.number(id, offset, bits, Encoding::Signed, name),
            CType::Pointer { .. } if self.pointers => {
                self.input(id, offset, name, (Type::Pointer, Type::Pointer))
            }
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

    /// Adds the call of the function that the run started in, and starts here.
    fn finish(mut self) -> BTreeMap<String, u128> {
        let callee = self.program.entry;
        let function = &self.program.functions[callee];
        let types: Vec<Type> = function
            .results
            .iter()
            .map(|id| function.variables[*id].ty)
            .collect();
        let results: Vec<VariableId> = types.into_iter().map(|ty| self.variable("result", ty)).collect();
        self.emit(StatementKind::Call {
            results: results.clone(),
            callee: Callee::Direct(callee),
            arguments: Vec::new(),
            check: None,
        });
        let position = self.position();
        let mut locations = IdVec::new();
        let location = |name: &str| Location {
            name: name.to_owned(),
            transitions: Vec::new(),
            position,
        };
        let entry = locations.push(location("entry"));
        let exit = locations.push(location("exit"));
        locations[entry].transitions.push(Transition {
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
            entry,
            exit,
            position,
            variadic: false,
        });
        self.program.entry = id;
        self.initial
    }

    fn content(&self, c_type: CTypeId) -> CType {
        let types = &self.program.c_types;
        types.get(types.plain(c_type)).cloned().unwrap_or(CType::Void)
    }

    /// Has it parts that are no inputs, and neither pointers nor anything volatile beside them?
    fn has_nameless_bytes(&self, c_type: CTypeId) -> bool {
        let is_plain = |ty: &CType| matches!(ty, CType::Base { .. } | CType::Enum { .. });
        let is_nameless = |ty: &CType| match ty {
            CType::Array { count, .. } => *count > NAMED_ELEMENTS,
            CType::Record { union, members, .. } => *union || members.iter().any(|member| member.bit_field),
            CType::Base { bits, encoding, .. } => *encoding == Encoding::Float && *bits > 64,
            _ => false,
        };
        let mut nameless = false;
        let mut open = vec![(c_type, LEVELS)];
        while let Some((c_type, levels)) = open.pop() {
            let ty = self.content(c_type);
            nameless |= is_nameless(&ty);
            match ty {
                _ if levels == 0 || self.is_volatile(c_type) => return false,
                CType::Array { element, .. } => open.push((element, levels - 1)),
                CType::Record { members, .. } => {
                    open.extend(members.iter().map(|member| (member.c_type, levels - 1)));
                }
                ty if is_plain(&ty) => {}
                _ => return false,
            }
        }
        nameless
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
