//! Where other threads may run: gaps before the accesses that they can tell.
//!
//! Idea: a thread that is stopped between two statements may as well be stopped later, up to the next
//! statement that reads what other threads write, or writes what they read or write. So a thread runs on up
//! to there; what makes threads wait for each other is a gap of its own. Accesses are taken to pieces as for
//! handlers of interrupts. What the model of the thread library does is done at once, up to where it says.
//!
//! Which other threads there are depends on the function: what only `main` calls runs beside the started
//! threads; what a thread calls of which there is one, beside all others.
//!
//! Invariant: each run of the threads, in which any of them is stopped between any two pieces of accesses, is
//! one of the result up to the order of independent statements, and to statements after which a run ends or
//! never comes to a gap again: those are for the weaving, which knows what comes after them.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::threads::{
    ACCESS_BEGINS, ACCESS_ENDS, BEFORE_ATOMIC, BEFORE_READ, BEFORE_WRITE, BETWEEN, CREATE, LOCK,
    LOCKS_UNSEEN, NEEDS_ALONE, UNLOCKS_UNSEEN, WAIT_AND_TAKE, is_in_thread_library,
};
use kripke_elts::{
    Callee, Expr, Function, FunctionId, Location, Position, Program, Statement, StatementKind, Transition,
};

use crate::control::Controls;
use crate::effects::{Effects, Reach};
use crate::protected::Protected;
use crate::rewrite::Rewriter;
use crate::terms::{call, call_with, int, truth};
use crate::writer::Writer;
use crate::{Asked, Interrupts};
use kripke_elts::interrupts::{ATOMIC_BEGINS, ATOMIC_ENDS};

/// What is told of an access: a value that it reads is used for nothing,
pub const UNUSED: u128 = 0;
/// or it is, or is written,
pub const USED: u128 = 1;
/// or it is what is beside a bit-field, to be written back;
pub const KEEPS_NEIGHBOURS: u128 = 2;
/// or it writes only if it finds what is expected.
pub const COMPARES: u128 = 3;

/// The functions that are called in gaps.
#[derive(Clone, Copy, Debug)]
pub struct Gaps {
    before_read: FunctionId,
    before_write: FunctionId,
    before_atomic: FunctionId,
    /// What follows relies on that no other thread runs.
    needs_alone: FunctionId,
    locks_unseen: FunctionId,
    unlocks_unseen: FunctionId,
    /// Where it is asked what comes between the pieces of an access.
    pub between: Option<FunctionId>,
    /// Where it is asked what comes between two accesses: what tells where one begins, and where it ends.
    pub accesses: Option<(FunctionId, FunctionId)>,
}

/// Puts gaps into all functions that threads run. Returns the functions in which threads begin; none where
/// the program starts no thread. What the functions `watched` read can be told apart, too. It
/// may be asked what comes between pieces of accesses. Where locks are relied on there are no gaps between
/// accesses that they protect.
pub fn add_gaps(
    program: &mut Program,
    watched: &[FunctionId],
    asked: Asked,
    relies_on_locks: bool,
) -> BTreeSet<FunctionId> {
    if !program.functions.iter().any(|function| function.name == CREATE) {
        return BTreeSet::new();
    }
    let mut marked = program.clone();
    let gaps = Gaps {
        before_read: marker(&mut marked, BEFORE_READ),
        before_write: marker(&mut marked, BEFORE_WRITE),
        before_atomic: marker(&mut marked, BEFORE_ATOMIC),
        needs_alone: marker(&mut marked, NEEDS_ALONE),
        locks_unseen: marker(&mut marked, LOCKS_UNSEEN),
        unlocks_unseen: marker(&mut marked, UNLOCKS_UNSEEN),
        between: asked.torn.then(|| marker(&mut marked, BETWEEN)),
        accesses: (asked.atomicity).then(|| {
            [ACCESS_BEGINS, ACCESS_ENDS]
                .map(|name| marker(&mut marked, name))
                .into()
        }),
    };
    let effects = Effects::new(&marked);
    let starts = starts(&effects, &[effects.program.entry]);
    if starts.is_empty() {
        return starts;
    }
    let groups = Groups::new(&effects, &starts);
    let plan = groups.plan(gaps, watched);
    let protected = match watched {
        [] => Protected::new(&effects, &starts, &groups.of_main(), relies_on_locks),
        _ => Protected::default(),
    };
    let wanted = Interrupts::default();
    let controls = Controls::new(&effects, &wanted, &[]);
    let mut rewriter = Rewriter::new(effects, &wanted, (&[], Vec::new()), controls, &[]);
    rewriter.gaps = Some(gaps);
    rewriter.protected = protected;
    rewriter.reaches = plan.reaches;
    rewriter.dispatchers = plan.dispatchers;
    *program = rewriter.with_bodies(&plan.levels);
    starts
}

