//! Interrupt handlers, put into a program model.
//!
//! Idea: an interrupt needs no scheduler. Wherever a handler can tell that it comes now and not a statement
//! earlier, a call of a *dispatcher* is put into the program: a loop that runs any enabled handlers, any
//! number of times, as nondeterministic choices have it. The result is a program like any other: merging,
//! induction, temporal formulas and replay need to know nothing of interrupts.
//!
//! Where that is: a handler that comes between two statements may as well come earlier, as long as the
//! statements that it overtakes do not depend on it: they read nothing that it writes, and write nothing that
//! it reads or writes. So it is enough to let handlers come after each statement that does, after interrupts
//! were enabled, and at the start. Nothing is lost where a run ends, by an error of the interrupted code or
//! otherwise, or goes on for ever. (This is a partial-order reduction: Valmari 1989, Godefroid 1996.)
//!
//! Priorities: what runs inside a handler is a copy of the program's functions for that priority, with a
//! dispatcher for the higher ones only. So no state says what runs at the moment, and no handler is
//! interrupted by itself.
//!
//! Invariant: each run of the program with handlers, in which each comes only while it is enabled and runs to
//! its end, is a run of the result up to the order of independent statements.
//!
//! Alternative rejected: a variable that holds the present priority, and one copy of each function. It
//! becomes arbitrary in every induction and must be found again by invariants.

mod atomicity;
mod base;
mod between;
mod calls;
mod contents;
mod control;
mod copies;
mod dispatcher;
mod effects;
mod flags;
mod gaps;
mod gates;
mod hardware;
mod kept;
mod lock_roles;
mod locksets;
pub mod named;
mod offsets;
mod pairs;
mod passes;
mod pieces;
mod points_to;
mod protected;
mod registers;
mod renewal;
mod rewrite;
mod sites;
pub mod terms;
mod told;
mod torn;
mod uses;
mod writer;

use std::collections::BTreeSet;

use kripke_elts::interrupts::{DISABLES, ENABLES, is_unmaskable};
use kripke_elts::{FunctionId, Program, name_in_its_file};

pub use contents::Targets;
use control::Controls;
use effects::Effects;
pub use gaps::{COMPARES, KEEPS_NEIGHBOURS, UNUSED, USED, add_gaps, is_thread_library};
pub use kept::keep_registers;
use named::Named;
pub use points_to::PointsTo;
use rewrite::Rewriter;

/// What is asked about accesses that others come between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The kind `torn-access`.
    pub torn: bool,
    /// The kind `atomicity`.
    pub atomicity: bool,
    /// The kind `handler-call`.
    pub calls: bool,
}

/// What is wanted of handlers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interrupts {
    /// The handlers.
    pub handlers: Vec<Handler>,
    /// The handlers that the sources contain come, too.
    pub find: bool,
    /// Of these, the ones that never come.
    pub never: Vec<String>,
    /// How often each may come, at the most.
    pub bound: Option<u32>,
    /// The functions that enable interrupts, beside those that are known.
    pub enabling: Vec<Named>,
    /// The functions that disable them.
    pub disabling: Vec<Named>,
    /// How many bits of priorities the device keeps, if it is a Cortex-M.
    pub priority_bits: Option<u32>,
    /// The priorities of handlers as its registers have them at the start, where a smaller one is more
    /// urgent.
    pub register_priorities: Vec<(String, u8)>,
    /// Handlers that come at most once between two calls of a function, with the function.
    pub once_per: Vec<(String, String)>,
    /// Handlers that come only while a C expression is true, with the expression.
    pub conditions: Vec<(String, String)>,
    /// Handlers may come after every access to memory, whether they can tell or not.
    pub everywhere: bool,
}

impl Interrupts {
    /// Does anything interrupt the program?
    pub fn are_wanted(&self) -> bool {
        self.find || !self.handlers.is_empty()
    }

    /// The names of the handlers.
    pub fn names(&self) -> BTreeSet<String> {
        self.handlers.iter().map(|handler| handler.name.clone()).collect()
    }

    /// The functions whose calls matter to handlers, as the user says.
    pub fn functions(&self) -> BTreeSet<String> {
        let given = self.enabling.iter().chain(&self.disabling);
        let given = given.map(|given| &given.name);
        given
            .chain(self.once_per.iter().map(|(_, function)| function))
            .cloned()
            .collect()
    }
}

/// A handler as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The function.
    pub name: String,
    /// It interrupts what has a smaller one; that of the program is 0.
    pub priority: u32,
    /// The number by which it is enabled and disabled.
    pub number: Option<i64>,
    /// The function itself, where it is known by more than its name.
    pub function: Option<FunctionId>,
}

