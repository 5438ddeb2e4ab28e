//! A simulation under way: one run after the other, each with the answers of the one before.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kripke_check::Failure;
use kripke_dap::expression::{self, Value};
use kripke_elts::interpreter::{self, Detail, End, Event, Observer, RunOptions, View};
use kripke_elts::trace::TraceBuilder;
use kripke_elts::{Program, ScalarValue, StatementKind, threads};
use kripke_model::{Place, Step, StepKind, Trace};
use kripke_report::{Sources, Style};

use super::answers::{Answer, Asker, Question, handlers, thread_count};
use super::command::{Command, Policy, RUN_LIMIT};
use super::values::{Declared, Values};
use crate::commands::run::told;
use crate::console::{Line, Lines};
use crate::inputs::{self, SplitMix};
use crate::output;

/// Steps that are shown in full; of more only the last ones are.
const SHOWN: usize = 40;
/// Lines that are shown around the last step.
const AROUND: u32 = 5;
/// More statements than any run has, so that every run can be ended.
const UNREACHED: u64 = 1 << 62;

pub struct Session<'p> {
    pub(super) program: &'p Program,
    lines: Lines,
    style: Style,
    sources: Sources<'static>,
    interrupt: Arc<AtomicBool>,
    pub(super) policy: Policy,
    pub(super) random: SplitMix,
    breakpoints: Vec<Breakpoint>,
    handlers: Vec<String>,
    pub(super) thread_count: usize,
    /// All that was answered, in order, and how much of it this run has used.
    pub(super) answers: Vec<Answer>,
    pub(super) used: usize,
    /// This run's.
    pub(super) steps: u64,
    values: Values,
    pub(super) place: Place,
    pub(super) thread: usize,
    /// Up to that step the run is one that was shown before.
    known: u64,
    /// The user has the word there.
    stops_at: Option<u64>,
    go: Go,
    begun: u64,
    last: VecDeque<Step>,
    question: Option<Question>,
    turn: Turn,
    has_ended: bool,
}

/// How far the run goes before the user has the word.
enum Go {
    Steps(u64),
    Line { file: String, line: u32, depth: usize },
    Depth(usize),
    Run(u64),
    Until(String),
    Thread(u64),
    Handler(String),
}

/// What becomes of the run.
enum Turn {
    Goes,
    /// It begins anew.
    Again,
    Ends(Result<(), Failure>),
}

enum Breakpoint {
    Function(String),
    Line { file: String, line: u32 },
}

impl Breakpoint {
    fn text(&self) -> String {
        match self {
            Breakpoint::Function(name) => name.clone(),
            Breakpoint::Line { file, line } => format!("{file}:{line}"),
        }
    }
}

impl<'p> Session<'p> {
    pub fn new(program: &'p Program, lines: Lines, style: Style, interrupt: Arc<AtomicBool>) -> Self {
        Self {
            program,
            lines,
            style,
            sources: output::sources(),
            interrupt,
            policy: Policy::Ask,
            random: SplitMix(1),
            breakpoints: Vec::new(),
            handlers: handlers(program),
            thread_count: thread_count(program),
            answers: Vec::new(),
            used: 0,
            steps: 0,
            values: Values::default(),
            place: Place::default(),
            thread: 0,
            known: 0,
            stops_at: Some(0),
            go: Go::Steps(1),
            begun: 0,
            last: VecDeque::new(),
            question: None,
            turn: Turn::Goes,
            has_ended: false,
        }
    }

