//! An SMT-LIB 2 solver as a process, spoken to by pipe.
//!
//! Idea: everything asserted is also kept as terms, so a process that had to be killed (time limit,
//! interrupt) is replaced by a new one that is told everything again; the limits need no option of
//! the solver's. Assumptions are assertions on a level of their own, which stays open while the
//! model may be asked for.
//!
//! A thread reads the answers, so that waiting can watch the limits; another collects what the
//! solver writes to its error output, for the message when it dies.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kripke_limits::{ChildProcess, Exhausted, Limits};
use kripke_value::Float;
use rustc_hash::FxHashMap;

use crate::assertions::Assertions;
use crate::lower::{Lowering, Sides};
use crate::op::{Op, Sort};
use crate::smtlib_print::{Printer, Text};
use crate::smtlib_read::{Reader, Sexp, read_value};
use crate::solver::{SatResult, Solver, SolverError};
use crate::terms::{TermId, Terms};
use crate::value::Value;

/// How long a solver may take to answer anything but a check.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often waiting looks at the limits.
const POLL: Duration = Duration::from_millis(10);

/// A running solver and what it has been told.
struct Process {
    child: ChildProcess,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
    reader: Reader,
    errors: Arc<Mutex<String>>,
    printer: Printer,
    lowering: Lowering<Text>,
    sides: Sides,
    /// Levels and assertions the process knows, a prefix of the solver's.
    levels: Vec<usize>,
    assumptions_open: bool,
}

/// A solver of another program.
pub struct External {
    command: Vec<String>,
    name: String,
    process: Option<Process>,
    /// Assertions by level.
    assertions: Assertions,
    model: Option<FxHashMap<TermId, Value>>,
}

/// Why waiting for an answer ended without one.
enum Silence {
    Limit(Exhausted),
    Error(SolverError),
}

impl External {
    /// Starts a solver to see that it runs.
    pub fn new(command: &[String]) -> Result<Self, SolverError> {
        let name = command.first().cloned().unwrap_or_default();
        let mut solver = External {
            command: command.to_vec(),
            name,
            process: None,
            assertions: Assertions::new(),
            model: None,
        };
        solver.process = Some(solver.start()?);
        Ok(solver)
    }

    fn error(&self, message: impl Into<String>) -> SolverError {
        SolverError {
            solver: self.name.clone(),
            message: message.into(),
        }
    }

