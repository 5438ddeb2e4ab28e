//! What starts, stops and switches threads: calls of functions that do what they would if there were one.
//!
//! Idea: the model of the thread library says it by `__kripke_thread_*`. Where threads are woven into one
//! function afterwards, the calls are replaced; else the bodies here hold: the only thread has the number 0,
//! waits for ever where nobody else could let it go on, and starts no other.

use kripke_elts::threads::{
    ACCESSES, CREATE, END, HOLD, INTERRUPTS, IS_READY, MARKERS, PUBLISHES, RESUMES_OTHERS, SECTION_BEGINS,
    SECTION_ENDS, SELF, SUSPENDS_OTHERS, SWITCH, WAIT_END, WAIT_FREE, WAIT_NONZERO, WAIT_ZERO, WAITED,
    WRITES,
};
use kripke_elts::{
    AccessChecks, BinaryOp as Op, Expr, Function, FunctionId, Location, LocationId, Position, PropertyId,
    Statement, StatementKind, StopReason, Transition, Type as Scalar, Variable, VariableId, VariableKind,
};
use kripke_elts::{Id, IdVec};
use kripke_model::PropertyKind;

use crate::ir::Module;

use super::calls::CallSite;
use super::expressions::{binary, boolean, int, not};
use super::function::FunctionTranslator;
use super::{Step, Translator, unsupported};

/// The type of numbers of threads, and of words that threads wait for.
const WORD: Scalar = Scalar::Int(32);

/// May the program start threads? Then what is done at once is marked.
pub fn may_start_threads(modules: &[Module]) -> bool {
    let models = modules.iter().filter(|module| module.is_library_model);
    let mut functions = models.flat_map(|module| &module.functions);
    functions.any(|function| matches!(&*function.name, "pthread_create" | "xTaskCreate"))
}

impl Translator<'_> {
    /// Gives their bodies to what starts, stops and switches threads, and adds the property that no deadlock
    /// comes.
    pub fn finish_threads(&mut self, entry: FunctionId) {
        let waits = [WAIT_ZERO, WAIT_NONZERO, WAIT_FREE, WAIT_END]
            .iter()
            .any(|name| self.markers.contains_key(*name));
        let property = (waits && self.checks(PropertyKind::Deadlock)).then(|| {
            let position = self.functions[entry].position;
            let text = "threads wait for each other, and none can go on".to_owned();
            self.properties.add(entry, PropertyKind::Deadlock, position, text)
        });
        let int_width = self.data_model.int_width;
        let place = self.place_in_library();
        for (name, &id) in &self.markers {
            let function = &mut self.functions[id];
            if MARKERS.contains(&name.as_str()) {
                function.position = place;
            }
            match name.as_str() {
                SELF | IS_READY | INTERRUPTS => assign_result(function),
                SWITCH | WRITES | ACCESSES | HOLD | PUBLISHES | WAITED => {}
                SECTION_BEGINS | SECTION_ENDS | SUSPENDS_OTHERS | RESUMES_OTHERS => {}
                WAIT_ZERO | WAIT_FREE => wait(function, Op::Eq, property),
                WAIT_NONZERO | WAIT_END => wait(function, Op::Ne, property),
                CREATE => {
                    let what = "a thread (followed from the program's own start only)".to_owned();
                    do_first(function, StatementKind::Unsupported { what });
                }
                END => {
                    let stop = StatementKind::Stop {
                        reason: StopReason::Exit,
                        status: Some(int(int_width, 0)),
                    };
                    do_first(function, stop);
                }
                _ => {}
            }
        }
    }

    /// A place that is none of the user's: what happens there is shown where it is called.
    fn place_in_library(&self) -> Position {
        let mut files = self.tables.files.enumerate();
        let library = files.find(|(_, file)| file.is_library_model);
        library.map_or_else(Position::default, |(file, _)| Position {
            file,
            line: 1,
            column: 1,
        })
    }
}