fn marker(program: &mut Program, name: &str) -> FunctionId {
    let nowhere = (Position::default(), Position::default());
    let function = Function::without_effect(name.to_owned(), [], nowhere);
    program.functions.push(function)
}

/// Is the function one of the model of the thread library?
pub fn is_thread_library(program: &Program, id: FunctionId) -> bool {
    is_in_thread_library(program, program.functions[id].position)
}

/// The functions in which threads begin that some functions start, and those that are called with their
/// results.
pub fn starts(effects: &Effects<'_>, by: &[FunctionId]) -> BTreeSet<FunctionId> {
    let program = effects.program;
    let reached = effects.closure(by);
    let mut starts = BTreeSet::new();
    let mut open: Vec<FunctionId> = reached.into_iter().collect();
    let mut seen: BTreeSet<FunctionId> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        for statement in program.functions[id].statements() {
            let StatementKind::Call {
                callee: Callee::Direct(callee),
                arguments,
                ..
            } = &statement.kind
            else {
                continue;
            };
            if program.functions[*callee].name != CREATE {
                continue;
            }
            for argument in [&arguments[0], &arguments[2]] {
                let found = effects.points_to.callees(id, &Callee::Indirect(argument.clone()));
                starts.extend(&found);
                let new = effects.closure(&found);
                open.extend(new.into_iter().filter(|id| seen.insert(*id)));
            }
        }
    }
    starts
}

/// What is to be written.
struct Plan {
    /// For each level what runs beside the functions of it,
    reaches: Vec<Option<Reach>>,
    /// and what is called in gaps.
    dispatchers: Vec<Option<FunctionId>>,
    levels: BTreeMap<FunctionId, usize>,
}

/// Which functions run beside which.
struct Groups<'e, 'p> {
    effects: &'e Effects<'p>,
    /// What each root runs: the program's own start first.
    closures: Vec<(FunctionId, BTreeSet<FunctionId>)>,
    /// Of which roots several may run at once.
    several: Vec<bool>,
}

impl<'e, 'p> Groups<'e, 'p> {
    fn new(effects: &'e Effects<'p>, starts: &BTreeSet<FunctionId>) -> Self {
        let entry = effects.program.entry;
        let roots = std::iter::once(entry).chain(starts.iter().copied());
        let closures: Vec<_> = roots.map(|root| (root, effects.closure(&[root]))).collect();
        let several = closures
            .iter()
            .map(|(root, _)| *root != entry && may_start_twice(effects, &closures, *root));
        Groups {
            effects,
            several: several.collect(),
            closures,
        }
    }

    /// What is to be written for the functions.
    fn plan(&self, gaps: Gaps, watched: &[FunctionId]) -> Plan {
        let program = self.effects.program;
        // The first level is the one that no gaps are in.
        let mut plan = Plan {
            reaches: vec![None],
            dispatchers: vec![None],
            levels: BTreeMap::new(),
        };
        let mut groups: BTreeMap<Vec<usize>, Vec<FunctionId>> = BTreeMap::new();
        for id in program.functions.ids() {
            let closures = self.closures.iter().enumerate();
            let roots = closures.filter(|(_, (_, closure))| closure.contains(&id));
            let roots: Vec<usize> = roots.map(|(index, _)| index).collect();
            if is_thread_library(program, id) {
                // It says itself where others run; what it calls through pointers is written out.
                plan.levels.insert(id, 0);
            } else if !roots.is_empty() {
                groups.entry(roots).or_default().push(id);
            }
        }
        for (roots, functions) in groups {
            let beside = self.beside(&roots);
            if !beside.is_empty() {
                let level = plan.reaches.len();
                plan.reaches
                    .push(Some(Reach::new(self.effects, &beside, watched, false)));
                plan.dispatchers.push(Some(gaps.before_read));
                plan.levels
                    .extend(functions.into_iter().map(|function| (function, level)));
            }
        }
        plan
    }

