//! Folds temporaries into the expressions that read them, so that a statement reads like C.
//!
//! A temporary that is assigned once moves to its readers if these all stand in the same transition
//! after it, or in the guards behind it, and nothing on the way changes what its value depends on:
//! the variables it reads, the rounding mode, the objects. An expression that is read more than once
//! moves only if it is small.

use rustc_hash::FxHashMap;

use crate::ids::{LocationId, VariableId};
use crate::passes::PassOptions;
use crate::program::{
    BinaryOp, CastOp, Expr, Function, Program, RoundMode, StatementKind, UnaryOp, VariableKind,
};

/// The largest expression that is copied to several readers, in nodes.
const SMALL: usize = 5;

/// The largest expression that a folding may make, in nodes.
const LARGEST: usize = 200;

pub fn run(program: &mut Program, _: &PassOptions) -> bool {
    let mut changed = false;
    for function in program.functions.iter_mut() {
        for id in function.locations.ids() {
            for index in 0..function.locations[id].transitions.len() {
                changed |= fold_transition(function, id, index);
            }
        }
    }
    changed
}

/// What the value of an expression depends on beside its variables.
#[derive(Clone, Copy, Default)]
struct Dependence {
    rounding: bool,
    objects: bool,
}

fn dependence(expr: &Expr) -> Dependence {
    let mut found = Dependence::default();
    expr.walk(&mut |expr| match expr {
        Expr::Fma(..)
        | Expr::Unary(UnaryOp::FSqrt | UnaryOp::FRound(RoundMode::Dynamic), _)
        | Expr::Binary(BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv, ..)
        | Expr::Cast(CastOp::FToF | CastOp::SToF | CastOp::UToF, ..) => found.rounding = true,
        Expr::ObjectSize(_)
        | Expr::Cast(CastOp::IntToPointer | CastOp::PointerToInt, ..)
        | Expr::Binary(BinaryOp::PULt | BinaryOp::PULe | BinaryOp::PDiff, ..) => found.objects = true,
        _ => {}
    });
    found
}

/// Does the statement change what the expression depends on?
fn disturbs(kind: &StatementKind, reads: &[VariableId], dependence: Dependence) -> bool {
    let assigns = kind.targets().iter().any(|target| reads.contains(target));
    assigns
        || match kind {
            StatementKind::Call { .. } => dependence.rounding || dependence.objects,
            StatementKind::SetRounding { .. } => dependence.rounding,
            StatementKind::Free { .. }
            | StatementKind::StackObject { .. }
            | StatementKind::HeapObject { .. } => dependence.objects,
            _ => false,
        }
}

fn fold_transition(function: &mut Function, id: LocationId, index: usize) -> bool {
    let (reads, assigns) = counts(function);
    let single_entry = single_entry(function, id, index);
    let mut changed = false;
    let mut at = 0;
    while at < function.locations[id].transitions[index].statements.len() {
        let target = match &function.locations[id].transitions[index].statements[at].kind {
            StatementKind::Assign { target, value }
                if function.variables[*target].kind == VariableKind::Temporary
                    && assigns.get(target) == Some(&1)
                    && !value.reads(*target) =>
            {
                *target
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let total = reads.get(&target).copied().unwrap_or(0);
        if total > 0
            && !function.results.contains(&target)
            && move_to_readers(function, id, index, at, total, single_entry)
        {
            function.locations[id].transitions[index].statements.remove(at);
            changed = true;
        } else {
            at += 1;
        }
    }
    changed
}

/// How often each variable is read and assigned in the function.
fn counts(function: &Function) -> (FxHashMap<VariableId, usize>, FxHashMap<VariableId, usize>) {
    let (mut reads, mut assigns) = (FxHashMap::default(), FxHashMap::default());
    for transition in function
        .locations
        .iter()
        .flat_map(|location| &location.transitions)
    {
        transition
            .guard
            .each_variable(&mut |variable| *reads.entry(variable).or_default() += 1);
        for statement in &transition.statements {
            statement
                .kind
                .each_read(&mut |variable| *reads.entry(variable).or_default() += 1);
            statement
                .kind
                .targets()
                .iter()
                .for_each(|&target| *assigns.entry(target).or_default() += 1);
        }
    }
    (reads, assigns)
}

/// The target, if only this transition enters it.
fn single_entry(function: &Function, id: LocationId, index: usize) -> Option<LocationId> {
    let target = function.locations[id].transitions[index].target;
    let entering = function
        .locations
        .iter()
        .flat_map(|location| &location.transitions);
    let count = entering.filter(|transition| transition.target == target).count();
    (count == 1 && target != function.entry && target != id).then_some(target)
}

/// Puts the value of the assignment at `at` where its target is read, if all `total` readers can be reached.
fn move_to_readers(
    function: &mut Function,
    id: LocationId,
    index: usize,
    at: usize,
    total: usize,
    single_entry: Option<LocationId>,
) -> bool {
    let transition = &function.locations[id].transitions[index];
    let StatementKind::Assign { target, value } = transition.statements[at].kind.clone() else {
        return false;
    };
    if total > 1 && value.size() > SMALL {
        return false;
    }
    let dependence = dependence(&value);
    let mut variables = Vec::new();
    value.each_variable(&mut |variable| variables.push(variable));
    let reads_of = |expr: &Expr| {
        let mut count = 0;
        expr.each_variable(&mut |variable| count += usize::from(variable == target));
        (count, expr.size())
    };
    let (mut found, mut largest) = (0, 0);
    let mut end = transition.statements.len();
    for (position, statement) in transition.statements.iter().enumerate().skip(at + 1) {
        if matches!(statement.kind, StatementKind::Note { variable } if variable == target) {
            return false;
        }
        statement.kind.each_expr(&mut |expr| {
            let (count, size) = reads_of(expr);
            found += count;
            largest = largest.max(if count > 0 { size } else { 0 });
        });
        if found == total {
            end = position + 1;
            break;
        }
        if disturbs(&statement.kind, &variables, dependence) {
            return false;
        }
    }
    let mut guards = None;
    if found < total {
        let Some(next) = single_entry else { return false };
        for transition in &function.locations[next].transitions {
            found += reads_of(&transition.guard).0;
            largest = largest.max(transition.guard.size());
        }
        guards = Some(next);
    }
    if found != total || largest + value.size() * total > LARGEST {
        return false;
    }
    for statement in &mut function.locations[id].transitions[index].statements[at + 1..end] {
        statement
            .kind
            .each_expr_mut(&mut |expr| substitute(expr, target, &value));
    }
    if let Some(next) = guards {
        for transition in &mut function.locations[next].transitions {
            substitute(&mut transition.guard, target, &value);
        }
    }
    true
}

/// Replaces a variable by an expression.
pub fn substitute(expr: &mut Expr, variable: VariableId, value: &Expr) {
    match expr {
        Expr::Variable(id) if *id == variable => *expr = value.clone(),
        _ => expr
            .children_mut()
            .for_each(|child| substitute(child, variable, value)),
    }
}
