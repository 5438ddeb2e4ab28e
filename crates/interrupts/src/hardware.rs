//! Handlers beside threads: a thread of their own, which runs them.
//!
//! Idea: where a program starts threads, handlers are not put between its statements. One more thread lets
//! any enabled handler come, again and again, each at once: nobody else runs until it has ended. So handlers
//! come wherever threads can tell, as the weaving of threads has it. Only a handler of a higher priority
//! comes into one, and that is put into its statements as always.
//!
//! Who disables interrupts keeps other threads from running, too: on one core nothing switches to them then.
//! What says so is told where a thread changes it, in the same step.
//!
//! Invariant: each run of the threads and handlers on one core, in which a handler runs to its end while it
//! is enabled, is one of the result.

use kripke_elts::interrupts::{ATOMIC_BEGINS, ATOMIC_ENDS};
use kripke_elts::threads::{
    CHOSEN, CREATE, HARDWARE, INTERRUPTS, MASKS, MASKS_SOME, SECTION_BEGINS, SECTION_ENDS,
};
use kripke_elts::{
    BinaryOp, Callee, Expr, Function, FunctionId, GlobalId, Id, IdVec, Location, LocationId, Position,
    Program, Statement, StatementKind, Transition, Type,
};

use crate::control::FLAG;
use crate::effects::Effects;
use crate::rewrite::Variant;
use crate::terms::{assign, binary, call, call_with, int, load, or, temporary, truth};
use crate::writer::Writer;
use crate::{Asked, Interrupts, Known, Problem};

/// The functions by which the thread of handlers and its dispatcher are known.
#[derive(Clone, Copy, Debug)]
pub struct Hardware {
    /// Lets one handler come, or none.
    dispatcher: FunctionId,
    /// Called where the dispatcher has chosen.
    pub chosen: FunctionId,
    /// Tells that the running thread has disabled interrupts, or not.
    masks: FunctionId,
    /// Called around what the processor does at once.
    atomic: (FunctionId, FunctionId),
}

impl Hardware {
    /// Adds what it needs; the dispatcher is what else would be called between the program's statements.
    /// `masks_all`: no handler comes where interrupts are disabled.
    pub fn new(program: &mut Program, dispatcher: FunctionId, masks_all: bool) -> Self {
        let parameter = temporary("masked".to_owned(), Type::BOOL);
        Hardware {
            dispatcher,
            chosen: function_called(program, CHOSEN, None),
            masks: function_called(
                program,
                if masks_all { MASKS } else { MASKS_SOME },
                Some(parameter),
            ),
            atomic: [ATOMIC_BEGINS, ATOMIC_ENDS]
                .map(|name| function_called(program, name, None))
                .into(),
        }
    }

    /// The program starts the thread before it does anything else.
    pub fn start(self, program: &mut Program, position: Position) {
        let begins = function_called(program, SECTION_BEGINS, None);
        let ends = function_called(program, SECTION_ENDS, None);
        let body = body([call(begins), call(self.dispatcher), call(ends)], position);
        let runs = program.functions.push(body);
        let result = kripke_elts::Variable {
            kind: kripke_elts::VariableKind::Parameter,
            ..temporary("result".to_owned(), Type::Pointer)
        };
        let finish = Function::without_effect(format!("{HARDWARE} end"), [result], (position, position));
        let finish = program.functions.push(finish);
        let create = function_called(program, CREATE, None);
        let function = &mut program.functions[program.entry];
        let number = function
            .variables
            .push(temporary("interrupts.number".to_owned(), Type::Int(32)));
        let kind = StatementKind::Call {
            results: vec![number],
            callee: Callee::Direct(create),
            arguments: vec![
                Expr::FunctionAddress(runs),
                Expr::Null,
                Expr::FunctionAddress(finish),
            ],
            check: None,
        };
        let start = function.locations.push(Location {
            name: "handlers may come".to_owned(),
            transitions: vec![to(function.entry, vec![kind], position)],
            position,
        });
        function.entry = start;
    }
}

/// The function of a name, which does nothing if there is none yet.
fn function_called(
    program: &mut Program,
    name: &str,
    parameter: Option<kripke_elts::Variable>,
) -> FunctionId {
    let known = program
        .functions
        .iter()
        .position(|function| function.name == name);
    if let Some(index) = known {
        return FunctionId::new(index);
    }
    let nowhere = (Position::default(), Position::default());
    let parameter = parameter.map(|parameter| kripke_elts::Variable {
        kind: kripke_elts::VariableKind::Parameter,
        ..parameter
    });
    let function = Function::without_effect(name.to_owned(), parameter, nowhere);
    program.functions.push(function)
}

fn to(target: LocationId, kinds: Vec<StatementKind>, position: Position) -> Transition {
    let statements = kinds.into_iter().map(|kind| Statement { kind, position });
    Transition {
        guard: truth(true),
        statements: statements.collect(),
        target,
        position,
    }
}