    /// The functions that only the program's own thread runs.
    fn of_main(&self) -> BTreeSet<FunctionId> {
        let (own, others) = match &self.closures[..] {
            [(_, own), others @ ..] => (own.clone(), others),
            [] => return BTreeSet::new(),
        };
        let is_other = |id: &FunctionId| others.iter().any(|(_, closure)| closure.contains(id));
        own.into_iter().filter(|id| !is_other(id)).collect()
    }

    /// The roots that may run beside a function that these run.
    fn beside(&self, roots: &[usize]) -> Vec<FunctionId> {
        let all = self.closures.iter().enumerate();
        let others = all.filter(|(index, _)| roots != [*index] || self.several[*index]);
        others.map(|(_, (root, _))| *root).collect()
    }
}

/// May two threads that begin in a function run at once? Not where one place starts it once.
fn may_start_twice(
    effects: &Effects<'_>,
    closures: &[(FunctionId, BTreeSet<FunctionId>)],
    start: FunctionId,
) -> bool {
    let program = effects.program;
    let mut places = 0;
    for id in closures
        .iter()
        .flat_map(|(_, closure)| closure)
        .collect::<BTreeSet<_>>()
    {
        if is_thread_library(program, *id) {
            continue;
        }
        for (location, code) in program.functions[*id].locations.enumerate() {
            let statements = code
                .transitions
                .iter()
                .flat_map(|transition| &transition.statements);
            for statement in statements.filter(|statement| mentions(effects, *id, statement, start)) {
                if !matches!(statement.kind, StatementKind::Call { .. }) {
                    return true;
                }
                let once = is_called_once(program, *id) && !program.functions[*id].is_in_cycle(location);
                places += if once { 1 } else { 2 };
            }
        }
    }
    places != 1
}

/// Does a statement take the address of a function?
fn mentions(effects: &Effects<'_>, id: FunctionId, statement: &Statement, start: FunctionId) -> bool {
    let mut found = false;
    statement
        .kind
        .each_expr(&mut |expr| expr.each_function(&mut |function| found |= function == start));
    if let StatementKind::Call {
        callee: Callee::Direct(callee),
        arguments,
        ..
    } = &statement.kind
        && is_thread_library(effects.program, *callee)
    {
        let is_variable = |argument: &&Expr| !matches!(argument, Expr::FunctionAddress(_));
        for argument in arguments.iter().filter(is_variable) {
            let callees = effects.points_to.callees(id, &Callee::Indirect(argument.clone()));
            found |= callees.contains(&start);
        }
    }
    found
}

/// Is a function called at one place, which is come to once? The entry is, unless somebody calls it again.
fn is_called_once(program: &Program, id: FunctionId) -> bool {
    let is_entry = id == program.entry;
    let runs_once = is_entry || is_called_once(program, program.entry);
    let calls = |statement: &Statement| match &statement.kind {
        StatementKind::Call {
            callee: Callee::Direct(callee),
            ..
        } => *callee == id,
        _ => false,
    };
    let mut count = 0;
    for (caller, function) in program.functions.enumerate() {
        for (location, code) in function.locations.enumerate() {
            let statements = code
                .transitions
                .iter()
                .flat_map(|transition| &transition.statements);
            let here = statements.filter(|statement| calls(statement)).count();
            let once = || runs_once && caller == program.entry && !function.is_in_cycle(location);
            count += if here == 0 || once() { here } else { 2 };
        }
    }
    let mut taken = false;
    program.each_expr(&mut |expr| expr.each_function(&mut |function| taken |= function == id));
    let cells = program.globals.iter().flat_map(|global| &global.cells);
    cells.for_each(|cell| cell.value.each_function(&mut |function| taken |= function == id));
    count == usize::from(!is_entry) && !taken
}