/// Why handlers cannot be put into a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A function that the program does not have; what it is to be.
    NoFunction {
        /// The name.
        name: String,
        /// `a handler`, or what else.
        role: &'static str,
    },
    /// What is said of a handler that there is not.
    NoHandler(String),
    /// Anything else.
    Other(String),
}

/// A handler as the program knows it.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub function: FunctionId,
    /// Its place among the priorities, from 1.
    pub level: usize,
    pub number: Option<i64>,
    /// Its priority in the registers of a Cortex-M.
    pub register_priority: u8,
}

impl Known {
    /// Does it come while all interrupts are disabled, too?
    pub fn is_unmaskable(&self) -> bool {
        self.number.is_some_and(is_unmaskable)
    }
}

/// Puts handlers into a program that was not optimised yet. The formulas' atoms are not interrupted, nor are
/// the functions that evaluate the conditions of handlers.
pub fn add(
    program: &mut Program,
    wanted: &Interrupts,
    (atoms, conditions): (&[FunctionId], &[FunctionId]),
    asked: Asked,
) -> Result<(), Problem> {
    let handlers = find_handlers(program, wanted)?;
    if let Some(bits) = wanted.priority_bits.filter(|bits| !(3..=8).contains(bits)) {
        return Err(Problem::Other(format!(
            "a device that has BASEPRI keeps 3 to 8 bits of priorities, not {bits}"
        )));
    }
    named::check(program, wanted, &handlers)?;
    let effects = Effects::new(program);
    for taken in effects.points_to.taken_without_body() {
        let name = &program.functions[taken].name;
        let renews = wanted
            .once_per
            .iter()
            .any(|(_, function)| function == name_in_its_file(name));
        if renews || control::control_of(name, wanted).is_some() {
            return Err(Problem::Other(format!(
                "`{name}` matters to interrupts and is called through a pointer, but has no body: \
                 give it one"
            )));
        }
    }
    if let Some(site) = program.properties.iter().find(|site| site.kind.is_contract()) {
        return Err(Problem::Other(format!(
            "contracts and loop invariants are not checked together with interrupts yet, and there is one in \
             `{}`",
            program.functions[site.function].name
        )));
    }
    let controls = Controls::new(&effects, wanted, &handlers);
    let conditions = conditions_of(wanted, conditions)?;
    let beside_threads = hardware::starts_threads(&effects, &handlers);
    let mut uses_library = false;
    let mut asked = asked;
    if beside_threads {
        uses_library = hardware::refuse(&effects, &handlers, wanted, asked)?;
        // What comes between accesses is asked where the threads are woven.
        asked = Asked {
            calls: asked.calls,
            ..Asked::default()
        };
    }
    let mut rewriter = Rewriter::new(effects, wanted, (&handlers, conditions), controls, atoms);
    rewriter.add_renewals()?;
    rewriter.ask(asked);
    let (changed, controls) = rewriter.run();
    let said = assumptions(program, wanted, &controls, !atoms.is_empty());
    *program = changed;
    program.assumptions.extend(said);
    if uses_library {
        let text = "what handlers do to `errno` and the like of the thread that they interrupt is not seen";
        program.assumptions.push(text.to_owned());
    }
    Ok(())
}

/// Each condition's function with the handlers that it is for, by their places.
fn conditions_of(wanted: &Interrupts, functions: &[FunctionId]) -> Result<Vec<(usize, FunctionId)>, Problem> {
    let mut all = Vec::new();
    for ((handler, _), function) in wanted.conditions.iter().zip(functions) {
        all.extend(
            handlers_called(wanted, handler)?
                .into_iter()
                .map(|handler| (handler, *function)),
        );
    }
    Ok(all)
}

/// What the user should know of a program to which no handlers are given.
pub fn without_handlers(program: &Program) -> Option<String> {
    let is_marker = |name: &str| name == ENABLES || name == DISABLES;
    let marked = program.functions.iter().any(|function| is_marker(&function.name));
    marked.then(|| "no interrupt comes: name the handlers with --interrupt".to_owned())
}

fn find(program: &Program, name: &str, role: &'static str) -> Result<FunctionId, Problem> {
    named(program, name).next().ok_or_else(|| Problem::NoFunction {
        name: name.to_owned(),
        role,
    })
}

/// The functions of a name: static ones of several files may have it.
fn named<'a>(program: &'a Program, name: &'a str) -> impl Iterator<Item = FunctionId> + 'a {
    let functions = program.functions.enumerate();
    let of_name = functions.filter(move |(_, function)| name_in_its_file(&function.name) == name);
    of_name.map(|(id, _)| id)
}

