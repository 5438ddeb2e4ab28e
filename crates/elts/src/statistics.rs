//! How big a program is.

use crate::ids::Id;
use crate::program::{Program, StatementKind};

/// Counts of what a program consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Functions with a body.
    pub functions: usize,
    /// Locations.
    pub locations: usize,
    /// Transitions.
    pub transitions: usize,
    /// Statements.
    pub statements: usize,
    /// Variables.
    pub variables: usize,
    /// Globals.
    pub globals: usize,
    /// Properties that some statement checks.
    pub properties: usize,
}

impl Statistics {
    /// Those of a program.
    pub fn of(program: &Program) -> Self {
        let mut statistics = Statistics {
            globals: program.globals.len(),
            ..Statistics::default()
        };
        let mut checked = vec![false; program.properties.len()];
        for function in program
            .functions
            .iter()
            .filter(|function| !function.locations.is_empty())
        {
            statistics.functions += 1;
            statistics.variables += function.variables.len();
            statistics.locations += function.locations.len();
            for transition in function.transitions() {
                statistics.transitions += 1;
                statistics.statements += transition.statements.len();
                for statement in &transition.statements {
                    statement.kind.each_property(&mut |property| {
                        if let Some(entry) = checked.get_mut(property.index()) {
                            *entry = true;
                        }
                    });
                }
            }
        }
        statistics.properties = checked.into_iter().filter(|&checked| checked).count();
        statistics
    }

    /// `12 functions, 40 locations, …`
    pub fn line(&self) -> String {
        format!(
            "{} functions, {} locations, {} transitions, {} statements, {} variables, {} globals, {} \
             properties",
            self.functions,
            self.locations,
            self.transitions,
            self.statements,
            self.variables,
            self.globals,
            self.properties
        )
    }
}

impl StatementKind {
    /// Calls `visit` for every property that the statement checks.
    pub fn each_property(&self, visit: &mut impl FnMut(crate::PropertyId)) {
        use StatementKind::*;
        match self {
            Load { checks, .. }
            | Store { checks, .. }
            | CopyMemory { checks, .. }
            | SetMemory { checks, .. } => {
                checks
                    .pointer
                    .into_iter()
                    .chain(checks.uninitialised)
                    .for_each(visit);
            }
            Free { check, .. } | Call { check, .. } => check.iter().copied().for_each(visit),
            Assert { property, .. } => visit(*property),
            Assign { .. }
            | StackObject { .. }
            | EndObject { .. }
            | HeapObject { .. }
            | Nondet { .. }
            | Math { .. }
            | Assume { .. }
            | SetRounding { .. }
            | GetRounding { .. }
            | Output { .. }
            | Stop { .. }
            | Unsupported { .. }
            | Note { .. } => {}
        }
    }
}
