//! Contracts that nobody can keep: where a run begins in a function and no call satisfies what it requires,
//! everything holds, and the user has to be told.
//!
//! Idea: a program in which the call of the function is a failing assertion. If that holds, nothing was
//! checked.

use std::time::{Duration, Instant};

use kripke_bmc::{Options, Silent};
use kripke_elts::{Callee, Expr, FunctionId, Program, PropertyId, PropertySite, Statement, StatementKind};
use kripke_limits::stretched;
use kripke_model::{PropertyKind, Verdict};
use kripke_value::BitVec;

use super::optimise;

/// How long that is looked for at most.
const LIMIT: Duration = Duration::from_secs(10);

/// What to tell the user of a program, before its optimisation, that begins in this function.
pub(super) fn warning(program: &Program, entry: &str, options: &Options) -> Option<String> {
    is_never_reached(program, entry, 0, options)
        .then(|| format!("no call satisfies what the contract of `{entry}` requires: nothing was checked"))
}

/// The same of a function that never returns: whatever its contract ensures is true.
pub(super) fn endless(program: &Program, entry: &str, options: &Options) -> Option<String> {
    is_never_reached(program, entry, 1, options)
        .then(|| format!("`{entry}` never returns: no result was held against what its contract ensures"))
}

/// Is it certain that no run comes to so many statements behind the beginning of the call?
fn is_never_reached(program: &Program, entry: &str, behind: usize, options: &Options) -> bool {
    let Some((mut probe, property)) = probe(program, entry, behind) else {
        return false;
    };
    optimise(&mut probe, Some(&[property]));
    let until = Instant::now() + stretched(LIMIT);
    let options = Options {
        properties: Some(vec![property]),
        deadline: Some(options.deadline.map_or(until, |deadline| deadline.min(until))),
        ..options.clone()
    };
    let Ok(report) = kripke_bmc::check(&probe, &options, &mut Silent) else {
        return false;
    };
    let holds = |verdict: &Verdict| matches!(verdict, Verdict::Holds { .. });
    report.incomplete.is_none() && report.results.iter().all(|result| holds(&result.verdict))
}

/// The program with an assertion before the call, or so many statements behind that, where the run begins in
/// a contract.
fn probe(program: &Program, entry: &str, behind: usize) -> Option<(Program, PropertyId)> {
    let named = |name: &str| {
        let mut functions = program.functions.enumerate();
        functions
            .find(|(_, function)| function.name == name)
            .map(|(id, _)| id)
    };
    let (wrapper, function) = (named(&format!("{entry}.entry"))?, named(entry)?);
    let mut probe = program.clone();
    let position = probe.functions[function].position;
    let property = probe.properties.push(PropertySite {
        kind: PropertyKind::Assertion,
        description: "no call satisfies the precondition".to_owned(),
        position,
        function,
    });
    let fails = Statement {
        kind: StatementKind::Assert {
            condition: Expr::Int(BitVec::from_bool(false)),
            property,
        },
        position,
    };
    let is_call = |statement: &Statement, of: FunctionId| match &statement.kind {
        StatementKind::Call { callee, .. } => *callee == Callee::Direct(of),
        _ => false,
    };
    let locations = probe.functions[wrapper].locations.iter_mut();
    for transition in locations.flat_map(|location| &mut location.transitions) {
        let mut statements = transition.statements.iter();
        if let Some(at) = statements.position(|statement| is_call(statement, function)) {
            transition.statements.insert(at + behind, fails.clone());
        }
    }
    Some((probe, property))
}