impl Writer<'_, '_> {
    /// Writes a statement of a thread, with gaps before what others can tell.
    pub fn statement_of_thread(&mut self, statement: &Statement) {
        if self.atomic_mark_of_thread(statement) {
            return;
        }
        if let StatementKind::Call { callee, .. } = &statement.kind {
            match callee {
                Callee::Direct(_) => {
                    self.tell_alone(statement.position);
                    self.tell_lock(statement.position);
                    let plain = self.plain_lock(statement);
                    self.statements.push(plain.unwrap_or_else(|| statement.clone()));
                }
                Callee::Indirect(pointer) => self.indirect_call(pointer, statement),
            }
            return;
        }
        let reach = self
            .level()
            .and_then(|level| self.rewriter.reaches[level].as_ref());
        let depends = !matches!(statement.kind, StatementKind::SetRounding { .. })
            && reach.is_some_and(|reach| reach.depends(&self.rewriter.effects, self.id, statement))
            && !(self.rewriter.protected.is_free(self.id, self.place)
                && reach.is_none_or(|reach| !reach.counts(&statement.kind)));
        let tells = self.rewriter.gaps.is_some_and(|gaps| gaps.accesses.is_some());
        let shares = tells
            && reach.is_some_and(|reach| reach.shares(&self.rewriter.effects, self.id, &statement.kind));
        match (depends, self.is_atomic) {
            (true, false) => {
                self.before = self.rewriter.gaps.map(|gaps| match statement.kind {
                    StatementKind::Load { .. } => gaps.before_read,
                    _ => gaps.before_write,
                });
                self.tell_bit_field(statement);
                if let Some(before) = self.before {
                    let told = self.bytes_of(&statement.kind);
                    self.emit(call_with(before, told), statement.position);
                }
                self.tell_alone(statement.position);
                let began = self.tell_begin(statement);
                self.in_pieces(statement);
                self.tell_end(began, statement.position);
                self.before = None;
                self.told.clear();
            }
            (false, false) if shares => {
                let began = self.tell_begin(statement);
                self.statements.push(statement.clone());
                self.tell_end(began, statement.position);
            }
            (depends, is_atomic) => {
                if depends {
                    self.tell_alone(statement.position);
                }
                self.atomic_depends |= depends && is_atomic;
                self.atomic_shares |= shares && is_atomic;
                self.statements.push(statement.clone());
            }
        }
    }

    /// Says where the statement that is written relies on that no other thread runs.
    fn tell_alone(&mut self, position: Position) {
        if self.rewriter.protected.needs_alone(self.id, self.place)
            && let Some(gaps) = self.rewriter.gaps
        {
            self.emit(call(gaps.needs_alone), position);
        }
    }

    /// A lock of a mutex that does not know whether the thread holds it: it waits in any case.
    fn plain_lock(&self, statement: &Statement) -> Option<Statement> {
        let mut own = statement.clone();
        if self.rewriter.protected.locks_plainly(self.id, self.place)
            && let StatementKind::Call {
                callee, arguments, ..
            } = &mut own.kind
        {
            let program = self.rewriter.original;
            let is_mutex = |id: FunctionId| program.functions[id].name == LOCK;
            if !matches!(callee, Callee::Direct(id) if is_mutex(*id)) {
                return None;
            }
            let mut known = program.functions.ids();
            let is_it = |id: &FunctionId| {
                is_thread_library(program, *id) && program.functions[*id].name == WAIT_AND_TAKE
            };
            *callee = Callee::Direct(known.find(is_it).filter(|_| arguments.len() == 1)?);
            return Some(own);
        }
        None
    }

