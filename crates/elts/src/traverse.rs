//! Walking over expressions, statements and the graph of a function.

use std::collections::BTreeSet;

use kripke_graph::reachable;
use kripke_value::BitVec;

use crate::ids::{FunctionId, GlobalId, Id, IdVec, LocationId, VariableId};
use crate::program::{
    Callee, Expr, Function, Location, Position, Program, Statement, StatementKind, Transition, Variable,
};

impl Expr {
    /// The operands, left to right.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        let children: [Option<&Expr>; 3] = match self {
            Expr::Int(_)
            | Expr::Float(_)
            | Expr::Null
            | Expr::GlobalAddress(_)
            | Expr::FunctionAddress(_)
            | Expr::Variable(_) => [None; 3],
            Expr::Unary(_, a)
            | Expr::Cast(_, a, _)
            | Expr::ObjectSize(a)
            | Expr::PointerOffset(a)
            | Expr::Extract { value: a, .. } => [Some(a), None, None],
            Expr::Binary(_, a, b) | Expr::PointerAdd(a, b) | Expr::SameObject(a, b) | Expr::Concat(a, b) => {
                [Some(a), Some(b), None]
            }
            Expr::Fma(a, b, c) | Expr::Select(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        children.into_iter().flatten()
    }

    /// The operands, to change.
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let children: [Option<&mut Expr>; 3] = match self {
            Expr::Int(_)
            | Expr::Float(_)
            | Expr::Null
            | Expr::GlobalAddress(_)
            | Expr::FunctionAddress(_)
            | Expr::Variable(_) => [None, None, None],
            Expr::Unary(_, a)
            | Expr::Cast(_, a, _)
            | Expr::ObjectSize(a)
            | Expr::PointerOffset(a)
            | Expr::Extract { value: a, .. } => [Some(a), None, None],
            Expr::Binary(_, a, b) | Expr::PointerAdd(a, b) | Expr::SameObject(a, b) | Expr::Concat(a, b) => {
                [Some(a), Some(b), None]
            }
            Expr::Fma(a, b, c) | Expr::Select(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        children.into_iter().flatten()
    }

    /// Calls `visit` for this expression and everything in it.
    pub fn walk<'e>(&'e self, visit: &mut impl FnMut(&'e Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Calls `visit` for every variable that is read, as often as it is.
    pub fn each_variable(&self, visit: &mut impl FnMut(VariableId)) {
        self.walk(&mut |expr| {
            if let Expr::Variable(id) = expr {
                visit(*id);
            }
        });
    }

    /// Does it read the variable?
    pub fn reads(&self, variable: VariableId) -> bool {
        match self {
            Expr::Variable(id) => *id == variable,
            _ => self.children().any(|child| child.reads(variable)),
        }
    }

    /// How many nodes it has.
    pub fn size(&self) -> usize {
        1 + self.children().map(Expr::size).sum::<usize>()
    }

    /// Calls `visit` for every global whose address it takes.
    pub fn each_global(&self, visit: &mut impl FnMut(GlobalId)) {
        self.walk(&mut |expr| {
            if let Expr::GlobalAddress(id) = expr {
                visit(*id);
            }
        });
    }

    /// Calls `visit` for every function whose address it takes.
    pub fn each_function(&self, visit: &mut impl FnMut(FunctionId)) {
        self.walk(&mut |expr| {
            if let Expr::FunctionAddress(id) = expr {
                visit(*id);
            }
        });
    }
}

impl Program {
    /// Calls `visit` for every expression of every function: guards, and what statements evaluate.
    pub fn each_expr<'p>(&'p self, visit: &mut impl FnMut(&'p Expr)) {
        for transition in self.functions.iter().flat_map(Function::transitions) {
            visit(&transition.guard);
            for statement in &transition.statements {
                statement.kind.each_expr(visit);
            }
        }
    }

    /// Functions, and all that they may come to by calls; `callees` says whom a callee may be.
    pub fn reached<C: IntoIterator<Item = FunctionId>>(
        &self,
        from: impl IntoIterator<Item = FunctionId>,
        callees: impl Fn(FunctionId, &Callee) -> C,
    ) -> BTreeSet<FunctionId> {
        reachable(from, |id| {
            let callees = self.functions[id]
                .callees()
                .flat_map(|callee| callees(id, callee));
            callees.collect::<Vec<_>>()
        })
    }

    /// The statements of all functions.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        self.functions.iter().flat_map(Function::statements)
    }
}

impl Function {
    /// All transitions, by the locations that they leave.
    pub fn transitions(&self) -> impl Iterator<Item = &Transition> {
        self.locations.iter().flat_map(|location| &location.transitions)
    }

    /// All statements.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        self.transitions().flat_map(|transition| &transition.statements)
    }

    /// Whom it calls, as often as it does.
    pub fn callees(&self) -> impl Iterator<Item = &Callee> {
        self.statements().filter_map(|statement| match &statement.kind {
            StatementKind::Call { callee, .. } => Some(callee),
            _ => None,
        })
    }
}

