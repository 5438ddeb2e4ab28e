//! Puts the monitors of formulas into a program.
//!
//! Idea: the monitor is synchronous (DESIGN.md, "LTL on C"): a function that evaluates all atoms and steps
//! all monitors is called at the start of the program and after every write that can change an atom. The
//! result is a program like any other: the engine executes it, the interpreter replays it.
//!
//! Invariant: without the monitors' memory the instrumented program behaves as the original one.

use std::collections::BTreeMap;

use kripke_elts::interrupts::DISPATCHER;
use kripke_elts::{
    BinaryOp, Callee, Expr, FileId, Function, FunctionId, Global, GlobalId, Id, IdVec, InitialCell,
    InitialRest, Location, LocationId, Position, Program, PropertyId, PropertySite, SourceFile, Statement,
    StatementKind, Transition, Type, Variable, VariableId, VariableKind,
};
use kripke_logic::Label;
use kripke_model::PropertyKind;
use kripke_value::BitVec;

use super::monitor_code::{self, Field, Layout, MonitorCode, NewVariables, Survivors, binary, int, select};
use super::private;
use super::watched::{Bases, Touch, Watched};
use crate::graph::Graph;

/// A formula that is to be monitored.
#[derive(Clone, Debug)]
pub struct Monitored {
    /// Its monitor.
    pub code: MonitorCode,
    /// For each of its atoms the function that evaluates it.
    pub atoms: Vec<FunctionId>,
    /// The letters that can occur; all when absent.
    pub letters: Option<Label>,
}

/// What is needed of infinite runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infinite {
    /// What is counted beside the survivors. Those as old as the limit, where there is one, count as a
    /// violation.
    pub survivors: Survivors,
    /// A loop iteration without a letter repeats the last one.
    pub stutter: bool,
}

impl Infinite {
    fn age_limit(self) -> Option<u32> {
        match self.survivors {
            Survivors::Aged { limit } => Some(limit),
            Survivors::Counted | Survivors::Marked => None,
        }
    }
}

/// A program with monitors.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The program.
    pub program: Program,
    /// The function that is called for each letter.
    pub letter: FunctionId,
    /// The function that is called when a loop iteration starts anew, where infinite runs matter.
    pub head: Option<FunctionId>,
    /// The property that the survivors do not reach the age limit.
    pub ages: Option<PropertyId>,
    /// Names of the monitors' globals (their numbers change when the program is optimised).
    pub globals: Vec<String>,
}

impl Instrumented {
    /// The memory of a monitor in the program as it is now.
    pub fn memory(&self, formula: usize) -> Option<GlobalId> {
        find_global(&self.program, &self.globals[formula])
    }
}

/// A global by name.
pub fn find_global(program: &Program, name: &str) -> Option<GlobalId> {
    program
        .globals
        .enumerate()
        .find(|(_, global)| global.name == name)
        .map(|(id, _)| id)
}

/// The program with the monitors; `infinite` prepares it for proofs and counterexamples about infinite runs.
pub fn instrument(
    program: &Program,
    formulas: &[Monitored],
    watched: &Watched,
    infinite: Option<Infinite>,
) -> Instrumented {
    let mut program = program.clone();
    let copies = private::add_copies(&mut program, &watched.functions);
    let formulas: Vec<Monitored> = formulas
        .iter()
        .map(|formula| Monitored {
            atoms: formula.atoms.iter().map(|atom| copies[atom]).collect(),
            ..formula.clone()
        })
        .collect();
    let watched = Watched {
        functions: copies.into_values().collect(),
        ..watched.clone()
    };
    let mut builder = Builder::new(program, &formulas, infinite);
    builder.watch(&watched);
    if infinite.is_some() {
        builder.mark_heads(&watched);
    }
    builder.start();
    Instrumented {
        program: builder.program,
        letter: builder.letter,
        head: builder.head,
        ages: builder.ages,
        globals: builder.globals.into_iter().map(|(name, _)| name).collect(),
    }
}

