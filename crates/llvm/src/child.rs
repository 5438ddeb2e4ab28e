//! Running a compiler to its end, unless nobody waits for it any more.
//!
//! Idea: both of its outputs are read by threads of their own, which tell when they have come to an end; in
//! between, this one looks at the interrupt. The readers are not waited for when the compiler is killed: what
//! it has started itself may still hold the other ends of the pipes.
//!
//! Invariant: no process that was started here is left behind, and none is started after the interrupt.

use std::io::{Read, Write};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use kripke_limits::ChildProcess;

/// Between two looks at the interrupt.
const INTERVAL: Duration = Duration::from_millis(20);

/// Why there is no output.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// The program cannot be run.
    Failed(std::io::Error),
    /// The interrupt was set.
    Interrupted,
}

impl From<std::io::Error> for Stopped {
    fn from(error: std::io::Error) -> Self {
        Stopped::Failed(error)
    }
}

/// Runs a command with an input and gives what it has written, as [`Command::output`] does.
pub(crate) fn output(
    command: &mut Command,
    input: Option<&str>,
    interrupt: &AtomicBool,
) -> Result<Output, Stopped> {
    if interrupt.load(Ordering::Relaxed) {
        return Err(Stopped::Interrupted);
    }
    command
        .stdin(input.map_or_else(Stdio::null, |_| Stdio::piped()))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = ChildProcess::start(command)?;
    let (stdin, stdout, stderr) = child.pipes();
    if let (Some(mut pipe), Some(text)) = (stdin, input) {
        let text = text.to_owned();
        // A pipe that is closed early shows in the exit status.
        std::thread::spawn(move || pipe.write_all(text.as_bytes()));
    }
    let (stdout, stderr) = (collect(stdout), collect(stderr));
    let (status, stdout, stderr) = finish(&child, &stdout, &stderr, interrupt)?;
    // Ctrl-C in a terminal reaches the compiler as well.
    if !status.success() && interrupt.load(Ordering::Relaxed) {
        return Err(Stopped::Interrupted);
    }
    Ok(Output {
        status,
        stdout,
        stderr,
    })
}

type Collected = Receiver<std::io::Result<Vec<u8>>>;

/// All that comes out of a pipe, once it has ended.
fn collect(pipe: Option<impl Read + Send + 'static>) -> Collected {
    let (sender, end) = channel();
    std::thread::spawn(move || {
        let mut all = Vec::new();
        let read = pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut all));
        // Nobody listens any more where the compiler was killed.
        let _ = sender.send(read.map(|_| all));
    });
    end
}

/// Waits until both outputs and the process have ended.
fn finish(
    child: &ChildProcess,
    stdout: &Collected,
    stderr: &Collected,
    interrupt: &AtomicBool,
) -> Result<(ExitStatus, Vec<u8>, Vec<u8>), Stopped> {
    let (stdout, stderr) = (wait_for(stdout, interrupt)?, wait_for(stderr, interrupt)?);
    loop {
        if let Some(status) = child.status()? {
            return Ok((status, stdout, stderr));
        }
        look_at(interrupt)?;
        // A process usually ends with its outputs.
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn wait_for(end: &Collected, interrupt: &AtomicBool) -> Result<Vec<u8>, Stopped> {
    loop {
        match end.recv_timeout(INTERVAL) {
            Ok(all) => return Ok(all?),
            Err(RecvTimeoutError::Timeout) => look_at(interrupt)?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(std::io::Error::other("a reader of its output ended").into());
            }
        }
    }
}

fn look_at(interrupt: &AtomicBool) -> Result<(), Stopped> {
    match interrupt.load(Ordering::Relaxed) {
        true => Err(Stopped::Interrupted),
        false => Ok(()),
    }
}
