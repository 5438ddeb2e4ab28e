//! `kripke lsp`: the language server on standard input and output.
//!
//! Idea: the server (`crates/lsp`) does no input and output of its own; here are its files, and its checks,
//! which are processes of this same program.

use std::path::Path;

use crossbeam_channel::Sender;
use kripke_check::Failure;
use kripke_lsp::{Check, Host, Running, Told, serve};
use lsp_server::Connection;

use crate::child::{self, Child};

/// Answers an editor until it ends the session.
pub fn lsp() -> Result<u8, Failure> {
    let (connection, threads) = Connection::stdio();
    let outcome = serve(&connection, &Machine);
    // The thread that writes ends when nobody can send any more.
    drop(connection);
    outcome.map_err(Failure::input)?;
    threads
        .join()
        .map_err(|error| Failure::input(format!("the editor is gone: {error}")))?;
    Ok(0)
}

/// This machine.
struct Machine;

impl Host for Machine {
    fn read(&self, path: &Path) -> Option<String> {
        child::read(path).ok()
    }

    fn start(&self, check: &Check, number: u64, tell: Sender<Told>) -> Result<Box<dyn Running>, String> {
        let arguments = |report: &Path| check.command(report);
        let progress = tell.clone();
        let started = Child::start(
            arguments,
            Some(&check.folder),
            move |line| progress.send(Told::Progress(number, line)).is_ok(),
            move |outcome| {
                // Nobody listens any more where the session is over.
                let _ = tell.send(Told::Checked(number, outcome));
            },
        );
        Ok(Box::new(Process(started?)))
    }
}

struct Process(Child);

impl Running for Process {
    fn stop(&mut self) {
        self.0.stop();
    }
}
