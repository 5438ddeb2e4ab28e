//! Processes that end with this one.
//!
//! Idea: whoever drops a process ends it. But where this process has to end in the midst of its work (at
//! limits of [`crate::Limits`] at which nobody looked), nothing is dropped, and a solver would go on for
//! ever. So all of them are known here.
//!
//! Invariant: a process is started only while the list is locked, so that none comes after the end of all.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

static RUNNING: Mutex<Vec<Weak<Mutex<Child>>>> = Mutex::new(Vec::new());

/// A running process, killed when it is dropped.
#[derive(Debug)]
pub struct ChildProcess(Arc<Mutex<Child>>);

impl ChildProcess {
    /// Starts one.
    ///
    /// # Errors
    /// As [`Command::spawn`].
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let mut running = locked(&RUNNING);
        let process = Arc::new(Mutex::new(command.spawn()?));
        running.retain(|process| process.strong_count() > 0);
        running.push(Arc::downgrade(&process));
        Ok(ChildProcess(process))
    }

    /// Takes its input, its output and its error output, as far as they are pipes.
    pub fn pipes(&self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        let mut child = locked(&self.0);
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        locked(&self.0).id()
    }

    /// How it has ended; none while it runs.
    ///
    /// # Errors
    /// As [`Child::try_wait`].
    pub fn status(&self) -> io::Result<Option<ExitStatus>> {
        locked(&self.0).try_wait()
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        kill(&self.0);
    }
}

/// Kills all of them, and lets nobody start another one: for the last moment of this process.
pub fn end_processes() {
    let running = locked(&RUNNING);
    running
        .iter()
        .filter_map(Weak::upgrade)
        .for_each(|process| kill(&process));
    std::mem::forget(running);
}

fn kill(process: &Mutex<Child>) {
    let mut child = locked(process);
    // Already ended is as good as killed.
    let _ = child.kill();
    let _ = child.wait();
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
