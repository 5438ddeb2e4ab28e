//! Which thread a run of woven threads is in, and its calls.
//!
//! Idea: the woven function has no calls of the threads' functions, but calls of functions that do nothing
//! and tell where a thread goes on, where a function of it begins and where it returns. They make a stack for
//! each thread, which stands for the woven function's frame.

use kripke_model::{Place, PropertyKind, StepKind};

use crate::ids::{FunctionId, PropertyId};
use crate::interpreter::View;
use crate::interrupts::ATOM;
use crate::program::{Position, Program};
use crate::scalar::ScalarValue;
use crate::threads::{
    BEGINS_ITERATION, CUTS, HARDWARE, IN_THREAD, IS_NEXT, LEAVES_LOOP, LOCK, PASSES, RETURNS, RUNS,
    WAIT_AND_TAKE, WAITS_FOR, plain_name, woven,
};

use super::{Situation, TraceBuilder};

/// The threads of a run.
pub(super) struct Threads {
    woven: Option<FunctionId>,
    running: usize,
    /// The last one of which the trace tells that it goes on.
    shown: usize,
    /// For each thread the functions that it is in, as those that tell of them, with their calls.
    stacks: Vec<Vec<(FunctionId, Position)>>,
    /// It was told which threads wait for each other.
    told: bool,
    /// What the last handler interrupted, and how many steps there were behind its end.
    interrupted: Option<Situation>,
    behind_handler: usize,
}

impl Threads {
    pub fn new(program: &Program) -> Self {
        Threads {
            woven: woven(program),
            running: 0,
            shown: 0,
            stacks: vec![Vec::new()],
            told: false,
            interrupted: None,
            behind_handler: 0,
        }
    }

    pub fn running(&self) -> usize {
        self.running
    }

    /// Is the running thread in a function whose name begins so?
    pub fn is_in(&self, program: &Program, start: &str) -> bool {
        let mut stack = self.stacks[self.running].iter();
        stack.any(|(function, _)| program.functions[*function].name.starts_with(start))
    }
}