/// Visits the expressions of a statement, in order of evaluation, to read them (`iter`) or to change them
/// (`iter_mut`).
macro_rules! each_expr_of {
    ($statement:expr, $visit:expr, $iter:ident) => {{
        use StatementKind::*;
        match $statement {
            Assign { value, .. } => $visit(value),
            Load { address, .. } => $visit(address),
            Store { address, value, .. } => {
                $visit(address);
                $visit(value);
            }
            StackObject { size, .. } | HeapObject { size, .. } => $visit(size),
            Free { pointer, .. } | EndObject { pointer } => $visit(pointer),
            CopyMemory {
                target,
                source,
                length,
                ..
            } => [target, source, length].into_iter().for_each($visit),
            SetMemory {
                target,
                value,
                length,
                ..
            } => [target, value, length].into_iter().for_each($visit),
            Call {
                callee, arguments, ..
            } => {
                if let Callee::Indirect(pointer) = callee {
                    $visit(pointer);
                }
                arguments.$iter().for_each($visit);
            }
            Assume { condition } | Assert { condition, .. } => $visit(condition),
            SetRounding { mode } => $visit(mode),
            Output { arguments, .. } | Math { arguments, .. } => arguments.$iter().for_each($visit),
            Stop { status, .. } => status.$iter().for_each($visit),
            Nondet { .. } | GetRounding { .. } | Unsupported { .. } | Note { .. } => {}
        }
    }};
}

impl StatementKind {
    /// Calls `visit` for every expression of the statement, in order of evaluation.
    pub fn each_expr<'s>(&'s self, visit: &mut impl FnMut(&'s Expr)) {
        each_expr_of!(self, visit, iter);
    }

    /// The same, to change the expressions.
    pub fn each_expr_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        each_expr_of!(self, visit, iter_mut);
    }

    /// Calls `visit` for every variable that the statement reads.
    pub fn each_read(&self, visit: &mut impl FnMut(VariableId)) {
        self.each_expr(&mut |expr| expr.each_variable(visit));
        if let StatementKind::Note { variable } = self {
            visit(*variable);
        }
    }

    /// The variables that the statement assigns.
    pub fn targets(&self) -> &[VariableId] {
        use StatementKind::*;
        match self {
            Assign { target, .. }
            | Load { target, .. }
            | StackObject { target, .. }
            | HeapObject { target, .. }
            | Nondet { target, .. }
            | Math { target, .. }
            | GetRounding { target } => std::slice::from_ref(target),
            Call { results, .. } => results,
            Output { target, .. } => target.as_slice(),
            Store { .. }
            | Free { .. }
            | EndObject { .. }
            | CopyMemory { .. }
            | SetMemory { .. }
            | Assume { .. }
            | Assert { .. }
            | SetRounding { .. }
            | Stop { .. }
            | Unsupported { .. }
            | Note { .. } => &[],
        }
    }

    /// The variables that the statement assigns, to change.
    pub fn targets_mut(&mut self) -> &mut [VariableId] {
        use StatementKind::*;
        match self {
            Assign { target, .. }
            | Load { target, .. }
            | StackObject { target, .. }
            | HeapObject { target, .. }
            | Nondet { target, .. }
            | Math { target, .. }
            | GetRounding { target } => std::slice::from_mut(target),
            Call { results, .. } => results,
            Output { target, .. } => target.as_mut_slice(),
            _ => &mut [],
        }
    }
}

impl Function {
    /// A function with such parameters that does nothing; where it begins and ends.
    pub fn without_effect(
        name: String,
        parameters: impl IntoIterator<Item = Variable>,
        (begin, end): (Position, Position),
    ) -> Function {
        let variables: IdVec<VariableId, Variable> = parameters.into_iter().collect::<Vec<_>>().into();
        let (entry, exit) = (LocationId::new(0), LocationId::new(1));
        let location = |name: &str, transitions, position| Location {
            name: name.to_owned(),
            transitions,
            position,
        };
        let only = Transition {
            guard: Expr::Int(BitVec::from_bool(true)),
            statements: Vec::new(),
            target: exit,
            position: begin,
        };
        let locations = vec![
            location("entry", vec![only], begin),
            location("exit", Vec::new(), end),
        ];
        Function {
            name,
            parameters: variables.ids().collect(),
            results: Vec::new(),
            variables,
            locations: locations.into(),
            entry,
            exit,
            position: begin,
            variadic: false,
        }
    }

    /// May a run come to a location again after it?
    pub fn is_in_cycle(&self, location: LocationId) -> bool {
        let next = |id: LocationId| {
            let transitions = self.locations[id].transitions.iter();
            transitions
                .map(|transition| transition.target)
                .collect::<Vec<_>>()
        };
        reachable(next(location), next).contains(&location)
    }

    /// The transitions from a location, by their numbers, and their targets; none in a function without body.
    pub fn ways(&self, location: LocationId) -> Vec<(usize, LocationId)> {
        let code = self.locations.get(location);
        let ways = code
            .into_iter()
            .flat_map(|code| code.transitions.iter().enumerate());
        ways.map(|(number, way)| (number, way.target)).collect()
    }

    /// The locations in reverse postorder from the entry; unreachable ones are missing.
    pub fn reverse_postorder(&self) -> Vec<LocationId> {
        if self.locations.is_empty() {
            return Vec::new();
        }
        let mut seen = vec![false; self.locations.len()];
        let mut order = Vec::new();
        let mut stack = vec![(self.entry, 0)];
        seen[self.entry.index()] = true;
        while let Some((location, next)) = stack.last_mut() {
            match self.locations[*location].transitions.get(*next) {
                Some(transition) => {
                    *next += 1;
                    let target = transition.target;
                    if !std::mem::replace(&mut seen[target.index()], true) {
                        stack.push((target, 0));
                    }
                }
                None => {
                    order.push(*location);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// For each location, the transitions that enter it, as (location, index of the transition).
    pub fn predecessors(&self) -> IdVec<LocationId, Vec<(LocationId, usize)>> {
        let mut predecessors = IdVec::from(vec![Vec::new(); self.locations.len()]);
        for (id, location) in self.locations.enumerate() {
            for (index, transition) in location.transitions.iter().enumerate() {
                predecessors[transition.target].push((id, index));
            }
        }
        predecessors
    }
}
