//! Which letters can occur at all.
//!
//! Idea: atoms over the same variables exclude each other (`x == 0` and `x == 1`), and automata that know it
//! are smaller and sharper: a formula may become decided where a letter that never comes would keep it open.
//! The journal paper (section 4.2) leaves that to the user. Here the solver is asked: all bytes that atoms
//! read hold any value, the atoms are evaluated once, and each letter is an assertion that should not fail.
//!
//! Invariant: a letter that is left out has no state of memory at all, reachable or not.

use std::time::{Duration, Instant};

use kripke_elts::{
    AccessChecks, BinaryOp, Callee, Expr, Function, FunctionId, Id, IdVec, Location, LocationId,
    NondetSource, Position, Program, PropertyId, PropertySite, Statement, StatementKind, Transition, Type,
    UnaryOp, Variable, VariableId, VariableKind,
};
use kripke_limits::stretched;
use kripke_logic::label::Cube;
use kripke_logic::{Atoms, Label, Letter};
use kripke_model::PropertyKind;
use kripke_smt::create_solver;

use super::instrument::place_of_our_own;
use super::monitor_code::{binary, int};
use super::private;
use super::watched::Watched;
use crate::decide::Decider;
use crate::engine::Engine;
use crate::options::Options;

/// More atoms than this have too many letters to ask for each.
const MAX_ATOMS: usize = 6;
/// More memory than this is not made arbitrary byte by byte.
const MAX_BYTES: u64 = 1024;
/// How long all questions may take.
const TIME: Duration = Duration::from_secs(2);

/// The letters that can occur, when some cannot.
pub fn possible(
    program: &Program,
    watched: &Watched,
    atoms: &[FunctionId],
    options: &Options,
) -> Option<Label> {
    let bytes: u64 = watched
        .ranges
        .values()
        .flatten()
        .map(|(low, high)| high - low)
        .sum();
    if atoms.is_empty() || atoms.len() > MAX_ATOMS || watched.anything || bytes > MAX_BYTES {
        return None;
    }
    let (program, letters) = question(program, watched, atoms);
    let deadline = Instant::now() + stretched(TIME);
    let options = Options {
        deadline: Some(options.deadline.map_or(deadline, |given| given.min(deadline))),
        unwind: None,
        ..options.clone()
    };
    let impossible = crate::stack::on_big_stack(|| Ok(impossible(&program, &letters, &options)))
        .ok()
        .flatten()?;
    if impossible.iter().all(|none| !none) || impossible.iter().all(|none| *none) {
        return None;
    }
    let mask = (1u64 << atoms.len()) - 1;
    let cubes = impossible
        .iter()
        .enumerate()
        .filter(|(_, none)| !**none)
        .map(|(letter, _)| Cube {
            positive: letter as u64,
            negative: !(letter as u64) & mask,
        });
    Some(Label::from_cubes(cubes))
}

/// The letters that are left out, in words.
pub fn describe(label: &Label, atoms: &Atoms) -> String {
    let all = (0..1u64 << atoms.len()).map(Letter);
    let missing: Vec<String> = all
        .filter(|letter| !label.contains(*letter))
        .map(|letter| letter.describe(atoms))
        .collect();
    let shown = missing.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
    let more = if missing.len() > 3 { "; ..." } else { "" };
    format!("no state of the program has these letters, so they are left out: {shown}{more}")
}

/// Per letter: is it certain that it cannot occur? `None` when the question could not be put.
fn impossible(program: &Program, letters: &[PropertyId], options: &Options) -> Option<Vec<bool>> {
    let mut engine = Engine::new(program, options);
    engine.unwind(64).ok()?;
    if !engine.run.record.cuts.is_empty() {
        return None;
    }
    let mut decider = Decider::new(create_solver(&options.solver).ok()?, options);
    let mut all = Vec::new();
    for letter in letters {
        let conditions: Vec<_> = engine
            .run
            .record
            .violations
            .iter()
            .filter(|violation| violation.property == *letter)
            .map(|violation| violation.condition)
            .collect();
        let any = engine.terms.or_all(conditions);
        all.push(decider.possible(&mut engine, any) == Ok(false));
    }
    Some(all)
}

