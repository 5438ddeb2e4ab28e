//! What pointers may point to, for the whole program at once.
//!
//! Idea: every pointer has a set of objects, with offsets, that its value may be an address of, and every
//! object cells that say what its bytes may hold. The sets only grow until no statement adds anything.
//! Integers are not followed: one that becomes a pointer may point to anything, and so may a pointer that is
//! read where a number was written, or a part of a pointer.
//!
//! Invariant: a pointer that a run follows points to an object of its set at one of its offsets, unless the
//! set has [`Targets::ANY`].
//!
//! Source: Andersen: Program analysis and specialization for the C programming language (1994), without the
//! order of statements, one object per allocation site; Pearce, Kelly, Hankin: Efficient field-sensitive
//! pointer analysis of C (2007) for members.

use std::collections::BTreeSet;

use kripke_elts::threads::CREATE;
use kripke_elts::{
    AccessChecks, BinaryOp, Callee, CastOp, DataModel, Expr, Function, FunctionId, GlobalId, Id, InitialRest,
    ObjectSiteId, Program, Statement, StatementKind, Type, VariableId,
};

use crate::contents::{Cell, Contents, Initial, Targets};
use crate::effects::constant;
use crate::offsets::Offsets;

/// What pointers may point to.
pub struct PointsTo<'p> {
    program: &'p Program,
    /// The number of each function's first variable.
    first: Vec<usize>,
    variables: Vec<Targets>,
    /// What is written into each object.
    contents: Vec<Contents>,
    /// What is written through pointers of which nobody knows where they point.
    anywhere: Targets,
    /// What globals hold at the start.
    initial: Vec<Initial>,
    /// The objects whose addresses are held in memory, passed to functions, or made numbers.
    passed_on: BTreeSet<usize>,
    /// The functions with a body whose addresses are taken somewhere, and those without.
    taken: Vec<FunctionId>,
    taken_without_body: Vec<FunctionId>,
}

/// An access to memory through a pointer.
#[derive(Clone, Copy)]
struct Through<'e> {
    address: &'e Expr,
    align: u32,
    checks: &'e AccessChecks,
}

impl<'p> PointsTo<'p> {
    /// Analyses a program.
    pub fn new(program: &'p Program) -> Self {
        let mut first = Vec::new();
        let mut count = 0;
        for function in program.functions.iter() {
            first.push(count);
            count += function.variables.len();
        }
        let sites = Targets::OBJECTS + program.globals.len();
        let objects = sites + program.object_sites.len() + program.functions.len();
        let has_body = |id: &FunctionId| !program.functions[*id].locations.is_empty();
        let (taken, taken_without_body) = addresses_taken(program).into_iter().partition(has_body);
        let mut analysis = PointsTo {
            program,
            first,
            variables: vec![Targets::default(); count],
            contents: vec![Contents::default(); objects],
            anywhere: Targets::default(),
            initial: vec![Initial::default(); sites],
            passed_on: BTreeSet::new(),
            taken,
            taken_without_body,
        };
        analysis.start();
        while analysis.round() {}
        analysis.passed_on = analysis.all_passed_on();
        analysis
    }

    /// The number of a global.
    pub fn global(&self, global: GlobalId) -> usize {
        Targets::OBJECTS + global.index()
    }

    /// The number of what an allocation site makes.
    pub fn site(&self, site: ObjectSiteId) -> usize {
        Targets::OBJECTS + self.program.globals.len() + site.index()
    }

    fn function(&self, function: FunctionId) -> usize {
        let sites = Targets::OBJECTS + self.program.globals.len();
        sites + self.program.object_sites.len() + function.index()
    }

    /// The global of that number.
    pub fn as_global(&self, object: usize) -> Option<GlobalId> {
        let index = object.checked_sub(Targets::OBJECTS)?;
        (index < self.program.globals.len()).then(|| GlobalId::new(index))
    }

    /// The alignment of an object, in bytes.
    fn align(&self, object: usize) -> u32 {
        let sites = Targets::OBJECTS + self.program.globals.len();
        match self.as_global(object) {
            Some(global) => self.program.globals[global].align,
            None if (sites..sites + self.program.object_sites.len()).contains(&object) => {
                self.program.object_sites[ObjectSiteId::new(object - sites)].align
            }
            None => 1,
        }
    }

    /// The size of a pointer in bytes.
    fn pointer_size(&self) -> u64 {
        Type::Pointer.bytes(&self.program.data_model)
    }

