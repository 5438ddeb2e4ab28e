//! Everything that can go wrong between a C source and its program model.
//!
//! Invariant: each error names the place and, where there is one, the remedy; nothing a user supplies
//! ends in a panic.

use std::fmt;
use std::path::PathBuf;

/// A failure of the C front end.
#[derive(Debug)]
#[allow(missing_docs, reason = "the variants' comments name their fields")]
pub enum Error {
    /// A file cannot be read.
    Read { path: PathBuf, source: std::io::Error },
    /// The input is of a language Kripke does not check, or no source at all.
    Input { path: PathBuf, message: String },
    /// An option has a value that cannot be.
    Option { message: String },
    /// No usable clang.
    Clang { message: String },
    /// Nobody waits for the program any more.
    Interrupted,
    /// clang found errors in the source and has shown them.
    Compile { path: PathBuf, status: String },
    /// Textual LLVM IR that cannot be read.
    Parse {
        file: String,
        line: u32,
        column: u32,
        message: String,
    },
    /// A compile database that cannot be used.
    CompileDatabase {
        path: PathBuf,
        line: usize,
        column: usize,
        message: String,
    },
    /// A contract that cannot be checked.
    Contract {
        file: String,
        line: u32,
        column: u32,
        message: String,
    },
    /// The modules do not fit together.
    Link { message: String },
    /// The program as a whole cannot be translated (no `main`, an unknown data layout).
    Translate { message: String },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Error::Input { path, message } => write!(f, "{}: {message}", path.display()),
            Error::Option { message } | Error::Clang { message } => f.write_str(message),
            Error::Interrupted => f.write_str("interrupted before the program was compiled"),
            Error::Compile { path, status } => {
                write!(
                    f,
                    "{} does not compile ({status}); clang's messages are above",
                    path.display()
                )
            }
            Error::Parse {
                file,
                line,
                column,
                message,
            } => write!(f, "{file}:{line}:{column}: cannot read this LLVM IR: {message}"),
            Error::Contract {
                file,
                line,
                column,
                message,
            } => write!(f, "{file}:{line}:{column}: {message}"),
            Error::CompileDatabase {
                path,
                line: 0,
                message,
                ..
            } => write!(f, "{}: {message}", path.display()),
            Error::CompileDatabase {
                path,
                line,
                column,
                message,
            } => write!(f, "{}:{line}:{column}: {message}", path.display()),
            Error::Link { message } | Error::Translate { message } => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Read { source, .. } => Some(source),
            _ => None,
        }
    }
}
