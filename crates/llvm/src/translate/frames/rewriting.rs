//! A finished function written anew, statement by statement, with more in between.
//!
//! Invariant: what is left of a transition behind the statement that was asked for last is not lost: a loop
//! or a way out splits the transition, and the rest goes on behind it.

use kripke_elts::{
    AccessChecks, Expr, Function, Id, Location, LocationId, Position, Statement, StatementKind, Transition,
    Type, Variable, VariableId, VariableKind,
};

use crate::translate::expressions::not;

/// A function that is written anew.
pub struct Rewriting {
    function: Function,
    /// Where the statements that are emitted come from.
    pub position: Position,
    /// The transitions that are left.
    open: Vec<(LocationId, usize)>,
    /// The statements of one of them that are left, the next one last.
    left: Vec<Statement>,
    /// Where its last part leads to, and what is written goes.
    target: LocationId,
    at: Option<(LocationId, usize)>,
    written: Vec<Statement>,
    heads: Vec<LocationId>,
    /// The statement that was given out last: the transition, and its place there.
    given: (LocationId, usize, usize),
}

impl Rewriting {
    pub fn new(function: Function) -> Rewriting {
        let mut open = Vec::new();
        for (id, location) in function.locations.enumerate() {
            open.extend((0..location.transitions.len()).map(|at| (id, at)));
        }
        open.reverse();
        Rewriting {
            position: function.position,
            target: function.exit,
            function,
            open,
            left: Vec::new(),
            at: None,
            written: Vec::new(),
            heads: Vec::new(),
            given: (Id::new(0), 0, 0),
        }
    }

    /// The next statement of the function as it was.
    pub fn next(&mut self) -> Option<Statement> {
        while self.left.is_empty() {
            self.close(self.target);
            let (location, at) = self.open.pop()?;
            let transition = &mut self.function.locations[location].transitions[at];
            self.left = std::mem::take(&mut transition.statements);
            self.left.reverse();
            self.target = transition.target;
            self.at = Some((location, at));
            self.given = (location, at, 0);
        }
        self.given.2 += 1;
        self.left.pop()
    }

    /// Where the last statement stood in the function as it was.
    pub fn at(&self) -> (LocationId, usize, usize) {
        let (location, transition, next) = self.given;
        (location, transition, next.saturating_sub(1))
    }

    /// The function as it is now, when there is no next statement.
    pub fn finish(self) -> Function {
        self.function
    }

    /// Writes a statement as it is.
    pub fn push(&mut self, statement: Statement) {
        self.written.push(statement);
    }

    /// Writes a statement of one's own.
    pub fn emit(&mut self, kind: StatementKind) {
        let position = self.position;
        self.written.push(Statement { kind, position });
    }

    /// A new variable.
    pub fn variable(&mut self, ty: Type) -> VariableId {
        let name = format!("kripke.frame.{}", self.function.variables.len());
        self.function.variables.push(Variable {
            name,
            ty,
            kind: VariableKind::Temporary,
            c_type: None,
            position: self.position,
        })
    }

    /// A variable that holds a value.
    pub fn hold(&mut self, ty: Type, value: Expr) -> Expr {
        let target = self.variable(ty);
        self.emit(StatementKind::Assign { target, value });
        Expr::Variable(target)
    }

    /// The value of a place that is certainly valid.
    pub fn load(&mut self, address: Expr, ty: Type) -> Expr {
        let target = self.variable(ty);
        self.emit(StatementKind::Load {
            target,
            address,
            align: 1,
            volatile: false,
            checks: AccessChecks::default(),
        });
        Expr::Variable(target)
    }

    /// Writes to a place that is certainly valid.
    pub fn store(&mut self, address: Expr, value: Expr, ty: Type) {
        self.store_checked(address, value, ty, AccessChecks::default());
    }

    pub fn store_checked(&mut self, address: Expr, value: Expr, ty: Type, checks: AccessChecks) {
        self.emit(StatementKind::Store {
            address,
            value,
            ty,
            align: 1,
            volatile: false,
            checks,
        });
    }

    /// Does something else, and nothing behind it, where a condition is true.
    pub fn leave_where(&mut self, condition: Expr, kind: StatementKind) {
        let branch = self.location();
        self.close(branch);
        let position = self.position;
        let statements = vec![Statement { kind, position }];
        let exit = self.function.exit;
        self.add(branch, condition.clone(), statements, exit);
        let rest = self.add(branch, not(condition), Vec::new(), exit);
        self.at = Some((branch, rest));
    }

    /// What follows is repeated while a condition is true.
    pub fn begin_loop(&mut self, condition: Expr) {
        let head = self.location();
        self.close(head);
        let exit = self.function.exit;
        let body = self.add(head, condition.clone(), Vec::new(), head);
        self.add(head, not(condition), Vec::new(), exit);
        self.heads.push(head);
        self.at = Some((head, body));
    }

    pub fn end_loop(&mut self) {
        if let Some(head) = self.heads.pop() {
            self.close(head);
            self.at = Some((head, 1));
        }
    }

    /// Ends the part of a transition that is being written.
    fn close(&mut self, target: LocationId) {
        if let Some((location, at)) = self.at.take() {
            let transition = &mut self.function.locations[location].transitions[at];
            transition.statements = std::mem::take(&mut self.written);
            transition.target = target;
        }
    }

    fn location(&mut self) -> LocationId {
        self.function.locations.push(Location {
            name: format!("frame.{}", self.function.locations.len()),
            transitions: Vec::new(),
            position: self.position,
        })
    }

    fn add(
        &mut self,
        from: LocationId,
        guard: Expr,
        statements: Vec<Statement>,
        target: LocationId,
    ) -> usize {
        let position = self.position;
        let transitions = &mut self.function.locations[from].transitions;
        transitions.push(Transition {
            guard,
            statements,
            target,
            position,
        });
        transitions.len() - 1
    }
}
