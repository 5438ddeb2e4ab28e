//! Which memory the atoms of formulas read, and whether evaluating them changes anything.
//!
//! Idea: an atom is a function; the loads of everything it calls say which bytes matter. A load whose address
//! is a global and a constant watches exactly its bytes, one with a computed offset the whole global, and one
//! through a pointer that the program can move watches everything. Evaluating an atom must leave no mark: it
//! may write only objects of its own.
//!
//! Invariant: a write that [`Watched::touches`] calls `Never` cannot change the value of any atom.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{
    BinaryOp, Callee, CastOp, Expr, Function, FunctionId, GlobalId, InitialRest, Program, Statement,
    StatementKind, VariableId, VariableKind,
};

/// Why an atom may not read a register: no write marks the moment at which its value changes.
const REGISTER: &str = "it reads a device register, which may change at any time without a write; let the \
    program \
                        copy it to a variable";

/// Assignments followed before a pointer counts as unknown.
const DEPTH: u32 = 12;

/// What a pointer expression points into, as far as the function alone shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A global, at a constant offset or at any.
    Global(GlobalId, Option<u64>),
    /// A stack object of the function.
    Local,
    /// A constant address outside all objects.
    Device,
    /// Anything.
    Unknown,
}

/// The bytes that atoms read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// Ranges of bytes per global: first, and one past the last.
    pub ranges: BTreeMap<GlobalId, BTreeSet<(u64, u64)>>,
    /// An atom reads through a pointer that may lead anywhere.
    pub anything: bool,
    /// The functions that atoms consist of.
    pub functions: BTreeSet<FunctionId>,
}

/// Can a write change an atom?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touch {
    /// No.
    Never,
    /// Yes, or at least the write counts as one that can.
    Always,
    /// When the expression is true.
    When(Expr),
}

/// The bases of a function's pointers.
pub struct Bases<'f> {
    function: &'f Function,
    assignments: BTreeMap<VariableId, Vec<Option<&'f Expr>>>,
    stack: BTreeSet<VariableId>,
}

impl<'f> Bases<'f> {
    /// Collects the function's assignments.
    pub fn new(function: &'f Function) -> Self {
        let mut bases = Bases {
            function,
            assignments: BTreeMap::new(),
            stack: BTreeSet::new(),
        };
        for statement in function.statements() {
            match &statement.kind {
                StatementKind::Assign { target, value } => {
                    bases.assignments.entry(*target).or_default().push(Some(value));
                }
                StatementKind::StackObject { target, .. } => {
                    bases.stack.insert(*target);
                }
                _ => {
                    for target in crate::graph::assigned(statement).into_iter().flatten() {
                        bases.assignments.entry(target).or_default().push(None);
                    }
                }
            }
        }
        bases
    }

    /// What a pointer expression points into.
    pub fn of(&self, pointer: &Expr) -> Base {
        self.follow(pointer, DEPTH)
    }

    fn follow(&self, pointer: &Expr, depth: u32) -> Base {
        match pointer {
            Expr::GlobalAddress(global) => Base::Global(*global, Some(0)),
            Expr::PointerAdd(pointer, distance) => match self.follow(pointer, depth) {
                Base::Global(global, offset) => {
                    let distance = match &**distance {
                        Expr::Int(bits) => bits.to_i128().and_then(|distance| i64::try_from(distance).ok()),
                        _ => None,
                    };
                    let moved = offset
                        .zip(distance)
                        .and_then(|(offset, by)| offset.checked_add_signed(by));
                    Base::Global(global, moved)
                }
                other => other,
            },
            Expr::Select(_, a, b) => join(self.follow(a, depth), self.follow(b, depth)),
            Expr::Cast(CastOp::IntToPointer, address, _) if matches!(**address, Expr::Int(_)) => Base::Device,
            Expr::Variable(variable) if depth > 0 => self.variable(*variable, depth - 1),
            _ => Base::Unknown,
        }
    }

