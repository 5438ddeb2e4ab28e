//! Constant and copy propagation over the variables of a function.
//!
//! A forward analysis: at each location, the variables that have one constant value, or the value of
//! another variable, whichever way the location was reached. Transitions whose guard is false under
//! these values do not count. Source: Wegman and Zadeck 1991, without SSA form.

use rustc_hash::FxHashMap;

use crate::ids::{Id, IdVec, LocationId, VariableId};
use crate::passes::PassOptions;
use crate::passes::fold::{fold, is_constant};
use crate::passes::liveness::{LiveSet, live_variables};
use crate::program::{BinaryOp, DataModel, Expr, Function, Program, StatementKind, Type, VariableKind};

pub fn run(program: &mut Program, _: &PassOptions) -> bool {
    let data_model = program.data_model.clone();
    let mut changed = false;
    for function in program.functions.iter_mut() {
        changed |= Propagation::new(function, &data_model).run();
    }
    changed
}

/// What is known of variables: the constant or the variable they equal.
type Facts = FxHashMap<VariableId, Expr>;

struct Propagation<'f> {
    function: &'f mut Function,
    data_model: &'f DataModel,
    types: Vec<Type>,
    /// `None` where nothing is known to lead.
    facts: IdVec<LocationId, Option<Facts>>,
    /// What is never read again need not be carried along.
    live: IdVec<LocationId, LiveSet>,
    /// Locations whose facts have changed since they were visited.
    changed: IdVec<LocationId, bool>,
}

impl<'f> Propagation<'f> {
    fn new(function: &'f mut Function, data_model: &'f DataModel) -> Self {
        let types = function.variables.iter().map(|variable| variable.ty).collect();
        let facts = IdVec::from(vec![None; function.locations.len()]);
        let live = live_variables(function);
        let changed = IdVec::from(vec![false; function.locations.len()]);
        Propagation {
            function,
            data_model,
            types,
            facts,
            live,
            changed,
        }
    }

    fn run(mut self) -> bool {
        if self.function.locations.is_empty() {
            return false;
        }
        self.facts[self.function.entry] = Some(Facts::default());
        self.changed[self.function.entry] = true;
        let order = self.function.reverse_postorder();
        while self.changed.iter().any(|&changed| changed) {
            for &id in &order {
                if std::mem::replace(&mut self.changed[id], false) {
                    self.visit(id);
                }
            }
        }
        self.rewrite()
    }

    /// Carries the facts of a location along its transitions.
    fn visit(&mut self, id: LocationId) {
        let Some(facts) = self.facts[id].clone() else {
            return;
        };
        for index in 0..self.function.locations[id].transitions.len() {
            let transition = &self.function.locations[id].transitions[index];
            let mut after = facts.clone();
            let mut guard = transition.guard.clone();
            self.apply(&mut guard, &after);
            if matches!(&guard, Expr::Int(value) if value.is_zero()) {
                continue;
            }
            learn(&guard, &mut after);
            for statement in &transition.statements {
                self.step(&statement.kind, &mut after);
            }
            let target = transition.target;
            self.join(target, after);
        }
    }

    fn join(&mut self, id: LocationId, mut new: Facts) {
        match &mut self.facts[id] {
            known @ None => {
                let live = &self.live[id];
                new.retain(|&variable, _| live.contains(variable));
                *known = Some(new);
                self.changed[id] = true;
            }
            Some(known) => {
                let before = known.len();
                known.retain(|variable, value| new.get(variable) == Some(value));
                self.changed[id] |= known.len() != before;
            }
        }
    }

    /// Replaces what is known, and folds.
    fn apply(&self, expr: &mut Expr, facts: &Facts) -> bool {
        let replaced = !facts.is_empty() && replace(expr, facts);
        let types = &self.types;
        fold(expr, self.data_model, &|id| types[id.index()]) || replaced
    }

    fn step(&self, kind: &StatementKind, facts: &mut Facts) {
        let new = match kind {
            StatementKind::Assign { target, value } => {
                let mut value = value.clone();
                self.apply(&mut value, facts);
                if let Some(name) = self.better_name(*target, &value) {
                    self.forget(kind, facts);
                    facts.insert(name, Expr::Variable(*target));
                    return;
                }
                let useful =
                    is_constant(&value) || matches!(&value, Expr::Variable(source) if source != target);
                useful.then_some((*target, value))
            }
            StatementKind::Assume { condition } | StatementKind::Assert { condition, .. } => {
                let mut condition = condition.clone();
                self.apply(&mut condition, facts);
                learn(&condition, facts);
                None
            }
            _ => None,
        };
        self.forget(kind, facts);
        facts.extend(new);
    }

    /// Forgets what was known of the variables that a statement assigns, and of what equals them.
    fn forget(&self, kind: &StatementKind, facts: &mut Facts) {
        for target in kind.targets() {
            facts.remove(target);
            facts.retain(|_, value| !matches!(value, Expr::Variable(source) if source == target));
        }
    }

    /// After `x = t`, with a C variable `x` and a temporary `t`, it is `t` that is called `x` from then on.
    fn better_name(&self, target: VariableId, value: &Expr) -> Option<VariableId> {
        let Expr::Variable(source) = value else {
            return None;
        };
        let is_temporary = |id: VariableId| self.function.variables[id].kind == VariableKind::Temporary;
        (is_temporary(*source) && !is_temporary(target)).then_some(*source)
    }

    fn rewrite(&mut self) -> bool {
        let mut changed = false;
        for id in self.function.locations.ids() {
            let Some(facts) = self.facts[id].take() else {
                continue;
            };
            let mut transitions = std::mem::take(&mut self.function.locations[id].transitions);
            for transition in &mut transitions {
                changed |= self.apply(&mut transition.guard, &facts);
                let mut facts = facts.clone();
                learn(&transition.guard, &mut facts);
                for statement in &mut transition.statements {
                    let before = statement.kind.clone();
                    statement
                        .kind
                        .each_expr_mut(&mut |expr| changed |= self.apply(expr, &facts));
                    self.step(&before, &mut facts);
                }
            }
            self.function.locations[id].transitions = transitions;
        }
        changed
    }
}

/// What a condition that holds says about variables.
fn learn(condition: &Expr, facts: &mut Facts) {
    match condition {
        Expr::Binary(BinaryOp::And, left, right) => {
            learn(left, facts);
            learn(right, facts);
        }
        Expr::Binary(BinaryOp::Eq, left, right) => match (&**left, &**right) {
            (Expr::Variable(id), value) | (value, Expr::Variable(id)) if is_constant(value) => {
                facts.insert(*id, value.clone());
            }
            _ => {}
        },
        Expr::Variable(id) => {
            facts.insert(*id, Expr::Int(kripke_value::BitVec::from_bool(true)));
        }
        Expr::Unary(crate::program::UnaryOp::Not, operand) => {
            if let Expr::Variable(id) = &**operand {
                facts.insert(*id, Expr::Int(kripke_value::BitVec::from_bool(false)));
            }
        }
        _ => {}
    }
}

fn replace(expr: &mut Expr, facts: &Facts) -> bool {
    match expr {
        Expr::Variable(id) => match facts.get(id) {
            Some(value) => {
                *expr = value.clone();
                true
            }
            None => false,
        },
        _ => {
            let mut changed = false;
            for child in expr.children_mut() {
                changed |= replace(child, facts);
            }
            changed
        }
    }
}