    /// Runs the program as often as the user goes back.
    pub fn run(self) -> Result<(), Failure> {
        let program = self.program;
        let options = RunOptions {
            max_steps: Some(UNREACHED),
            ..RunOptions::default()
        };
        let session = RefCell::new(self);
        loop {
            let mut watcher = Watcher {
                session: &session,
                builder: TraceBuilder::new(program),
                has_begun: false,
            };
            let end = interpreter::run(program, &mut Asker(&session), &options, &mut watcher);
            let mut session = session.borrow_mut();
            if session.is_going() {
                session.ended(&end);
            }
            if let Turn::Ends(result) = std::mem::replace(&mut session.turn, Turn::Goes) {
                return result;
            }
            session.used = 0;
            session.steps = 0;
            session.thread = 0;
            session.place = Place::default();
            session.question = None;
            session.has_ended = false;
        }
    }

    pub(super) fn is_going(&self) -> bool {
        matches!(self.turn, Turn::Goes)
    }

    // Steps.

    /// The run has taken a step.
    fn stepped(&mut self, step: Step, thread: usize) {
        if !self.is_going() {
            return;
        }
        self.steps += 1;
        self.thread = thread;
        self.values.apply(&step, thread);
        if step.place.line > 0 {
            self.place.clone_from(&step.place);
        }
        if self.steps > self.known || self.stops_at == Some(self.steps) {
            if self.last.len() == SHOWN {
                self.last.pop_front();
            }
            self.last.push_back(step);
        }
        if self.steps == self.known && self.stops_at == Some(self.steps) {
            self.answers.truncate(self.used);
            self.pause("");
        } else if self.steps > self.known {
            self.known = self.steps;
            if let Some(why) = self.reached() {
                self.pause(&why);
            }
        }
    }

    /// Why the user has the word now, if so.
    fn reached(&mut self) -> Option<String> {
        let step = self.last.back()?;
        let here = |breakpoint: &&Breakpoint| match breakpoint {
            Breakpoint::Function(name) => {
                matches!(&step.kind, StepKind::Call { function, .. } if function == name)
            }
            Breakpoint::Line { file, line } => {
                let is_new = self
                    .last
                    .iter()
                    .rev()
                    .nth(1)
                    .is_none_or(|before| before.place != step.place);
                step.place.line == *line && is_file(&step.place.file, file) && is_new
            }
        };
        let taken = self.steps - self.begun;
        let is_done = match &self.go {
            Go::Steps(count) => taken >= *count,
            Go::Run(limit) => {
                if taken >= *limit {
                    return Some(String::new());
                }
                false
            }
            Go::Line { file, line, depth } => {
                let is_elsewhere =
                    step.place.line > 0 && (step.place.line, &step.place.file) != (*line, file);
                let is_call = matches!(step.kind, StepKind::Call { .. } | StepKind::Return { .. });
                is_elsewhere && !is_call && self.values.depth() <= *depth
            }
            Go::Depth(depth) => self.values.depth() < *depth,
            Go::Until(text) => self.values.evaluate(text).is_ok_and(|value| is_true(&value)),
            Go::Thread(thread) => self.thread as u64 == *thread,
            Go::Handler(name) => {
                matches!(&step.kind, StepKind::Environment { message } if is_about(message, name))
            }
        };
        if is_done {
            return Some(String::new());
        }
        if let Some(breakpoint) = self.breakpoints.iter().find(here) {
            return Some(format!("breakpoint {}\n", breakpoint.text()));
        }
        if self.interrupt.swap(false, Ordering::Relaxed) {
            return Some("interrupted\n".to_owned());
        }
        let limit = !matches!(self.go, Go::Steps(_) | Go::Run(_)) && taken >= RUN_LIMIT;
        limit.then(|| format!("after {taken} steps it has not come to that\n"))
    }

    /// What was done since the last command, and why it ends here.
    fn report(&mut self, why: &str) -> String {
        let taken = self.steps.saturating_sub(self.begun);
        let mut text = String::new();
        let mut last: Vec<Step> = self.last.drain(..).collect();
        let is_told = matches!(self.go, Go::Steps(_));
        if !is_told && taken > 1 {
            let _ = writeln!(text, "{taken} steps");
        }
        if is_told && taken > last.len() as u64 {
            let _ = writeln!(text, "({} steps are not shown)", taken - last.len() as u64);
        }
        if !is_told && last.len() > 1 {
            last.drain(..last.len() - 1);
        }
        text.push_str(why);
        let trace = Trace {
            steps: last,
            ..Trace::default()
        };
        text + &kripke_report::trace_text(&trace, true, &self.sources, self.style)
    }