/// A program that evaluates the atoms once in any state of the memory they read, and asserts that each letter
/// is not the one.
fn question(program: &Program, watched: &Watched, atoms: &[FunctionId]) -> (Program, Vec<PropertyId>) {
    let mut program = program.clone();
    let copies = private::add_copies(&mut program, &watched.functions);
    let position = place_of_our_own(&mut program, "<letters>");
    let mut variables: IdVec<VariableId, Variable> = IdVec::new();
    let mut fresh = |ty: Type| {
        let id = VariableId::new(variables.len());
        variables.push(Variable {
            name: format!("value.{}", id.index()),
            ty,
            kind: VariableKind::Temporary,
            c_type: None,
            position,
        });
        id
    };
    let mut kinds = Vec::new();
    let width = program.data_model.pointer_width;
    for (global, ranges) in &watched.ranges {
        let bytes: std::collections::BTreeSet<u64> =
            ranges.iter().flat_map(|(low, high)| *low..*high).collect();
        for offset in bytes {
            let byte = fresh(Type::Int(8));
            kinds.push(StatementKind::Nondet {
                target: byte,
                source: NondetSource::Input("memory".to_owned()),
            });
            let start = Box::new(Expr::GlobalAddress(*global));
            kinds.push(StatementKind::Store {
                address: Expr::PointerAdd(start, Box::new(int(width, offset))),
                value: Expr::Variable(byte),
                ty: Type::Int(8),
                align: 1,
                volatile: false,
                checks: AccessChecks::default(),
            });
        }
    }
    let mut truths = Vec::new();
    for atom in atoms {
        let atom = copies[atom];
        let function = &program.functions[atom];
        let ty = function
            .results
            .first()
            .map_or(Type::Int(32), |result| function.variables[*result].ty);
        let result = fresh(ty);
        kinds.push(StatementKind::Call {
            results: vec![result],
            callee: Callee::Direct(atom),
            arguments: Vec::new(),
            check: None,
        });
        truths.push(match ty {
            Type::Int(width) => binary(BinaryOp::Ne, Expr::Variable(result), int(width, 0)),
            _ => int(1, 0),
        });
    }
    let entry = FunctionId::new(program.functions.len());
    let mut letters = Vec::new();
    for letter in 0..1u64 << atoms.len() {
        let literals = truths
            .iter()
            .enumerate()
            .map(|(index, truth)| match letter >> index & 1 {
                1 => truth.clone(),
                _ => Expr::Unary(UnaryOp::Not, Box::new(truth.clone())),
            });
        let all = literals
            .reduce(|a, b| binary(BinaryOp::And, a, b))
            .unwrap_or(int(1, 1));
        let property = PropertyId::new(program.properties.len());
        program.properties.push(PropertySite {
            kind: PropertyKind::Ltl,
            description: "a letter that cannot occur".to_owned(),
            position,
            function: entry,
        });
        kinds.push(StatementKind::Assert {
            condition: Expr::Unary(UnaryOp::Not, Box::new(all)),
            property,
        });
        letters.push(property);
    }
    let statements = kinds
        .into_iter()
        .map(|kind| Statement { kind, position })
        .collect();
    program
        .functions
        .push(straight_line(variables, statements, position));
    program.entry = entry;
    (program, letters)
}

fn straight_line(
    variables: IdVec<VariableId, Variable>,
    statements: Vec<Statement>,
    position: Position,
) -> Function {
    let exit = LocationId::new(1);
    let mut locations: IdVec<LocationId, Location> = IdVec::new();
    locations.push(Location {
        name: "entry".to_owned(),
        transitions: vec![Transition {
            guard: int(1, 1),
            statements,
            target: exit,
            position,
        }],
        position,
    });
    locations.push(Location {
        name: "exit".to_owned(),
        transitions: Vec::new(),
        position,
    });
    Function {
        name: "kripke letters".to_owned(),
        parameters: Vec::new(),
        results: Vec::new(),
        variables,
        locations,
        entry: LocationId::new(0),
        exit,
        position,
        variadic: false,
    }
}