    fn variable(&self, variable: VariableId, depth: u32) -> Base {
        let assignments = self.assignments.get(&variable).map_or(&[][..], |all| &all[..]);
        if self.stack.contains(&variable) {
            return if assignments.is_empty() {
                Base::Local
            } else {
                Base::Unknown
            };
        }
        if self.function.variables[variable].kind == VariableKind::Parameter || assignments.is_empty() {
            return Base::Unknown;
        }
        let mut bases = assignments
            .iter()
            .map(|value| value.map_or(Base::Unknown, |value| self.follow(value, depth)));
        let first = bases.next().unwrap_or(Base::Unknown);
        bases.fold(first, join)
    }
}

fn join(a: Base, b: Base) -> Base {
    match (a, b) {
        _ if a == b => a,
        (Base::Global(x, _), Base::Global(y, _)) if x == y => Base::Global(x, None),
        _ => Base::Unknown,
    }
}

/// Does a function only look at memory, with all that it calls? `Err` says what else it does.
pub fn only_looks(program: &Program, function: FunctionId) -> Result<(), String> {
    Watched::default().add_atom(program, function)
}

impl Watched {
    /// What the atom reads is watched too; `Err` says what in it is no mere look at memory.
    pub fn add_atom(&mut self, program: &Program, atom: FunctionId) -> Result<(), String> {
        let mut open = vec![atom];
        while let Some(id) = open.pop() {
            if !self.functions.insert(id) {
                continue;
            }
            let function = &program.functions[id];
            if function.locations.is_empty() {
                return Err(format!("it calls `{}`, which has no body", function.name));
            }
            let bases = Bases::new(function);
            for statement in function.statements() {
                self.add_statement(program, &bases, statement, &mut open)?;
            }
        }
        Ok(())
    }

    fn add_statement(
        &mut self,
        program: &Program,
        bases: &Bases<'_>,
        statement: &Statement,
        open: &mut Vec<FunctionId>,
    ) -> Result<(), String> {
        use StatementKind as K;
        match &statement.kind {
            K::Assign { .. } | K::StackObject { .. } | K::Assume { .. } | K::Assert { .. } => Ok(()),
            K::EndObject { .. } | K::GetRounding { .. } | K::Note { .. } => Ok(()),
            K::Load {
                address,
                volatile: true,
                ..
            } if may_be_register(program, bases.of(address)) => Err(REGISTER.to_string()),
            K::Load { target, address, .. } => {
                let bytes = bases.function.variables[*target].ty.bytes(&program.data_model);
                self.read(program, bases.of(address), Some(bytes))
            }
            K::CopyMemory {
                target,
                source,
                length,
                ..
            } => {
                own(bases.of(target))?;
                let length = match length {
                    Expr::Int(bits) => bits.to_u64(),
                    _ => None,
                };
                self.read(program, bases.of(source), length)
            }
            K::Store { address: target, .. } | K::SetMemory { target, .. } => own(bases.of(target)),
            K::Call {
                callee: Callee::Direct(function),
                ..
            } => {
                open.push(*function);
                Ok(())
            }
            K::Call { .. } => Err("it calls through a pointer".to_string()),
            K::Nondet { source, .. } => Err(match source {
                kripke_elts::NondetSource::External(name) => format!("it calls `{name}`, which has no body"),
                _ => "it reads an input".to_string(),
            }),
            K::Math { function, .. } => Err(format!("it calls `{}`", function.name())),
            K::HeapObject { .. } | K::Free { .. } => Err("it allocates or frees memory".to_string()),
            K::SetRounding { .. } => Err("it sets the rounding mode".to_string()),
            K::Output { .. } => Err("it prints".to_string()),
            K::Stop { .. } => Err("it may end the program".to_string()),
            K::Unsupported { what } => Err(format!("it uses something that is not supported: {what}")),
        }
    }