/// The position of what is added to a program and stands in none of its files.
pub(super) fn place_of_our_own(program: &mut Program, path: &str) -> Position {
    let file = FileId::new(program.files.len());
    program.files.push(SourceFile {
        path: path.to_owned(),
        is_library_model: true,
    });
    Position {
        file,
        line: 1,
        column: 1,
    }
}

struct Builder {
    program: Program,
    position: Position,
    letter: FunctionId,
    head: Option<FunctionId>,
    /// Called where a loop starts another iteration that comes to an end.
    gap: Option<FunctionId>,
    ages: Option<PropertyId>,
    globals: Vec<(String, GlobalId)>,
    original_functions: usize,
}

impl Builder {
    fn new(mut program: Program, formulas: &[Monitored], infinite: Option<Infinite>) -> Builder {
        let position = place_of_our_own(&mut program, "<temporal logic>");
        let globals = formulas
            .iter()
            .enumerate()
            .map(|(index, formula)| add_memory(&mut program, index, &formula.code, position))
            .collect();
        let original_functions = program.functions.len();
        let mut builder = Builder {
            program,
            position,
            letter: FunctionId::new(original_functions),
            head: None,
            gap: None,
            ages: None,
            globals,
            original_functions,
        };
        let letter = builder.letter_function(formulas, infinite.map(|infinite| infinite.survivors));
        builder.program.functions.push(letter);
        if let Some(infinite) = infinite {
            builder.add_head(formulas, infinite);
        }
        builder
    }

    /// `letter(happened)`: evaluates the atoms and steps the monitors where a letter happened.
    fn letter_function(&mut self, formulas: &[Monitored], survivors: Option<Survivors>) -> Function {
        let mut variables = Temporaries::default();
        let happened = variables.parameter("happened", Type::BOOL);
        let mut statements = Vec::new();
        let mut values: BTreeMap<FunctionId, Expr> = BTreeMap::new();
        for atom in formulas.iter().flat_map(|formula| &formula.atoms) {
            if values.contains_key(atom) {
                continue;
            }
            let ty = self.result_type(*atom);
            let result = variables.temporary("atom", ty);
            statements.push(self.statement(StatementKind::Call {
                results: vec![result],
                callee: Callee::Direct(*atom),
                arguments: Vec::new(),
                check: None,
            }));
            let truth = variables.temporary("truth", Type::BOOL);
            let value = match ty {
                Type::Int(width) => binary(BinaryOp::Ne, Expr::Variable(result), int(width, 0)),
                _ => int(1, 0),
            };
            statements.push(self.statement(StatementKind::Assign { target: truth, value }));
            values.insert(*atom, Expr::Variable(truth));
        }
        for (index, formula) in formulas.iter().enumerate() {
            let atoms: Vec<Expr> = formula.atoms.iter().map(|atom| values[atom].clone()).collect();
            let memory = self.globals[index].1;
            statements.extend(
                formula
                    .code
                    .letter(memory, &atoms, survivors, &mut variables, self.position),
            );
        }
        self.two_way_function("kripke letter", variables, happened, statements)
    }

    /// A function of one parameter that does something when it is true.
    fn two_way_function(
        &self,
        name: &str,
        variables: Temporaries,
        condition: VariableId,
        statements: Vec<Statement>,
    ) -> Function {
        let (entry, exit) = (LocationId::new(0), LocationId::new(1));
        let transition = |guard: Expr, statements: Vec<Statement>| Transition {
            guard,
            statements,
            target: exit,
            position: self.position,
        };
        let condition = Expr::Variable(condition);
        let opposite = Expr::Unary(kripke_elts::UnaryOp::Not, Box::new(condition.clone()));
        let mut locations: IdVec<LocationId, Location> = IdVec::new();
        locations.push(Location {
            name: "entry".to_owned(),
            transitions: vec![
                transition(condition, statements),
                transition(opposite, Vec::new()),
            ],
            position: self.position,
        });
        locations.push(Location {
            name: "exit".to_owned(),
            transitions: Vec::new(),
            position: self.position,
        });
        Function {
            name: name.to_owned(),
            parameters: variables.parameters,
            results: Vec::new(),
            variables: variables.all,
            locations,
            entry,
            exit,
            position: self.position,
            variadic: false,
        }
    }

