//! Which variables addresses are computed from: positions in data, such as indices, lengths and pointers.
//!
//! Idea: the flow of data backwards from addresses, through assignments, arguments and results, whatever the
//! path. What decides (conditions of choices, operands of comparisons) does not flow. Memory is not followed
//! here: which cells are read into a position, and what is stored to them, shows when it is executed.

use std::collections::BTreeSet;

use kripke_elts::{Callee, Expr, FunctionId, Program, ResultKind, StatementKind, VariableId};
use rustc_hash::FxHashMap;

/// A variable of a function.
type Variable = (FunctionId, VariableId);

/// The positions of a program.
pub(crate) struct Positions {
    /// From which variables the value of one comes.
    sources: FxHashMap<Variable, Vec<Variable>>,
    known: FxHashMap<FunctionId, BTreeSet<VariableId>>,
}

impl Positions {
    /// Those that the program's text shows.
    pub fn new(program: &Program) -> Self {
        let mut positions = Positions {
            sources: FxHashMap::default(),
            known: FxHashMap::default(),
        };
        let mut addresses = Vec::new();
        for (id, function) in program.functions.enumerate() {
            let transitions = function
                .locations
                .iter()
                .flat_map(|location| &location.transitions);
            for statement in transitions.flat_map(|transition| &transition.statements) {
                positions.note_flow(program, id, &statement.kind);
                addresses.extend(
                    addresses_of(&statement.kind)
                        .into_iter()
                        .map(|address| (id, address)),
                );
            }
        }
        for (function, address) in addresses {
            positions.add(function, address);
        }
        positions
    }

    /// Is the variable one?
    pub fn contains(&self, function: FunctionId, variable: VariableId) -> bool {
        self.known
            .get(&function)
            .is_some_and(|known| known.contains(&variable))
    }

    /// Those of a function.
    pub fn of(&self, function: FunctionId) -> impl Iterator<Item = VariableId> + '_ {
        self.known.get(&function).into_iter().flatten().copied()
    }

    /// What an expression is computed from are positions.
    pub fn add(&mut self, function: FunctionId, expression: &Expr) {
        let mut open: Vec<Variable> = Vec::new();
        data(expression, &mut |variable| open.push((function, variable)));
        while let Some((function, variable)) = open.pop() {
            if self.known.entry(function).or_default().insert(variable) {
                open.extend(
                    self.sources
                        .get(&(function, variable))
                        .into_iter()
                        .flatten()
                        .copied(),
                );
            }
        }
    }

    fn note_flow(&mut self, program: &Program, function: FunctionId, statement: &StatementKind) {
        match statement {
            StatementKind::Assign { target, value } => self.flows(function, value, (function, *target)),
            StatementKind::Call {
                results,
                callee: Callee::Direct(callee),
                arguments,
                ..
            } => {
                let code = &program.functions[*callee];
                for (parameter, argument) in code.parameters.iter().zip(arguments) {
                    self.flows(function, argument, (*callee, *parameter));
                }
                for (result, target) in code.results.iter().zip(results) {
                    self.sources
                        .entry((function, *target))
                        .or_default()
                        .push((*callee, *result));
                }
            }
            _ => {}
        }
    }

    fn flows(&mut self, function: FunctionId, from: &Expr, to: Variable) {
        let sources = self.sources.entry(to).or_default();
        data(from, &mut |variable| sources.push((function, variable)));
    }
}

/// The addresses and lengths of a statement.
fn addresses_of(statement: &StatementKind) -> Vec<&Expr> {
    match statement {
        StatementKind::Load { address, .. } | StatementKind::Store { address, .. } => vec![address],
        StatementKind::CopyMemory {
            target,
            source,
            length,
            ..
        } => vec![target, source, length],
        StatementKind::SetMemory { target, length, .. } => vec![target, length],
        StatementKind::Free { pointer, .. } | StatementKind::EndObject { pointer } => vec![pointer],
        StatementKind::HeapObject { size, .. } | StatementKind::StackObject { size, .. } => vec![size],
        StatementKind::Call {
            callee: Callee::Indirect(callee),
            ..
        } => vec![callee],
        _ => Vec::new(),
    }
}

/// The variables that an expression's value is made of, other than those that only decide.
fn data(expression: &Expr, visit: &mut impl FnMut(VariableId)) {
    match expression {
        Expr::Variable(variable) => visit(*variable),
        Expr::Select(_, then, otherwise) => {
            data(then, visit);
            data(otherwise, visit);
        }
        Expr::Binary(op, left, right) if op.signature().1 != ResultKind::Bool => {
            data(left, visit);
            data(right, visit);
        }
        Expr::PointerAdd(left, right) | Expr::Concat(left, right) => {
            data(left, visit);
            data(right, visit);
        }
        Expr::Unary(_, inner) | Expr::Cast(_, inner, _) | Expr::Extract { value: inner, .. } => {
            data(inner, visit);
        }
        Expr::PointerOffset(inner) => data(inner, visit),
        _ => {}
    }
}
