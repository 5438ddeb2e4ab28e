//! Compiles a function to register code.
//!
//! Each location becomes a run of guard tests, each transition the code of its statements and a
//! jump. Expressions are flattened into words of the frame; an expression with an operator that
//! the hot loop lacks, or with values of more than 64 bits, stays a tree and is evaluated by
//! [`crate::eval`].

use rustc_hash::FxHashMap;

use crate::ids::{FunctionId, Id, IdVec, LocationId, VariableId};
use crate::interpreter::code::{
    Access, CallSite, Code, Instr, JumpTable, Operation, Place, Storage, storage,
};
use crate::interpreter::definite_assignment::{VariableSet, definitely_assigned};
use crate::interpreter::{Contracts, Detail, RunOptions, StatementSite};
use crate::program::{
    BinaryOp, Callee, Expr, Function, Program, Statement, StatementKind, Transition, Type, VariableKind,
};
use crate::scalar::{Pointer, ScalarValue};

/// Compiles a function that has a body. The observer is told as much as it wants to know.
pub fn compile(program: &Program, id: FunctionId, detail: Detail, options: &RunOptions) -> Code {
    let mut compiler = Compiler::new(program, id, detail == Detail::Steps);
    compiler.tells_locations = detail == Detail::Locations;
    compiler.reference = options.reference;
    compiler.contracts = options.contracts;
    compiler.layout();
    compiler.find_checked_variables();
    compiler.function();
    compiler.finish()
}

