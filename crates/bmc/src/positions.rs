//! Which variables addresses are computed from: positions in data, such as indices, lengths and pointers;
//! and by which a `switch` decides: positions in the program, as the state of a state machine is.
//!
//! Idea: the flow of data backwards from these, through assignments, arguments and results, whatever the
//! path. What else decides (conditions of choices, operands of comparisons) does not flow. Memory is not
//! followed here: which cells are read into a position, and what is stored to them, shows when it is
//! executed. Where no variable is a position in data, none is one in the program: merging is cheaper then.

use std::collections::BTreeSet;

use kripke_elts::{
    BinaryOp, Callee, Expr, FunctionId, Location, Program, ResultKind, StatementKind, VariableId,
};
use rustc_hash::FxHashMap;

/// A variable of a function.
type Variable = (FunctionId, VariableId);

/// A location where so many transitions compare with constants is a `switch`.
const LEAST_CASES: usize = 3;

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
            for statement in function.statements() {
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
        // Where there are no data, one state of a state machine is as good as several, and simpler.
        if positions.known.is_empty() {
            return positions;
        }
        for (id, function) in program.functions.enumerate() {
            for location in function.locations.iter() {
                for decides in decided_by(location) {
                    positions.add(id, decides);
                }
            }
        }
        positions
    }

    /// Is the variable one?
    pub fn contains(&self, function: FunctionId, variable: VariableId) -> bool {
        self.known
            .get(&function)
            .is_some_and(|known| known.contains(&variable))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.known.values().map(BTreeSet::len).sum()
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

/// What a `switch` decides by: the expressions that at least three transitions compare with constants.
fn decided_by(location: &Location) -> Vec<&Expr> {
    let compared = location.transitions.iter().filter_map(|way| match &way.guard {
        Expr::Binary(BinaryOp::Eq, left, right) if matches!(**right, Expr::Int(_)) => Some(&**left),
        _ => None,
    });
    let compared: Vec<&Expr> = compared.collect();
    match compared.len() >= LEAST_CASES {
        true => compared,
        false => Vec::new(),
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
#[cfg(test)]
mod tests {
    use super::*;
    use kripke_elts::Id;

    #[track_caller]
    fn check_text(text: &str, expected: &[&str]) {
        let program = kripke_elts::text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let positions = Positions::new(&program);
        let main = &program.functions[program.entry];
        let of_main = positions.of(program.entry);
        let names: Vec<&str> = of_main.map(|variable| &*main.variables[variable].name).collect();
        assert_eq!(names, expected);
    }

    /// The positions of `main`, by their names, where it does this.
    #[track_caller]
    fn check(statements: &str, expected: &[&str]) {
        let text = format!(
            "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\nfile0 \"test.c\"\n\
             p0 pointer \"access\" in main @1:1\n\
             function main() -> () entry l0 exit l1 @1:1 {{\n\
             local ptr p;\nlocal ptr q;\nlocal i32 i;\nlocal i32 j;\nlocal i32 k;\nlocal i8 x;\n\
             l0 \"\": when true {{ {statements} }} goto l1;\nl1 \"\":\n}}\n\
             function half(of) -> (result) entry l0 exit l1 @2:1 {{\nparameter i32 of;\nlocal i32 result;\n\
             l0 \"\": when true {{ result = of >>u 1i32; }} goto l1;\nl1 \"\":\n}}\n"
        );
        check_text(&text, expected);
    }

    #[test]
    fn what_addresses_are_computed_from() {
        check("x = *i8(p +p i) align 1 pointer p0;", &["p", "i"]);
        check("*i8(p +p (i + j)) = x align 1 pointer p0;", &["p", "i", "j"]);
        check("q = p +p i; x = *i8(q) align 1 pointer p0;", &["p", "q", "i"]);
        check("x = trunc<i8>(i + j);", &[]);
    }

    /// The positions of `main`, by their names, where it does this and decides by these guards what is next.
    #[track_caller]
    fn check_guards(statement: &str, guards: &[&str], expected: &[&str]) {
        let ways = guards.iter().map(|guard| format!("when {guard} {{}} goto l1;\n"));
        let text = format!(
            "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\nfile0 \"test.c\"\n\
             p0 pointer \"access\" in main @1:1\n\
             function main() -> () entry l0 exit l1 @1:1 {{\n\
             local i32 i;\nlocal i32 j;\nlocal i8 x;\nlocal ptr p;\n\
             l0 \"\": when true {{ x = trunc<i8>(j); {statement} }} goto l2;\nl1 \"\":\nl2 \"\": {}}}\n",
            ways.collect::<String>()
        );
        check_text(&text, expected);
    }

    #[test]
    fn what_a_switch_decides_by() {
        let access = "*i8(p) = 0i8 align 1 pointer p0;";
        let three = [
            "x == 1i8",
            "x == 2i8",
            "x == 5i8",
            "!(x == 1i8) & (!(x == 2i8) & !(x == 5i8))",
        ];
        check_guards(access, &three, &["j", "x", "p"]);
        check_guards(
            access,
            &["x == 1i8", "x == 2i8", "!(x == 1i8) & !(x == 2i8)"],
            &["p"],
        );
        check_guards(access, &["i == j", "j == i", "i <u j"], &["p"]);
        // There are no data.
        check_guards("", &three, &[]);
    }

    #[test]
    fn what_flows_there_comes_from_anywhere() {
        check(
            "i = j; x = *i8(p +p i) align 1 pointer p0; j = k;",
            &["p", "i", "j", "k"],
        );
        check(
            "i = call half(j); x = *i8(p +p i) align 1 pointer p0;",
            &["p", "i", "j"],
        );
    }

    #[test]
    fn what_only_decides_is_none() {
        check(
            "x = *i8(p +p ((k <u 5i32) ? i : j)) align 1 pointer p0;",
            &["p", "i", "j"],
        );
        check("x = *i8(p +p zext<i32>(k == j)) align 1 pointer p0;", &["p"]);
    }

    #[test]
    fn what_is_stored_to_a_position_is_one_from_then_on() {
        let mut positions = Positions {
            sources: FxHashMap::default(),
            known: FxHashMap::default(),
        };
        let (function, variable) = (FunctionId::new(0), VariableId::new(3));
        let source = VariableId::new(1);
        positions.flows(function, &Expr::Variable(source), (function, variable));
        assert!(!positions.contains(function, variable));
        positions.add(function, &Expr::Variable(variable));
        assert!(positions.contains(function, variable) && positions.contains(function, source));
        assert!(!positions.contains(function, VariableId::new(2)));
    }
}