    fn result_type(&self, function: FunctionId) -> Type {
        let function = &self.program.functions[function];
        function
            .results
            .first()
            .map_or(Type::Int(32), |result| function.variables[*result].ty)
    }

    fn statement(&self, kind: StatementKind) -> Statement {
        Statement {
            kind,
            position: self.position,
        }
    }

    /// `head(true)`: a loop starts another iteration.
    fn add_head(&mut self, formulas: &[Monitored], infinite: Infinite) {
        let mut variables = Temporaries::default();
        let always = variables.parameter("always", Type::BOOL);
        let mut statements = Vec::new();
        if infinite.age_limit().is_some() {
            let ages = PropertyId::new(self.program.properties.len());
            self.program.properties.push(PropertySite {
                kind: PropertyKind::Ltl,
                description: "no run violates the formula for ever".to_owned(),
                position: self.position,
                function: FunctionId::new(self.program.functions.len()),
            });
            self.ages = Some(ages);
            for (index, formula) in formulas.iter().enumerate() {
                let memory = self.globals[index].1;
                statements.extend(self.reachable(memory, formula, ages, &mut variables));
            }
        }
        if infinite.stutter {
            statements.push(self.letter_call(int(1, 1), self.position));
        }
        if infinite.survivors == Survivors::Marked {
            for (index, formula) in formulas.iter().enumerate() {
                let memory = self.globals[index].1;
                statements.extend(self.pass_on_mark(memory, &formula.code.layout, &mut variables));
            }
        }
        let function = FunctionId::new(self.program.functions.len());
        if let (Some(limit), Some(ages)) = (infinite.age_limit(), self.ages) {
            for (index, formula) in formulas.iter().enumerate() {
                let memory = self.globals[index].1;
                statements.extend(self.age(memory, &formula.code.layout, limit, ages, &mut variables));
            }
        }
        let head = self.two_way_function("kripke head", variables, always, statements);
        self.program.functions.push(head);
        self.head = Some(function);
        if let (Some(limit), Some(ages)) = (infinite.age_limit(), self.ages) {
            self.add_gap(formulas, limit, ages);
        }
    }

    /// `gap(true)`: asserts what is so between two iterations of loops, and changes nothing.
    fn add_gap(&mut self, formulas: &[Monitored], limit: u32, ages: PropertyId) {
        let mut variables = Temporaries::default();
        let always = variables.parameter("always", Type::BOOL);
        let mut statements = Vec::new();
        for (index, formula) in formulas.iter().enumerate() {
            let memory = self.globals[index].1;
            statements.extend(self.reachable(memory, formula, ages, &mut variables));
            let age = variables.temporary("age", Type::Int(32));
            let young = binary(BinaryOp::ULt, Expr::Variable(age), int(32, u64::from(limit)));
            let kinds = [
                monitor_code::load(memory, formula.code.layout.age, age),
                StatementKind::Assert {
                    condition: young,
                    property: ages,
                },
            ];
            statements.extend(kinds.into_iter().map(|kind| self.statement(kind)));
        }
        let gap = self.two_way_function("kripke gap", variables, always, statements);
        self.gap = Some(self.program.functions.push(gap));
    }

    /// The monitor's memory holds what some letters lead to. Asserted, so that the induction may rely on it
    /// and proves it on the way.
    fn reachable(
        &self,
        memory: GlobalId,
        formula: &Monitored,
        ages: PropertyId,
        variables: &mut Temporaries,
    ) -> Vec<Statement> {
        let code = &formula.code;
        let Some(contents) = code.reachable(formula.letters.as_ref(), formula.atoms.len()) else {
            return Vec::new();
        };
        let mut kinds = Vec::new();
        let mut load = |name: &str, field: Field| {
            let target = variables.temporary(name, field.ty);
            kinds.push(monitor_code::load(memory, field, target));
            Expr::Variable(target)
        };
        let state = load("state", code.layout.state);
        let negative = load("negative", code.layout.negative);
        let survivors = load("survivors", code.layout.survivors);
        let equal =
            |field: &Expr, value: &BitVec| binary(BinaryOp::Eq, field.clone(), Expr::Int(value.clone()));
        let all = contents.iter().map(|content| {
            let sets = binary(
                BinaryOp::And,
                equal(&negative, &content.negative),
                equal(&survivors, &content.survivors),
            );
            binary(BinaryOp::And, equal(&state, &content.state), sets)
        });
        let condition = all.reduce(|a, b| binary(BinaryOp::Or, a, b)).unwrap_or(int(1, 1));
        kinds.push(StatementKind::Assert {
            condition,
            property: ages,
        });
        kinds.into_iter().map(|kind| self.statement(kind)).collect()
    }