    /// Shows what was done and lets the user say how it goes on.
    fn pause(&mut self, why: &str) {
        let text = self.report(why);
        self.print(&text);
        self.talk();
    }

    fn print(&mut self, text: &str) {
        if let Err(failure) = output::print(text) {
            self.turn = Turn::Ends(Err(failure));
        }
    }

    /// The run has ended.
    fn ended(&mut self, end: &End) {
        let is_dead = matches!(end, End::AssumeFailed { .. });
        if let Some(answer) = self.answers.last_mut()
            && is_dead
            && answer.step == self.steps
            && !answer.others.is_empty()
        {
            answer.value = answer.others.remove(0);
            self.turn = Turn::Again;
            self.stops_at = None;
            return;
        }
        let message = match (end, told(self.program, end)) {
            (End::AssumeFailed { .. }, Some(told)) => {
                let told = told.replace("an assumption is false, the run ends", "an assumption is false");
                format!("{told}: the program has no such run; go back and answer otherwise\n")
            }
            (_, Some(told)) => format!("{told}\n"),
            (End::Exit { code: Some(code) }, None) => format!("the program ends with exit code {code}\n"),
            (End::Abort, None) => "the program ends by abort\n".to_owned(),
            (_, None) => "the program ends\n".to_owned(),
        };
        self.known = self.steps;
        self.has_ended = true;
        let text = self.report("") + &message;
        self.print(&text);
        self.talk();
        if self.is_going() {
            self.turn = Turn::Ends(Ok(()));
        }
    }

    // The user.

    /// Asks the user for a value.
    pub(super) fn ask(&mut self, question: Question) -> ScalarValue {
        let done = self.report("");
        self.begun = self.steps;
        self.print(&(done + &asked(&question)));
        let suggested = question.suggested.clone();
        self.question = Some(question);
        let value = self.talk();
        self.question = None;
        value.unwrap_or(suggested)
    }

    /// Does commands until one lets the run go on; the value that was asked for.
    fn talk(&mut self) -> Option<ScalarValue> {
        while self.is_going() {
            let line = match self.lines.next(self.question.is_some()) {
                Ok(Some(line)) => line,
                Ok(None) => {
                    self.turn = Turn::Ends(Ok(()));
                    break;
                }
                Err(failure) => {
                    self.turn = Turn::Ends(Err(failure));
                    break;
                }
            };
            match self.done(&line) {
                Ok(Done::Shown(text)) => self.print(&text),
                Ok(Done::Given(value)) => return Some(value),
                Ok(Done::Goes) => return None,
                Err(message) => {
                    if let Err(failure) = self.lines.refuse(&line, &message) {
                        self.turn = Turn::Ends(Err(failure));
                    }
                }
            }
        }
        None
    }

    fn done(&mut self, line: &Line) -> Result<Done, String> {
        let text = line.text.trim();
        if let Some(question) = &self.question {
            if text.is_empty() {
                return Ok(Done::Given(question.suggested.clone()));
            }
            if let Some(value) = inputs::value(question.ty, text) {
                return Ok(Done::Given(value));
            }
        }
        match Command::parse(text)? {
            None => Ok(Done::Shown(String::new())),
            Some(command) => self.execute(command),
        }
    }