    fn start(&self) -> Result<Process, SolverError> {
        let (program, arguments) = self
            .command
            .split_first()
            .ok_or_else(|| self.error("empty command"))?;
        let mut command = Command::new(program);
        command.args(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = ChildProcess::start(&mut command).map_err(|error| {
            self.error(format!(
                "cannot start `{program}`: {error}; install it or choose another --solver"
            ))
        })?;
        let (input, output, errors) = child.pipes();
        let (sender, answers) = channel();
        if let Some(mut output) = output {
            std::thread::spawn(move || {
                let mut buffer = [0; 1 << 14];
                while let Ok(count @ 1..) = output.read(&mut buffer) {
                    if sender
                        .send(String::from_utf8_lossy(&buffer[..count]).into_owned())
                        .is_err()
                    {
                        break;
                    }
                }
            });
        }
        let complaints = Arc::new(Mutex::new(String::new()));
        if let Some(mut errors) = errors {
            let complaints = Arc::clone(&complaints);
            std::thread::spawn(move || {
                let mut buffer = [0; 1 << 12];
                while let Ok(count @ 1..) = errors.read(&mut buffer) {
                    if let Ok(mut complaints) = complaints.lock()
                        && complaints.len() < 1 << 16
                    {
                        complaints.push_str(&String::from_utf8_lossy(&buffer[..count]));
                    }
                }
            });
        }
        let mut process = Process {
            child,
            input,
            answers,
            reader: Reader::default(),
            errors: complaints,
            printer: Printer::default(),
            lowering: Lowering::default(),
            sides: Sides::default(),
            levels: vec![0],
            assumptions_open: false,
        };
        let header = "(set-option :print-success false)\n(set-option :produce-models true)\n\
                      (set-option :global-declarations true)\n(set-logic ALL)\n";
        self.send(&mut process, header)?;
        Ok(process)
    }

    fn send(&self, process: &mut Process, text: &str) -> Result<(), SolverError> {
        let written = match &mut process.input {
            Some(input) => input.write_all(text.as_bytes()).and_then(|()| input.flush()),
            None => Ok(()),
        };
        written.map_err(|_| self.died(process))
    }

    /// The error for a process that ended.
    fn died(&self, process: &mut Process) -> SolverError {
        std::thread::sleep(Duration::from_millis(50));
        let status = match process.child.status() {
            Ok(Some(status)) => format!("ended ({status})"),
            _ => "closed its output".to_owned(),
        };
        let errors = process
            .errors
            .lock()
            .map(|errors| errors.trim().to_owned())
            .unwrap_or_default();
        self.error(if errors.is_empty() {
            status
        } else {
            format!("{status}: {errors}")
        })
    }

    /// Waits for the next answer.
    fn answer(&self, process: &mut Process, limits: &Limits) -> Result<Sexp, Silence> {
        loop {
            if let Some(answer) = process.reader.next() {
                if let Some([Sexp::Atom(head), rest @ ..]) = answer.list()
                    && head == "error"
                {
                    let message = match rest {
                        [Sexp::Atom(message)] => message.clone(),
                        other => format!("{other:?}"),
                    };
                    return Err(Silence::Error(self.error(message)));
                }
                return Ok(answer);
            }
            match process.answers.recv_timeout(POLL) {
                Ok(text) => process.reader.feed(&text),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(reason) = limits.exceeded() {
                        return Err(Silence::Limit(reason));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Error(self.died(process))),
            }
        }
    }

    /// Brings the process to the solver's levels and assertions.
    fn synchronise(&self, process: &mut Process, terms: &Terms) -> Result<(), SolverError> {
        let mut text = String::new();
        if process.assumptions_open {
            text.push_str("(pop 1)\n");
            process.sides.pop();
            process.assumptions_open = false;
        }
        for (level, assertions) in self.assertions.levels().iter().enumerate() {
            if level == process.levels.len() {
                text.push_str("(push 1)\n");
                process.levels.push(0);
                process.sides.push();
            }
            let known = process.levels[level];
            for &assertion in &assertions[known..] {
                process.assert(terms, assertion, &mut text);
            }
            process.levels[level] = assertions.len();
        }
        self.send(process, &text)
    }

    fn run_check(
        &self,
        process: &mut Process,
        terms: &Terms,
        assumptions: &[TermId],
        limits: &Limits,
    ) -> Result<SatResult, Silence> {
        self.synchronise(process, terms).map_err(Silence::Error)?;
        let mut text = String::new();
        if !assumptions.is_empty() {
            text.push_str("(push 1)\n");
            process.sides.push();
            process.assumptions_open = true;
            for &assumption in assumptions {
                process.assert(terms, assumption, &mut text);
            }
        }
        process.assert_sides(&mut text);
        text.push_str("(check-sat)\n");
        self.send(process, &text).map_err(Silence::Error)?;
        match self.answer(process, limits)? {
            Sexp::Atom(word) if word == "sat" => Ok(SatResult::Sat),
            Sexp::Atom(word) if word == "unsat" => Ok(SatResult::Unsat),
            Sexp::Atom(word) if word == "unknown" || word == "timeout" => {
                Ok(SatResult::Unknown(format!("{} says {word}", self.name)))
            }
            other => Err(Silence::Error(self.error(format!("unexpected answer {other:?}")))),
        }
    }

    /// Asks for all variables at once.
    fn read_model(
        &self,
        process: &mut Process,
        terms: &Terms,
    ) -> Result<FxHashMap<TermId, Value>, SolverError> {
        let mut model = FxHashMap::default();
        let variables: Vec<(TermId, Text)> = process
            .lowering
            .variables()
            .map(|(&term, text)| (term, text.clone()))
            .collect();
        let limits = Limits {
            deadline: Some(std::time::Instant::now() + PATIENCE),
            ..Limits::default()
        };
        for chunk in variables.chunks(200) {
            let mut text = String::from("(get-value (");
            for (_, variable) in chunk {
                let _ = write!(text, " {}", variable.text);
            }
            text.push_str("))\n");
            self.send(process, &text)?;
            let answer = self.answer(process, &limits).map_err(|silence| match silence {
                Silence::Error(error) => error,
                Silence::Limit(_) => self.error("no answer to get-value"),
            })?;
            let pairs = answer.list().unwrap_or_default();
            for ((term, _), pair) in chunk.iter().zip(pairs) {
                let sort = terms.sort(*term);
                let stored = if let Sort::Float(format) = sort {
                    Sort::BitVec(format.bits())
                } else {
                    sort
                };
                let value = pair.list().and_then(|pair| read_value(pair.get(1)?, stored));
                let value = value.ok_or_else(|| self.error(format!("unreadable value {pair:?}")))?;
                model.insert(
                    *term,
                    match (sort, value) {
                        (Sort::Float(format), Value::BitVec(bits)) => {
                            Value::Float(Float::from_bits(format, &bits))
                        }
                        (_, value) => value,
                    },
                );
            }
        }
        Ok(model)
    }
}

impl Process {
    fn assert(&mut self, terms: &Terms, assertion: TermId, text: &mut String) {
        let lowered = self.lowering.lower(&mut self.printer, terms, assertion);
        text.push_str(&self.printer.take());
        let _ = writeln!(text, "(assert {})", lowered.text);
    }