    /// What the mark was up to now is kept in the age, and it is taken away.
    fn pass_on_mark(&self, memory: GlobalId, layout: &Layout, variables: &mut Temporaries) -> [Statement; 3] {
        let mark = variables.temporary("mark", layout.fillings.ty);
        let kinds = [
            monitor_code::load(memory, layout.fillings, mark),
            monitor_code::store(memory, layout.age, Expr::Variable(mark)),
            monitor_code::store(memory, layout.fillings, int(32, 0)),
        ];
        kinds.map(|kind| self.statement(kind))
    }

    /// The survivors grow older, or there are none.
    fn age(
        &self,
        memory: GlobalId,
        layout: &Layout,
        limit: u32,
        ages: PropertyId,
        variables: &mut Temporaries,
    ) -> Vec<Statement> {
        let mut load = |name: &str, field: Field| {
            let target = variables.temporary(name, field.ty);
            (monitor_code::load(memory, field, target), target)
        };
        let (load_survivors, survivors) = load("survivors", layout.survivors);
        let (load_age, age) = load("age", layout.age);
        let Type::Int(width) = layout.survivors.ty else {
            unreachable!("fields are integers")
        };
        let none = binary(BinaryOp::Eq, Expr::Variable(survivors), int(width, 0));
        let older = binary(BinaryOp::Add, Expr::Variable(age), int(32, 1));
        let next = variables.temporary("next", Type::Int(32));
        let kinds = vec![
            load_survivors,
            load_age,
            StatementKind::Assign {
                target: next,
                value: select(none, int(32, 0), older),
            },
            monitor_code::store(memory, layout.age, Expr::Variable(next)),
            StatementKind::Assert {
                condition: binary(BinaryOp::ULt, Expr::Variable(next), int(32, u64::from(limit))),
                property: ages,
            },
        ];
        kinds.into_iter().map(|kind| self.statement(kind)).collect()
    }

    fn letter_call(&self, happened: Expr, position: Position) -> Statement {
        Statement {
            kind: StatementKind::Call {
                results: Vec::new(),
                callee: Callee::Direct(self.letter),
                arguments: vec![happened],
                check: None,
            },
            position,
        }
    }

    /// A letter after every write that can change an atom.
    fn watch(&mut self, watched: &Watched) {
        let original = self.program.clone();
        for id in original.functions.ids().take(self.original_functions) {
            if watched.functions.contains(&id) {
                continue;
            }
            let bases = Bases::new(&original.functions[id]);
            for (location, code) in original.functions[id].locations.enumerate() {
                for (index, transition) in code.transitions.iter().enumerate() {
                    let statements = self.with_letters(&original, watched, &bases, &transition.statements);
                    self.program.functions[id].locations[location].transitions[index].statements = statements;
                }
            }
        }
    }

    fn with_letters(
        &self,
        program: &Program,
        watched: &Watched,
        bases: &Bases<'_>,
        statements: &[Statement],
    ) -> Vec<Statement> {
        let mut all = Vec::with_capacity(statements.len());
        for statement in statements {
            all.push(statement.clone());
            let touch = match &statement.kind {
                StatementKind::Store { address, ty, .. } => {
                    let bytes = ty.bytes(&program.data_model);
                    let length = int(program.data_model.pointer_width, bytes);
                    watched.touches(program, bases, address, &length)
                }
                StatementKind::CopyMemory { target, length, .. }
                | StatementKind::SetMemory { target, length, .. } => {
                    watched.touches(program, bases, target, length)
                }
                _ => Touch::Never,
            };
            match touch {
                Touch::Never => {}
                Touch::Always => all.push(self.letter_call(int(1, 1), statement.position)),
                Touch::When(condition) => all.push(self.letter_call(condition, statement.position)),
            }
        }
        all
    }