    /// May anybody know the address of an object beside the functions that name it?
    pub fn is_passed_on(&self, object: usize) -> bool {
        self.passed_on.contains(&Targets::ANY) || self.passed_on.contains(&object)
    }

    fn all_passed_on(&self) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        let mut add = |targets: &Targets| all.extend(targets.iter().map(|(object, _)| object));
        add(&self.anywhere);
        let written = self.contents.iter().flat_map(|contents| &contents.cells);
        let initial = self.initial.iter().flat_map(Initial::cells);
        written.chain(initial).for_each(|cell| add(&cell.held));
        for (id, function) in self.program.functions.enumerate() {
            for parameter in &function.parameters {
                add(&self.variables[self.node(id, *parameter)]);
            }
            let mut add_numbers = |expr: &Expr| {
                if let Expr::Cast(CastOp::PointerToInt, pointer, _) = expr {
                    add(&self.of(id, pointer));
                }
            };
            for transition in function.transitions() {
                transition.guard.walk(&mut add_numbers);
                for statement in &transition.statements {
                    statement.kind.each_expr(&mut |expr| expr.walk(&mut add_numbers));
                }
            }
        }
        all.remove(&Targets::NUMBERS);
        all.remove(&Targets::UNWRITTEN);
        all
    }

    /// What a pointer of a function may point to; nothing where the expression is no pointer.
    pub fn of(&self, function: FunctionId, pointer: &Expr) -> Targets {
        match pointer {
            Expr::GlobalAddress(global) => Targets::one(self.global(*global), Offsets::FIRST),
            Expr::FunctionAddress(callee) => Targets::one(self.function(*callee), Offsets::FIRST),
            Expr::Variable(variable) => self.variables[self.node(function, *variable)].clone(),
            Expr::Cast(CastOp::IntToPointer, address, _) => match **address {
                Expr::Int(_) => Targets::only(Targets::FIXED),
                _ => Targets::only(Targets::ANY),
            },
            Expr::PointerAdd(pointer, distance) => {
                let (distance, width) = (self.distance(distance), self.program.data_model.pointer_width);
                { self.of(function, pointer) }.map(|at| at.plus(distance).wrapped(width))
            }
            Expr::Select(_, one, other) => {
                let mut all = self.of(function, one);
                all.join(&self.of(function, other));
                all
            }
            _ => Targets::default(),
        }
    }

    /// The values of a number of bytes.
    fn distance(&self, number: &Expr) -> Offsets {
        match number {
            Expr::Int(bits) => bits.to_i128().map_or(Offsets::ANY, Offsets::at),
            Expr::Binary(BinaryOp::Add, a, b) => self.distance(a).plus(self.distance(b)),
            Expr::Binary(BinaryOp::Sub, a, b) => self.distance(a).minus(self.distance(b)),
            Expr::Binary(BinaryOp::Mul, a, b) => match (&**a, &**b) {
                (other, Expr::Int(bits)) | (Expr::Int(bits), other) => bits
                    .to_i128()
                    .map_or(Offsets::ANY, |factor| self.distance(other).times(factor)),
                _ => Offsets::ANY,
            },
            Expr::Binary(BinaryOp::Shl, number, by) => match &**by {
                Expr::Int(by) => match by.to_u64() {
                    Some(by @ 0..=63) => self.distance(number).times(1 << by),
                    _ => Offsets::ANY,
                },
                _ => Offsets::ANY,
            },
            Expr::Select(_, one, other) => self.distance(one).join(self.distance(other)),
            _ => Offsets::ANY,
        }
    }

    /// The functions with a body that a call may call.
    pub fn callees(&self, function: FunctionId, callee: &Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Direct(callee) => vec![*callee],
            Callee::Indirect(pointer) => {
                let targets = self.of(function, pointer);
                let fits =
                    |callee: &&FunctionId| targets.is_any() || targets.contains(self.function(**callee));
                self.taken.iter().filter(fits).copied().collect()
            }
        }
    }

    /// The functions with a body whose addresses are taken somewhere.
    pub fn taken(&self) -> impl Iterator<Item = &FunctionId> + '_ {
        self.taken.iter()
    }

    /// The functions without a body whose addresses are taken somewhere.
    pub fn taken_without_body(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.taken_without_body.iter().copied()
    }

    fn node(&self, function: FunctionId, variable: VariableId) -> usize {
        self.first[function.index()] + variable.index()
    }

    /// What globals hold at the start, and what memory holds that nobody has written.
    fn start(&mut self) {
        let whole = |what| Cell {
            at: Offsets::ANY,
            length: None,
            held: Targets::only(what),
        };
        for (id, global) in self.program.globals.enumerate() {
            let object = self.global(id);
            for cell in &global.cells {
                let length = cell.ty.bytes(&self.program.data_model);
                let held = self.value(self.program.entry, &cell.value, cell.ty);
                let is_zero = matches!(&cell.value, Expr::Int(bits) if bits.is_zero());
                if !is_zero && !held.is_empty() {
                    self.initial[object].push(cell.offset, length, held);
                }
            }
            if global.rest != InitialRest::Zero {
                self.contents[object].write(whole(Targets::ANY));
            }
        }
        for transition in self.program.functions.iter().flat_map(Function::transitions) {
            for (index, statement) in transition.statements.iter().enumerate() {
                let (StatementKind::StackObject { target, size, site }
                | StatementKind::HeapObject {
                    target,
                    size,
                    site,
                    zeroed: false,
                }) = &statement.kind
                else {
                    continue;
                };
                let object = self.site(*site);
                let behind = &transition.statements[index + 1..];
                match constant(size) {
                    Some(size) => {
                        self.leave_unwritten(object, gaps(behind, *target, size, &self.program.data_model))
                    }
                    None => {
                        self.contents[object].write(whole(Targets::UNWRITTEN));
                    }
                }
            }
        }
    }

    fn leave_unwritten(&mut self, object: usize, ranges: Vec<(u64, u64)>) {
        for (from, to) in ranges {
            self.contents[object].write(Cell {
                at: Offsets::at(i128::from(from)),
                length: Some(to - from),
                held: Targets::only(Targets::UNWRITTEN),
            });
        }
    }

    fn round(&mut self) -> bool {
        let mut grown = false;
        for (id, function) in self.program.functions.enumerate() {
            for statement in function.statements() {
                grown |= self.statement(id, function, statement);
            }
        }
        grown
    }

    fn add(&mut self, function: FunctionId, variable: VariableId, targets: &Targets) -> bool {
        let node = self.node(function, variable);
        match self.program.functions[function].variables[variable].ty {
            Type::Pointer => self.variables[node].join(targets),
            _ => false,
        }
    }

    /// What bytes hold into which a value is written.
    fn value(&self, id: FunctionId, value: &Expr, ty: Type) -> Targets {
        match (ty, value) {
            (Type::Pointer, _) => self.of(id, value),
            (_, Expr::Int(bits)) if ty.bytes(&self.program.data_model) >= self.pointer_size() => {
                match bits.is_zero() {
                    true => Targets::default(),
                    false => Targets::only(Targets::FIXED),
                }
            }
            _ => Targets::only(Targets::NUMBERS),
        }
    }

    /// The places of an access. One that is not aligned is a violation, where it is checked.
    fn places(&self, id: FunctionId, access: Through<'_>) -> Targets {
        let mut places = self.of(id, access.address);
        if access.checks.pointer.is_some() {
            let aligned = places.iter().map(|(object, at)| {
                let align = access.align.min(self.align(object));
                (object, at.aligned(i128::from(align)))
            });
            let aligned: Vec<_> = aligned.collect();
            places = Targets::default();
            for (object, at) in aligned {
                places.insert(object, at);
            }
        }
        places
    }

    /// The cells that may share a byte with a range of an object.
    fn each_cell(&self, (object, at): (usize, Offsets), length: Option<u64>, visit: &mut impl FnMut(&Cell)) {
        let mut look = |cell: &Cell| {
            if at.overlap(length, cell.at, cell.length) {
                visit(cell);
            }
        };
        self.contents[object].cells.iter().for_each(&mut look);
        if let Some(initial) = self.initial.get(object) {
            initial.near(at, length, &mut look);
        }
    }

    /// What a pointer holds that is read at some places.
    fn read(&self, places: &Targets, is_unwritten_checked: bool) -> Targets {
        let size = Some(self.pointer_size());
        let mut read = self.anywhere.clone();
        for (object, at) in places.iter() {
            if object < Targets::OBJECTS {
                read.insert(Targets::ANY, Offsets::ANY);
                continue;
            }
            self.each_cell((object, at), size, &mut |cell| {
                read.join(&cell.held);
                if !is_unwritten(&cell.held) && !cell.at.surround(cell.length, at, size) {
                    read.insert(Targets::NUMBERS, Offsets::ANY);
                }
            });
        }
        let is_open = !is_unwritten_checked && read.contains(Targets::UNWRITTEN);
        if is_open || read.contains(Targets::NUMBERS) {
            read.insert(Targets::ANY, Offsets::ANY);
        }
        read.retain(|object| ![Targets::NUMBERS, Targets::UNWRITTEN].contains(&object));
        read
    }

    /// Something is written to some places.
    fn write(&mut self, places: &Targets, length: Option<u64>, held: &Targets) -> bool {
        let mut grown = false;
        for (object, at) in places.iter() {
            grown |= match object {
                Targets::ANY => self.anywhere.join(held),
                Targets::FIXED => false,
                _ => self.contents[object].write(Cell {
                    at,
                    length,
                    held: held.clone(),
                }),
            };
        }
        grown
    }

    /// Bytes are copied.
    fn copy(&mut self, targets: &Targets, sources: &Targets, length: Option<u64>) -> bool {
        let mut grown = false;
        for (object, from) in sources.iter() {
            if object < Targets::OBJECTS {
                grown |= self.write(targets, length, &Targets::only(Targets::NUMBERS));
                continue;
            }
            let mut cells = Vec::new();
            self.each_cell((object, from), length, &mut |cell| {
                let mut cell = cell.clone();
                if !is_unwritten(&cell.held) && !from.surround(length, cell.at, cell.length) {
                    cell.held.insert(Targets::NUMBERS, Offsets::ANY);
                }
                cell.at = cell.at.minus(from);
                cells.push(cell);
            });
            for cell in cells {
                let places = targets.map(|to| to.plus(cell.at));
                grown |= self.write(&places, cell.length, &cell.held);
            }
        }
        if !self.anywhere.is_empty() {
            grown |= self.write(targets, length, &self.anywhere.clone());
        }
        grown
    }

    fn statement(&mut self, id: FunctionId, function: &Function, statement: &Statement) -> bool {
        use StatementKind as K;
        let model = &self.program.data_model;
        let any = Targets::only(Targets::ANY);
        match &statement.kind {
            K::Assign { target, value } => {
                let targets = self.of(id, value);
                self.add(id, *target, &targets)
            }
            K::Load {
                target,
                address,
                align,
                checks,
                ..
            } if function.variables[*target].ty == Type::Pointer => {
                let align = *align;
                let places = self.places(
                    id,
                    Through {
                        address,
                        align,
                        checks,
                    },
                );
                let read = self.read(&places, checks.uninitialised.is_some());
                self.add(id, *target, &read)
            }
            K::Store {
                address,
                ty,
                value,
                align,
                checks,
                ..
            } => {
                let align = *align;
                let places = self.places(
                    id,
                    Through {
                        address,
                        align,
                        checks,
                    },
                );
                let mut held = self.value(id, value, *ty);
                let is_whole = *ty == Type::Pointer
                    && checks.pointer.is_some()
                    && u64::from(align) >= self.pointer_size();
                if places.is_any() && !is_whole {
                    held.insert(Targets::NUMBERS, Offsets::ANY);
                }
                self.write(&places, Some(ty.bytes(model)), &held)
            }
            K::SetMemory {
                target,
                value,
                length,
                ..
            } => {
                let is_zero = matches!(value, Expr::Int(bits) if bits.is_zero());
                let held = match is_zero && constant(length).is_some() {
                    true => Targets::default(),
                    false => Targets::only(Targets::NUMBERS),
                };
                let places = self.of(id, target);
                let mut grown = self.write(&places, constant(length), &held);
                if places.is_any() {
                    grown |= self.anywhere.insert(Targets::NUMBERS, Offsets::ANY);
                }
                grown
            }
            K::CopyMemory {
                target,
                source,
                length,
                ..
            } => {
                let (targets, sources) = (self.of(id, target), self.of(id, source));
                let mut grown = self.copy(&targets, &sources, constant(length));
                if targets.is_any() {
                    grown |= self.anywhere.insert(Targets::NUMBERS, Offsets::ANY);
                }
                grown
            }
            K::StackObject { target, site, .. } | K::HeapObject { target, site, .. } => {
                let object = Targets::one(self.site(*site), Offsets::FIRST);
                self.add(id, *target, &object)
            }
            K::Nondet { target, .. } => self.add(id, *target, &any),
            K::Call {
                results,
                callee,
                arguments,
                ..
            } => self.call(id, results, callee, arguments),
            _ => false,
        }
    }

    /// Threads begin in some functions with an argument, and what they return is passed on.
    fn starts(&mut self, id: FunctionId, function: &Expr, argument: &Expr, finish: &Expr) -> bool {
        let program = self.program;
        let mut grown = false;
        let mut passed = self.of(id, argument);
        for pointer in [function, finish] {
            let mut returned = Targets::default();
            for called in self.callees(id, &Callee::Indirect(pointer.clone())) {
                let body = &program.functions[called];
                if let Some(parameter) = body.parameters.first() {
                    grown |= self.add(called, *parameter, &passed);
                }
                for result in &body.results {
                    match body.variables[*result].ty {
                        Type::Pointer => returned.join(&self.variables[self.node(called, *result)]),
                        _ => returned.insert(Targets::ANY, Offsets::ANY),
                    };
                }
            }
            passed = returned;
        }
        grown
    }

    fn call(&mut self, id: FunctionId, results: &[VariableId], callee: &Callee, arguments: &[Expr]) -> bool {
        let mut grown = false;
        let program = self.program;
        if let (Callee::Direct(callee), [function, argument, finish]) = (callee, arguments)
            && program.functions[*callee].name == CREATE
        {
            grown |= self.starts(id, function, argument, finish);
        }
        let type_of = |id, variable| program.functions[id].variables[variable].ty;
        let any = Targets::only(Targets::ANY);
        for called in self.callees(id, callee) {
            let body = &program.functions[called];
            for (parameter, argument) in body.parameters.iter().zip(arguments) {
                let ty = argument.type_with(&program.data_model, &|variable| type_of(id, variable));
                let targets = match ty {
                    Type::Pointer => self.of(id, argument),
                    _ => any.clone(),
                };
                grown |= self.add(called, *parameter, &targets);
            }
            for (target, result) in results.iter().zip(&body.results) {
                let targets = match type_of(called, *result) {
                    Type::Pointer => self.variables[self.node(called, *result)].clone(),
                    _ => any.clone(),
                };
                grown |= self.add(id, *target, &targets);
            }
        }
        grown
    }
}

