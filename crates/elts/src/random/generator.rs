//! The frame of a random program: its tables, functions and control flow.

use kripke_model::PropertyKind;
use kripke_value::{BitVec, FloatFormat};

use crate::ids::{FunctionId, GlobalId, Id, IdVec, LocationId, ObjectSiteId, PropertyId, VariableId};
use crate::program::{
    BinaryOp, DataModel, Expr, Function, Global, InitialCell, InitialRest, Location, ObjectSite, Position,
    Program, PropertySite, SourceFile, Statement, StatementKind, Transition, Type, UnaryOp, Variable,
    VariableKind,
};
use crate::random::Random;

/// What a random program may contain.
#[derive(Clone, Debug)]
pub struct RandomOptions {
    /// Floats.
    pub floats: bool,
    /// Integers of more than 64 bits.
    pub wide: bool,
    /// Memory: pointers, loads, stores, objects.
    pub memory: bool,
    /// Expressions whose value depends on the addresses of objects.
    pub addresses: bool,
    /// Locals that may be read before they are assigned.
    pub uninitialised: bool,
    /// Output.
    pub output: bool,
    /// Calls.
    pub calls: bool,
    /// How many statements a function has, about.
    pub size: usize,
}

impl Default for RandomOptions {
    fn default() -> Self {
        RandomOptions {
            floats: true,
            wide: true,
            memory: true,
            addresses: true,
            uninitialised: true,
            output: true,
            calls: true,
            size: 25,
        }
    }
}

/// A random program that keeps all rules of the model.
pub fn random_program(seed: u64, options: &RandomOptions) -> Program {
    let mut generator = Generator::new(seed, options.clone());
    generator.tables();
    let count = if options.calls {
        1 + generator.random.below(3)
    } else {
        1
    };
    // Functions are numbered from `main`; each calls only later ones, so they are made last to first.
    let mut functions = Vec::new();
    for index in (0..count).rev() {
        let function = generator.function(index);
        generator
            .callees
            .insert(0, (FunctionId::new(index), signature(&function)));
        functions.insert(0, function);
    }
    generator.program.functions = IdVec::from(functions);
    generator.program
}

/// Types of parameters and results.
pub type Signature = (Vec<Type>, Vec<Type>);

fn signature(function: &Function) -> Signature {
    let types = |ids: &[VariableId]| ids.iter().map(|&id| function.variables[id].ty).collect();
    (types(&function.parameters), types(&function.results))
}

pub struct Generator {
    pub random: Random,
    pub options: RandomOptions,
    pub program: Program,
    pub callees: Vec<(FunctionId, Signature)>,
    pub function_id: FunctionId,
    pub variables: IdVec<VariableId, Variable>,
    /// Loop counters, which only their loop assigns.
    pub counters: Vec<VariableId>,
    locations: IdVec<LocationId, Location>,
    pub statements_left: usize,
    line: u32,
}

impl Generator {
    fn new(seed: u64, options: RandomOptions) -> Self {
        let mut random = Random::new(seed);
        let pointer_width = random.pick(&[64, 64, 32]);
        let data_model = DataModel {
            pointer_width,
            int_width: 32,
            long_width: pointer_width,
            big_endian: random.one_in(5),
            triple: "random".to_owned(),
        };
        Generator {
            random,
            options,
            program: Program {
                data_model,
                files: IdVec::from(vec![SourceFile {
                    path: "random.c".to_owned(),
                    is_library_model: false,
                }]),
                c_types: IdVec::new(),
                globals: IdVec::new(),
                functions: IdVec::new(),
                object_sites: IdVec::new(),
                properties: IdVec::new(),
                entry: FunctionId::new(0),
                external_functions: Vec::new(),
                assumptions: Vec::new(),
            },
            callees: Vec::new(),
            function_id: FunctionId::new(0),
            variables: IdVec::new(),
            counters: Vec::new(),
            locations: IdVec::new(),
            statements_left: 0,
            line: 1,
        }
    }

    pub fn position(&mut self) -> Position {
        self.line += 1;
        Position {
            line: self.line,
            column: 1,
            ..Position::default()
        }
    }

    fn tables(&mut self) {
        let format = self.bytes_global("format", b"%d %u %x\n");
        debug_assert_eq!(format, GlobalId::new(0));
        if !self.options.memory {
            return;
        }
        for index in 0..2 + self.random.below(4) {
            let position = self.position();
            let size = self.random.pick(&[1, 2, 4, 8, 12, 16, 24, 40]);
            let mut cells = Vec::new();
            let mut offset = 0;
            while offset + 8 <= size && !self.random.one_in(3) {
                let ty = self.random.pick(&[Type::Int(8), Type::Int(32), Type::Int(64)]);
                cells.push(InitialCell {
                    offset,
                    ty,
                    value: self.literal(ty),
                });
                offset += 8;
            }
            self.program.globals.push(Global {
                name: format!("global{index}"),
                c_name: Some(format!("global{index}")),
                size,
                align: self.random.pick(&[1, 4, 8, 16]),
                cells,
                rest: if self.random.one_in(6) {
                    InitialRest::Nondet
                } else {
                    InitialRest::Zero
                },
                constant: self.random.one_in(5),
                thread_local: self.random.one_in(8),
                c_type: None,
                position,
            });
        }
    }

