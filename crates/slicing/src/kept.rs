//! What is kept of a program.

use std::collections::BTreeSet;

use kripke_elts::{Expr, Function, FunctionId, Id, LocationId, Program, StatementKind, VariableId};
use kripke_interrupts::{PointsTo, Targets};

/// A statement: its function, location and transition, and which of the transition's it is.
pub(crate) type Place = (FunctionId, LocationId, usize, usize);

/// The statements of a program, and where they are.
pub(crate) fn statements(program: &Program) -> impl Iterator<Item = (Place, &StatementKind)> {
    program.functions.enumerate().flat_map(|(id, function)| {
        function
            .locations
            .enumerate()
            .flat_map(move |(location, content)| {
                let transitions = content.transitions.iter().enumerate();
                transitions.flat_map(move |(index, transition)| {
                    let statements = transition.statements.iter().enumerate();
                    statements
                        .map(move |(number, statement)| ((id, location, index, number), &statement.kind))
                })
            })
    })
}

/// What matters to some properties.
#[derive(Clone)]
pub struct Kept {
    /// Per function.
    pub(crate) variables: Vec<Vec<bool>>,
    /// Per function, the locations where it matters which way is taken.
    pub(crate) branches: Vec<Vec<bool>>,
    /// The functions of which statements are kept.
    pub(crate) functions: Vec<bool>,
    /// Per function, location and transition.
    pub(crate) statements: Vec<Vec<Vec<Vec<bool>>>>,
    /// The objects whose contents matter, and those of which it matters whether they live.
    pub(crate) contents: BTreeSet<usize>,
    pub(crate) lives: BTreeSet<usize>,
    /// Those of all objects do.
    pub(crate) is_all: bool,
    /// It matters of all objects whether they live.
    pub(crate) are_all_lives: bool,
}

impl Kept {
    /// Nothing of the program.
    pub(crate) fn nothing_of(program: &Program) -> Self {
        let functions = || program.functions.iter();
        let statements = |function: &Function| {
            let locations = function.locations.iter();
            let of_location = locations.map(|location| {
                let transitions = location.transitions.iter();
                transitions.map(|transition| vec![false; transition.statements.len()])
            });
            of_location.map(Iterator::collect).collect()
        };
        Kept {
            variables: functions()
                .map(|function| vec![false; function.variables.len()])
                .collect(),
            branches: functions()
                .map(|function| vec![false; function.locations.len()])
                .collect(),
            functions: vec![false; program.functions.len()],
            statements: functions().map(statements).collect(),
            contents: BTreeSet::new(),
            lives: BTreeSet::new(),
            is_all: false,
            are_all_lives: false,
        }
    }

    /// How many statements are kept.
    pub fn count(&self) -> usize {
        let all = self.statements.iter().flatten().flatten().flatten();
        all.filter(|is_kept| **is_kept).count()
    }

    /// Is the statement kept?
    pub(crate) fn keeps(&self, (function, location, transition, statement): Place) -> bool {
        self.statements[function.index()][location.index()][transition][statement]
    }

    /// Whether the statement is kept, to change.
    pub(crate) fn statement(&mut self, (function, location, transition, statement): Place) -> &mut bool {
        &mut self.statements[function.index()][location.index()][transition][statement]
    }

    /// Does it matter which way a location is left?
    pub(crate) fn is_branch(&self, function: FunctionId, location: LocationId) -> bool {
        self.branches[function.index()][location.index()]
    }

    /// Does a variable matter?
    pub(crate) fn is_relevant(&self, function: FunctionId, variable: VariableId) -> bool {
        self.variables[function.index()][variable.index()]
    }

    /// Does a parameter matter?
    pub(crate) fn reads_parameter(&self, program: &Program, function: FunctionId, index: usize) -> bool {
        let parameter = program.functions[function].parameters.get(index);
        parameter.is_some_and(|parameter| self.is_relevant(function, *parameter))
    }

    /// May the pointer point to what matters?
    pub(crate) fn has_relevant_contents(
        &self,
        points_to: &PointsTo<'_>,
        function: FunctionId,
        pointer: &Expr,
    ) -> bool {
        self.meets(points_to, &self.contents, function, pointer)
    }

    /// Is all known that is written to what the pointer may point to?
    pub(crate) fn knows_contents(
        &self,
        points_to: &PointsTo<'_>,
        function: FunctionId,
        pointer: &Expr,
    ) -> bool {
        let targets = points_to.of(function, pointer);
        let is_known = |object| self.contents.contains(&object);
        self.is_all || !is_unknown(&targets) && targets.objects().all(is_known)
    }

    /// May the pointer point to one of these?
    pub(crate) fn meets(
        &self,
        points_to: &PointsTo<'_>,
        objects: &BTreeSet<usize>,
        function: FunctionId,
        pointer: &Expr,
    ) -> bool {
        if self.is_all {
            return true;
        }
        let targets = points_to.of(function, pointer);
        match is_unknown(&targets) {
            true => !objects.is_empty(),
            false => targets.objects().any(|object| objects.contains(&object)),
        }
    }
}

/// May it point to what has no name here?
pub(crate) fn is_unknown(targets: &Targets) -> bool {
    targets.objects().any(|object| object < Targets::OBJECTS)
}