/// The ranges of a new object that the statements right behind it do not write before anything can read them:
/// first byte, and one past the last.
fn gaps(behind: &[Statement], object: VariableId, size: u64, model: &DataModel) -> Vec<(u64, u64)> {
    let mut written = Vec::new();
    for statement in behind {
        let (address, length) = match &statement.kind {
            // Others learn the address.
            StatementKind::Store { value, .. } | StatementKind::Assign { value, .. }
                if value.reads(object) =>
            {
                break;
            }
            StatementKind::Store { address, ty, .. } => (address, Some(ty.bytes(model))),
            StatementKind::SetMemory { target, length, .. } => (target, constant(length)),
            StatementKind::Assign { target, .. } if *target != object => continue,
            _ => break,
        };
        let from = match address {
            Expr::Variable(variable) if *variable == object => Some(0),
            Expr::PointerAdd(base, offset) if **base == Expr::Variable(object) => constant(offset),
            _ => None,
        };
        written.extend(
            from.zip(length)
                .and_then(|(from, length)| Some((from, from.checked_add(length)?))),
        );
    }
    written.sort_unstable();
    let (mut gaps, mut at) = (Vec::new(), 0);
    for (from, to) in written {
        if from > at {
            gaps.push((at, from.min(size)));
        }
        at = at.max(to);
    }
    if at < size {
        gaps.push((at, size));
    }
    gaps
}

/// Is it nothing but bytes that were never written?
fn is_unwritten(held: &Targets) -> bool {
    held.iter().all(|(object, _)| object == Targets::UNWRITTEN) && !held.is_empty()
}

/// The functions whose addresses are used other than in calls by name.
fn addresses_taken(program: &Program) -> Vec<FunctionId> {
    let mut taken = vec![false; program.functions.len()];
    for global in program.globals.iter() {
        for cell in &global.cells {
            cell.value.each_function(&mut |id| taken[id.index()] = true);
        }
    }
    program.each_expr(&mut |expr| expr.each_function(&mut |id| taken[id.index()] = true));
    program.functions.ids().filter(|id| taken[id.index()]).collect()
}