    fn bytes_global(&mut self, name: &str, text: &[u8]) -> GlobalId {
        let position = self.position();
        let cells = text.iter().enumerate().map(|(offset, &byte)| InitialCell {
            offset: offset as u64,
            ty: Type::Int(8),
            value: Expr::Int(BitVec::new(8, u128::from(byte))),
        });
        self.program.globals.push(Global {
            name: name.to_owned(),
            c_name: None,
            size: text.len() as u64 + 1,
            align: 1,
            cells: cells.collect(),
            rest: InitialRest::Zero,
            constant: true,
            thread_local: false,
            c_type: None,
            position,
        })
    }

    pub fn property(&mut self, kind: PropertyKind) -> PropertyId {
        let position = self.position();
        let description = format!("random {}", kind.name());
        let function = self.function_id;
        self.program.properties.push(PropertySite {
            kind,
            description,
            position,
            function,
        })
    }

    pub fn object_site(&mut self) -> ObjectSiteId {
        let position = self.position();
        let name = format!("object{}", self.program.object_sites.len());
        let align = self.random.pick(&[1, 4, 8, 16]);
        self.program.object_sites.push(ObjectSite {
            name,
            align,
            once: self.random.one_in(4),
            c_type: None,
            position,
        })
    }

    /// The types that variables may have.
    pub fn scalar_type(&mut self) -> Type {
        let mut types = vec![
            Type::Int(32),
            Type::Int(32),
            Type::Int(8),
            Type::Int(64),
            Type::BOOL,
            Type::Int(16),
            Type::Int(7),
        ];
        if self.options.floats {
            types.extend([
                Type::Float(FloatFormat::Binary32),
                Type::Float(FloatFormat::Binary64),
            ]);
        }
        if self.options.wide {
            types.extend([Type::Int(128), Type::Int(70)]);
        }
        if self.options.memory {
            types.extend([Type::Pointer, Type::Pointer]);
        }
        self.random.pick(&types)
    }

    fn variable(&mut self, name: String, ty: Type, kind: VariableKind) -> VariableId {
        let position = self.position();
        self.variables.push(Variable {
            name,
            ty,
            kind,
            c_type: None,
            position,
        })
    }

    /// A new temporary, which only the caller reads.
    pub fn temporary(&mut self, ty: Type) -> VariableId {
        let name = format!("temporary{}", self.variables.len());
        self.variable(name, ty, VariableKind::Temporary)
    }

    fn function(&mut self, index: usize) -> Function {
        self.function_id = FunctionId::new(index);
        self.variables = IdVec::new();
        self.locations = IdVec::new();
        self.counters = Vec::new();
        self.statements_left = self.options.size;
        let position = self.position();
        let (parameter_count, result_type) = match index {
            0 => (0, Type::Int(32)),
            _ => (self.random.below(4), self.scalar_type()),
        };
        let mut parameters = Vec::new();
        for number in 0..parameter_count {
            let ty = self.scalar_type();
            parameters.push(self.variable(format!("parameter{number}"), ty, VariableKind::Parameter));
        }
        for number in 0..3 + self.random.below(6) {
            let ty = self.scalar_type();
            self.variable(format!("local{number}"), ty, VariableKind::Local);
        }
        let result = self.variable("result".to_owned(), result_type, VariableKind::Local);
        let entry = self.location("entry");
        let mut first = self.initial_assignments(&parameters);
        let exit = self.location("exit");
        let end = self.sequence(&mut first, entry, 0);
        let value = self.expr(result_type, 3);
        let mut last = first;
        last.push(self.statement(StatementKind::Assign {
            target: result,
            value,
        }));
        self.connect(end, last, exit);
        Function {
            name: if index == 0 {
                "main".to_owned()
            } else {
                format!("function{index}")
            },
            parameters,
            results: vec![result],
            variables: std::mem::take(&mut self.variables),
            locations: std::mem::take(&mut self.locations),
            entry,
            exit,
            position,
            variadic: false,
        }
    }

    /// Assigns every local, unless the program may read uninitialised ones.
    fn initial_assignments(&mut self, parameters: &[VariableId]) -> Vec<Statement> {
        let mut statements = Vec::new();
        for id in self.variables.ids() {
            let skipped = parameters.contains(&id) || self.options.uninitialised && self.random.one_in(6);
            if !skipped {
                let value = self.literal(self.variables[id].ty);
                statements.push(self.statement(StatementKind::Assign { target: id, value }));
            }
        }
        statements
    }

    pub fn statement(&mut self, kind: StatementKind) -> Statement {
        let position = self.position();
        Statement { kind, position }
    }

