//! A check as a process of this same program, for editors: it says how far it is, and ends in a report or in
//! what went wrong.
//!
//! Invariant: a check is started with an argument vector; nothing is given to a shell. Its report lies in a
//! folder of its own, which goes with it.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A report may be long, but not longer than this.
const LONGEST_REPORT: u64 = 1 << 30;

/// A check that goes on.
pub struct Child {
    process: Arc<Mutex<std::process::Child>>,
}

impl Child {
    /// Starts a check whose arguments depend on where its report goes. What it says is passed on line by
    /// line, as long as somebody listens, and then its report, or its last words.
    pub fn start(
        arguments: impl FnOnce(&Path) -> Vec<String>,
        folder: Option<&Path>,
        progress: impl Fn(String) -> bool + Send + 'static,
        checked: impl FnOnce(Result<String, String>) + Send + 'static,
    ) -> Result<Child, String> {
        let program = std::env::current_exe().map_err(|error| format!("cannot find kripke: {error}"))?;
        let place = tempfile::tempdir().map_err(|error| format!("no place for the report: {error}"))?;
        let report = place.path().join("report.json");
        let mut command = Command::new(program);
        command
            .args(arguments(&report))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        let mut process = command
            .spawn()
            .map_err(|error| format!("cannot start the check: {error}"))?;
        let stderr = process.stderr.take();
        let process = Arc::new(Mutex::new(process));
        let waited = Arc::clone(&process);
        thread::spawn(move || {
            let last = told(stderr, progress);
            let code = locked(&waited).wait().ok().and_then(|status| status.code());
            let outcome = match code {
                Some(0..=2) => read(&report),
                None => Err("the check was ended".to_owned()),
                _ if last.is_empty() => Err("the check failed without a word".to_owned()),
                _ => Err(last),
            };
            drop(place);
            checked(outcome);
        });
        Ok(Child { process })
    }

    /// Ends it.
    pub fn stop(&mut self) {
        let mut process = locked(&self.process);
        // Where it has ended by itself, there is nothing to end.
        let _ = process.kill();
        let _ = process.wait();
    }
}

/// The text of a report, or of a file that an editor shows.
pub fn read(path: &Path) -> Result<String, String> {
    let file = std::fs::File::open(path);
    let mut text = String::new();
    let result = file.and_then(|file| file.take(LONGEST_REPORT).read_to_string(&mut text));
    match result {
        Ok(_) => Ok(text),
        Err(error) => Err(format!("cannot read {}: {error}", path.display())),
    }
}

/// Passes on what a check says; gives its last words.
fn told(stderr: Option<impl Read>, progress: impl Fn(String) -> bool) -> String {
    /// So many lines say what was wrong.
    const LAST: usize = 12;
    let mut last: Vec<String> = Vec::new();
    for line in stderr
        .into_iter()
        .flat_map(|stderr| BufReader::new(stderr).lines())
    {
        let Ok(line) = line else { break };
        if last.len() == LAST {
            last.remove(0);
        }
        last.push(line.clone());
        if !progress(line) {
            break;
        }
    }
    last.join("\n").trim().to_owned()
}

fn locked(child: &Arc<Mutex<std::process::Child>>) -> MutexGuard<'_, std::process::Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}