/// Does the statements for ever.
fn body(kinds: [StatementKind; 3], position: Position) -> Function {
    let [start, head, exit] = [0, 1, 2].map(LocationId::new);
    let locations = [
        ("start", vec![to(head, Vec::new(), position)]),
        ("head", vec![to(head, kinds.into(), position)]),
        ("exit", Vec::new()),
    ];
    let locations = locations.into_iter().map(|(name, transitions)| Location {
        name: name.to_owned(),
        transitions,
        position,
    });
    Function {
        name: HARDWARE.to_owned(),
        parameters: Vec::new(),
        results: Vec::new(),
        variables: IdVec::new(),
        locations: IdVec::from(locations.collect::<Vec<_>>()),
        entry: start,
        exit,
        position,
        variadic: false,
    }
}

/// Does the program start threads, or one of the handlers?
pub fn starts_threads(effects: &Effects<'_>, handlers: &[Known]) -> bool {
    let begins = { handlers.iter() }.map(|handler| handler.function);
    let begins: Vec<FunctionId> = begins.chain([effects.program.entry]).collect();
    let reached = effects.closure(&begins);
    reached
        .into_iter()
        .any(|id| effects.program.functions[id].name == CREATE)
}

/// What is not followed of handlers beside threads is refused. Whether they may write what the C library has
/// for each thread, which is taken for untouched.
pub fn refuse(
    effects: &Effects<'_>,
    handlers: &[Known],
    wanted: &Interrupts,
    asked: Asked,
) -> Result<bool, Problem> {
    let program = effects.program;
    let problem = |message: String| Err(Problem::Other(message));
    let mut uses_library = false;
    let levels = handlers.iter().map(|handler| handler.level).max();
    let what = match asked {
        Asked { torn: true, .. } => Some("torn-access"),
        Asked { atomicity: true, .. } => Some("atomicity"),
        _ => None,
    };
    if let Some(what) = what.filter(|_| levels > Some(1)) {
        return problem(format!(
            "{what} of handlers that interrupt each other is not followed in a program with threads: give \
             them one priority"
        ));
    }
    if wanted.everywhere {
        return problem("threads do not go together with handlers that come everywhere".to_owned());
    }
    let roots: Vec<FunctionId> = handlers.iter().map(|handler| handler.function).collect();
    for id in effects.closure(&roots) {
        let function = &program.functions[id];
        let mut own = None;
        let mut look = |expr: &Expr| {
            expr.each_global(&mut |global| {
                if program.globals[global].thread_local {
                    own = Some(global);
                }
            });
        };
        function
            .transitions()
            .for_each(|transition| look(&transition.guard));
        function
            .statements()
            .for_each(|statement| statement.kind.each_expr(&mut look));
        uses_library |= own.is_some();
        if let Some(own) = own.filter(|_| !program.is_library(function.position)) {
            return problem(format!(
                "the handlers use `{}`, of which each thread has its own: which one, is not followed",
                program.globals[own].name
            ));
        }
    }
    Ok(uses_library)
}

impl Writer<'_, '_> {
    /// Changes what masks interrupts. Beside threads, who does that tells whether they are masked now.
    pub fn change_mask(&mut self, kind: StatementKind, position: Position) {
        let hardware = self
            .rewriter
            .hardware
            .filter(|_| self.variant == Variant::Level(0));
        let Some(Hardware { masks, .. }) = hardware else {
            return self.emit(kind, position);
        };
        let controls = &self.rewriter.controls;
        let (flag, base) = (controls.flag(), controls.base.as_ref().map(|base| base.register));
        self.at_once(position, |writer| {
            writer.emit(kind, position);
            let mut masked = writer.compared(flag, BinaryOp::Eq, position);
            if let Some(base) = base {
                masked = or(masked, writer.compared(base, BinaryOp::Ne, position));
            }
            writer.emit(call_with(masks, vec![masked]), position);
        });
    }

    /// A byte of memory of our own, compared with 0.
    fn compared(&mut self, global: GlobalId, op: BinaryOp, position: Position) -> Expr {
        let value = self.variable(FLAG);
        self.emit(load(value, global), position);
        binary(op, Expr::Variable(value), int(8, 0))
    }

    /// Is it asked whether a handler runs? Then that is known here.
    pub fn asks_for_handler(&mut self, statement: &Statement) -> bool {
        let StatementKind::Call {
            callee: Callee::Direct(callee),
            results,
            ..
        } = &statement.kind
        else {
            return false;
        };
        let is_in_handler = matches!(self.variant, Variant::Level(level) if level > 0);
        if !is_in_handler || self.rewriter.original.functions[*callee].name != INTERRUPTS {
            return false;
        }
        for result in results {
            self.emit(assign(*result, int(32, 1)), statement.position);
        }
        true
    }

    /// Does what only the processor comes between at once; beside threads.
    pub fn at_once(&mut self, position: Position, writes: impl FnOnce(&mut Self)) {
        let atomic = self.rewriter.hardware.map(|hardware| hardware.atomic);
        let atomic = atomic.filter(|_| !self.is_atomic && self.variant == Variant::Level(0));
        if let Some((begins, _)) = atomic {
            self.emit(call(begins), position);
        }
        writes(self);
        if let Some((_, ends)) = atomic {
            self.emit(call(ends), position);
        }
    }
}