    fn execute(&mut self, command: Command) -> Result<Done, String> {
        let shown = |text: String| Ok(Done::Shown(text));
        match command {
            Command::Step(count) => self.goes(Go::Steps(count.max(1))),
            Command::Run(limit) => self.goes(Go::Run(limit.max(1))),
            Command::Line => {
                let (file, line) = (self.place.file.clone(), self.place.line);
                let depth = self.values.depth().max(1);
                self.goes(Go::Line { file, line, depth })
            }
            Command::Finish => self.goes(Go::Depth(self.values.depth())),
            Command::Until(text) => {
                // What is wrong with the text itself is said at once; names may come to be later.
                expression::evaluate(&text, &|_| Some(Value::Integer(1)))?;
                self.goes(Go::Until(text))
            }
            Command::Thread(number) if number < self.thread_count => self.goes(Go::Thread(number as u64)),
            Command::Thread(number) => Err(match self.thread_count {
                0 => "the program starts no threads".to_owned(),
                count => format!("there is no thread {number}: they are 0 to {}", count - 1),
            }),
            Command::Interrupt(name) => {
                let handler = self.handlers.iter().find(|handler| **handler == name).cloned();
                let hint = kripke_check::hint(&name, self.handlers.iter().map(String::as_str));
                let handler = handler.ok_or_else(|| {
                    format!("there is no handler '{name}'{hint} (--interrupt and --interrupts tell of them)")
                })?;
                self.goes(Go::Handler(handler))
            }
            Command::Choose(number) => self.choose(number),
            Command::Back(count) => self.back(count),
            Command::Reset => {
                self.answers.clear();
                self.again(0)
            }
            Command::Break(place) => self.add_breakpoint(&place).and_then(shown),
            Command::Breakpoints => shown(self.breakpoint_list()),
            Command::Delete(number) => self.delete_breakpoint(number).and_then(shown),
            Command::Print(text) => self.values.printed(&text).and_then(shown),
            Command::Variables => shown(self.values.all()),
            Command::Stack => shown(self.values.stack()),
            Command::List => shown(self.source_text()),
            Command::Input(text) => self.input(&text),
            Command::Choices => shown(self.choices_text()),
            Command::Policy(policy) => {
                self.policy = policy;
                if let Policy::Random(seed) = policy {
                    self.random = SplitMix(seed);
                }
                match (&self.question, policy) {
                    (Some(question), Policy::Quiet | Policy::Random(_)) => {
                        Ok(Done::Given(question.suggested.clone()))
                    }
                    _ => shown(String::new()),
                }
            }
            Command::Help => shown(Command::help()),
            Command::Quit => {
                self.turn = Turn::Ends(Ok(()));
                Ok(Done::Goes)
            }
        }
    }

    fn goes(&mut self, go: Go) -> Result<Done, String> {
        if let Some(question) = &self.question {
            return Err(format!("first {} is wanted: type it", question.what));
        }
        if self.has_ended {
            let text = "the run has ended; 'back' and 'reset' go back\n";
            return Ok(Done::Shown(text.to_owned()));
        }
        self.go = go;
        self.begun = self.steps;
        self.last.clear();
        self.stops_at = None;
        Ok(Done::Goes)
    }

    /// Begins anew and stops after a step.
    fn again(&mut self, step: u64) -> Result<Done, String> {
        self.turn = Turn::Again;
        self.known = step;
        self.stops_at = Some(step);
        self.last.clear();
        self.begun = step.saturating_sub(1);
        self.go = Go::Steps(1);
        Ok(Done::Goes)
    }

    fn back(&mut self, count: u64) -> Result<Done, String> {
        let step = self.steps.checked_sub(count);
        let step = step.ok_or_else(|| format!("{} steps were taken so far", self.steps))?;
        self.again(step)
    }

    fn input(&mut self, text: &str) -> Result<Done, String> {
        let question = self.question.as_ref().ok_or("no value is asked for now")?;
        if text.is_empty() {
            return Ok(Done::Given(question.suggested.clone()));
        }
        let value = inputs::value(question.ty, text.trim_start_matches('=').trim());
        let wrong = || format!("'{text}' is no number (12, -3, 0x0c and 0.5 are)");
        value.map(Done::Given).ok_or_else(wrong)
    }

