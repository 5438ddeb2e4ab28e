//! Writes the code of a thread: its functions put into each other.
//!
//! Idea: a call of a function in which others may run becomes its statements, with variables of their own for
//! each place that it is called from. What a call does beside that is written out: parameters are assigned,
//! variables have no value yet, objects of the frame die at its end. Traces are told by calls of functions
//! that do nothing.

use std::collections::BTreeMap;

use kripke_elts::passes::liveness::live_variables;
use kripke_elts::threads::{IN_THREAD, OF_THREAD, PASSES, RETURNS, is_in_thread_library};
use kripke_elts::{
    AccessChecks, BinaryOp, Callee, Expr, Function, FunctionId, GlobalId, Id, LocationId, NondetSource,
    Position, Program, Statement, StatementKind, Transition, Type, Variable, VariableId, VariableKind,
};
use kripke_interrupts::terms::{and, assign, binary, call, int, not, select, truth};

use crate::copies::Copy;
use crate::deadlocks::DELETED;
use crate::iterations::told;
use crate::marks::{Mark, Wait};
use crate::pairs::{Ending, Event, Noted};
use crate::races::tells_of_writes;
use crate::weaver::{ENDED, Site, Stop, Weaver};

/// How often a function may be part of itself.
const MOST_RECURSION: usize = 4;

/// How many locations there are at the most, about: a function has its own at each place that calls it.
const MOST_LOCATIONS: usize = 50_000;

/// Where statements are written: at the end of the last transition of a location.
struct Pen {
    thread: usize,
    at: LocationId,
    /// The functions that are being put into each other.
    active: Vec<Frame>,
    /// The call that follows is of a lock, or an unlock, of which nobody else can tell.
    locks_unseen: bool,
    unlocks_unseen: bool,
}

impl Pen {
    /// The innermost function that is the user's, and where in it a place is.
    fn place_of_user(&self, program: &Program, mut position: Position) -> (FunctionId, Position) {
        for frame in self.active.iter().rev() {
            if !program.is_library(position) {
                return (frame.function, position);
            }
            position = frame.call;
        }
        (program.entry, position)
    }
}

/// A call of a thread, while its statements are written.
struct Frame {
    function: FunctionId,
    /// Where it is called.
    call: Position,
    /// What points to its objects.
    objects: Vec<VariableId>,
    /// The accesses that were begun, by their numbers in the function.
    begun: BTreeMap<u64, usize>,
}

