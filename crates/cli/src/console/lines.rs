//! Where the commands come from: a terminal, a file, a pipe, the command line.

use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;

use kripke_check::Failure;
use rustyline::error::ReadlineError;

use crate::output;

/// A source of commands.
pub enum Lines {
    /// Lines that are there before they are asked for; the first mistake ends them.
    Script {
        /// Each with its number.
        lines: Box<dyn Iterator<Item = (usize, std::io::Result<String>)>>,
        /// What errors call them.
        place: String,
    },
    /// A user, who may make mistakes.
    Terminal {
        editor: Box<rustyline::DefaultEditor>,
        /// What an empty line repeats.
        last: String,
    },
}

/// A line, and where it is.
pub struct Line {
    pub text: String,
    pub place: String,
}

impl Lines {
    /// As the user says on the command line.
    pub fn new(execute: &[String], script: Option<&Path>) -> Result<Self, Failure> {
        let numbered = |lines: Vec<String>, place: &str| Lines::Script {
            lines: Box::new((1..).zip(lines.into_iter().map(Ok))),
            place: place.to_owned(),
        };
        if !execute.is_empty() {
            return Ok(numbered(execute.to_vec(), "--execute"));
        }
        if let Some(path) = script {
            let place = path.display().to_string();
            let text = std::fs::read_to_string(path)
                .map_err(|error| Failure::input(format!("cannot read {place}: {error}")))?;
            return Ok(numbered(text.lines().map(str::to_owned).collect(), &place));
        }
        if std::io::stdin().is_terminal() {
            let editor =
                rustyline::DefaultEditor::new().map_err(|error| Failure::input(error.to_string()))?;
            return Ok(Lines::Terminal {
                editor: Box::new(editor),
                last: String::new(),
            });
        }
        Ok(Lines::Script {
            lines: Box::new((1..).zip(std::io::stdin().lock().lines())),
            place: "standard input".to_owned(),
        })
    }

    /// Does a user type them?
    pub fn are_typed(&self) -> bool {
        matches!(self, Lines::Terminal { .. })
    }

    /// The next line; none at the end. `asks` says that a value is asked for, which an empty line takes.
    pub fn next(&mut self, asks: bool) -> Result<Option<Line>, Failure> {
        match self {
            Lines::Script { lines, place } => {
                let Some((number, line)) = lines.next() else {
                    return Ok(None);
                };
                let place = format!("{place}:{number}: ");
                let text = line.map_err(|error| Failure::input(format!("{place}{error}")))?;
                Ok(Some(Line { text, place }))
            }
            Lines::Terminal { editor, last } => loop {
                let prompt = if asks { "(value) " } else { "(kripke) " };
                let text = match editor.readline(prompt) {
                    Ok(line) if line.trim().is_empty() && !asks => last.clone(),
                    Ok(line) => line,
                    Err(ReadlineError::Interrupted) => continue,
                    Err(ReadlineError::Eof) => return Ok(None),
                    Err(error) => return Err(Failure::input(error.to_string())),
                };
                // A history that cannot be kept is no reason to stop.
                let _ = editor.add_history_entry(&text);
                if !asks {
                    last.clone_from(&text);
                }
                let place = String::new();
                return Ok(Some(Line { text, place }));
            },
        }
    }

    /// A line that could not be done: the end of a script, a word to a user.
    pub fn refuse(&self, line: &Line, message: &str) -> Result<(), Failure> {
        match self {
            Lines::Script { .. } => Err(Failure::input(format!("{}{message}", line.place))),
            Lines::Terminal { .. } => {
                output::note(message);
                Ok(())
            }
        }
    }
}
