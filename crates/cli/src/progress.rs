//! A line on the terminal that says how a long check goes, and goes away at the end.
//!
//! Invariant: nothing is written when standard error is no terminal, nor in the first second.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use kripke_bmc::Progress;

/// Before this a check is not long.
const DELAY: Duration = Duration::from_secs(1);
/// Between two updates.
const INTERVAL: Duration = Duration::from_millis(100);

/// The line.
pub struct ProgressLine {
    started: Instant,
    written: Option<Instant>,
    enabled: bool,
    bound: u32,
    query: u64,
    left: usize,
}

impl ProgressLine {
    /// A line that is not there yet.
    pub fn new(quiet: bool) -> ProgressLine {
        let enabled = !quiet && io::stderr().is_terminal();
        ProgressLine {
            started: Instant::now(),
            written: None,
            enabled,
            bound: 0,
            query: 0,
            left: 0,
        }
    }

    fn update(&mut self) {
        let too_early = self.started.elapsed() < DELAY;
        let too_often = self.written.is_some_and(|time| time.elapsed() < INTERVAL);
        if !self.enabled || too_early || too_often {
            return;
        }
        self.written = Some(Instant::now());
        let seconds = self.started.elapsed().as_secs();
        let text = format!(
            "[{seconds} s] bound {}, query {}, {} properties undecided",
            self.bound, self.query, self.left
        );
        let mut terminal = io::stderr().lock();
        let _ = write!(terminal, "\r\x1b[K{text}").and_then(|()| terminal.flush());
    }

    /// Takes the line away.
    pub fn erase(&mut self) {
        if self.written.take().is_some() {
            let mut terminal = io::stderr().lock();
            let _ = write!(terminal, "\r\x1b[K").and_then(|()| terminal.flush());
        }
    }
}

impl Progress for ProgressLine {
    fn bound(&mut self, bound: u32) {
        self.bound = bound;
        self.update();
    }

    fn query(&mut self, number: u64, properties_left: usize) {
        self.query = number;
        self.left = properties_left;
        self.update();
    }
}
