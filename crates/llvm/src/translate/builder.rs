//! Writing one function: variables with unique names, locations, statements.
//!
//! Invariant: statements go to the open location; once it is closed (by a branch, a return or the end of
//! the program) nothing more is written until another one is opened.

use kripke_elts::{
    AccessChecks, CTypeId, Expr, Function, GlobalId, Id, IdVec, Location, LocationId, Position, Statement,
    StatementKind, StopReason, Transition, Type, Variable, VariableId, VariableKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::expressions::{as_boolean, boolean, is_leaf, pointer_offset};

/// A supply of unique names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    used: FxHashSet<String>,
    next: FxHashMap<String, u32>,
}

impl Names {
    /// The name itself, or with a suffix when it is taken.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let mut name = String::with_capacity(wanted.len());
        for character in wanted.chars() {
            let is_plain = character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '$');
            name.push(if is_plain { character } else { '_' });
        }
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            name.insert(0, 't');
        }
        if self.used.insert(name.clone()) {
            return name;
        }
        let next = self.next.entry(name.clone()).or_insert(2);
        loop {
            let candidate = format!("{name}.{next}");
            *next += 1;
            if self.used.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

/// A function being written.
#[derive(Debug)]
pub struct Builder {
    /// Where the statements that follow come from.
    pub position: Position,
    names: Names,
    variables: IdVec<VariableId, Variable>,
    locations: IdVec<LocationId, Location>,
    exit: LocationId,
    stopped: Option<LocationId>,
    open: Option<(LocationId, Vec<Statement>)>,
}

impl Builder {
    /// A function with an entry, which is open, and an exit.
    pub fn new(position: Position) -> Self {
        let mut locations = IdVec::new();
        let entry = locations.push(Location {
            name: "entry".to_owned(),
            transitions: Vec::new(),
            position,
        });
        let exit = locations.push(Location {
            name: "exit".to_owned(),
            transitions: Vec::new(),
            position,
        });
        Builder {
            position,
            names: Names::default(),
            variables: IdVec::new(),
            locations,
            exit,
            stopped: None,
            open: Some((entry, Vec::new())),
        }
    }

    /// The finished function. A location that was never closed must not pass for the end of a path.
    pub fn finish(
        mut self,
        name: String,
        parameters: Vec<VariableId>,
        results: Vec<VariableId>,
        position: Position,
        variadic: bool,
    ) -> Function {
        for (id, location) in self.locations.ids().zip(self.locations.iter_mut()) {
            if location.transitions.is_empty() && id != self.exit && Some(id) != self.stopped {
                let what = "code that was not translated".to_owned();
                let kind = StatementKind::Unsupported { what };
                location.transitions.push(Transition {
                    guard: boolean(true),
                    statements: vec![Statement {
                        kind,
                        position: location.position,
                    }],
                    target: self.exit,
                    position: location.position,
                });
            }
        }
        Function {
            name,
            parameters,
            results,
            variables: self.variables,
            locations: self.locations,
            entry: Id::new(0),
            exit: self.exit,
            position,
            variadic,
        }
    }

    /// A new variable.
    pub fn variable(
        &mut self,
        name: &str,
        ty: Type,
        kind: VariableKind,
        c_type: Option<CTypeId>,
        position: Position,
    ) -> VariableId {
        let name = self.names.fresh(name);
        self.variables.push(Variable {
            name,
            ty,
            kind,
            c_type,
            position,
        })
    }

    /// A new temporary.
    pub fn temporary(&mut self, name: &str, ty: Type) -> VariableId {
        self.variable(name, ty, VariableKind::Temporary, None, self.position)
    }

    /// What is known of a variable.
    pub fn variable_info(&self, id: VariableId) -> &Variable {
        &self.variables[id]
    }

    /// True while statements can be written.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Writes a statement; ignored once the location is closed.
    pub fn emit(&mut self, kind: StatementKind) {
        let position = self.position;
        if let Some((_, statements)) = &mut self.open {
            statements.push(Statement { kind, position });
        }
    }

    /// A store into an object of the start-up function's own, so many bytes from its beginning; nothing is
    /// checked.
    pub fn store_into(
        &mut self,
        (object, offset): (GlobalId, u64),
        pointer_width: u32,
        ty: Type,
        value: Expr,
    ) {
        self.emit(StatementKind::Store {
            address: pointer_offset(Expr::GlobalAddress(object), pointer_width, offset),
            value,
            ty,
            align: 1,
            volatile: false,
            checks: AccessChecks::default(),
        });
    }

    /// `target = value`.
    pub fn assign(&mut self, target: VariableId, value: Expr) {
        self.emit(StatementKind::Assign { target, value });
    }

    /// The value as an expression that is cheap to repeat: itself, or a temporary that holds it.
    pub fn hold(&mut self, name: &str, ty: Type, value: Expr) -> Expr {
        if is_leaf(&value) {
            return value;
        }
        self.hold_always(name, ty, value)
    }

    /// A temporary that holds the value, even a variable's (whose value may change).
    pub fn hold_always(&mut self, name: &str, ty: Type, value: Expr) -> Expr {
        let target = self.temporary(name, ty);
        self.assign(target, value);
        Expr::Variable(target)
    }

    /// A new location.
    pub fn location(&mut self, name: &str) -> LocationId {
        self.locations.push(Location {
            name: name.to_owned(),
            transitions: Vec::new(),
            position: self.position,
        })
    }

    /// Says where a location's code begins.
    pub fn place(&mut self, location: LocationId, position: Position) {
        self.locations[location].position = position;
    }

    /// Where the function returns.
    pub fn exit(&self) -> LocationId {
        self.exit
    }

    /// Opens a location to write to.
    pub fn open(&mut self, location: LocationId) {
        debug_assert!(self.open.is_none(), "the previous location is still open");
        self.open = Some((location, Vec::new()));
    }

    /// Closes the open location with a jump.
    pub fn goto(&mut self, target: LocationId) {
        if let Some((location, statements)) = self.open.take() {
            self.add_transition(location, boolean(true), statements, target);
        }
    }

    /// Closes the open location with guarded branches, each with its statements. The guards exclude each
    /// other and together are true.
    pub fn branch(&mut self, mut branches: Vec<(Expr, Vec<Statement>, LocationId)>) {
        let Some((mut location, mut statements)) = self.open.take() else {
            return;
        };
        if let [(guard, moves, target)] = &mut branches[..]
            && as_boolean(guard) == Some(true)
        {
            statements.append(moves);
            let target = *target;
            return self.add_transition(location, boolean(true), statements, target);
        }
        if !statements.is_empty() {
            let name = format!("{}.branch", self.locations[location].name);
            let after = self.location(&name);
            self.add_transition(location, boolean(true), statements, after);
            location = after;
        }
        for (guard, statements, target) in branches {
            self.add_transition(location, guard, statements, target);
        }
    }

    /// Closes the open location with a two-way branch.
    pub fn branch_on(&mut self, condition: Expr, then: LocationId, otherwise: LocationId) {
        let negated = super::expressions::not(condition.clone());
        self.branch(vec![
            (condition, Vec::new(), then),
            (negated, Vec::new(), otherwise),
        ]);
    }

    fn add_transition(
        &mut self,
        from: LocationId,
        guard: Expr,
        statements: Vec<Statement>,
        target: LocationId,
    ) {
        let position = self.position;
        self.locations[from].transitions.push(Transition {
            guard,
            statements,
            target,
            position,
        });
    }

    /// Ends the path: nothing follows.
    pub fn end_path(&mut self) {
        if self.open.is_none() {
            return;
        }
        let stopped = match self.stopped {
            Some(stopped) => stopped,
            None => {
                let stopped = self.location("stopped");
                self.stopped = Some(stopped);
                stopped
            }
        };
        self.goto(stopped);
    }

    /// Ends the program.
    pub fn stop(&mut self, reason: StopReason, status: Option<Expr>) {
        self.emit(StatementKind::Stop { reason, status });
        self.end_path();
    }

    /// Marks a construct that has no translation, and ends the path.
    pub fn unsupported(&mut self, what: String) {
        self.emit(StatementKind::Unsupported { what });
        self.end_path();
    }

    /// A statement at the current position.
    pub fn statement(&self, kind: StatementKind) -> Statement {
        Statement {
            kind,
            position: self.position,
        }
    }
}
