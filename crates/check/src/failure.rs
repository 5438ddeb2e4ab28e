//! What ends a command early: bad input (exit code 3) or a bug of ours (exit code 4).

use std::fmt;

/// A command that could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The user's to mend: a message with position and remedy.
    Input(String),
    /// Ours to mend.
    Internal(String),
}

impl Failure {
    /// Bad input.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure::Input(message.into())
    }

    /// The process's exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Input(_) => 3,
            Failure::Internal(_) => 4,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(message) => write!(f, "error: {message}"),
            Failure::Internal(message) => write!(
                f,
                "internal error: {message}\nThis is a bug in kripke {}, not in your program: please report it with \
                 the command and, if you can, the input.",
                env!("CARGO_PKG_VERSION")
            ),
        }
    }
}

/// Refuses options that would silently do nothing: the first that is given, with the reason.
pub fn refuse(options: &[(&str, bool)], reason: &str) -> Result<(), Failure> {
    match options.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::input(format!("{option} {reason}"))),
    }
}
