//! What pointers may point to, for the whole program at once.
//!
//! Idea: every variable has a set of objects that its value may be an address of, and every object a set of
//! those whose addresses its bytes may hold. The sets only grow until no statement adds anything. Integers
//! carry addresses too, as copies of bytes do; an integer that becomes a pointer may point to anything, as
//! may a pointer that is read where bits are that nobody knows.
//!
//! Invariant: a pointer that a run follows points to an object of its set, unless the set has the object
//! [`Objects::ANY`].
//!
//! Source: Andersen: Program analysis and specialization for the C programming language (1994), without the
//! order of statements, one object per allocation site, fields not told apart.

use kripke_elts::threads::CREATE;
use kripke_elts::{
    BinaryOp, Callee, CastOp, Expr, Function, FunctionId, GlobalId, Id, InitialRest, ObjectSiteId, Program,
    Statement, StatementKind, Type, VariableId,
};

/// A set of objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objects {
    words: Vec<u64>,
}

impl Objects {
    /// Stands for every object there is.
    pub const ANY: usize = 0;

    /// Stands for what is at addresses that are numbers of the program: registers of devices.
    pub const FIXED: usize = 1;

    /// Stands for bits that nobody knows, which are too few for an address: no object, but a pointer that is
    /// read where they are may be made of them.
    pub const BITS: usize = 2;

    /// The set of one object.
    pub fn one(object: usize) -> Self {
        let mut set = Objects::default();
        set.insert(object);
        set
    }

    /// Adds an object.
    pub fn insert(&mut self, object: usize) {
        if self.words.len() <= object / 64 {
            self.words.resize(object / 64 + 1, 0);
        }
        self.words[object / 64] |= 1 << (object % 64);
    }

    /// Takes an object out.
    fn remove(&mut self, object: usize) {
        if let Some(word) = self.words.get_mut(object / 64) {
            *word &= !(1 << (object % 64));
        }
    }

    /// Adds all objects of another set; true when one is new.
    pub fn join(&mut self, other: &Objects) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grown = false;
        for (own, new) in self.words.iter_mut().zip(&other.words) {
            grown |= *new & !*own != 0;
            *own |= new;
        }
        grown
    }

    /// Is it one of them?
    pub fn contains(&self, object: usize) -> bool {
        self.words
            .get(object / 64)
            .is_some_and(|word| word >> (object % 64) & 1 == 1)
    }

    /// May it be any object?
    pub fn is_any(&self) -> bool {
        self.contains(Self::ANY)
    }

    /// The objects.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.words.iter().enumerate();
        words.flat_map(|(index, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| index * 64 + bit)
        })
    }
}

/// The number of the first global.
const FIRST: usize = 3;

