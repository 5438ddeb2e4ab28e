//! What a check tells while it goes on, on standard error: warnings, and a line that says how a long check
//! goes and goes away at the end.
//!
//! Idea: of a C program the driver says what is asked next; of a firmware there is a gauge, which a thread
//! looks at. Where standard error is no terminal, lines about the gauge come now and then, and stay. SIGUSR1
//! asks for one.
//!
//! Invariant: the line is not written in the first second; nothing else is written while it stands there.

use std::collections::{HashMap, VecDeque};
use std::env;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use kripke_check::firmware::explored;
use kripke_check::functions::Gathering;
use kripke_check::{Checked, Events, Progress};
use kripke_limits::{Gauge, Reading, resident};
use kripke_model::{Open, Property, PropertyKind, PropertyResult, Reason, Report, Statistics, Verdict};

use crate::{interrupt, output};

/// Before this a check is not long.
const DELAY: Duration = Duration::from_secs(1);
/// Between two updates.
const INTERVAL: Duration = Duration::from_millis(100);
/// Between two lines that stay, and before the first one.
const LINES: Duration = Duration::from_secs(20);
/// The environment variable with the seconds between two lines that stay, for programs that read them.
const EVERY: &str = "KRIPKE_PROGRESS";

/// The user at the terminal.
pub struct Listener {
    line: Arc<Mutex<Line>>,
    /// What is known so far.
    results: Results,
    /// The function that is looked at, where there are many.
    function: String,
    /// Its end tells the thread that looks at the gauge that there is nothing to see any more.
    looks: Option<mpsc::Sender<()>>,
    /// Whether remarks are shown.
    remarks: bool,
}

/// What a check that goes on was asked and has found out, for whoever has to end it.
#[derive(Clone, Debug, Default)]
pub struct Results {
    all: Arc<Mutex<All>>,
    /// Where functions are checked one by one.
    gathering: Arc<Mutex<Option<Gathering>>>,
}

/// What a property is called.
type Key = (PropertyKind, String);

/// All properties, and the numbers of those that are open.
#[derive(Debug, Default)]
struct All {
    asked: Vec<Asked>,
    open: HashMap<Key, VecDeque<usize>>,
    /// Of firmware: what its searches tell of themselves.
    gauge: Option<Arc<Gauge>>,
}

/// A property, and what came of it.
#[derive(Clone, Debug)]
struct Asked {
    property: Property,
    result: Option<PropertyResult>,
    open: Option<Open>,
}

impl Asked {
    fn so_far(&self, reason: &Reason) -> PropertyResult {
        let unknown = || {
            let reason = reason.clone();
            let result = PropertyResult::new(self.property.clone(), Verdict::Unknown { reason });
            PropertyResult {
                open: self.open.clone(),
                ..result
            }
        };
        self.result.clone().unwrap_or_else(unknown)
    }
}

impl Results {
    /// The report on what is known by now; what is open is unknown for that reason.
    pub fn checked(&self, reason: Reason) -> Checked {
        let gathering = self.gathering.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(gathering) = &*gathering {
            let gathered = gathering.lock().unwrap_or_else(PoisonError::into_inner);
            return gathered.checked(&reason);
        }
        let statistics = Statistics {
            explored: self.all().gauge.as_deref().map(explored),
            ..Statistics::default()
        };
        let report = Report {
            results: self.so_far(&reason),
            incomplete: Some(reason),
            statistics,
            ..Report::default()
        };
        Checked {
            report,
            ..Checked::default()
        }
    }

    fn so_far(&self, reason: &Reason) -> Vec<PropertyResult> {
        let all = self.all();
        all.asked.iter().map(|asked| asked.so_far(reason)).collect()
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, properties: &[Property]) {
        let mut all = self.all();
        for property in properties {
            let number = all.asked.len();
            all.open.entry(key(property)).or_default().push_back(number);
            all.asked.push(Asked {
                property: property.clone(),
                result: None,
                open: None,
            });
        }
    }

    fn settle(&self, result: &PropertyResult) {
        let mut all = self.all();
        let settled = Some(result.clone());
        let open = all.open.get_mut(&key(&result.property));
        match open.and_then(VecDeque::pop_front) {
            Some(number) => all.asked[number].result = settled,
            None => all.asked.push(Asked {
                property: result.property.clone(),
                result: settled,
                open: None,
            }),
        }
    }