    // The environment.

    fn choices_text(&self) -> String {
        if let Some(question) = &self.question {
            let all = question.suggestions().into_iter().enumerate();
            let lines = all.map(|(index, (text, _))| format!("{}: {text}\n", index + 1));
            return asked(question) + &lines.collect::<String>();
        }
        if self.has_ended {
            return "the run has ended\n".to_owned();
        }
        let mut text = "1: the program goes on\n".to_owned();
        for (index, (name, _)) in self.others().into_iter().enumerate() {
            let _ = writeln!(text, "{}: {name}", index + 2);
        }
        text
    }

    /// What can happen beside the next step: other threads, handlers.
    fn others(&self) -> Vec<(String, Go)> {
        let threads = (0..self.thread_count as u64).filter(|thread| *thread != self.thread as u64);
        let threads = threads.map(|thread| (format!("thread {thread} goes on"), Go::Thread(thread)));
        let handlers = self.handlers.iter();
        let handlers = handlers.map(|name| (format!("{name} comes"), Go::Handler(name.clone())));
        threads.chain(handlers).collect()
    }

    fn choose(&mut self, number: usize) -> Result<Done, String> {
        let wrong = || "there is no such choice; 'choices' lists them".to_owned();
        if let Some(question) = &self.question {
            let mut all = question.suggestions().into_iter();
            let chosen = number.checked_sub(1).and_then(|index| all.nth(index));
            return chosen.map(|(_, value)| Done::Given(value)).ok_or_else(wrong);
        }
        match number {
            0 => Err(wrong()),
            1 => self.goes(Go::Steps(1)),
            number => {
                let chosen = self.others().into_iter().nth(number - 2);
                let (_, go) = chosen.ok_or_else(wrong)?;
                self.goes(go)
            }
        }
    }

    /// The thread that the user waits for.
    pub(super) fn wanted_thread(&self) -> Option<u64> {
        match self.go {
            Go::Thread(thread) => Some(thread),
            _ => None,
        }
    }

    /// The handler that the user waits for.
    pub(super) fn wanted_handler(&self) -> Option<&str> {
        match &self.go {
            Go::Handler(name) => Some(name),
            _ => None,
        }
    }

    // What is known.

    fn add_breakpoint(&mut self, place: &str) -> Result<String, String> {
        let found = match place.rsplit_once(':') {
            Some((file, line)) => self.line_breakpoint(file, line)?,
            None if place.starts_with(|first: char| first.is_ascii_digit()) => {
                self.line_breakpoint(&self.place.file, place)?
            }
            None => {
                let functions = self.program.functions.iter();
                let own = functions.filter(|function| !self.program.is_library(function.position));
                let names = own.map(|function| threads::plain_name(&function.name));
                let names: Vec<&str> = names.collect();
                if !names.contains(&place) {
                    let hint = kripke_check::hint(place, names.into_iter());
                    return Err(format!(
                        "there is no function '{place}'{hint} (a line is FILE:LINE)"
                    ));
                }
                Breakpoint::Function(place.to_owned())
            }
        };
        let text = format!("breakpoint at {}\n", found.text());
        self.breakpoints.push(found);
        Ok(text)
    }

    fn line_breakpoint(&self, file: &str, line: &str) -> Result<Breakpoint, String> {
        let line = line.parse().map_err(|_| format!("'{line}' is no line number"))?;
        let own = self.program.files.iter().filter(|one| !one.is_library_model);
        let own: Vec<&str> = own.map(|one| one.path.as_str()).collect();
        let found = match file {
            "" => own.first(),
            file => own.iter().find(|path| is_file(path, file)),
        };
        let hint = kripke_check::hint(file, own.iter().copied());
        let file = found.ok_or_else(|| format!("there is no source '{file}'{hint}"))?;
        let file = (*file).to_owned();
        Ok(Breakpoint::Line { file, line })
    }

