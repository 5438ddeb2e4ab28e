//! A session over two streams, with a check beside it.
//!
//! Idea: one thread reads messages, others may tell how a check goes; all of it arrives on one channel, and
//! the session takes one thing after the other, so it has no state that is shared.
//!
//! Invariant: when this returns, no check of the session goes on.

use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use crate::launch::Check;
use crate::message::{Broken, Received, Writer, read};
use crate::session::{Assembly, Session};

/// What the adapter needs of the world.
pub trait Host {
    /// The text of a file.
    fn read(&self, path: &Path) -> Result<String, String>;
    /// A path from the root.
    fn absolute(&self, path: &Path) -> PathBuf;
    /// Starts a check, which tells of its progress, and at its end of its JSON report.
    fn check(&self, check: &Check, tell: Sender<Incoming>) -> Result<Box<dyn Running>, String>;
    /// The machine code of a firmware, by address; none where the file is no firmware.
    fn assembly(&self, program: &Path) -> Option<Vec<Assembly>>;
}

/// A check that goes on.
pub trait Running {
    /// Ends it.
    fn stop(&mut self);
}

/// What happens.
#[derive(Debug)]
pub enum Incoming {
    /// A message came, or none will any more.
    Message(Result<Option<Received>, Broken>),
    /// A check says something.
    Progress(String),
    /// A check has ended, with its report or why there is none.
    Checked(Result<String, String>),
}

/// Talks to a client until it takes its leave.
pub fn serve(input: impl Read + Send + 'static, output: impl Write, host: &dyn Host) -> std::io::Result<()> {
    let (tell, told) = channel();
    let reader = tell.clone();
    thread::spawn(move || {
        let mut input = BufReader::new(input);
        loop {
            let message = read(&mut input);
            let is_last = matches!(message, Ok(None) | Err(_));
            if reader.send(Incoming::Message(message)).is_err() || is_last {
                break;
            }
        }
    });
    let mut writer = Writer::new(output);
    let mut session = Session::new(host, tell);
    while let Ok(incoming) = told.recv() {
        for message in session.take(incoming) {
            if let Err(error) = writer.send(&message) {
                session.stop();
                return Err(error);
            }
        }
        if session.is_over() {
            break;
        }
    }
    Ok(())
}
