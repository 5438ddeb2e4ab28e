//! Copies of a function's statements for one thread: other variables, the thread's own globals.

use kripke_elts::{Expr, GlobalId, LocationId, StatementKind, VariableId};

/// What stands for what in one copy of a function.
pub struct Copy {
    pub variables: Vec<VariableId>,
    pub locations: Vec<LocationId>,
}

impl Copy {
    pub fn expr(&self, expr: &Expr, own: &mut impl FnMut(GlobalId) -> GlobalId) -> Expr {
        let mut copied = expr.clone();
        self.rename(&mut copied, own);
        copied
    }

    pub fn statement(
        &self,
        kind: &StatementKind,
        own: &mut impl FnMut(GlobalId) -> GlobalId,
    ) -> StatementKind {
        use kripke_elts::Id;
        let mut copied = kind.clone();
        copied.each_expr_mut(&mut |expr| self.rename(expr, own));
        for target in copied.targets_mut() {
            *target = self.variables[target.index()];
        }
        copied
    }

    fn rename(&self, expr: &mut Expr, own: &mut impl FnMut(GlobalId) -> GlobalId) {
        use kripke_elts::Id;
        match expr {
            Expr::Variable(variable) => *variable = self.variables[variable.index()],
            Expr::GlobalAddress(global) => *global = own(*global),
            _ => expr.children_mut().for_each(|child| self.rename(child, own)),
        }
    }
}
