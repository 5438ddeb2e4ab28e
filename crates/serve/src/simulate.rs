//! Programs stepped by hand: `kripke simulate` behind a pipe.
//!
//! Idea: commands are written to its standard input, and the end of each answer is known by the answer to a
//! question that was asked behind it. It ends at the first mistake; then it is started anew and told all
//! commands that were right, which lead to the same state.
//!
//! Invariant: a session is where the commands that were right lead, whatever was typed in between.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Mutex;

use crate::refused::Refused;

/// Sessions at once; of more the oldest ends.
const MOST: usize = 8;
/// No command takes longer.
const LIMIT: Duration = Duration::from_secs(20);
/// The longest command.
const LONGEST: usize = 200;
/// What is asked behind each command, and the answer.
const QUESTION: &str = "print 19850531";
const ANSWER: &str = "19850531 = ";

/// All sessions.
#[derive(Default)]
pub struct Sessions(Mutex<Numbered>);

#[derive(Default)]
struct Numbered {
    last: u64,
    all: BTreeMap<u64, Arc<Mutex<Session>>>,
}

impl Sessions {
    /// Begins one: its number.
    pub async fn start(
        &self,
        binary: PathBuf,
        words: Vec<OsString>,
        directory: PathBuf,
    ) -> Result<u64, Refused> {
        let mut session = Session {
            binary,
            words,
            directory,
            process: None,
            past: Vec::new(),
        };
        // The first answer shows whether the program can be loaded.
        session.ask("choices").await?;
        let mut numbered = self.0.lock().await;
        numbered.last += 1;
        let number = numbered.last;
        numbered.all.insert(number, Arc::new(Mutex::new(session)));
        if numbered.all.len() > MOST {
            numbered.all.pop_first();
        }
        Ok(number)
    }

    /// Does commands; the answer to each.
    pub async fn ask(&self, number: u64, commands: &[String]) -> Result<Vec<String>, Refused> {
        let session = self.0.lock().await.all.get(&number).cloned();
        let session = session.ok_or_else(|| Refused::missing("this simulation has ended; start it again"))?;
        let mut session = session.lock().await;
        let mut answers = Vec::new();
        for command in commands {
            answers.push(session.ask(command).await?);
        }
        Ok(answers)
    }
}

struct Session {
    binary: PathBuf,
    /// The program.
    words: Vec<OsString>,
    directory: PathBuf,
    process: Option<Process>,
    /// Commands that changed something, in order.
    past: Vec<String>,
}

struct Process {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Session {
    async fn ask(&mut self, command: &str) -> Result<String, Refused> {
        let command = command.trim();
        let first = command.split_whitespace().next().unwrap_or("");
        if command.len() > LONGEST
            || command.contains(['\n', '\r', '\0'])
            || first.starts_with('q')
            || first == "exit"
        {
            return Err(Refused::bad("this is no command"));
        }
        match tokio::time::timeout(LIMIT, self.answer(command)).await {
            Ok(answer) => answer,
            Err(_) => {
                self.process = None;
                Err(Refused::bad(
                    "this takes too long; the simulation is where it was before",
                ))
            }
        }
    }

    async fn answer(&mut self, command: &str) -> Result<String, Refused> {
        if self.process.is_none() {
            let mut process = self.begin()?;
            for past in &self.past {
                process.ask(past).await.map_err(Refused::bad)?;
            }
            self.process = Some(process);
        }
        let Some(process) = &mut self.process else {
            return Err(Refused::failed("the simulation cannot be started"));
        };
        match process.ask(command).await {
            Ok(text) => {
                if changes(command) {
                    self.past.push(command.to_owned());
                }
                Ok(text)
            }
            Err(message) => {
                self.process = None;
                Err(Refused::bad(message))
            }
        }
    }

    fn begin(&self) -> Result<Process, Refused> {
        let failed = |error: std::io::Error| Refused::failed(format!("kripke simulate: {error}"));
        let mut child = Command::new(&self.binary)
            .arg("simulate")
            .args(&self.words)
            .current_dir(&self.directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(Refused::failed("kripke simulate has no pipes"));
        };
        let output = BufReader::new(output).lines();
        Ok(Process { child, input, output })
    }
}

impl Process {
    /// The answer to a command, or what is wrong with it.
    async fn ask(&mut self, command: &str) -> Result<String, String> {
        let text = format!("{command}\n{QUESTION}\n");
        // Where it has ended, its last words say why.
        let _ = self.input.write_all(text.as_bytes()).await;
        let mut answer = String::new();
        while let Ok(Some(line)) = self.output.next_line().await {
            if line.starts_with(ANSWER) {
                return Ok(answer);
            }
            answer.push_str(&line);
            answer.push('\n');
        }
        let mut said = Vec::new();
        if let Some(errors) = &mut self.child.stderr {
            let _ = errors.take(10_000).read_to_end(&mut said).await;
        }
        let said = String::from_utf8_lossy(&said);
        let message = said.trim().trim_start_matches("error: ");
        // `standard input:12: there is no …`
        let message = message.strip_prefix("standard input:").map_or(message, |rest| {
            rest.split_once(": ").map_or(rest, |(_, message)| message)
        });
        Err(message.to_owned())
    }
}

/// Whether a command leads to another state or other answers.
fn changes(command: &str) -> bool {
    let shows = [
        "print",
        "p",
        "registers",
        "r",
        "io",
        "i",
        "variables",
        "v",
        "stack",
        "list",
        "disassemble",
        "d",
        "choices",
        "breakpoints",
        "help",
        "h",
        "?",
    ];
    let first = command.split_whitespace().next();
    first.is_some_and(|first| !shows.contains(&first))
}