    /// Says of which locks and unlocks nobody else can tell.
    fn tell_lock(&mut self, position: Position) {
        let (protected, at) = (&self.rewriter.protected, (self.id, self.place));
        let (locks, unlocks) = (
            protected.locks_unseen(at.0, at.1),
            protected.unlocks_unseen(at.0, at.1),
        );
        if let Some(gaps) = self.rewriter.gaps {
            let told = [(locks, gaps.locks_unseen), (unlocks, gaps.unlocks_unseen)];
            for (_, mark) in told.into_iter().filter(|(is_so, _)| *is_so) {
                self.emit(call(mark), position);
            }
        }
    }

    /// Begins and ends what the processor does at once: the gap is before all of it.
    fn atomic_mark_of_thread(&mut self, statement: &Statement) -> bool {
        let StatementKind::Call {
            callee: Callee::Direct(callee),
            ..
        } = &statement.kind
        else {
            return false;
        };
        let position = statement.position;
        match self.rewriter.original.functions[*callee].name.as_str() {
            ATOMIC_BEGINS => {
                self.is_atomic = true;
                self.atomic_depends = false;
                self.atomic_shares = false;
                self.atomic_from = self.statements.len();
                self.atomic_place = self.place;
            }
            ATOMIC_ENDS => {
                self.is_atomic = false;
                let matters = self.atomic_depends || self.atomic_shares;
                if let (true, Some(gaps)) = (matters, self.rewriter.gaps) {
                    let done = self.statements[self.atomic_from..].iter();
                    let told: Vec<Expr> = done
                        .flat_map(|statement| self.bytes_of(&statement.kind))
                        .collect();
                    self.tell_atomic(&told, position);
                    if self.atomic_depends {
                        let kind = call_with(gaps.before_atomic, told);
                        self.statements
                            .insert(self.atomic_from, Statement { kind, position });
                    }
                }
            }
            _ => return false,
        }
        true
    }

    /// The bytes that a statement accesses: for each range its address, its length and whether it is written.
    /// What ends objects is not told of: accesses to them are found to be dead.
    pub fn bytes_of(&self, kind: &StatementKind) -> Vec<Expr> {
        use StatementKind as K;
        let model = &self.rewriter.original.data_model;
        let length = |bytes: u64| int(model.pointer_width, u128::from(bytes));
        let told = |address: &Expr, length: Expr, writes: bool| [address.clone(), length, truth(writes)];
        match kind {
            K::Load { target, address, .. } => {
                let ty = self.function.variables[*target].ty;
                told(address, length(ty.bytes(model)), false).to_vec()
            }
            K::Store { address, ty, .. } => told(address, length(ty.bytes(model)), true).to_vec(),
            K::CopyMemory {
                target,
                source,
                length,
                ..
            } => [
                told(target, length.clone(), true),
                told(source, length.clone(), false),
            ]
            .concat(),
            K::SetMemory { target, length, .. } => told(target, length.clone(), true).to_vec(),
            K::Output { arguments, .. } => {
                let read = arguments.iter().map(|argument| told(argument, length(1), false));
                read.flatten().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Objects of the function's frame die where it returns: others may run before that if they can tell.
    pub fn gap_at_return(&mut self) {
        let (Some(level), Some(gaps)) = (self.level(), self.rewriter.gaps) else {
            return;
        };
        let dying = self.rewriter.effects.dying(self.id);
        let reach = self.rewriter.reaches[level].as_ref();
        let can_tell = dying.zip(reach).is_some_and(|(dying, reach)| reach.meets(&dying));
        if !can_tell || self.function.locations.is_empty() {
            return;
        }
        let position = self.function.locations[self.function.exit].position;
        let exit = self.function.locations.push(Location {
            name: "return".to_owned(),
            transitions: Vec::new(),
            position,
        });
        let mut kinds = vec![call(gaps.before_write)];
        if self.rewriter.protected.returns_alone(self.id) {
            kinds.push(call(gaps.needs_alone));
        }
        let kinds = kinds.into_iter();
        self.function.locations[self.function.exit]
            .transitions
            .push(Transition {
                guard: truth(true),
                statements: kinds.map(|kind| Statement { kind, position }).collect(),
                target: exit,
                position,
            });
        self.function.exit = exit;
    }
}
