//! What a check tells while it goes on, on standard error: warnings, and a line that says how a long check goes
//! and goes away at the end.
//!
//! Invariant: the line is not written when standard error is no terminal, nor in the first second.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use kripke_check::{Events, Progress};

use crate::output;

/// Before this a check is not long.
const DELAY: Duration = Duration::from_secs(1);
/// Between two updates.
const INTERVAL: Duration = Duration::from_millis(100);

/// The user at the terminal.
pub struct Listener {
    started: Instant,
    /// When the line was written, where it stands there.
    written: Option<Instant>,
    shows_progress: bool,
}

impl Listener {
    /// Nothing is written yet.
    pub fn new(quiet: bool) -> Self {
        Self {
            started: Instant::now(),
            written: None,
            shows_progress: !quiet && io::stderr().is_terminal(),
        }
    }

    /// Writes the line anew, if it is time to.
    fn update(&mut self, text: &str) {
        let too_early = self.started.elapsed() < DELAY;
        let too_often = self.written.is_some_and(|time| time.elapsed() < INTERVAL);
        if !self.shows_progress || too_early || too_often {
            return;
        }
        self.written = Some(Instant::now());
        let seconds = self.started.elapsed().as_secs();
        let mut terminal = io::stderr().lock();
        let _ = write!(terminal, "\r\x1b[K[{seconds} s] {text}").and_then(|()| terminal.flush());
    }

    /// Takes the line away.
    fn erase(&mut self) {
        if self.written.take().is_some() {
            let mut terminal = io::stderr().lock();
            let _ = write!(terminal, "\r\x1b[K").and_then(|()| terminal.flush());
        }
    }
}

impl Events for Listener {
    fn warning(&mut self, text: &str) {
        self.erase();
        output::note(text);
    }

    fn compiler(&mut self, text: &str) {
        self.erase();
        output::note(text.trim_end());
    }

    fn stopped(&mut self, text: &str) {
        self.erase();
        output::note(text);
    }

    fn progress(&mut self, progress: &Progress) {
        let Progress::Unwinding {
            bound,
            query,
            undecided,
        } = progress;
        self.update(&format!(
            "bound {bound}, query {query}, {undecided} properties undecided"
        ));
    }
}

/// The line goes away with whom it is for, also when the check fails.
impl Drop for Listener {
    fn drop(&mut self) {
        self.erase();
    }
}
