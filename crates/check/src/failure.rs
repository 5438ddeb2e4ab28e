//! What ends a check early: bad input, or a bug of ours.

use std::fmt;

/// A check that could not be done.
#[derive(Debug)]
pub enum Failure {
    /// The user's to mend: a message with position and remedy.
    Input(String),
    /// It was cancelled before there was anything to report on.
    Cancelled,
    /// Ours to mend.
    Internal(String),
}

impl Failure {
    /// Bad input.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure::Input(message.into())
    }
}

impl From<kripke_llvm::Error> for Failure {
    fn from(error: kripke_llvm::Error) -> Failure {
        match error {
            kripke_llvm::Error::Interrupted => Failure::Cancelled,
            error => Failure::input(error.to_string()),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(message) => write!(f, "error: {message}"),
            Failure::Cancelled => f.write_str("interrupted before the program was compiled"),
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
