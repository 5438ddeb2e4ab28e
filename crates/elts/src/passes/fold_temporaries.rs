//! Folds temporaries into the expressions that read them, so that a statement reads like C.
//!
//! A temporary that is assigned once moves to its readers if these all stand in the same transition
//! after it, or in the guards behind it, and nothing on the way changes what its value depends on:
//! the variables it reads, the rounding mode, the objects. An expression that is read more than once
//! moves only if it is small.

use crate::ids::{IdVec, LocationId, VariableId};
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
        let mut counts = Counts::of(function);
        for id in function.locations.ids() {
            for index in 0..function.locations[id].transitions.len() {
                changed |= fold_transition(function, &mut counts, id, index);
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
            | StatementKind::EndObject { .. }
            | StatementKind::StackObject { .. }
            | StatementKind::HeapObject { .. } => dependence.objects,
            _ => false,
        }
}

fn fold_transition(function: &mut Function, counts: &mut Counts, id: LocationId, index: usize) -> bool {
    let mut changed = false;
    let mut at = 0;
    while at < function.locations[id].transitions[index].statements.len() {
        let target = match &function.locations[id].transitions[index].statements[at].kind {
            StatementKind::Assign { target, value }
                if function.variables[*target].kind == VariableKind::Temporary
                    && counts.assigns[*target] == 1
                    && counts.reads[*target] > 0
                    && !value.reads(*target) =>
            {
                *target
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let is_result = function.results.contains(&target);
        if !is_result && move_to_readers(function, counts, id, index, at) {
            function.locations[id].transitions[index].statements.remove(at);
            changed = true;
        } else {
            at += 1;
        }
    }
    changed
}

/// How often each variable is read and assigned, and each location entered.
struct Counts {
    reads: IdVec<VariableId, usize>,
    assigns: IdVec<VariableId, usize>,
    entries: IdVec<LocationId, usize>,
}

impl Counts {
    fn of(function: &Function) -> Self {
        let none = || IdVec::from(vec![0; function.variables.len()]);
        let entries = IdVec::from(vec![0; function.locations.len()]);
        let mut counts = Counts {
            reads: none(),
            assigns: none(),
            entries,
        };
        for transition in function.transitions() {
            counts.entries[transition.target] += 1;
            transition
                .guard
                .each_variable(&mut |variable| counts.reads[variable] += 1);
            for statement in &transition.statements {
                statement
                    .kind
                    .each_read(&mut |variable| counts.reads[variable] += 1);
                statement
                    .kind
                    .targets()
                    .iter()
                    .for_each(|&target| counts.assigns[target] += 1);
            }
        }
        counts
    }

    /// The target of a transition, if nothing else enters it.
    fn single_entry(&self, function: &Function, id: LocationId, index: usize) -> Option<LocationId> {
        let target = function.locations[id].transitions[index].target;
        (self.entries[target] == 1 && target != function.entry && target != id).then_some(target)
    }
}

/// Puts the value of the assignment at `at` where its target is read, if all readers can be reached.
fn move_to_readers(
    function: &mut Function,
    counts: &mut Counts,
    id: LocationId,
    index: usize,
    at: usize,
) -> bool {
    let transition = &function.locations[id].transitions[index];
    let StatementKind::Assign { target, value } = transition.statements[at].kind.clone() else {
        return false;
    };
    let total = counts.reads[target];
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
        let Some(next) = counts.single_entry(function, id, index) else {
            return false;
        };
        for transition in &function.locations[next].transitions {
            found += reads_of(&transition.guard).0;
            largest = largest.max(transition.guard.size());
        }
        guards = Some(next);
    }
    if found != total || largest + value.size() * total > LARGEST {
        return false;
    }
    counts.reads[target] = 0;
    counts.assigns[target] = 0;
    variables
        .iter()
        .for_each(|&variable| counts.reads[variable] += total - 1);
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
