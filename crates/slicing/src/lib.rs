//! Slices: the part of a program that matters to some of its properties.
//!
//! Idea: what a property depends on is found backwards: from its check to the variables and objects that it
//! reads, to the statements that write these, and to the branches that decide whether these are executed.
//! Everything else is left out, loops that do nothing for the property among it: how far a number is padded
//! does not matter to which argument is read next. What is left has fewer loops, smaller formulas, and
//! fewer guesses at invariants.
//!
//! Invariant: for each run of the program there is one of the slice that executes what is kept of it in the
//! same order with the same values, and may go on behind what does not end, or ends, in the program. So what
//! holds of a kept check in the slice holds in the program. What is violated in the slice need not be.
//! Assumptions, ends of the program, and accesses that may be wrong without a check are always kept, other
//! checks where that needs nothing more: they only exclude runs.
//!
//! Source: Weiser: Program slicing (1984); Ferrante, Ottenstein, Warren: The program dependence graph and its
//! use in optimization (1987) for control dependence, here with points-to sets in the place of data
//! dependence through memory, and without the order of assignments; Ranganath et al.: A new foundation for
//! control dependence and slicing (2007) for programs that do not end.

mod build;
mod control;
mod kept;
mod relevance;
mod unchecked;

use kripke_elts::passes::{PassOptions, optimise};
use kripke_elts::{Id, Program, PropertyId};
use kripke_interrupts::PointsTo;

use crate::control::Control;
pub use crate::kept::Kept;
use crate::kept::Place;
use crate::relevance::{Relevance, each_check};

/// What is asked of a program for slices of it.
pub struct Slicer<'p> {
    program: &'p Program,
    points_to: PointsTo<'p>,
    control: Vec<Control>,
    /// The accesses that may be wrong without a violation.
    unchecked: Vec<Place>,
    /// Which properties a statement checks: others are about all that a run does.
    checked: Vec<bool>,
}

impl<'p> Slicer<'p> {
    /// Analyses a program; none where its functions mean more than they say, as those that threads and
    /// handlers of interrupts are woven from.
    pub fn new(program: &'p Program) -> Option<Self> {
        let has_markers = program
            .functions
            .iter()
            .any(|function| function.name.starts_with(MARKED));
        let mut checked = vec![false; program.properties.len()];
        for statement in program.statements() {
            each_check(&statement.kind, &mut |id| checked[id.index()] = true);
        }
        (!has_markers).then(|| Slicer {
            program,
            checked,
            unchecked: unchecked::accesses(program),
            points_to: PointsTo::new(program),
            control: program.functions.iter().map(Control::of).collect(),
        })
    }

    /// What matters to some properties; none where no statement checks one of them, as where it is asked for
    /// leaks when a run ends.
    pub fn slice(&self, properties: &[PropertyId]) -> Option<Kept> {
        let all_checked = properties.iter().all(|id| self.checked[id.index()]);
        let analysed = (self.program, &self.points_to, &self.control[..]);
        all_checked.then(|| Relevance::of(analysed, properties, &self.unchecked))
    }

    /// The part of the program that is kept, in which properties have the same ids.
    pub fn program(&self, kept: &Kept) -> Program {
        let mut program = build::build(self.program, &self.points_to, &self.control, kept);
        let options = PassOptions {
            keep_named: false,
            ..PassOptions::default()
        };
        optimise(&mut program, &options);
        program
    }

    /// How many statements the whole program has.
    pub fn statements(&self) -> usize {
        self.program.statements().count()
    }
}

/// What the names of functions begin with that mean more than they say.
const MARKED: &str = "kripke ";

#[cfg(test)]
mod tests {
    use kripke_elts::{Id as _, PropertyId, text};

    use super::Slicer;

    /// A loop that counts `y`, behind it a branch by `x`, and what is done in it and behind it.
    fn slice(inside: &str, behind: &str) -> String {
        let program = format!(
            "elts 1
machine pointer 32 int 32 long 32 little \"test\"
entry main
file0 \"test.c\"
p0 assertion \"one\" in main @1:1
function main() -> () entry l0 exit l1 @1:1 {{
local i8 x; local i8 y; local i8 z;
l0 \"\": when true {{ x = nondet input \"in\"; y = nondet input \"in\"; z = 0i8; }} goto l2;
l1 \"\":
l2 \"\": when y <u 9i8 {{ y = y + 1i8; }} goto l2; when !(y <u 9i8) {{}} goto l3;
l3 \"\": when x == 3i8 {{ {inside} }} goto l4; when !(x == 3i8) {{}} goto l4;
l4 \"\": when true {{ {behind} }} goto l1;
}}
"
        );
        let program = text::parse(&program).expect("parses");
        let slicer = Slicer::new(&program).expect("nothing is woven");
        let kept = slicer.slice(&[PropertyId::new(0)]).expect("it is checked");
        text::print(&slicer.program(&kept))
    }

    fn has(slice: &str, variable: &str) -> bool {
        slice.contains(&format!("{variable} = "))
    }

    #[test]
    fn loops_and_branches_that_do_nothing_for_a_property_are_left_out() {
        let made = slice("z = y;", "assert(x != 4i8) p0;");
        assert!(has(&made, "x") && !has(&made, "y") && !has(&made, "z"), "{made}");
        assert!(!made.contains("3i8"), "{made}");
    }

    #[test]
    fn what_decides_whether_something_is_done_is_kept() {
        let made = slice("z = 1i8;", "assert(z != 1i8) p0;");
        assert!(has(&made, "x") && !has(&made, "y"), "{made}");
        assert!(made.contains("3i8"), "{made}");
        let made = slice("z = y;", "assert(z != 1i8) p0;");
        assert!(has(&made, "y") && made.contains("9i8"), "{made}");
    }

    #[test]
    fn what_is_done_after_a_call_that_may_not_end_is_not_missed() {
        let program = "elts 1
machine pointer 32 int 32 long 32 little \"test\"
entry main
file0 \"test.c\"
p0 assertion \"one\" in main @1:1
global g c \"g\" size 4 align 4 @1:1
function main() -> () entry l0 exit l1 @1:1 {
local i32 x; local i32 y;
l0 \"\": when true { x = nondet input \"in\"; call f(x); } goto l2;
l1 \"\":
l2 \"\": when true { y = *i32(&g) align 4; assert(y != 1i32) p0; } goto l1;
}
function f(x) -> () entry l0 exit l1 @1:1 {
parameter i32 x;
l0 \"\": when true { *i32(&g) = 1i32 align 4; } goto l2;
l1 \"\":
l2 \"\": when x == 0i32 {} goto l1; when !(x == 0i32) {} goto l3;
l3 \"\": when true {} goto l3;
}
";
        let program = text::parse(program).expect("parses");
        let slicer = Slicer::new(&program).expect("nothing is woven");
        let kept = slicer.slice(&[PropertyId::new(0)]).expect("it is checked");
        let made = text::print(&slicer.program(&kept));
        assert!(!made.contains("assume") && !has(&made, "x"), "{made}");
    }

    #[test]
    fn what_ends_a_run_is_kept() {
        let made = slice("assume(y == 2i8);", "assert(x != 3i8) p0;");
        assert!(has(&made, "y") && made.contains("9i8"), "{made}");
        let made = slice("stop abort;", "assert(x != 3i8) p0;");
        assert!(made.contains("stop abort"), "{made}");
    }
}