impl TraceBuilder<'_> {
    /// The frames of the thread that runs, outermost first.
    pub(super) fn frames(&self, view: &View<'_>) -> Vec<(FunctionId, Position)> {
        let mut frames: Vec<(FunctionId, Position)> = view.frames().collect();
        if self.threads.woven.is_some() && frames.first().map(|frame| frame.0) == self.threads.woven {
            frames.retain(|(function, _)| !self.tells(*function));
            let stack = self.threads.stacks[self.threads.running].iter().copied();
            frames.splice(0..1, stack);
        }
        frames
    }

    /// Is a statement of the woven function none of the threads'?
    pub(super) fn is_of_no_thread(&self, view: &View<'_>, position: Position) -> bool {
        position.line == 0 && self.threads.woven.is_some() && view.function() == self.threads.woven
    }

    fn tells(&self, function: FunctionId) -> bool {
        self.threads.woven.is_some()
            && self.program.functions.get(function).is_some_and(|function| {
                let name = &function.name;
                let tells = [RUNS, RETURNS, IS_NEXT, WAITS_FOR, PASSES];
                let tells = tells.iter().any(|prefix| name.starts_with(prefix));
                tells || bounds_runs(name) || name.contains(IN_THREAD)
            })
    }

    /// A function returns: true where it is one that tells of threads.
    pub(super) fn teller_returned(&self, function: FunctionId) -> bool {
        self.tells(function)
    }

    /// A function is called: true where it is one that tells of threads, and all is done.
    pub(super) fn teller_called(
        &mut self,
        view: &View<'_>,
        function: FunctionId,
        arguments: &[ScalarValue],
    ) -> bool {
        if !self.tells(function) {
            return false;
        }
        let name = &self.program.functions[function].name;
        if let Some(told) = name.strip_prefix(IS_NEXT) {
            let (of, message) = told.split_once(": ").unwrap_or_default();
            let call = view.frames().last().map(|(_, call)| call).unwrap_or_default();
            let situation = Situation {
                place: self.program.place(call, of),
                depth: 0,
                in_library: false,
            };
            let message = message.to_owned();
            self.note_next(view, &message, arguments);
            self.push(&situation, StepKind::Environment { message });
            return true;
        }
        if bounds_runs(name) {
            return true;
        }
        if name == PASSES {
            if let Some(schedule) = &mut self.schedule {
                schedule.passes_library();
            }
            return true;
        }
        if let Some(number) = name.strip_prefix(WAITS_FOR) {
            let whom = arguments
                .first()
                .and_then(ScalarValue::as_int)
                .and_then(|number| number.to_u64());
            let number = number.parse().unwrap_or(0);
            self.show_wait(number, whom);
            let has_ended = self.threads.stacks.get(number).is_none_or(Vec::is_empty);
            if let Some(schedule) = self.schedule.as_mut().filter(|_| !has_ended) {
                schedule.waits(number as u32);
            }
            self.threads.told = true;
            return true;
        }
        if let Some(rest) = name.strip_prefix(RUNS) {
            let (number, begins) = rest.split_once(' ').unwrap_or((rest, ""));
            let (number, begins) = (number.parse().unwrap_or(0), begins.to_owned());
            self.goes_on(number, &begins, function);
            return true;
        }
        if name.starts_with(RETURNS) {
            self.thread_returns(view, function, arguments);
            return true;
        }
        let call = view.frames().last().map(|(_, call)| call).unwrap_or_default();
        if let (Some(schedule), true) = (
            &mut self.schedule,
            self.threads.stacks[self.threads.running].is_empty(),
        ) {
            let argument = arguments.first().and_then(ScalarValue::as_pointer);
            let object = argument.and_then(|pointer| view.object(pointer));
            schedule.thread_begins(argument.zip(object));
        }
        self.threads.stacks[self.threads.running].push((function, call));
        // It is shown as any other call.
        false
    }

    /// Is it a property of several threads, of a program whose threads are woven?
    pub(super) fn is_of_several_threads(&self, property: PropertyId) -> bool {
        let kinds = [
            PropertyKind::Deadlock,
            PropertyKind::DataRace,
            PropertyKind::TornAccess,
        ];
        let site = self.program.properties.get(property);
        self.threads.woven.is_some() && site.is_some_and(|site| kinds.contains(&site.kind))
    }

    /// The place of such a property, which is not that of the thread that ran last.
    pub(super) fn situation_of(&self, property: PropertyId) -> Situation {
        let site = &self.program.properties[property];
        Situation {
            place: self
                .program
                .place(site.position, self.program.name_for_users(site.function)),
            depth: 0,
            in_library: false,
        }
    }

    /// Shows for what each thread waits where none can go on.
    pub(super) fn show_waiting(&mut self, property: PropertyId) {
        if self.program.properties[property].kind != PropertyKind::Deadlock || self.threads.told {
            return;
        }
        for number in 0..self.threads.stacks.len() {
            self.show_wait(number, None);
        }
    }

    /// Shows in which call of the library a thread waits, and for which other one if that is known.
    fn show_wait(&mut self, number: usize, whom: Option<u64>) {
        let stack = self.threads.stacks.get(number).cloned().unwrap_or_default();
        let waits = stack
            .iter()
            .position(|(function, _)| self.is_library_function(*function));
        let (Some(waits), Some((begins, _))) = (waits, stack.first()) else {
            return;
        };
        let own = stack[..waits]
            .iter()
            .rev()
            .find(|(function, _)| !self.is_library_function(*function));
        let caller = own.map(|(function, _)| self.name(*function)).unwrap_or_default();
        let (called, call) = stack[waits];
        let who = match number {
            0 => self.name(*begins),
            _ => format!("thread {number} ({})", self.name(*begins)),
        };
        let whom = whom.map(|whom| self.awaited(number, whom)).unwrap_or_default();
        let called = match self.name(called) {
            part if part == WAIT_AND_TAKE => LOCK.to_owned(),
            name => name,
        };
        let message = format!("{who} waits in {called}{whom}");
        let situation = Situation {
            place: self.program.place(call, &caller),
            depth: 0,
            in_library: false,
        };
        self.push(&situation, StepKind::Environment { message });
    }

    /// For whom a thread waits.
    fn awaited(&self, number: usize, whom: u64) -> String {
        let of = |whom: usize| self.threads.stacks.get(whom);
        let has_ended = usize::try_from(whom)
            .ok()
            .and_then(of)
            .is_none_or(|stack| stack.is_empty());
        let name = match whom {
            0 => "main".to_owned(),
            whom => format!("thread {whom}"),
        };
        match has_ended {
            true => format!(" for {name}, which has ended"),
            false if whom == number as u64 => " for itself".to_owned(),
            false => format!(" for {name}"),
        }
    }

    fn goes_on(&mut self, number: usize, begins: &str, function: FunctionId) {
        if self.threads.stacks.len() <= number {
            self.threads.stacks.resize(number + 1, Vec::new());
        }
        let innermost = self.threads.stacks[number].last();
        let in_library = innermost.is_some_and(|&(function, _)| self.is_in_thread_library(function));
        if let Some(schedule) = &mut self.schedule {
            let is_hardware = begins == HARDWARE;
            schedule.goes_on(number as u32, in_library, is_hardware);
        }
        self.threads.running = number;
        // A handler's own steps say that it comes.
        if begins == HARDWARE || std::mem::replace(&mut self.threads.shown, number) == number {
            return;
        }
        let what = match (number, self.threads.stacks[number].is_empty()) {
            (0, _) => format!("{begins} goes on"),
            (_, true) => format!("thread {number} begins in {begins}"),
            (_, false) => format!("thread {number} ({begins}) goes on"),
        };
        let position = self.program.functions[function].position;
        let situation = Situation {
            place: self.program.place(position, begins),
            depth: 0,
            in_library: false,
        };
        self.push(&situation, StepKind::Environment { message: what });
    }

    /// Where a handler comes beside threads: the one that ran last stands there. None where it comes into
    /// another one, which has called it.
    pub(super) fn interrupted(&mut self, view: &View<'_>) -> Option<Situation> {
        self.threads.woven?;
        // The thread of the hardware, its dispatcher and the handler.
        if self.frames(view).len() > 3 {
            return None;
        }
        if self.trace.steps.len() != self.threads.behind_handler {
            let mut steps = self.trace.steps.iter().rev();
            let is_users = |place: &Place| !place.file.is_empty() && !place.is_in_library();
            let last = steps.find(|step| is_users(&step.place));
            self.threads.interrupted = Some(Situation {
                place: last.map_or_else(|| self.place_of_main(), |step| step.place.clone()),
                depth: last.map_or(0, |step| step.depth),
                in_library: false,
            });
        }
        self.threads.interrupted.clone()
    }

    /// Where the first thread begins.
    fn place_of_main(&self) -> Place {
        let is_main = |name: &str| name.strip_prefix(RUNS).is_some_and(|rest| rest.starts_with("0 "));
        let main = { self.program.functions.iter() }.find(|function| is_main(&function.name));
        main.map_or_else(Place::default, |main| self.program.place(main.position, "main"))
    }

    /// Notes that what returns is a handler, if it is one.
    pub(super) fn note_handler_return(&mut self, view: &View<'_>) {
        if self.is_interrupt(view) {
            self.threads.behind_handler = self.trace.steps.len();
            if let Some(schedule) = &mut self.schedule {
                schedule.handler_returns();
            }
        }
    }

    fn thread_returns(&mut self, view: &View<'_>, function: FunctionId, results: &[ScalarValue]) {
        let teller = &self.program.functions[function];
        let is_in_condition = self.threads.is_in(self.program, ATOM);
        if !self.is_library_function(function) && !is_in_condition {
            let value = match (results, &teller.parameters[..]) {
                ([value], [variable]) => Some(self.show(view, value, teller.variables[*variable].c_type)),
                _ => None,
            };
            let name = teller.name[RETURNS.len()..].to_owned();
            let position = teller.locations[teller.exit].position;
            let situation = self.situation(view, position);
            let kind = StepKind::Return {
                function: plain_name(&name).to_owned(),
                value,
            };
            self.push(&situation, kind);
        }
        if !is_in_condition {
            self.note_handler_return(view);
        }
        self.threads.stacks[self.threads.running].pop();
    }
}

/// Does such a function tell how far a run is followed?
fn bounds_runs(name: &str) -> bool {
    let mut prefixes = [CUTS, BEGINS_ITERATION, LEAVES_LOOP].into_iter();
    prefixes.any(|prefix| name.starts_with(prefix))
}