    fn read(&mut self, program: &Program, base: Base, bytes: Option<u64>) -> Result<(), String> {
        match base {
            Base::Global(global, _) if program.globals[global].rest == InitialRest::Registers => {
                return Err(REGISTER.to_string());
            }
            Base::Global(global, _) if is_of_each_thread(program, global) => {
                let name = kripke_elts::threads::plain_name(&program.globals[global].name);
                return Err(format!("each thread has a `{name}` of its own"));
            }
            Base::Global(global, _) if program.globals[global].constant => {}
            Base::Global(global, offset) => {
                let whole = (0, program.globals[global].size);
                let range = offset
                    .zip(bytes)
                    .map_or(whole, |(offset, bytes)| (offset, offset.saturating_add(bytes)));
                self.ranges.entry(global).or_default().insert(range);
            }
            Base::Local => {}
            Base::Device => {
                return Err(REGISTER.to_string());
            }
            Base::Unknown => self.anything = true,
        }
        Ok(())
    }

    /// Can a write of `length` bytes (pointer width) to `address` change an atom?
    pub fn touches(&self, program: &Program, bases: &Bases<'_>, address: &Expr, length: &Expr) -> Touch {
        let base = bases.of(address);
        if self.anything {
            // Objects of the function itself can be what a pointer that an atom follows points to.
            return if base == Base::Device {
                Touch::Never
            } else {
                Touch::Always
            };
        }
        match base {
            Base::Local | Base::Device => Touch::Never,
            Base::Global(global, Some(offset)) if matches!(length, Expr::Int(_)) => {
                let bytes = match length {
                    Expr::Int(bits) => bits.to_u64().unwrap_or(u64::MAX),
                    _ => u64::MAX,
                };
                let end = offset.saturating_add(bytes);
                let ranges = self.ranges.get(&global).into_iter().flatten();
                match ranges.into_iter().any(|(low, high)| offset < *high && *low < end) {
                    true => Touch::Always,
                    false => Touch::Never,
                }
            }
            Base::Global(global, _) => self.when(program, address, length, |watched| watched == global),
            Base::Unknown => self.when(program, address, length, |_| true),
        }
    }

    /// The condition that some watched range of the globals in question is written.
    fn when(
        &self,
        program: &Program,
        address: &Expr,
        length: &Expr,
        which: impl Fn(GlobalId) -> bool,
    ) -> Touch {
        let width = program.data_model.pointer_width;
        let number = |value: u64| Expr::Int(kripke_value::BitVec::new(width, u128::from(value)));
        let binary = |op, a: Expr, b: Expr| Expr::Binary(op, Box::new(a), Box::new(b));
        let offset = Expr::PointerOffset(Box::new(address.clone()));
        let end = binary(BinaryOp::Add, offset.clone(), length.clone());
        let mut any: Option<Expr> = None;
        for (global, ranges) in self.ranges.iter().filter(|(global, _)| which(**global)) {
            let global_address = Expr::GlobalAddress(*global);
            let same = Expr::SameObject(Box::new(address.clone()), Box::new(global_address));
            for (low, high) in ranges {
                let before_end = binary(BinaryOp::ULt, offset.clone(), number(*high));
                let after_start = binary(BinaryOp::ULt, number(*low), end.clone());
                let overlap = binary(BinaryOp::And, before_end, after_start);
                let here = binary(BinaryOp::And, same.clone(), overlap);
                any = Some(match any {
                    None => here,
                    Some(others) => binary(BinaryOp::Or, others, here),
                });
            }
        }
        any.map_or(Touch::Never, Touch::When)
    }
}

fn is_of_each_thread(program: &Program, global: GlobalId) -> bool {
    program.globals[global].thread_local && kripke_elts::threads::woven(program).is_some()
}

fn own(base: Base) -> Result<(), String> {
    match base {
        Base::Local => Ok(()),
        _ => Err("it has a side effect: it writes memory".to_string()),
    }
}

/// May a volatile read of this place be one of a register? Through a pointer it may.
fn may_be_register(program: &Program, base: Base) -> bool {
    match base {
        Base::Global(global, _) => program.globals[global].rest != InitialRest::Zero,
        Base::Local => false,
        Base::Device | Base::Unknown => true,
    }
}