    fn keep_open(&self, property: &Property, open: &Open) {
        let mut all = self.all();
        let first = all.open.get(&key(property)).and_then(VecDeque::front);
        if let Some(&number) = first {
            all.asked[number].open = Some(open.clone());
        }
    }
}

fn key(property: &Property) -> Key {
    (property.kind, property.id.clone())
}

/// The line.
struct Line {
    started: Instant,
    /// When it was written, where it stands there.
    written: Option<Instant>,
    is_shown: bool,
    /// Whether lines come now and then that stay.
    stays: bool,
    /// How often.
    every: Duration,
    /// When the last one of them was due.
    due: Duration,
    /// What there is to say.
    latest: String,
}

impl Line {
    /// Writes the line anew, if it is time to.
    fn update(&mut self, text: &str) {
        text.clone_into(&mut self.latest);
        let too_early = self.started.elapsed() < DELAY;
        let too_often = self.written.is_some_and(|time| time.elapsed() < INTERVAL / 2);
        if !self.is_shown || too_early || too_often {
            return;
        }
        self.written = Some(Instant::now());
        let seconds = self.started.elapsed().as_secs();
        let mut terminal = io::stderr().lock();
        let _ = write!(terminal, "\r\x1b[K[{seconds} s] {text}").and_then(|()| terminal.flush());
    }

    /// Writes a line that stays, if that is asked for or due.
    fn stay(&mut self, is_asked: bool) {
        let elapsed = self.started.elapsed();
        let is_due = self.stays && elapsed >= self.due + self.every;
        if is_due {
            self.due = elapsed;
        }
        if (is_due || is_asked) && !self.latest.is_empty() {
            self.erase();
            output::note(&format!("[{} s] {}", elapsed.as_secs(), self.latest));
        }
    }

    /// Takes the line away.
    fn erase(&mut self) {
        if self.written.take().is_some() {
            let mut terminal = io::stderr().lock();
            let _ = write!(terminal, "\r\x1b[K").and_then(|()| terminal.flush());
        }
    }
}

impl Listener {
    /// Nothing is written yet.
    pub fn new(quiet: bool) -> Self {
        let is_terminal = io::stderr().is_terminal();
        let asked = env::var(EVERY).ok().and_then(|seconds| seconds.parse().ok());
        let asked = asked.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let line = Line {
            started: Instant::now(),
            written: None,
            is_shown: !quiet && is_terminal,
            stays: asked.is_some() || !quiet && !is_terminal,
            every: asked.unwrap_or(LINES),
            due: Duration::ZERO,
            latest: String::new(),
        };
        Self {
            line: Arc::new(Mutex::new(line)),
            results: Results::default(),
            function: String::new(),
            looks: None,
            remarks: false,
        }
    }

    /// Whether to tell how verdicts are come to.
    pub fn show_remarks(&mut self, shown: bool) {
        self.remarks = shown;
    }

    /// The same, noting results where others see them.
    pub fn noting(quiet: bool, results: Results) -> Self {
        let mut listener = Self::new(quiet);
        listener.results = results;
        listener
    }

