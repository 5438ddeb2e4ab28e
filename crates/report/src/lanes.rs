//! Which thread or handler each step of a run belongs to.
//!
//! Idea: a trace is one sequence; viewers want one line for each thread and each handler. The trace says it
//! when another thread goes on and when a handler comes, in its steps about the environment; a handler is at
//! its end where the depth of calls is again that of the place it came to.
//!
//! Invariant: every step has exactly one lane, lane 0 is where the run starts, and lanes keep the order of
//! the steps.

use kripke_model::{Step, StepKind, Trace};

use crate::trace_text::is_start_up;

/// The lanes of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// What each is called.
    pub names: Vec<String>,
    /// The lane of each step.
    pub of: Vec<usize>,
}

/// A handler that has come and has not returned.
struct Active {
    lane: usize,
    /// The depth of what it interrupts.
    depth: u32,
    /// The call of the handler, which is as deep as what it interrupts, is still to come.
    is_called_next: bool,
}

struct Follower {
    lanes: Lanes,
    thread: usize,
    handlers: Vec<Active>,
}

/// What a step about the environment says of lanes.
#[derive(Debug, PartialEq, Eq)]
enum Told<'m> {
    Thread(&'m str),
    /// A thread is spoken of that does not go on.
    About(&'m str),
    Handler(&'m str),
    Nothing,
}

/// The lanes of a run.
pub fn lanes(trace: &Trace) -> Lanes {
    let mut follower = Follower {
        lanes: Lanes {
            names: vec![start(trace)],
            of: Vec::new(),
        },
        thread: 0,
        handlers: Vec::new(),
    };
    for step in &trace.steps {
        let lane = follower.step(step);
        follower.lanes.of.push(lane);
    }
    follower.lanes
}

/// The function in which the run starts.
fn start(trace: &Trace) -> String {
    let called = trace.steps.iter().find_map(|step| match &step.kind {
        StepKind::Call { function, .. } if !is_internal(function) => Some(function.as_str()),
        _ => None,
    });
    let outermost = trace.stack.first().map(|frame| frame.function.as_str());
    let is_firmware = |step: &Step| matches!(step.kind, StepKind::Instruction { .. });
    match called.or(outermost.filter(|function| !is_internal(function))) {
        Some(function) if !trace.steps.iter().any(is_firmware) => function.to_owned(),
        _ => "main".to_owned(),
    }
}

fn is_internal(function: &str) -> bool {
    is_start_up(function) || function.starts_with("kripke ")
}

impl Follower {
    fn step(&mut self, step: &Step) -> usize {
        while self
            .handlers
            .last()
            .is_some_and(|handler| has_ended(handler, step))
        {
            self.handlers.pop();
        }
        let current = self.current();
        if let Some(handler) = self.handlers.last_mut() {
            handler.is_called_next = false;
        }
        let StepKind::Environment { message } = &step.kind else {
            return current;
        };
        match told(message) {
            Told::Thread(name) => {
                self.thread = self.named(&lane_name(name));
                self.handlers.clear();
                self.thread
            }
            Told::About(name) => self.named(name),
            Told::Handler(name) => {
                let handler = Active {
                    lane: self.named(&format!("{name} (interrupt)")),
                    depth: step.depth,
                    is_called_next: message.starts_with(INTERRUPTED),
                };
                self.handlers.push(handler);
                current
            }
            Told::Nothing => current,
        }
    }

    fn current(&self) -> usize {
        self.handlers.last().map_or(self.thread, |handler| handler.lane)
    }

    /// The lane of that name, which may be new.
    fn named(&mut self, name: &str) -> usize {
        let known = self.lanes.names.iter().position(|lane| lane == name);
        known.unwrap_or_else(|| {
            self.lanes.names.push(name.to_owned());
            self.lanes.names.len() - 1
        })
    }
}

fn has_ended(handler: &Active, step: &Step) -> bool {
    let is_its_call = handler.is_called_next && matches!(step.kind, StepKind::Call { .. });
    step.depth <= handler.depth && !is_its_call
}

/// `thread 1 begins in f` is about the lane `thread 1 (f)`.
fn lane_name(told: &str) -> String {
    match told.split_once(" begins in ") {
        Some((thread, function)) => format!("{thread} ({function})"),
        None => told.to_owned(),
    }
}

/// How a trace of a C program says that a handler comes.
const INTERRUPTED: &str = "interrupted here by ";

/// Reads a message of a trace.
fn told(message: &str) -> Told<'_> {
    if let Some(name) = message.strip_prefix(INTERRUPTED) {
        return Told::Handler(name);
    }
    if let Some(name) = message.strip_suffix(" arrives") {
        return Told::Handler(name);
    }
    if let Some(name) = message.strip_suffix(" goes on") {
        return Told::Thread(name);
    }
    match message.split_once(" begins in ") {
        Some((thread, _)) if thread.starts_with("thread ") => Told::Thread(message),
        _ => match message.split_once(" waits in ") {
            Some((name, _)) => Told::About(name),
            None => Told::Nothing,
        },
    }
}

#[cfg(test)]
mod tests {
    use kripke_model::Place;

    use super::*;

    fn run(steps: &[(u32, &str)]) -> Trace {
        let kind = |text: &str| match text.strip_prefix("call ") {
            Some(function) => StepKind::Call {
                function: function.to_owned(),
                arguments: Vec::new(),
            },
            None if text == "step" => StepKind::Branch { taken: true },
            None => StepKind::Environment {
                message: text.to_owned(),
            },
        };
        let steps = steps.iter().map(|(depth, text)| Step {
            place: Place::default(),
            depth: *depth,
            kind: kind(text),
        });
        Trace {
            steps: steps.collect(),
            ..Trace::default()
        }
    }

    fn check(steps: &[(u32, &str)], names: &[&str], of: &[usize]) {
        let found = lanes(&run(steps));
        assert_eq!(found.names, names);
        assert_eq!(found.of, of);
    }

    #[test]
    fn threads_take_turns() {
        check(
            &[
                (0, "call kripke threads"),
                (0, "call main"),
                (0, "thread 1 begins in receiver"),
                (0, "step"),
                (0, "main goes on"),
                (0, "thread 1 (receiver) goes on"),
                (0, "main waits in pthread_join for thread 1"),
                (0, "step"),
            ],
            &["main", "thread 1 (receiver)"],
            &[0, 0, 1, 1, 0, 1, 0, 1],
        );
    }

    #[test]
    fn handlers_of_a_program_nest_and_return() {
        check(
            &[
                (0, "call main"),
                (1, "interrupted here by tick"),
                (1, "call tick (interrupt)"),
                (2, "step"),
                (2, "interrupted here by fault"),
                (2, "call fault (interrupt)"),
                (3, "step"),
                (2, "step"),
                (1, "step"),
            ],
            &["main", "tick (interrupt)", "fault (interrupt)"],
            &[0, 0, 1, 1, 1, 2, 2, 1, 0],
        );
    }

    #[test]
    fn handlers_of_a_firmware_are_as_deep_as_they_nest() {
        check(
            &[
                (0, "step"),
                (0, "INT0 arrives"),
                (1, "step"),
                (1, "step"),
                (0, "INT0 arrives"),
                (1, "step"),
            ],
            &["main", "INT0 (interrupt)"],
            &[0, 0, 1, 1, 0, 1],
        );
    }
}
