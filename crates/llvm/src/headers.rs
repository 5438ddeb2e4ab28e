//! Kripke's own headers of the C library, for targets that have none installed.
//!
//! Idea: bare machines often have only the compiler's own headers (`stdint.h`, `stdbool.h`, …), and the
//! headers of this machine are wrong for another one. To check code for any target on any machine, plain
//! declarations of all that the library models know, and of the rest of C11, are written to a temporary
//! directory that clang searches last, so an installed C library of the target always comes first
//! (`search_path.rs` says which one that is). Only `assert.h` comes before it on bare machines: embedded C
//! libraries turn a failing assertion into a bare `abort()`, which would hide what failed and where.
//!
//! Invariant: each header compiles alone and with all others, for every kind of target, without a warning;
//! declarations agree with the models. `tests/headers.rs` checks both.

use std::io;
use std::path::PathBuf;

use tempfile::TempDir;

macro_rules! headers {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../headers/", $name)))),*]
    };
}

const HEADERS: &[(&str, &str)] = headers![
    "alloca.h",
    "arpa/inet.h",
    "complex.h",
    "ctype.h",
    "endian.h",
    "errno.h",
    "fenv.h",
    "inttypes.h",
    "kripke_features.h",
    "limits.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "netinet/in.h",
    "pthread.h",
    "sched.h",
    "search.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "sys/time.h",
    "sys/types.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
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
        let folders = ["arpa", "netinet", "sys"].map(|name| headers.directory().join(name));
        for directory in folders.into_iter().chain([headers.assert_directory()]) {
            std::fs::create_dir_all(&directory)?;
        }
        for (name, text) in HEADERS {
            std::fs::write(headers.directory().join(name), text)?;
        }
        std::fs::write(headers.assert_directory().join("assert.h"), ASSERT)?;
        Ok(headers)
    }

    /// All but `assert.h`; for `-idirafter`.
    pub fn directory(&self) -> PathBuf {
        self.directory.path().join("library")
    }

    /// `assert.h`; for `-isystem`.
    pub fn assert_directory(&self) -> PathBuf {
        self.directory.path().join("assert")
    }
}