    fn with_line<R>(&self, act: impl FnOnce(&mut Line) -> R) -> R {
        act(&mut self.line.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A line of text that stays, in place of the one that does not.
    fn note(&self, text: &str) {
        self.with_line(|line| {
            line.erase();
            output::note(text);
        });
    }
}

impl Events for Listener {
    fn warning(&mut self, text: &str) {
        self.note(text);
    }

    fn compiler(&mut self, text: &str) {
        self.note(text.trim_end());
    }

    fn stopped(&mut self, text: &str) {
        self.note(text);
    }

    fn remarked(&mut self, text: &str) {
        if self.remarks {
            self.note(text);
        }
    }

    fn asked(&mut self, properties: &[Property]) {
        self.results.ask(properties);
    }

    fn settled(&mut self, result: &PropertyResult) {
        self.results.settle(result);
    }

    fn function(&mut self, name: &str, number: usize, of: usize) {
        self.function = format!("{name} ({number} of {of}): ");
    }

    fn gathering(&mut self, gathering: &Gathering) {
        let mut known = self
            .results
            .gathering
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *known = Some(Arc::clone(gathering));
    }

    fn open(&mut self, property: &Property, open: &Open) {
        self.results.keep_open(property, open);
    }

    fn progress(&mut self, progress: &Progress) {
        let Progress::Unwinding {
            bound,
            query,
            undecided,
        } = progress;
        let function = &self.function;
        let text = format!("{function}bound {bound}, query {query}, {undecided} properties undecided");
        self.with_line(|line| {
            line.update(&text);
            let is_asked = interrupt::asked();
            if is_asked || line.every < LINES {
                line.stay(is_asked);
            }
        });
    }

    fn exploring(&mut self, gauge: &Arc<Gauge>) {
        self.results.all().gauge = Some(Arc::clone(gauge));
        let (looks, end) = mpsc::channel();
        let (line, gauge) = (Arc::clone(&self.line), Arc::clone(gauge));
        let look = move || {
            let mut speed = Speed::new();
            while end.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let reading = gauge.read();
                let text = exploration(reading, speed.measured(reading.created), resident());
                let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
                line.update(&text);
                line.stay(interrupt::asked());
            }
        };
        // Without a thread there is no line.
        let _ = thread::Builder::new().name("progress".into()).spawn(look);
        self.looks = Some(looks);
    }
}

/// The line goes away with whom it is for, also when the check fails.
impl Drop for Listener {
    fn drop(&mut self) {
        self.looks = None;
        self.with_line(|line| {
            line.erase();
            line.is_shown = false;
        });
    }
}

/// How many successors are created in a second.
struct Speed {
    since: Instant,
    /// Created when it was last looked at.
    last: u64,
}

impl Speed {
    fn new() -> Self {
        Speed {
            since: Instant::now(),
            last: 0,
        }
    }

    fn measured(&mut self, created: u64) -> u64 {
        // Another search has begun.
        if created < self.last {
            *self = Speed::new();
        }
        self.last = created;
        let seconds = self.since.elapsed().as_secs_f64().max(0.1);
        (created as f64 / seconds) as u64
    }
}

/// How far an exploration is.
fn exploration(reading: Reading, per_second: u64, memory: Option<u64>) -> String {
    let Reading {
        stored,
        created,
        depth,
        open,
    } = reading;
    let open = match open {
        0 => String::new(),
        open => format!(", {open} to be expanded"),
    };
    let memory = memory.map_or_else(String::new, |bytes| format!(", {} MB", bytes >> 20));
    format!(
        "{stored} states stored, {created} created ({per_second} per second), depth \
         {depth}{open}{memory}"
    )
}

#[cfg(test)]
mod tests {
    use kripke_model::{Argument, Place};

    use super::*;

    #[test]
    fn what_is_open_is_unknown_for_a_reason() {
        let property = |id: &str| Property {
            id: id.to_string(),
            kind: PropertyKind::Assertion,
            description: String::new(),
            place: Place::default(),
        };
        let verdict = Verdict::Holds {
            argument: Argument::Trivial,
        };
        let settled = PropertyResult::new(property("b"), verdict);
        let open = Open {
            searched: Some(4),
            ..Open::default()
        };
        let results = Results::default();
        results.ask(&[property("a"), property("b")]);
        results.keep_open(&property("a"), &open);
        results.settle(&settled);
        let so_far = results.so_far(&Reason::Time);
        assert_eq!(so_far[0].verdict, Verdict::Unknown { reason: Reason::Time });
        assert_eq!(so_far[0].open, Some(open));
        assert_eq!(so_far[1..], [settled]);
    }

    #[test]
    fn an_exploration_is_told_in_one_line() {
        let reading = Reading {
            stored: 1200,
            created: 3400,
            depth: 56,
            open: 78,
        };
        assert_eq!(
            exploration(reading, 780, Some(90 << 20)),
            "1200 states stored, 3400 created (780 per second), depth 56, 78 to be expanded, 90 MB"
        );
    }

    #[test]
    fn the_speed_is_that_of_the_search_under_way() {
        let mut speed = Speed::new();
        assert!(speed.measured(1000) > 0);
        // A new search counts from 0 on.
        let again = speed.measured(10);
        assert!(again <= 100, "{again}");
    }
}
