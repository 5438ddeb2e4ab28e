//! Objects of frames that a loop makes again and again.
//!
//! Idea: an object that a loop makes is another one in each iteration, so states would never repeat. Where
//! nothing points to the old one any more when the next one is made, nobody can tell them apart, and they are
//! taken for one. That is so where pointers to it are in variables only, and none of these is read after the
//! next one was made.
//!
//! Invariant: a program that uses a pointer to an object of an earlier iteration finds that it is gone.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::passes::liveness::LiveSet;
use kripke_elts::{
    Callee, Expr, Function, FunctionId, Id, IdVec, LocationId, Program, Statement, StatementKind, VariableId,
};

use crate::weaver::Weaver;

/// What functions do with pointers that they get: do they keep them?
#[derive(Default)]
pub struct Keepers {
    known: BTreeMap<(FunctionId, usize), bool>,
}

impl Keepers {
    /// May a function leave behind what its parameter of that number points to?
    fn keeps(&mut self, program: &Program, function: FunctionId, number: usize) -> bool {
        if let Some(known) = self.known.get(&(function, number)) {
            return *known;
        }
        // One that calls itself does, until more is known of it.
        self.known.insert((function, number), true);
        let body = &program.functions[function];
        let keeps = match body.parameters.get(number) {
            Some(parameter) if !body.locations.is_empty() => {
                let holders = self.holders(program, body, *parameter);
                holders.is_none_or(|holders| body.results.iter().any(|result| holders.contains(result)))
            }
            _ => true,
        };
        self.known.insert((function, number), keeps);
        keeps
    }

    /// The variables that may point to what one points to; none where that may be known elsewhere, too.
    fn holders(
        &mut self,
        program: &Program,
        function: &Function,
        first: VariableId,
    ) -> Option<BTreeSet<VariableId>> {
        let mut holders = BTreeSet::from([first]);
        loop {
            let before = holders.len();
            for statement in function.statements() {
                if !self.follow(program, &statement.kind, &mut holders) {
                    return None;
                }
            }
            if holders.len() == before {
                return Some(holders);
            }
        }
    }

    /// Adds the variables that get a pointer by a statement; false where it goes elsewhere.
    fn follow(
        &mut self,
        program: &Program,
        kind: &StatementKind,
        holders: &mut BTreeSet<VariableId>,
    ) -> bool {
        let is_held = |expr: &Expr, holders: &BTreeSet<VariableId>| {
            let mut found = false;
            expr.each_variable(&mut |variable| found |= holders.contains(&variable));
            found
        };
        match kind {
            StatementKind::Assign { target, value } if is_held(value, holders) => {
                holders.insert(*target);
                true
            }
            StatementKind::Store { value, .. } | StatementKind::SetMemory { value, .. } => {
                !is_held(value, holders)
            }
            StatementKind::Call {
                callee: Callee::Direct(callee),
                arguments,
                ..
            } => {
                let given = arguments.iter().enumerate();
                let mut given = given.filter(|(_, argument)| is_held(argument, holders));
                given.all(|(number, _)| {
                    // What is no function of the program tells traces something, and does nothing.
                    callee.index() >= program.functions.len() || !self.keeps(program, *callee, number)
                })
            }
            StatementKind::Call { arguments, .. } => {
                !arguments.iter().any(|argument| is_held(argument, holders))
            }
            _ => true,
        }
    }
}

impl Weaver<'_> {
    /// Is nothing left that points to the objects which a statement made before, when it makes another?
    pub fn forgets_before(
        &self,
        keepers: &mut Keepers,
        live: &IdVec<LocationId, LiveSet>,
        (after, rest): (LocationId, &[Statement]),
        target: VariableId,
    ) -> bool {
        let Some(holders) = keepers.holders(&self.program, &self.function, target) else {
            return false;
        };
        let mut read = live[after].clone();
        for statement in rest.iter().rev() {
            read.step_back(&statement.kind);
        }
        let mut holders = holders.into_iter().filter(|holder| *holder != target);
        !holders.any(|holder| read.contains(holder) || self.is_of_hub(holder))
    }
}
