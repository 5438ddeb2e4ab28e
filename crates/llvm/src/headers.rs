//! C library headers for targets that come without any.
//!
//! Idea: a bare-metal target often has only the compiler's own headers (`stdint.h`, `stdbool.h`, …). To
//! check code for it on any machine, plain declarations of the standard functions are written to a
//! temporary directory that clang searches last, so an installed C library always comes first. Only
//! `assert.h` comes before it: embedded C libraries turn a failing assertion into a bare `abort()`, which
//! would hide what failed and where.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

macro_rules! headers {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../headers/", $name)))),*]
    };
}

const HEADERS: &[(&str, &str)] = headers![
    "ctype.h",
    "errno.h",
    "fenv.h",
    "inttypes.h",
    "math.h",
    "setjmp.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "time.h",
];
const ASSERT: &str = include_str!("../headers/assert.h");

/// The headers as files, removed with this value.
#[derive(Debug)]
pub(crate) struct Headers {
    directory: TempDir,
}

impl Headers {
    /// Writes them.
    pub fn write() -> io::Result<Headers> {
        let headers = Headers {
            directory: tempfile::Builder::new().prefix("kripke-headers-").tempdir()?,
        };
        for directory in [headers.directory(), headers.assert_directory()] {
            std::fs::create_dir(&directory)?;
        }
        for (name, text) in HEADERS {
            std::fs::write(headers.directory().join(name), text)?;
        }
        std::fs::write(headers.assert_directory().join("assert.h"), ASSERT)?;
        Ok(headers)
    }

    /// For `-idirafter`.
    pub fn directory(&self) -> PathBuf {
        self.directory.path().join("library")
    }

    /// For `-isystem`.
    pub fn assert_directory(&self) -> PathBuf {
        Path::new(self.directory.path()).join("assert")
    }
}