fn find_handlers(program: &Program, wanted: &Interrupts) -> Result<Vec<Known>, Problem> {
    let other = |message: String| Err(Problem::Other(message));
    let priorities: BTreeSet<u32> = wanted.handlers.iter().map(|handler| handler.priority).collect();
    let mut known: Vec<Known> = Vec::new();
    for handler in &wanted.handlers {
        let name = &handler.name;
        let id = match handler.function {
            Some(id) => id,
            None => find(program, name, "a handler")?,
        };
        if handler.function.is_none() && named(program, name).count() > 1 {
            return other(format!(
                "several files have a function `{name}`: a handler needs a name of its own"
            ));
        }
        let function = &program.functions[id];
        if function.locations.is_empty() {
            return other(format!("the handler `{name}` has no body"));
        }
        if !function.parameters.is_empty() || !function.results.is_empty() || function.variadic {
            return other(format!(
                "the handler `{name}` takes parameters or returns something: a handler is `void {name}(void)`"
            ));
        }
        if id == program.entry || name == "main" {
            return other(format!("`{name}` is where the program starts: it is no handler"));
        }
        if handler.priority == 0 {
            return other(format!(
                "the handler `{name}` has priority 0, which is that of the program: priorities begin with 1"
            ));
        }
        // Those that are found may share functions and numbers.
        let is_given = handler.function.is_none();
        if is_given && known.iter().any(|other| other.function == id) {
            return other(format!("the handler `{name}` is given twice"));
        }
        let number = handler.number;
        if let Some(number) = number.filter(|_| is_given && known.iter().any(|other| other.number == number))
        {
            return other(format!("two handlers have the number {number}"));
        }
        known.push(Known {
            function: id,
            level: 1 + priorities.range(..handler.priority).count(),
            number,
            register_priority: 0,
        });
    }
    for (name, priority) in &wanted.register_priorities {
        for index in handlers_called(wanted, name)? {
            known[index].register_priority = *priority;
        }
    }
    Ok(known)
}

/// The handlers that the user means by a name, by their places.
fn handlers_called(wanted: &Interrupts, name: &str) -> Result<Vec<usize>, Problem> {
    let all = wanted.handlers.iter().enumerate();
    let called = all.filter(|(_, handler)| handler.name == name || name_in_its_file(&handler.name) == name);
    let called: Vec<usize> = called.map(|(index, _)| index).collect();
    match called.is_empty() {
        false => Ok(called),
        true => Err(Problem::NoHandler(name.to_owned())),
    }
}

/// What verdicts about the program rest on.
fn assumptions(
    program: &Program,
    wanted: &Interrupts,
    controls: &Controls,
    with_formulas: bool,
) -> Vec<String> {
    let is_alone = wanted.handlers.len() == 1;
    let named = wanted.handlers.iter().map(|handler| {
        let Handler { name, priority, .. } = handler;
        match (is_alone, handler.number) {
            (true, None) => format!("`{name}`"),
            (true, Some(number)) => format!("`{name}` (number {number})"),
            (false, None) => format!("`{name}` (priority {priority})"),
            (false, Some(number)) => format!("`{name}` (priority {priority}, number {number})"),
        }
    });
    let often = match wanted.bound {
        None => "any number of times".to_owned(),
        Some(1) => "once at the most".to_owned(),
        Some(bound) => format!("{bound} times each at the most"),
    };
    let fair = match with_formulas {
        true => ", but not for ever without what is interrupted going on",
        false => "",
    };
    let said = format!(
        "{} {} at any time while enabled, {often}{fair}",
        named.collect::<Vec<_>>().join(", "),
        if is_alone { "comes" } else { "come" },
    );
    let mut all = vec![said, controls.assumption(program)];
    if let Some(by) = registers::sets_priorities(program).filter(|_| !is_alone) {
        all.push(match controls.base {
            Some(_) => format!("the priorities that {by} sets do not say which handler interrupts which"),
            None => format!("the priorities that {by} sets are not followed"),
        });
    }
    all.extend(controls.assumption_of_base());
    all.extend(
        { wanted.conditions.iter() }.map(|(handler, text)| format!("`{handler}` comes only while `{text}`")),
    );
    all.extend(wanted.once_per.iter().map(|(handler, function)| {
        format!("`{handler}` comes at most once between two calls of `{function}`, and before the first")
    }));
    if registers::sets_table(program) {
        all.push(
            "the table of vectors that the program sets (VTOR) is not followed: handlers that stand only \
             there do not come"
                .to_owned(),
        );
    }
    all
}