/// What pointers may point to.
pub struct PointsTo<'p> {
    program: &'p Program,
    /// The number of each function's first variable.
    first: Vec<usize>,
    variables: Vec<Objects>,
    contents: Vec<Objects>,
    /// The objects whose addresses are held in memory, or passed to functions.
    passed_on: Objects,
    /// The functions with a body whose addresses are taken somewhere, and those without.
    taken: Vec<FunctionId>,
    taken_without_body: Vec<FunctionId>,
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
        let objects = FIRST + program.globals.len() + program.object_sites.len() + program.functions.len();
        let has_body = |id: &FunctionId| !program.functions[*id].locations.is_empty();
        let (taken, taken_without_body) = addresses_taken(program).into_iter().partition(has_body);
        let mut analysis = PointsTo {
            program,
            first,
            variables: vec![Objects::default(); count],
            contents: vec![Objects::default(); objects],
            passed_on: Objects::default(),
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
        FIRST + global.index()
    }

    /// The number of what an allocation site makes.
    pub fn site(&self, site: ObjectSiteId) -> usize {
        FIRST + self.program.globals.len() + site.index()
    }

    fn function(&self, function: FunctionId) -> usize {
        FIRST + self.program.globals.len() + self.program.object_sites.len() + function.index()
    }

    /// The global of that number.
    pub fn as_global(&self, object: usize) -> Option<GlobalId> {
        let index = object.checked_sub(FIRST)?;
        (index < self.program.globals.len()).then(|| GlobalId::new(index))
    }

    /// May anybody know the address of an object beside the functions that name it?
    pub fn is_passed_on(&self, object: usize) -> bool {
        self.passed_on.is_any() || self.passed_on.contains(object)
    }

    fn all_passed_on(&self) -> Objects {
        let mut all = Objects::default();
        for held in &self.contents {
            all.join(held);
        }
        for (id, function) in self.program.functions.enumerate() {
            for parameter in &function.parameters {
                all.join(&self.variables[self.node(id, *parameter)]);
            }
        }
        all
    }

    /// What a pointer of a function may point to.
    pub fn of(&self, function: FunctionId, pointer: &Expr) -> Objects {
        match pointer {
            Expr::GlobalAddress(global) => Objects::one(self.global(*global)),
            Expr::FunctionAddress(callee) => Objects::one(self.function(*callee)),
            Expr::Variable(variable) => self.variables[self.node(function, *variable)].clone(),
            Expr::Cast(CastOp::IntToPointer, address, _) if matches!(**address, Expr::Int(_)) => {
                Objects::one(Objects::FIXED)
            }
            Expr::PointerAdd(pointer, _) => self.of(function, pointer),
            Expr::Cast(CastOp::IntToPointer, ..) => Objects::one(Objects::ANY),
            Expr::SameObject(..) | Expr::ObjectSize(_) | Expr::PointerOffset(_) => Objects::default(),
            Expr::Binary(BinaryOp::PDiff | BinaryOp::PEq | BinaryOp::PULt | BinaryOp::PULe, ..) => {
                Objects::default()
            }
            _ => {
                let mut all = Objects::default();
                for child in pointer.children() {
                    all.join(&self.of(function, child));
                }
                all
            }
        }
    }

    /// The functions with a body that a call may call.
    pub fn callees(&self, function: FunctionId, callee: &Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Direct(callee) => vec![*callee],
            Callee::Indirect(pointer) => {
                let objects = self.of(function, pointer);
                let fits =
                    |callee: &&FunctionId| objects.is_any() || objects.contains(self.function(**callee));
                self.taken.iter().filter(fits).copied().collect()
            }
        }
    }

    /// The functions without a body whose addresses are taken somewhere.
    pub fn taken_without_body(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.taken_without_body.iter().copied()
    }

    fn node(&self, function: FunctionId, variable: VariableId) -> usize {
        self.first[function.index()] + variable.index()
    }

    /// What globals hold at the start.
    fn start(&mut self) {
        for (id, global) in self.program.globals.enumerate() {
            let mut held = Objects::default();
            for cell in &global.cells {
                held.join(&self.of(self.program.entry, &cell.value));
            }
            if global.rest != InitialRest::Zero {
                held.insert(Objects::ANY);
            }
            let object = self.global(id);
            self.contents[object] = held;
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

    fn add(&mut self, function: FunctionId, variable: VariableId, objects: &Objects) -> bool {
        let node = self.node(function, variable);
        if self.program.functions[function].variables[variable].ty == Type::Pointer {
            // What it depends on is no part of it.
            return self.variables[node].join(&without_bits(objects.clone()));
        }
        self.variables[node].join(objects)
    }

    /// What the bytes of some objects may hold.
    fn held_by(&self, objects: &Objects) -> Objects {
        let mut held = self.contents[Objects::ANY].clone();
        for object in objects.iter().filter(|object| *object != Objects::BITS) {
            held.join(&self.contents[object]);
        }
        if objects.is_any() {
            held.insert(Objects::ANY);
        }
        held
    }

    fn hold(&mut self, objects: &Objects, held: &Objects) -> bool {
        let mut grown = false;
        for object in objects.iter().filter(|object| *object != Objects::BITS) {
            grown |= self.contents[object].join(held);
        }
        grown
    }

    fn statement(&mut self, id: FunctionId, function: &Function, statement: &Statement) -> bool {
        use StatementKind as K;
        match &statement.kind {
            K::Assign { target, value } => {
                let objects = self.of(id, value);
                self.add(id, *target, &objects)
            }
            K::Load {
                target,
                address,
                checks,
                ..
            } => {
                let of = self.of(id, address);
                let mut held = self.held_by(&of);
                let is_pointer = function.variables[*target].ty == Type::Pointer;
                // Bytes that were never written may be any address where nobody looks for such reads.
                let is_open = checks.uninitialised.is_none() || held.contains(Objects::BITS);
                if is_pointer && is_open || of.contains(Objects::FIXED) {
                    held.insert(self.unknown(function, *target));
                }
                self.add(id, *target, &held)
            }
            K::Store {
                address, ty, value, ..
            } => {
                let (objects, mut held) = (self.of(id, address), self.of(id, value));
                if *ty == Type::Pointer {
                    held = without_bits(held);
                }
                self.hold(&objects, &held)
            }
            K::SetMemory { target, value, .. } => {
                let (objects, held) = (self.of(id, target), self.of(id, value));
                self.hold(&objects, &held)
            }
            K::CopyMemory { target, source, .. } => {
                let held = self.held_by(&self.of(id, source));
                let objects = self.of(id, target);
                self.hold(&objects, &held)
            }
            K::StackObject { target, site, .. } | K::HeapObject { target, site, .. } => {
                let object = Objects::one(self.site(*site));
                self.add(id, *target, &object)
            }
            K::Nondet { target, .. } => self.add(id, *target, &Objects::one(self.unknown(function, *target))),
            K::Call {
                results,
                callee,
                arguments,
                ..
            } => self.call(id, results, callee, arguments),
            _ => false,
        }
    }

    /// What a variable holds that may have any value.
    fn unknown(&self, function: &Function, variable: VariableId) -> usize {
        let model = &self.program.data_model;
        match function.variables[variable].ty.bits(model) >= model.pointer_width {
            true => Objects::ANY,
            false => Objects::BITS,
        }
    }

    /// Threads begin in some functions with an argument, and what they return is passed on.
    fn starts(&mut self, id: FunctionId, function: &Expr, argument: &Expr, finish: &Expr) -> bool {
        let program = self.program;
        let mut grown = false;
        let mut passed = self.of(id, argument);
        for pointer in [function, finish] {
            let mut returned = Objects::default();
            for called in self.callees(id, &Callee::Indirect(pointer.clone())) {
                let body = &program.functions[called];
                if let Some(parameter) = body.parameters.first() {
                    grown |= self.add(called, *parameter, &passed);
                }
                for result in &body.results {
                    returned.join(&self.variables[self.node(called, *result)]);
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
        for called in self.callees(id, callee) {
            let body = &program.functions[called];
            for (parameter, argument) in body.parameters.iter().zip(arguments) {
                let objects = self.of(id, argument);
                grown |= self.add(called, *parameter, &objects);
            }
            for (target, result) in results.iter().zip(&body.results) {
                let objects = self.variables[self.node(called, *result)].clone();
                grown |= self.add(id, *target, &objects);
            }
        }
        grown
    }
}

/// A pointer that is one already: bits that it was chosen by do not matter.
fn without_bits(mut objects: Objects) -> Objects {
    objects.remove(Objects::BITS);
    objects
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