pub(super) struct Compiler<'p> {
    program: &'p Program,
    function: &'p Function,
    observed: bool,
    tells_locations: bool,
    /// Leave everything to the slow path.
    pub(super) reference: bool,
    contracts: Contracts,
    pub(super) code: Code,
    assigned: IdVec<LocationId, VariableSet>,
    /// The word that says whether a variable is assigned, for variables where that is in doubt.
    flags: FxHashMap<VariableId, u32>,
    constants: FxHashMap<(u64, u64, bool), u32>,
    free_words: Vec<u32>,
    free_pairs: Vec<u32>,
    used_words: Vec<u32>,
    used_pairs: Vec<u32>,
    /// Where each location's code starts.
    starts: IdVec<LocationId, u32>,
    /// Instructions whose target is still a location.
    jumps: Vec<(usize, LocationId)>,
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Program, id: FunctionId, observed: bool) -> Self {
        let function = &program.functions[id];
        Compiler {
            program,
            function,
            observed,
            tells_locations: false,
            reference: false,
            contracts: Contracts::All,
            code: Code {
                function: id,
                instrs: Vec::new(),
                accesses: Vec::new(),
                calls: Vec::new(),
                operations: Vec::new(),
                tables: Vec::new(),
                template: Vec::new(),
                wide: 0,
                variables: Vec::new(),
                parameters: Vec::new(),
                results: Vec::new(),
            },
            assigned: definitely_assigned(function),
            flags: FxHashMap::default(),
            constants: FxHashMap::default(),
            free_words: Vec::new(),
            free_pairs: Vec::new(),
            used_words: Vec::new(),
            used_pairs: Vec::new(),
            starts: IdVec::from(vec![0; function.locations.len()]),
            jumps: Vec::new(),
        }
    }

    fn layout(&mut self) {
        for variable in self.function.variables.iter() {
            let place = self.new_place(variable.ty);
            self.code.variables.push(place);
        }
        let place = |&id: &VariableId| self.code.variables[id.index()];
        self.code.parameters = self.function.parameters.iter().map(place).collect();
        self.code.results = self.function.results.iter().map(place).collect();
    }

    fn new_words(&mut self, count: usize) -> u32 {
        let index = self.code.template.len() as u32;
        self.code.template.resize(self.code.template.len() + count, 0);
        index
    }

    fn new_place(&mut self, ty: Type) -> Place {
        let index = match storage(ty) {
            Storage::Word => self.new_words(1),
            Storage::Pointer => self.new_words(2),
            Storage::Wide => {
                self.code.wide += 1;
                self.code.wide as u32 - 1
            }
        };
        Place { index, ty }
    }

    /// Finds the variables that some statement may read before they are assigned.
    fn find_checked_variables(&mut self) {
        let mut checked = Vec::new();
        for (id, location) in self.function.locations.enumerate() {
            for transition in &location.transitions {
                let mut assigned = self.assigned[id].clone();
                let mut read = |assigned: &VariableSet, variable: VariableId| {
                    if !assigned.contains(variable) {
                        checked.push(variable);
                    }
                };
                transition
                    .guard
                    .each_variable(&mut |variable| read(&assigned, variable));
                for statement in &transition.statements {
                    statement
                        .kind
                        .each_read(&mut |variable| read(&assigned, variable));
                    statement
                        .kind
                        .targets()
                        .iter()
                        .for_each(|&target| assigned.insert(target));
                }
            }
        }
        let exit = &self.assigned[self.function.exit];
        checked.extend(
            self.function
                .results
                .iter()
                .filter(|&&result| !exit.contains(result)),
        );
        for variable in checked {
            if !self.flags.contains_key(&variable) {
                let flag = self.new_words(1);
                self.flags.insert(variable, flag);
            }
        }
    }

    fn function(&mut self) {
        // The entry comes first: a frame starts at instruction 0.
        let mut order = vec![self.function.entry];
        order.extend(
            self.function
                .reverse_postorder()
                .into_iter()
                .filter(|&id| id != self.function.entry),
        );
        for id in order {
            self.starts[id] = self.code.instrs.len() as u32;
            self.location(id);
        }
        for (at, location) in std::mem::take(&mut self.jumps) {
            let start = self.starts[location];
            self.set_target(at, start);
        }
    }

    fn location(&mut self, id: LocationId) {
        let location = &self.function.locations[id];
        let mut assigned = self.assigned[id].clone();
        if self.tells_locations {
            self.operate(Operation::ObserveLocation { location: id });
        }
        if id == self.function.exit {
            let results = self.function.results.clone();
            self.ensure_assigned(&mut assigned, &mut results.into_iter());
            self.emit(Instr::Return);
            return;
        }
        let mut reads = Vec::new();
        location
            .transitions
            .iter()
            .for_each(|transition| transition.guard.each_variable(&mut |id| reads.push(id)));
        self.ensure_assigned(&mut assigned, &mut reads.into_iter());
        if !self.switch(id, &assigned) {
            self.guards(id, &assigned);
        }
    }

    /// Tests one guard after the other. The last is not tested: together they are true.
    fn guards(&mut self, id: LocationId, assigned: &VariableSet) {
        let transitions = &self.function.locations[id].transitions;
        for (index, transition) in transitions.iter().enumerate() {
            let always = transition.guard == Expr::Int(kripke_value::BitVec::from_bool(true));
            let last = index + 1 == transitions.len();
            if always || last && index > 0 {
                self.transition(id, index, transition, &mut assigned.clone());
                return;
            }
            let skip = self.jump_unless(&transition.guard);
            self.release();
            self.transition(id, index, transition, &mut assigned.clone());
            let here = self.code.instrs.len() as u32;
            self.set_target(skip, here);
        }
        let position = self.function.locations[id].position;
        self.operate(Operation::Stuck { position });
    }

    /// A location that compares one word-sized variable with many constants gets a jump table.
    fn switch(&mut self, id: LocationId, assigned: &VariableSet) -> bool {
        let transitions = &self.function.locations[id].transitions;
        if transitions.len() < 5 {
            return false;
        }
        let Some((cases, subject)) = switch_cases(transitions) else {
            return false;
        };
        if !matches!(storage(self.variable_type(subject)), Storage::Word) {
            return false;
        }
        let table = self.code.tables.len() as u32;
        let a = self.code.variables[subject.index()].index;
        self.emit(Instr::Switch { a, table });
        self.code.tables.push(JumpTable {
            targets: FxHashMap::default(),
            default: 0,
        });
        for (index, transition) in transitions.iter().enumerate() {
            let here = self.code.instrs.len() as u32;
            self.transition(id, index, transition, &mut assigned.clone());
            let table = &mut self.code.tables[table as usize];
            match &cases[index] {
                Some(values) => values.iter().for_each(|&value| {
                    table.targets.entry(value).or_insert(here);
                }),
                None => table.default = here,
            }
        }
        true
    }

    fn transition(
        &mut self,
        id: LocationId,
        index: usize,
        transition: &Transition,
        assigned: &mut VariableSet,
    ) {
        let count = self.function.locations[id].transitions.len() as u32;
        if self.observed && count > 1 {
            let position = transition.position;
            self.operate(Operation::ObserveBranch {
                transition: index as u32,
                count,
                position,
            });
        }
        for (number, statement) in transition.statements.iter().enumerate() {
            let mut reads = Vec::new();
            statement.kind.each_read(&mut |variable| reads.push(variable));
            self.ensure_assigned(assigned, &mut reads.into_iter());
            let site = StatementSite {
                function: self.code.function,
                location: id,
                transition: index,
                statement: number,
            };
            self.statement(statement, site);
            self.release();
            self.assigned_targets(statement, assigned);
        }
        let at = self.emit(Instr::Jump {
            target: 0,
            steps: transition.statements.len() as u32 + 1,
        });
        self.jumps.push((at, transition.target));
    }

    /// Sets the flags of what the statement assigned, and tells the observer.
    fn assigned_targets(&mut self, statement: &Statement, assigned: &mut VariableSet) {
        let is_call = matches!(statement.kind, StatementKind::Call { .. });
        for &target in statement.kind.targets() {
            // A call sets the flags of its results itself: the callee may have none.
            if let Some(&flag) = self.flags.get(&target)
                && !is_call
            {
                let one = self.constant([1, 0], false);
                self.emit(Instr::Move { dst: flag, a: one });
            }
            assigned.insert(target);
            let named = self.function.variables[target].kind != VariableKind::Temporary;
            if self.observed && named && !is_call {
                self.observe(target, statement);
            }
        }
    }

    fn observe(&mut self, variable: VariableId, statement: &Statement) {
        let value = self.code.variables[variable.index()];
        self.operate(Operation::Observe {
            variable,
            value,
            position: statement.position,
        });
    }

    fn ensure_assigned(&mut self, assigned: &mut VariableSet, reads: &mut dyn Iterator<Item = VariableId>) {
        for variable in reads {
            if assigned.contains(variable) {
                continue;
            }
            if let Some(&flag) = self.flags.get(&variable) {
                let failure = self.code.operations.len() as u32;
                self.code
                    .operations
                    .push(Operation::EnsureAssigned { flag, variable });
                self.emit(Instr::Require { a: flag, failure });
            }
            assigned.insert(variable);
        }
    }

    fn statement(&mut self, statement: &Statement, site: StatementSite) {
        let position = statement.position;
        match &statement.kind {
            StatementKind::Assign { target, value } => {
                let place = self.code.variables[target.index()];
                self.expr_into(value, place);
            }
            StatementKind::Load {
                target,
                address,
                align,
                volatile,
                checks,
            } => {
                let place = self.code.variables[target.index()];
                let address = self.expr(address).index;
                let access = self.access(place.ty, *align, *checks, statement);
                self.code.accesses[access as usize].volatile = *volatile;
                match storage(place.ty) {
                    _ if self.reference || self.observed || *volatile => self.operate(Operation::LoadWide {
                        target: place,
                        address,
                        access,
                    }),
                    Storage::Word => self.emit(Instr::Load {
                        dst: place.index,
                        a: address,
                        access,
                    }),
                    Storage::Pointer => self.emit(Instr::LoadPointer {
                        dst: place.index,
                        a: address,
                        access,
                    }),
                    Storage::Wide => self.operate(Operation::LoadWide {
                        target: place,
                        address,
                        access,
                    }),
                };
            }
            StatementKind::Store {
                address,
                value,
                ty,
                align,
                checks,
                ..
            } => {
                let address = self.expr(address).index;
                let value = self.expr(value);
                let access = self.access(*ty, *align, *checks, statement);
                match storage(*ty) {
                    Storage::Word if !self.observed && !self.reference => self.emit(Instr::Store {
                        a: address,
                        b: value.index,
                        access,
                    }),
                    _ => self.operate(Operation::StoreWide {
                        address,
                        value,
                        access,
                    }),
                };
            }
            StatementKind::Call {
                results,
                callee,
                arguments,
                check,
            } => {
                let callee = match callee {
                    Callee::Direct(function) => Ok(*function),
                    Callee::Indirect(pointer) => Err(self.expr(pointer).index),
                };
                let arguments = arguments.iter().map(|argument| self.expr(argument)).collect();
                let places = results
                    .iter()
                    .map(|result| self.code.variables[result.index()])
                    .collect();
                let flags = results
                    .iter()
                    .map(|result| self.flags.get(result).copied())
                    .collect();
                let call = self.code.calls.len() as u32;
                self.code.calls.push(CallSite {
                    callee,
                    arguments,
                    results: places,
                    flags,
                    check: *check,
                    position,
                    site,
                });
                self.emit(Instr::Call { call });
                if self.observed {
                    for &result in results {
                        if self.function.variables[result].kind != VariableKind::Temporary {
                            self.observe(result, statement);
                        }
                    }
                }
            }
            StatementKind::Assume { condition } => {
                self.require(condition, Operation::AssumeFails { position });
            }
            StatementKind::Assert { property, .. } if !self.contracts.end_at(self.program, *property) => {}
            StatementKind::Assert { condition, property } => {
                let failure = Operation::AssertFails {
                    property: *property,
                    condition: condition.clone(),
                    position,
                };
                self.require(condition, failure);
            }
            _ => self.operation(statement, site),
        }
    }

    /// The statements that only the slow part of the interpreter knows.
    fn operation(&mut self, statement: &Statement, site: StatementSite) {
        let position = statement.position;
        let operation = match &statement.kind {
            StatementKind::StackObject { target, size, site } => {
                let (target, size) = (self.code.variables[target.index()], self.expr(size));
                Operation::StackObject {
                    target,
                    size,
                    site: *site,
                    position,
                }
            }
            StatementKind::HeapObject {
                target,
                size,
                zeroed,
                site,
            } => {
                let (target, size) = (self.code.variables[target.index()], self.expr(size));
                Operation::HeapObject {
                    target,
                    size,
                    zeroed: *zeroed,
                    site: *site,
                    position,
                }
            }
            StatementKind::EndObject { pointer } => Operation::EndObject {
                pointer: self.expr(pointer).index,
                position,
            },
            StatementKind::Free { pointer, check } => Operation::Free {
                pointer: self.expr(pointer).index,
                check: *check,
                position,
            },
            StatementKind::CopyMemory {
                target,
                source,
                length,
                overlap,
                checks,
            } => {
                let (target, source) = (self.expr(target).index, self.expr(source).index);
                let length = self.expr(length);
                Operation::CopyMemory {
                    target,
                    source,
                    length,
                    overlap: *overlap,
                    checks: *checks,
                    position,
                }
            }
            StatementKind::SetMemory {
                target,
                value,
                length,
                checks,
            } => {
                let (target, value, length) = (self.expr(target).index, self.expr(value), self.expr(length));
                Operation::SetMemory {
                    target,
                    value,
                    length,
                    checks: *checks,
                    position,
                }
            }
            StatementKind::Nondet { target, source } => {
                let target = self.code.variables[target.index()];
                Operation::Nondet {
                    target,
                    source: source.clone(),
                    position,
                    site,
                }
            }
            StatementKind::Math {
                target,
                function,
                arguments,
            } => Operation::Math {
                target: self.code.variables[target.index()],
                function: *function,
                arguments: arguments.iter().map(|argument| self.expr(argument)).collect(),
                position,
                site,
            },
            StatementKind::SetRounding { mode } => Operation::SetRounding {
                mode: self.expr(mode),
            },
            StatementKind::GetRounding { target } => Operation::GetRounding {
                target: self.code.variables[target.index()],
            },
            StatementKind::Output {
                target,
                function,
                arguments,
                ..
            } => {
                let target = target.map(|target| self.code.variables[target.index()]);
                let arguments = arguments.iter().map(|argument| self.expr(argument)).collect();
                Operation::Output {
                    target,
                    function: *function,
                    arguments,
                    position,
                }
            }
            StatementKind::Stop { reason, status } => {
                let status = status.as_ref().map(|status| self.expr(status));
                Operation::Stop {
                    reason: *reason,
                    status,
                    position,
                }
            }
            StatementKind::Unsupported { what } => Operation::Unsupported {
                what: what.clone(),
                position,
            },
            StatementKind::Note { variable } => {
                if self.observed {
                    self.observe(*variable, statement);
                }
                return;
            }
            StatementKind::Assign { .. }
            | StatementKind::Load { .. }
            | StatementKind::Store { .. }
            | StatementKind::Call { .. }
            | StatementKind::Assume { .. }
            | StatementKind::Assert { .. } => return,
        };
        self.operate(operation);
    }

    fn access(
        &mut self,
        ty: Type,
        align: u32,
        checks: crate::program::AccessChecks,
        statement: &Statement,
    ) -> u32 {
        let data_model = &self.program.data_model;
        let bits = ty.bits(data_model);
        self.code.accesses.push(Access {
            ty,
            size: ty.bytes(data_model) as u32,
            align: align.max(1),
            shift: 64_u32.saturating_sub(bits) as u8,
            checks,
            volatile: false,
            position: statement.position,
        });
        self.code.accesses.len() as u32 - 1
    }

    fn require(&mut self, condition: &Expr, failure: Operation) {
        let a = self.expr(condition).index;
        let index = self.code.operations.len() as u32;
        self.code.operations.push(failure);
        self.emit(Instr::Require { a, failure: index });
    }

    pub(super) fn emit(&mut self, instr: Instr) -> usize {
        self.code.instrs.push(instr);
        self.code.instrs.len() - 1
    }

    pub(super) fn operate(&mut self, operation: Operation) -> usize {
        let index = self.code.operations.len() as u32;
        self.code.operations.push(operation);
        self.emit(Instr::Operate { operation: index })
    }

    fn set_target(&mut self, at: usize, new: u32) {
        match &mut self.code.instrs[at] {
            Instr::Jump { target, .. }
            | Instr::JumpIfZero { target, .. }
            | Instr::JumpUnlessEq { target, .. }
            | Instr::JumpUnlessULt { target, .. }
            | Instr::JumpUnlessSLt { target, .. }
            | Instr::JumpUnlessSLe { target, .. } => *target = new,
            other => unreachable!("{other:?} has no target"),
        }
    }

    /// Jumps (to where is set later) unless the condition holds.
    fn jump_unless(&mut self, condition: &Expr) -> usize {
        if let Expr::Binary(op, left, right) = condition
            && let Type::Int(width @ ..=64) = self.type_of(left)
            && !self.reference
        {
            let shift = (64 - width) as u8;
            let fused = matches!(op, BinaryOp::Eq | BinaryOp::ULt | BinaryOp::SLt | BinaryOp::SLe);
            if fused {
                let (a, b) = (self.expr(left).index, self.expr(right).index);
                let target = 0;
                return self.emit(match op {
                    BinaryOp::Eq => Instr::JumpUnlessEq { a, b, target },
                    BinaryOp::ULt => Instr::JumpUnlessULt { a, b, target },
                    BinaryOp::SLt => Instr::JumpUnlessSLt { shift, a, b, target },
                    _ => Instr::JumpUnlessSLe { shift, a, b, target },
                });
            }
        }
        let a = self.expr(condition).index;
        self.emit(Instr::JumpIfZero { a, target: 0 })
    }

    pub(super) fn variable_type(&self, id: VariableId) -> Type {
        self.function.variables[id].ty
    }

    pub(super) fn variable_place(&self, id: VariableId) -> Place {
        self.code.variables[id.index()]
    }

    pub(super) fn type_of(&self, expr: &Expr) -> Type {
        expr.type_with(&self.program.data_model, &|id| self.variable_type(id))
    }

    pub(super) fn pointer_width(&self) -> u32 {
        self.program.data_model.pointer_width
    }

    /// The word (or, for a pointer, the pair of words) that holds a constant.
    pub(super) fn constant(&mut self, words: [u64; 2], pair: bool) -> u32 {
        if let Some(&index) = self.constants.get(&(words[0], words[1], pair)) {
            return index;
        }
        let index = self.new_words(if pair { 2 } else { 1 });
        self.code.template[index as usize] = words[0];
        if pair {
            self.code.template[index as usize + 1] = words[1];
        }
        self.constants.insert((words[0], words[1], pair), index);
        index
    }

    pub(super) fn constant_value(&mut self, value: &ScalarValue) -> Option<Place> {
        let index = match value {
            ScalarValue::Int(value) if value.width() <= 64 => self.constant([value.to_u64()?, 0], false),
            ScalarValue::Float(value) if value.format().bits() <= 64 => {
                self.constant([value.raw_bits() as u64, 0], false)
            }
            ScalarValue::Pointer(pointer) => self.constant(Pointer::pack(*pointer), true),
            _ => return None,
        };
        Some(Place {
            index,
            ty: value.ty(),
        })
    }

    /// A place for an intermediate value, free again after the statement.
    pub(super) fn temporary(&mut self, ty: Type) -> Place {
        let index = match storage(ty) {
            Storage::Word => {
                let index = self.free_words.pop().unwrap_or_else(|| self.new_words(1));
                self.used_words.push(index);
                index
            }
            Storage::Pointer => {
                let index = self.free_pairs.pop().unwrap_or_else(|| self.new_words(2));
                self.used_pairs.push(index);
                index
            }
            Storage::Wide => return self.new_place(ty),
        };
        Place { index, ty }
    }

    fn release(&mut self) {
        self.free_words.append(&mut self.used_words);
        self.free_pairs.append(&mut self.used_pairs);
    }

    fn finish(self) -> Code {
        self.code
    }
}

/// For each transition the constants it compares the one variable with; `None` for the last, which takes
/// all other values.
fn switch_cases(transitions: &[Transition]) -> Option<(Vec<Option<Vec<u64>>>, VariableId)> {
    let mut subject = None;
    let (_, cases) = transitions.split_last()?;
    let mut found = Vec::new();
    for transition in cases {
        let mut values = Vec::new();
        collect_cases(&transition.guard, &mut subject, &mut values)?;
        found.push(Some(values));
    }
    found.push(None);
    Some((found, subject?))
}

/// The constants of `x == 1 || x == 2 …`.
fn collect_cases(guard: &Expr, subject: &mut Option<VariableId>, values: &mut Vec<u64>) -> Option<()> {
    match guard {
        Expr::Binary(BinaryOp::Or, left, right) => {
            collect_cases(left, subject, values)?;
            collect_cases(right, subject, values)
        }
        Expr::Binary(BinaryOp::Eq, left, right) => match (&**left, &**right) {
            (Expr::Variable(variable), Expr::Int(value))
                if *subject.get_or_insert(*variable) == *variable =>
            {
                values.push(value.to_u64()?);
                Some(())
            }
            _ => None,
        },
        _ => None,
    }
}