impl Weaver<'_> {
    /// Writes the code of a thread from its root on.
    pub fn write_thread(&mut self, thread: usize) {
        let root = self.threads[thread].root;
        let position = self.function.position;
        self.leave(root, Vec::new(), root, position);
        let mut pen = Pen {
            thread,
            at: root,
            active: Vec::new(),
            locks_unseen: false,
            unlocks_unseen: false,
        };
        self.add_place(thread, root, Stop::Gap { writes: false });
        match self.threads[thread].begins {
            None => self.write_main(&mut pen),
            Some((begin, finish)) => self.write_started(&mut pen, begin, finish),
        }
    }

    /// The program's own thread: where it returns, the program ends.
    fn write_main(&mut self, pen: &mut Pen) {
        let entry = self.program.entry;
        let position = self.program.functions[entry].position;
        let results = self.put_in(pen, entry, Vec::new(), position);
        self.gap(pen, Stop::Gap { writes: true });
        let own = self.function.results.clone();
        for (own, result) in own.into_iter().zip(results) {
            self.emit(pen, assign(own, Expr::Variable(result)), position);
        }
        self.go(pen, self.function.exit);
    }

    fn write_started(&mut self, pen: &mut Pen, begin: FunctionId, finish: FunctionId) {
        let position = self.program.functions[begin].position;
        let argument = Expr::Variable(self.threads[pen.thread].argument);
        let results = self.call(pen, begin, vec![argument], position);
        let result = match results.first() {
            None => Expr::Null,
            Some(result) if self.function.variables[*result].ty == Type::Pointer => Expr::Variable(*result),
            // A function of another type: what becomes of its result nobody knows.
            Some(_) => {
                let target = self.variable("result", Type::Pointer);
                let source = NondetSource::Uninitialised;
                self.emit(pen, StatementKind::Nondet { target, source }, position);
                Expr::Variable(target)
            }
        };
        self.call(pen, finish, vec![result], position);
        self.end(pen, position);
    }

    /// Calls a function with as many of the arguments as it takes.
    fn call(
        &mut self,
        pen: &mut Pen,
        callee: FunctionId,
        mut arguments: Vec<Expr>,
        position: Position,
    ) -> Vec<VariableId> {
        let function = &self.program.functions[callee];
        let parameters = function.parameters.iter();
        let types: Vec<Type> = parameters
            .map(|parameter| function.variables[*parameter].ty)
            .collect();
        if types.len() > arguments.len() || types.iter().any(|ty| *ty != Type::Pointer) {
            let what = format!(
                "a thread that begins in `{}`, with other parameters",
                function.name
            );
            self.emit(pen, StatementKind::Unsupported { what }, position);
            return Vec::new();
        }
        arguments.truncate(types.len());
        if self.inlined.contains(&callee) {
            return self.put_in(pen, callee, arguments, position);
        }
        let results: Vec<Type> = { function.results.iter() }
            .map(|result| function.variables[*result].ty)
            .collect();
        let results: Vec<VariableId> = results
            .into_iter()
            .map(|ty| self.variable("result", ty))
            .collect();
        let kind = StatementKind::Call {
            results: results.clone(),
            callee: Callee::Direct(callee),
            arguments,
            check: None,
        };
        self.emit(pen, kind, position);
        results
    }

    fn emit(&mut self, pen: &Pen, kind: StatementKind, position: Position) {
        let transitions = &mut self.function.locations[pen.at].transitions;
        if let Some(transition) = transitions.last_mut() {
            transition.statements.push(Statement { kind, position });
        }
    }

    /// The transition goes on to a location.
    fn go(&mut self, pen: &Pen, to: LocationId) {
        if let Some(transition) = self.function.locations[pen.at].transitions.last_mut() {
            transition.target = to;
        }
    }

    /// The rest is written at a location of its own.
    fn split(&mut self, pen: &mut Pen, name: &str) -> LocationId {
        let next = self.location(name, pen.thread);
        self.go(pen, next);
        self.continue_at(pen, next);
        next
    }

    fn continue_at(&mut self, pen: &mut Pen, at: LocationId) {
        let position = self.function.position;
        self.leave(at, Vec::new(), at, position);
        pen.at = at;
    }

    fn gap(&mut self, pen: &mut Pen, stop: Stop) -> usize {
        let at = self.split(pen, "gap");
        self.add_place(pen.thread, at, stop)
    }

    fn end(&mut self, pen: &mut Pen, position: Position) {
        self.refuse_in_section(pen, "the end of a thread", position);
        for object in pen.active.iter().flat_map(|frame| &frame.objects) {
            let pointer = Expr::Variable(*object);
            self.emit(pen, StatementKind::EndObject { pointer }, position);
        }
        self.event(pen, Event::Waits);
        self.ends.push((pen.thread, pen.at));
        let place = self.threads[pen.thread].place;
        self.emit(pen, assign(place, int(16, ENDED as u128)), position);
        self.go(pen, self.ended);
        // Nothing comes to what is written from here on.
        let rest = self.location("ended", pen.thread);
        self.continue_at(pen, rest);
    }

    /// Writes a function's statements: its results.
    fn put_in(
        &mut self,
        pen: &mut Pen,
        id: FunctionId,
        arguments: Vec<Expr>,
        position: Position,
    ) -> Vec<VariableId> {
        let function = self.program.functions[id].clone();
        let copy = self.copy_of(&function, pen.thread);
        let active = pen.active.iter().filter(|frame| frame.function == id);
        let depth = active.count();
        if depth == MOST_RECURSION || self.function.locations.len() > MOST_LOCATIONS {
            let what = match depth == MOST_RECURSION {
                true => format!("deep recursion of `{}` in a program with threads", function.name),
                false => format!("more than {MOST_LOCATIONS} locations of all threads"),
            };
            self.emit(pen, StatementKind::Unsupported { what }, position);
            return function
                .results
                .iter()
                .map(|result| copy.variables[result.index()])
                .collect();
        }
        self.begin_call(pen, id, (&function, &copy), arguments, position);
        let own = frame_objects(&function).into_iter();
        pen.active.push(Frame {
            function: id,
            call: position,
            begun: BTreeMap::new(),
            objects: own.map(|object| copy.variables[object.index()]).collect(),
        });
        self.go(pen, copy.locations[function.entry.index()]);
        let loops = self.counted_loops(pen.thread, &function, &copy);
        for (location, code) in function.locations.enumerate() {
            for transition in &code.transitions {
                let told = told(&loops, location, transition);
                self.transition(pen, (&function, &copy), (location, transition), told);
            }
        }
        pen.active.pop();
        let exit = copy.locations[function.exit.index()];
        self.continue_at(pen, exit);
        self.end_call(pen, id, &function, &copy);
        function
            .results
            .iter()
            .map(|result| copy.variables[result.index()])
            .collect()
    }

    fn copy_of(&mut self, function: &Function, thread: usize) -> Copy {
        let mut variables = Vec::new();
        for variable in function.variables.iter() {
            let number = self.function.variables.len();
            variables.push(self.function.variables.push(Variable {
                name: format!("{}{OF_THREAD}.{number}", variable.name),
                kind: match variable.kind {
                    VariableKind::Parameter => VariableKind::Local,
                    kind => kind,
                },
                ..variable.clone()
            }));
        }
        let mut locations = Vec::new();
        for location in function.locations.iter() {
            let id = self.location(&location.name, thread);
            self.function.locations[id].position = location.position;
            locations.push(id);
        }
        Copy { variables, locations }
    }

    /// What a call does before the first statement.
    fn begin_call(
        &mut self,
        pen: &mut Pen,
        id: FunctionId,
        (function, copy): (&Function, &Copy),
        arguments: Vec<Expr>,
        position: Position,
    ) {
        let (enters, _) = self.tellers(pen.thread, id);
        let tell = StatementKind::Call {
            results: Vec::new(),
            callee: Callee::Direct(enters),
            arguments: arguments.clone(),
            check: None,
        };
        self.emit(pen, tell, position);
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let own = copy.variables[parameter.index()];
            self.emit(pen, assign(own, argument), position);
        }
        let live = &live_variables(function)[function.entry];
        for (variable, of) in function.variables.enumerate() {
            let is_parameter = function.parameters.contains(&variable);
            let own = copy.variables[variable.index()];
            if live.contains(variable) && !is_parameter {
                let source = NondetSource::Uninitialised;
                self.emit(pen, StatementKind::Nondet { target: own, source }, of.position);
            }
        }
        for object in frame_objects(function) {
            self.emit(
                pen,
                assign(copy.variables[object.index()], Expr::Null),
                Position::default(),
            );
        }
    }

    /// What a call does behind the last one.
    fn end_call(&mut self, pen: &mut Pen, id: FunctionId, function: &Function, copy: &Copy) {
        let position = function.locations[function.exit].position;
        for object in frame_objects(function) {
            let pointer = Expr::Variable(copy.variables[object.index()]);
            self.emit(pen, StatementKind::EndObject { pointer }, position);
        }
        let (_, returns) = self.tellers(pen.thread, id);
        let results = function.results.iter();
        let tell = StatementKind::Call {
            results: Vec::new(),
            callee: Callee::Direct(returns),
            arguments: results
                .map(|result| Expr::Variable(copy.variables[result.index()]))
                .collect(),
            check: None,
        };
        self.emit(pen, tell, position);
    }

    fn transition(
        &mut self,
        pen: &mut Pen,
        (function, copy): (&Function, &Copy),
        (location, transition): (LocationId, &Transition),
        told: Vec<(StatementKind, Position)>,
    ) {
        let from = copy.locations[location.index()];
        let guard = self.renamed(pen.thread, copy, &transition.guard);
        self.way(from, guard, Vec::new(), from, transition.position);
        pen.at = from;
        for (kind, position) in told {
            self.emit(pen, kind, position);
        }
        for statement in &transition.statements {
            self.statement(pen, (function, copy), location, statement);
        }
        self.go(pen, copy.locations[transition.target.index()]);
    }

    fn renamed(&mut self, thread: usize, copy: &Copy, expr: &Expr) -> Expr {
        copy.expr(expr, &mut |global| self.own_global(thread, global))
    }

    /// A thread's own copy of a global, where each has one.
    fn own_global(&mut self, thread: usize, id: GlobalId) -> GlobalId {
        if thread == 0 || !self.program.globals[id].thread_local {
            return id;
        }
        if let Some(own) = self.own_globals.get(&(thread, id)) {
            return *own;
        }
        let mut global = self.program.globals[id].clone();
        global.name = format!("{}{OF_THREAD}.{thread}", global.name);
        let own = self.target.globals.push(global);
        self.own_globals.insert((thread, id), own);
        own
    }

    fn statement(
        &mut self,
        pen: &mut Pen,
        (function, copy): (&Function, &Copy),
        location: LocationId,
        statement: &Statement,
    ) {
        let position = statement.position;
        let thread = pen.thread;
        let kind = copy.statement(&statement.kind, &mut |global| self.own_global(thread, global));
        if let Some(mark) = self.marks.of(&statement.kind) {
            return self.mark(pen, mark, kind, position);
        }
        match kind {
            StatementKind::Call {
                results,
                callee: Callee::Direct(callee),
                arguments,
                ..
            } if self.inlined.contains(&callee) => {
                let is_section = is_section(&self.program.functions[callee]);
                if is_section {
                    self.section(pen, true, position);
                }
                let locks_unseen = std::mem::take(&mut pen.locks_unseen);
                let before = self.function.locations.len();
                let returned = self.put_in(pen, callee, arguments, position);
                if locks_unseen {
                    self.unseen.extend(before..self.function.locations.len());
                }
                pen.unlocks_unseen = false;
                for (target, value) in results.into_iter().zip(returned) {
                    self.emit(pen, assign(target, Expr::Variable(value)), position);
                }
                if is_section {
                    self.section(pen, false, position);
                }
            }
            StatementKind::SetRounding { .. } => {
                let what = "the rounding mode, of which each thread has its own".to_owned();
                self.emit(pen, StatementKind::Unsupported { what }, position);
            }
            StatementKind::StackObject { target, .. }
                if is_made_again(function, location, &statement.kind) =>
            {
                let what = "an object of the frame that a loop makes, in a program with threads".to_owned();
                self.emit(pen, StatementKind::Unsupported { what }, position);
                self.emit(pen, assign(target, Expr::Null), position);
            }
            kind => self.emit(pen, kind, position),
        }
    }

    /// Writes what the calls mean that have no effect of their own.
    fn mark(&mut self, pen: &mut Pen, mark: Mark, kind: StatementKind, position: Position) {
        let StatementKind::Call {
            results, arguments, ..
        } = kind
        else {
            return;
        };
        match mark {
            Mark::Gap { .. } if std::mem::take(&mut pen.unlocks_unseen) => {
                let passes = self.teller_of_passing();
                self.emit(pen, call(passes), position);
            }
            Mark::Gap { writes, is_atomic } => {
                let writes = writes || is_atomic && tells_of_writes(&arguments);
                let place = self.gap(pen, Stop::Gap { writes });
                if (self.asks_for_races || self.asks_for_torn) && !arguments.is_empty() {
                    let place_of_user = pen.place_of_user(&self.program, position);
                    self.note_access((pen.thread, place), arguments.clone(), is_atomic, place_of_user);
                }
                if is_in_thread_library(&self.program, position) {
                    self.access_of_library(pen, &arguments, position);
                }
            }
            Mark::Access => {
                self.access_of_library(pen, &arguments, position);
                if self.asks_for_races {
                    let place = self.gap(pen, Stop::Gap { writes: false });
                    let place_of_user = pen.place_of_user(&self.program, position);
                    self.note_access((pen.thread, place), arguments, false, place_of_user);
                }
            }
            Mark::Alone => {
                let at = self.split(pen, "alone?");
                self.alone.push((at, position));
            }
            Mark::LocksUnseen => pen.locks_unseen = true,
            Mark::UnlocksUnseen => pen.unlocks_unseen = true,
            Mark::Begins => self.access_begins(pen, &arguments, position),
            Mark::Ends => self.access_ends(pen, &arguments),
            Mark::Publishes => self.event(pen, Event::Publishes),
            Mark::Waited => self.event(pen, Event::Waits),
            Mark::Hold => {
                self.hold(pen, &arguments, position);
                if arguments.last() == Some(&int(32, DELETED)) {
                    let at = pen.at;
                    let then = self.split(pen, "deleted");
                    self.deletions.push((at, then));
                }
            }
            Mark::Between => {
                let writes = tells_of_writes(&arguments[1..]);
                let place = self.gap(pen, Stop::Gap { writes });
                let place_of_user = pen.place_of_user(&self.program, position);
                self.note_torn((pen.thread, place), arguments, place_of_user);
            }
            Mark::Wait(wait) => {
                let word = self.threads[pen.thread].word;
                for argument in arguments {
                    self.emit(pen, assign(word, argument), position);
                }
                self.refuse_in_section(pen, "a wait", position);
                self.gap(pen, Stop::Wait(wait));
                self.go_on_if(pen, word, wait, position);
            }
            Mark::Create => self.create(pen, (results, arguments), position),
            Mark::End => self.end(pen, position),
            Mark::Own => {
                for result in results {
                    self.emit(pen, assign(result, int(32, pen.thread as u128)), position);
                }
            }
            Mark::Ready => {
                let at = self.split(pen, "is ready?");
                let number = arguments.into_iter().next();
                if let (Some(result), Some(number)) = (results.first(), number) {
                    self.questions.push((at, number, *result));
                }
            }
            Mark::Section { begins } => self.section(pen, begins, position),
            Mark::Suspension { begins } => self.keep_others(pen, self.suspender, begins, position),
            Mark::Masks { .. } => {
                for (masker, masks) in self.masker.into_iter().zip(arguments) {
                    let own = int(8, pen.thread as u128 + 1);
                    self.emit(pen, assign(masker, select(masks, own, int(8, 0))), position);
                }
            }
            Mark::Chosen => {
                let place = self.gap(pen, Stop::Gap { writes: false });
                self.section_begins.insert(place);
            }
            // In a handler it is known already.
            Mark::Interrupts => {
                for result in results {
                    self.emit(pen, assign(result, int(32, 0)), position);
                }
            }
        }
    }

    /// Something that matters for pairs of accesses comes here.
    fn event(&mut self, pen: &mut Pen, event: Event) {
        if self.asks_for_pairs {
            let at = self.split(pen, "pairs");
            self.events.insert(at, event);
        }
    }

    /// The thread library accesses something for its caller, in the step that it is in.
    fn access_of_library(&mut self, pen: &mut Pen, arguments: &[Expr], position: Position) {
        if !self.asks_for_pairs || arguments.is_empty() {
            return;
        }
        let at = self.split(pen, "access");
        let (function, position) = pen.place_of_user(&self.program, position);
        let noted = Noted::of_library(pen.thread, arguments, at, (function, position));
        self.events.insert(at, Event::Begins(self.noted.len()));
        self.noted.push(noted);
    }

    fn access_begins(&mut self, pen: &mut Pen, arguments: &[Expr], position: Position) {
        let at = self.split(pen, "access");
        let place = pen.place_of_user(&self.program, position);
        let Some((number, noted)) = Noted::new(pen.thread, arguments, at, place) else {
            return;
        };
        if let Some(frame) = pen.active.last_mut() {
            frame.begun.insert(number, self.noted.len());
        }
        self.events.insert(at, Event::Begins(self.noted.len()));
        self.noted.push(noted);
    }

    fn access_ends(&mut self, pen: &mut Pen, arguments: &[Expr]) {
        let at = self.split(pen, "accessed");
        let [Expr::Int(number), in_pieces, wrote] = arguments else {
            return;
        };
        let frame = pen.active.last();
        let number = number.to_u64();
        let index = number
            .zip(frame)
            .and_then(|(number, frame)| frame.begun.get(&number));
        if let Some(index) = index {
            self.noted[*index].ends = Some(Ending {
                at,
                in_pieces: *in_pieces == truth(true),
                wrote: wrote.clone(),
            });
        }
    }

    /// A thread that waits or ends while nobody else may run: what that means, nothing says.
    fn refuse_in_section(&mut self, pen: &mut Pen, what: &str, position: Position) {
        let Some(is_free) = self.keepers().map(is_nobody).reduce(and) else {
            return;
        };
        let looks = self.location("in a section?", pen.thread);
        let waits = self.location("waits", pen.thread);
        self.go(pen, looks);
        let what = match self.hardware() == Some(pen.thread) {
            true => format!("{what} inside a handler"),
            false => format!("{what} inside an atomic section, or where interrupts are disabled"),
        };
        let refuse = StatementKind::Unsupported { what };
        self.way(looks, is_free.clone(), Vec::new(), waits, position);
        self.way(looks, not(is_free), vec![refuse], waits, position);
        self.continue_at(pen, waits);
    }

    /// The thread was chosen to go on although it waits: there is such a run only where it need not wait.
    fn go_on_if(&mut self, pen: &Pen, word: VariableId, wait: Wait, position: Position) {
        let value = self.variable("waits", Type::Int(32));
        self.emit(pen, self.read_word(value, word), position);
        let condition = may_go_on(value, wait);
        self.emit(pen, StatementKind::Assume { condition }, position);
    }

    /// Reads the word that a thread waits for.
    pub fn read_word(&self, value: VariableId, word: VariableId) -> StatementKind {
        StatementKind::Load {
            target: value,
            address: Expr::Variable(word),
            align: 1,
            volatile: false,
            checks: AccessChecks {
                pointer: self.is_there,
                uninitialised: None,
            },
        }
    }

    /// The thread of a number is kept from going on, or not any more.
    fn hold(&mut self, pen: &mut Pen, arguments: &[Expr], position: Position) {
        let [number, how] = arguments else {
            return;
        };
        for (thread, held) in self.held.clone().into_iter().enumerate() {
            let is_it = binary(BinaryOp::Eq, number.clone(), int(32, thread as u128));
            let value = select(is_it, how.clone(), Expr::Variable(held));
            self.emit(pen, assign(held, value), position);
        }
    }

    fn create(
        &mut self,
        pen: &mut Pen,
        (results, arguments): (Vec<VariableId>, Vec<Expr>),
        position: Position,
    ) {
        let at = self.location("thread starts", pen.thread);
        self.go(pen, at);
        let then = self.location("thread started", pen.thread);
        self.continue_at(pen, then);
        let [function, argument, Expr::FunctionAddress(finish)] = &arguments[..] else {
            let what = "a thread whose end is not known".to_owned();
            return self.emit(pen, StatementKind::Unsupported { what }, position);
        };
        self.sites.push_back(Site {
            at,
            then,
            function: function.clone(),
            argument: argument.clone(),
            finish: *finish,
            result: results.first().copied(),
            position,
        });
    }

    /// Nobody else runs from here on, or may again.
    fn section(&mut self, pen: &mut Pen, begins: bool, position: Position) {
        self.keep_others(pen, self.owner, begins, position);
    }

    /// The same by a variable that says who keeps others from going on. What handlers do is done at once
    /// already.
    fn keep_others(&mut self, pen: &mut Pen, by: Option<VariableId>, begins: bool, position: Position) {
        let is_in_handler = self.hardware() == Some(pen.thread) && pen.active.len() > 1;
        let Some(owner) = by.filter(|_| !is_in_handler) else {
            return;
        };
        let value = if begins { pen.thread + 1 } else { 0 };
        match begins {
            true => {
                let place = self.gap(pen, Stop::Gap { writes: true });
                self.section_begins.insert(place);
            }
            false => self.event(pen, Event::Publishes),
        }
        self.emit(pen, assign(owner, int(8, value as u128)), position);
    }

    /// The function that tells traces that a thread passes a place of the library.
    fn teller_of_passing(&mut self) -> FunctionId {
        let known = self
            .target
            .functions
            .enumerate()
            .find(|(_, function)| function.name == PASSES);
        if let Some((id, _)) = known {
            return id;
        }
        let of = &self.program.functions[self.program.entry];
        self.target.functions.push(teller(of, PASSES.to_owned(), &[]))
    }

    /// The functions that tell traces that a function of a thread begins, and that it returns.
    fn tellers(&mut self, thread: usize, id: FunctionId) -> (FunctionId, FunctionId) {
        if let Some(known) = self.tellers.get(&(thread, id)) {
            return *known;
        }
        let function = &self.program.functions[id];
        let name = format!("{}{IN_THREAD}{thread})", function.name);
        let enters = teller(function, name.clone(), &function.parameters);
        let returns = teller(function, format!("{RETURNS}{name}"), &function.results);
        let known = (
            self.target.functions.push(enters),
            self.target.functions.push(returns),
        );
        self.tellers.insert((thread, id), known);
        known
    }
}