    /// The head function is called whenever a loop of the program starts another iteration. Not those in
    /// which interrupts come: only finitely many come between two steps of what they interrupt, so every
    /// infinite run has infinitely many iterations of other loops. What an induction may rely on is asserted
    /// there, too.
    fn mark_heads(&mut self, watched: &Watched) {
        for id in (0..self.original_functions).map(FunctionId::new) {
            let comes_to_an_end = self.program.functions[id].name.starts_with(DISPATCHER);
            let called = if comes_to_an_end { self.gap } else { self.head };
            let Some(called) = called.filter(|_| !watched.functions.contains(&id)) else {
                continue;
            };
            for (location, index) in closing_transitions(&self.program.functions[id]) {
                let transition = &mut self.program.functions[id].locations[location].transitions[index];
                transition.statements.push(Statement {
                    kind: StatementKind::Call {
                        results: Vec::new(),
                        callee: Callee::Direct(called),
                        arguments: vec![int(1, 1)],
                        check: None,
                    },
                    position: transition.position,
                });
            }
        }
    }

    /// The first letter, at the start of the program.
    fn start(&mut self) {
        let entry = self.program.entry;
        let call = self.letter_call(int(1, 1), self.program.functions[entry].position);
        let function = &mut self.program.functions[entry];
        let start = LocationId::new(function.locations.len());
        function.locations.push(Location {
            name: "first letter".to_owned(),
            transitions: vec![Transition {
                guard: int(1, 1),
                statements: vec![call],
                target: function.entry,
                position: function.position,
            }],
            position: function.position,
        });
        function.entry = start;
    }
}

/// The transitions that start another iteration of a loop.
fn closing_transitions(function: &Function) -> Vec<(LocationId, usize)> {
    let graph = Graph::new(function);
    let mut closing = Vec::new();
    for (location, code) in function.locations.enumerate() {
        for (index, transition) in code.transitions.iter().enumerate() {
            let enters = |of: &u32| graph.loops[*of as usize].head == transition.target;
            if graph.chain(location).iter().any(enters) {
                closing.push((location, index));
            }
        }
    }
    closing
}

fn add_memory(
    program: &mut Program,
    index: usize,
    code: &MonitorCode,
    position: Position,
) -> (String, GlobalId) {
    let name = format!("kripke monitor {index}");
    let id = GlobalId::new(program.globals.len());
    let cells = code.initial().into_iter().map(|(field, value)| InitialCell {
        offset: field.offset,
        ty: field.ty,
        value: Expr::Int(value),
    });
    program.globals.push(Global {
        name: name.clone(),
        c_name: None,
        size: code.layout.size,
        align: 8,
        cells: cells.collect(),
        rest: InitialRest::Zero,
        constant: false,
        thread_local: false,
        c_type: None,
        position,
    });
    (name, id)
}

/// Variables of a function under construction.
#[derive(Default)]
struct Temporaries {
    all: IdVec<VariableId, Variable>,
    parameters: Vec<VariableId>,
}

impl Temporaries {
    fn add(&mut self, name: &str, ty: Type, kind: VariableKind) -> VariableId {
        let id = VariableId::new(self.all.len());
        self.all.push(Variable {
            name: format!("{name}.{}", id.index()),
            ty,
            kind,
            c_type: None,
            position: Position::default(),
        });
        id
    }

    fn parameter(&mut self, name: &str, ty: Type) -> VariableId {
        let id = self.add(name, ty, VariableKind::Parameter);
        self.parameters.push(id);
        id
    }
}

impl NewVariables for Temporaries {
    fn temporary(&mut self, name: &str, ty: Type) -> VariableId {
        self.add(name, ty, VariableKind::Temporary)
    }
}