    fn assert_sides(&mut self, text: &mut String) {
        for side in self.sides.take(self.lowering.sides()) {
            let _ = writeln!(text, "(assert {})", side.text);
        }
    }
}

impl Solver for External {
    fn assert(&mut self, terms: &Terms, term: TermId) -> Result<(), SolverError> {
        debug_assert!(!matches!(terms.op(term), Op::BitVec(_)));
        self.model = None;
        self.assertions.add(term);
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.model = None;
        self.assertions.push();
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.model = None;
        if !self.assertions.pop() {
            return Err(self.error("no level to pop"));
        }
        let Some(mut process) = self.process.take() else {
            return Ok(());
        };
        let mut text = String::new();
        if process.assumptions_open {
            text.push_str("(pop 1)\n");
            process.sides.pop();
            process.assumptions_open = false;
        }
        if process.levels.len() > self.assertions.levels().len() {
            text.push_str("(pop 1)\n");
            process.sides.pop();
            process.levels.pop();
        }
        self.send(&mut process, &text)?;
        self.process = Some(process);
        Ok(())
    }

    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        limits: &Limits,
    ) -> Result<SatResult, SolverError> {
        self.model = None;
        if let Some(reason) = limits.exceeded() {
            return Ok(SatResult::Unknown(reason.to_string()));
        }
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        match self.run_check(&mut process, terms, assumptions, limits) {
            Ok(result) => {
                self.process = Some(process);
                Ok(result)
            }
            // Dropping the process kills it; the next check starts another.
            Err(Silence::Limit(reason)) => Ok(SatResult::Unknown(reason.to_string())),
            Err(Silence::Error(error)) => Err(error),
        }
    }

    fn variable_value(&mut self, terms: &Terms, variable: TermId) -> Result<Value, SolverError> {
        if self.model.is_none() {
            let mut process = self
                .process
                .take()
                .ok_or_else(|| self.error("there is no model"))?;
            self.model = Some(self.read_model(&mut process, terms)?);
            self.process = Some(process);
        }
        let known = self.model.as_ref().and_then(|model| model.get(&variable));
        Ok(known
            .cloned()
            .unwrap_or_else(|| Value::zero(terms.sort(variable))))
    }

    fn name(&self) -> &str {
        &self.name
    }
}