/// A function with some of the variables of another as parameters, that does nothing.
pub fn teller(of: &Function, name: String, parameters: &[VariableId]) -> Function {
    let parameters = parameters.iter().map(|parameter| Variable {
        kind: VariableKind::Parameter,
        ..of.variables[*parameter].clone()
    });
    let end = of
        .locations
        .get(of.exit)
        .map_or(of.position, |exit| exit.position);
    Function::without_effect(name, parameters, (of.position, end))
}

/// Does a word of that value let a thread go on?
pub fn may_go_on(value: VariableId, wait: Wait) -> Expr {
    let is_zero = binary(BinaryOp::Eq, Expr::Variable(value), int(32, 0));
    match wait.is_for_zero() {
        true => is_zero,
        false => not(is_zero),
    }
}

/// Does nobody keep others from going on by that variable?
pub fn is_nobody(keeper: VariableId) -> Expr {
    binary(BinaryOp::Eq, Expr::Variable(keeper), int(8, 0))
}

/// Is all that a function does done at once?
pub fn is_section(function: &Function) -> bool {
    function.name.starts_with("__VERIFIER_atomic_")
}

/// The variables that point to the objects of a function's frame.
fn frame_objects(function: &Function) -> Vec<VariableId> {
    let objects = function
        .statements()
        .filter_map(|statement| match statement.kind {
            StatementKind::StackObject { target, .. } => Some(target),
            _ => None,
        });
    let mut objects: Vec<VariableId> = objects.collect();
    objects.sort();
    objects.dedup();
    objects
}

/// May a loop make an object of the frame again that nothing has ended?
fn is_made_again(function: &Function, location: LocationId, kind: &StatementKind) -> bool {
    let StatementKind::StackObject { target, .. } = kind else {
        return false;
    };
    let ends = function.statements().any(|statement| match &statement.kind {
        StatementKind::EndObject { pointer } => pointer.reads(*target),
        _ => false,
    });
    !ends && function.is_in_cycle(location)
}