impl FunctionTranslator<'_, '_> {
    /// The results of a call of `__kripke_thread_NAME`.
    pub fn thread_intrinsic(&mut self, name: &str, site: &CallSite<'_>) -> Step<Vec<Expr>> {
        let pointers = |count: usize| -> Step<Vec<(Scalar, Expr)>> {
            (0..count)
                .map(|index| Ok((Scalar::Pointer, site.argument(index)?)))
                .collect()
        };
        let (marker, arguments, results): (_, _, &[Scalar]) = match name {
            "self" => (SELF, Vec::new(), &[WORD]),
            "switch" => (SWITCH, Vec::new(), &[]),
            "write" | "races_to_write" | "races_to_read" => {
                let size = Scalar::Int(self.unit.data_model.pointer_width);
                let told = vec![
                    (Scalar::Pointer, site.argument(0)?),
                    (size, site.argument(1)?),
                    (Scalar::BOOL, boolean(name != "races_to_read")),
                ];
                (if name == "write" { WRITES } else { ACCESSES }, told, &[])
            }
            "wait_zero" => (WAIT_ZERO, pointers(1)?, &[]),
            "wait_nonzero" => (WAIT_NONZERO, pointers(1)?, &[]),
            "wait_free" => (WAIT_FREE, pointers(1)?, &[]),
            "wait_end" => (WAIT_END, pointers(1)?, &[]),
            "is_ready" => {
                let number = (WORD, self.integer_argument(site, 0, 32)?);
                (IS_READY, vec![number], &[WORD])
            }
            "publishes" => (PUBLISHES, Vec::new(), &[]),
            "waited" => (WAITED, Vec::new(), &[]),
            "section_begins" => (SECTION_BEGINS, Vec::new(), &[]),
            "section_ends" => (SECTION_ENDS, Vec::new(), &[]),
            "suspends_others" => (SUSPENDS_OTHERS, Vec::new(), &[]),
            "resumes_others" => (RESUMES_OTHERS, Vec::new(), &[]),
            "interrupts" => (INTERRUPTS, Vec::new(), &[WORD]),
            "hold" => {
                let how = (0..2).map(|index| Ok((WORD, self.integer_argument(site, index, 32)?)));
                (HOLD, how.collect::<Step<Vec<_>>>()?, &[])
            }
            "create" => (CREATE, pointers(3)?, &[WORD]),
            "end" => (END, Vec::new(), &[]),
            _ => return unsupported(format!("the function `__kripke_thread_{name}`")),
        };
        Ok(self.note_interrupts(marker, arguments, results))
    }

    /// `__VERIFIER_atomic_begin` and the like.
    pub fn note_section(&mut self, begins: bool) {
        let name = match begins {
            true => SECTION_BEGINS,
            false => SECTION_ENDS,
        };
        self.note_interrupts(name, Vec::new(), &[]);
    }
}

/// Puts a statement at the beginning of a function.
fn do_first(function: &mut Function, kind: StatementKind) {
    let position = function.position;
    let entry = function.entry;
    let statement = Statement { kind, position };
    if let Some(transition) = function.locations[entry].transitions.first_mut() {
        transition.statements.insert(0, statement);
    }
}

fn assign_result(function: &mut Function) {
    let Some(&target) = function.results.first() else {
        return;
    };
    let entry = function.entry;
    if let Some(transition) = function.locations[entry].transitions.first_mut() {
        let kind = StatementKind::Assign {
            target,
            value: int(32, 0),
        };
        transition.statements = vec![Statement {
            kind,
            position: Position::default(),
        }];
    }
}

/// Goes on only where the word compares so with zero: nobody else would ever change it.
fn wait(function: &mut Function, op: Op, property: Option<PropertyId>) {
    let position = function.position;
    let Some(&word) = function.parameters.first() else {
        return;
    };
    let value: VariableId = function.variables.push(Variable {
        name: "word".to_owned(),
        ty: WORD,
        kind: VariableKind::Temporary,
        c_type: None,
        position,
    });
    let load = StatementKind::Load {
        target: value,
        address: Expr::Variable(word),
        align: 1,
        volatile: false,
        checks: AccessChecks::default(),
    };
    let goes_on = binary(op, Expr::Variable(value), int(32, 0));
    let otherwise = match property {
        Some(property) => StatementKind::Assert {
            condition: boolean(false),
            property,
        },
        None => StatementKind::Assume {
            condition: boolean(false),
        },
    };
    let statements = |kinds: Vec<StatementKind>| {
        let kinds = kinds.into_iter();
        kinds.map(|kind| Statement { kind, position }).collect::<Vec<_>>()
    };
    let transition = |guard: Expr, kinds: Vec<StatementKind>, target: LocationId| Transition {
        guard,
        statements: statements(kinds),
        target,
        position,
    };
    let (exit, fork) = (LocationId::new(1), LocationId::new(2));
    let location = |name: &str, transitions| Location {
        name: name.to_owned(),
        transitions,
        position,
    };
    let locations = vec![
        location("entry", vec![transition(boolean(true), vec![load], fork)]),
        location("exit", Vec::new()),
        location(
            "wait",
            vec![
                transition(goes_on.clone(), Vec::new(), exit),
                transition(not(goes_on), vec![otherwise], exit),
            ],
        ),
    ];
    function.locations = IdVec::from(locations);
    function.entry = LocationId::new(0);
    function.exit = exit;
}