    fn breakpoint_list(&self) -> String {
        let all = (1..).zip(&self.breakpoints);
        match self.breakpoints.len() {
            0 => "there are no breakpoints\n".to_owned(),
            _ => all
                .map(|(number, one)| format!("{number}: {}\n", one.text()))
                .collect(),
        }
    }

    fn delete_breakpoint(&mut self, number: usize) -> Result<String, String> {
        if !(1..=self.breakpoints.len()).contains(&number) {
            return Err(format!("there is no breakpoint {number}"));
        }
        self.breakpoints.remove(number - 1);
        Ok(String::new())
    }

    fn source_text(&self) -> String {
        let place = &self.place;
        let mut text = format!("{}\n", place.file);
        for line in place.line.saturating_sub(AROUND).max(1)..=place.line + AROUND {
            let mark = if line == place.line { '>' } else { ' ' };
            if let Some(source) = self.sources.line(&place.file, line) {
                let _ = writeln!(text, "{mark}{line:>5}  {source}");
            }
        }
        match place.line {
            0 => "no step was taken that has a place in a source\n".to_owned(),
            _ => text,
        }
    }

    /// The locals that each function declares; threads' functions are one, of which that is not known.
    fn declared(&self) -> Declared {
        let mut declared = Declared::new();
        for function in self.program.functions.iter() {
            let of = declared.entry(function.name.clone()).or_default();
            of.extend(function.variables.iter().map(|variable| variable.name.clone()));
            let ways = function
                .locations
                .iter()
                .flat_map(|location| &location.transitions);
            for statement in ways.flat_map(|way| &way.statements) {
                if let StatementKind::StackObject { site, .. } = &statement.kind {
                    of.insert(self.program.object_sites[*site].name.clone());
                }
            }
        }
        declared
    }
}

/// What a command did.
enum Done {
    Shown(String),
    Given(ScalarValue),
    Goes,
}

fn asked(question: &Question) -> String {
    let suggested = question.suggestions();
    let suggested = suggested.first().map_or("", |(text, _)| text);
    format!("? {}; an empty line takes {suggested}\n", question.what)
}

/// Is a path the one that the user names, perhaps by its end?
fn is_file(path: &str, named: &str) -> bool {
    path == named || path.strip_suffix(named).is_some_and(|rest| rest.ends_with('/'))
}

/// `interrupted here by tick`.
fn is_about(message: &str, handler: &str) -> bool {
    message.split(' ').next_back() == Some(handler)
}

/// Is it the end of the function that all threads are woven into?
fn is_of_woven(step: &Step) -> bool {
    matches!(&step.kind, StepKind::Return { function, .. } if function == threads::WOVEN)
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Integer(number) => *number != 0,
        Value::Real(number) => *number != 0.0,
        Value::Text(_) => false,
    }
}

/// Hands each step to the session.
struct Watcher<'s, 'p> {
    session: &'s RefCell<Session<'p>>,
    builder: TraceBuilder<'p>,
    has_begun: bool,
}

impl Observer for Watcher<'_, '_> {
    fn detail(&self) -> Detail {
        Detail::Steps
    }

    fn event(&mut self, view: &View<'_>, event: &Event<'_>) {
        let mut session = self.session.borrow_mut();
        if !self.has_begun {
            self.has_begun = true;
            let declared = session.declared();
            session.values = Values::new(self.builder.globals(view), declared);
            if session.stops_at == Some(0) && session.known == 0 {
                session.answers.clear();
                session.print("at the start of the program\n");
                session.talk();
            }
        }
        if !session.is_going() {
            return;
        }
        self.builder.event(view, event);
        let thread = self.builder.thread();
        for step in self.builder.take_steps() {
            if !is_of_woven(&step) {
                session.stepped(step, thread);
            }
        }
    }

    fn is_done(&self) -> bool {
        !self.session.borrow().is_going()
    }
}