    fn location(&mut self, name: &str) -> LocationId {
        let position = self.position();
        self.locations.push(Location {
            name: name.to_owned(),
            transitions: Vec::new(),
            position,
        })
    }

    fn transition(&mut self, from: LocationId, guard: Expr, statements: Vec<Statement>, target: LocationId) {
        let position = self.position();
        self.locations[from].transitions.push(Transition {
            guard,
            statements,
            target,
            position,
        });
    }

    fn connect(&mut self, from: LocationId, statements: Vec<Statement>, target: LocationId) {
        self.transition(from, Expr::Int(BitVec::from_bool(true)), statements, target);
    }

    /// Code that begins at a location; `pending` are statements not yet on a transition. Returns where it
    /// ends.
    fn sequence(&mut self, pending: &mut Vec<Statement>, start: LocationId, depth: usize) -> LocationId {
        let mut at = start;
        let count = 1 + self.random.below(8);
        for _ in 0..count {
            if self.statements_left == 0 {
                break;
            }
            self.statements_left -= 1;
            match self.random.below(10) {
                0 | 1 if depth < 3 => at = self.branch(pending, at, depth),
                2 if depth < 2 => at = self.counted_loop(pending, at, depth),
                3 if depth < 3 => at = self.switch(pending, at, depth),
                _ => self.simple_statements(pending),
            }
        }
        at
    }

    fn branch(&mut self, pending: &mut Vec<Statement>, at: LocationId, depth: usize) -> LocationId {
        let condition = self.expr(Type::BOOL, 3);
        let split = self.location("split");
        self.connect(at, std::mem::take(pending), split);
        let join = self.location("join");
        for guard in [condition.clone(), Expr::Unary(UnaryOp::Not, Box::new(condition))] {
            let side = self.location("side");
            self.transition(split, guard, Vec::new(), side);
            let mut statements = Vec::new();
            if self.random.one_in(10) {
                self.fail(side, join);
                continue;
            }
            let end = self.sequence(&mut statements, side, depth + 1);
            self.connect(end, statements, join);
        }
        join
    }

    /// Code as checks have it: a location that only fails.
    fn fail(&mut self, at: LocationId, target: LocationId) {
        let property = self.property(PropertyKind::Overflow);
        let condition = Expr::Int(BitVec::from_bool(false));
        let statements = vec![self.statement(StatementKind::Assert { condition, property })];
        self.connect(at, statements, target);
    }

    fn switch(&mut self, pending: &mut Vec<Statement>, at: LocationId, depth: usize) -> LocationId {
        let ty = Type::Int(32);
        let subjects: Vec<VariableId> = self
            .variables
            .ids()
            .filter(|&id| self.variables[id].ty == ty)
            .collect();
        if subjects.is_empty() {
            return at;
        }
        let subject = self.random.pick(&subjects);
        let split = self.location("switch");
        self.connect(at, std::mem::take(pending), split);
        let join = self.location("join");
        let cases = 2 + self.random.below(5);
        let mut none = Expr::Int(BitVec::from_bool(true));
        for case in 0..=cases {
            let value = Expr::Int(BitVec::new(32, case as u128));
            let equal = Expr::Binary(BinaryOp::Eq, Box::new(Expr::Variable(subject)), Box::new(value));
            let guard = if case == cases {
                none.clone()
            } else {
                equal.clone()
            };
            let other = Expr::Unary(UnaryOp::Not, Box::new(equal));
            none = Expr::Binary(BinaryOp::And, Box::new(none), Box::new(other));
            let side = self.location("case");
            self.transition(split, guard, Vec::new(), side);
            let mut statements = Vec::new();
            let end = self.sequence(&mut statements, side, depth + 1);
            self.connect(end, statements, join);
        }
        join
    }

    fn counted_loop(&mut self, pending: &mut Vec<Statement>, at: LocationId, depth: usize) -> LocationId {
        let counter = self.variable(
            format!("counter{}", self.counters.len()),
            Type::Int(16),
            VariableKind::Local,
        );
        self.counters.push(counter);
        let number = |value: u128| Box::new(Expr::Int(BitVec::new(16, value)));
        let read = || Box::new(Expr::Variable(counter));
        pending.push(self.statement(StatementKind::Assign {
            target: counter,
            value: *number(0),
        }));
        let head = self.location("head");
        self.connect(at, std::mem::take(pending), head);
        let rounds = self.random.below(6) as u128;
        let goes_on = Expr::Binary(BinaryOp::SLt, read(), number(rounds));
        let body = self.location("body");
        let after = self.location("after");
        self.transition(head, goes_on.clone(), Vec::new(), body);
        self.transition(
            head,
            Expr::Unary(UnaryOp::Not, Box::new(goes_on)),
            Vec::new(),
            after,
        );
        let mut statements = Vec::new();
        let end = self.sequence(&mut statements, body, depth + 1);
        let value = Expr::Binary(BinaryOp::Add, read(), number(1));
        statements.push(self.statement(StatementKind::Assign {
            target: counter,
            value,
        }));
        self.connect(end, statements, head);
        after
    }
}
