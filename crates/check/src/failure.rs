//! What ends a check early: bad input, or a bug of ours.

use std::fmt;

/// A check that could not be done.
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
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(message) => write!(f, "error: {message}"),
            Failure::Internal(message) => write!(
                f,
                "internal error: {message}\nThis is a bug in kripke {}, not in your program: please report \
                 it \
                 with \
                 the command and, if you can, the input.",
                env!("CARGO_PKG_VERSION")
            ),
        }
    }
}
