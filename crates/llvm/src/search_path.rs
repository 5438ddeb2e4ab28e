//! Where clang looks for the headers of a target that is not this machine.
//!
//! Idea: clang says with `-v` which machine its arguments mean and which directories it searches. Asked
//! once without those arguments, it names the directories of this machine's C library. Whatever it searches
//! for another machine beside these was installed for that machine; the others (`/usr/include`) were not,
//! and reading them gives wrong sizes in silence, so they are taken out.
//!
//! Exception: on systems where several machines share `/usr/include` and only what differs stands in a
//! directory of its own below it (Debian's multiarch), the shared one belongs to each machine whose part of
//! the C library stands there. (Kernel headers do not count: Debian 13 has `asm` for all its machines.)
//!
//! Alternative rejected: a list of directories per target. It would repeat what each version of clang knows
//! about each distribution.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use crate::child;

/// What clang says about the machine that its arguments mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Machine {
    /// As LLVM normalises it.
    pub triple: String,
    /// The directories that are searched without being named on the command line, in order.
    directories: Vec<PathBuf>,
}

/// The directories of a C library, by their place beside clang's own headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Installed {
    /// Searched before clang's headers.
    pub before: Vec<PathBuf>,
    /// Searched after them.
    pub after: Vec<PathBuf>,
}

impl Machine {
    /// Asks clang; nothing where it cannot be run or does not answer like clang.
    pub fn ask(clang: &Path, arguments: &[String], interrupt: &AtomicBool) -> Option<Machine> {
        let mut command = Command::new(clang);
        command
            .args(arguments)
            .args(["-E", "-v", "-x", "c", "-"])
            .env("LC_ALL", "C");
        let output = child::output(&mut command, None, interrupt).ok()?;
        Machine::parse(&String::from_utf8_lossy(&output.stderr))
    }

    fn parse(text: &str) -> Option<Machine> {
        let triple = text.lines().find_map(|line| line.strip_prefix("Target: "))?;
        let directories = text
            .lines()
            .skip_while(|line| !line.starts_with("#include <...> search starts here"))
            .skip(1)
            .take_while(|line| line.starts_with(' '))
            .map(|line| {
                let path = Path::new(line.trim());
                path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
            })
            .collect();
        Some(Machine {
            triple: triple.trim().to_owned(),
            directories,
        })
    }

    /// Can a program for the one use the headers of the other?
    pub fn shares_headers_with(&self, other: &Machine) -> bool {
        parts(&self.triple) == parts(&other.triple)
    }

    /// Is there an operating system, so that the C library is not a bare machine's?
    pub fn is_hosted(&self) -> bool {
        const SYSTEMS: &[&str] = &[
            "linux", "darwin", "macos", "ios", "windows", "freebsd", "netbsd", "openbsd", "android", "wasi",
        ];
        SYSTEMS.iter().any(|system| self.triple.contains(system))
    }

    /// The directories that were installed for this machine and not for the host.
    pub fn installed(&self, host: &Machine) -> Installed {
        let own = |directory: &&PathBuf| !host.directories.contains(directory);
        let of_clang = |directory: &Path| directory.ancestors().any(is_of_clang);
        let shared = |directory: &PathBuf| {
            let mut below = self.directories.iter().filter(own);
            below.any(|part| part.starts_with(directory) && !of_clang(part) && is_of_library(part))
        };
        let mut installed = Installed::default();
        let mut seen_clang = false;
        for directory in &self.directories {
            if of_clang(directory) {
                seen_clang = true;
            } else if own(&directory) || shared(directory) {
                let place = match seen_clang {
                    false => &mut installed.before,
                    true => &mut installed.after,
                };
                place.push(directory.clone());
            }
        }
        installed
    }
}

/// Every version of clang has this file of its own beside `stddef.h`.
fn is_of_clang(directory: &Path) -> bool {
    directory.join("__stddef_max_align_t.h").is_file()
}

/// What the C library has of its own for each machine stands in this folder: so in glibc and in musl.
fn is_of_library(directory: &Path) -> bool {
    directory.join("bits").is_dir()
}

/// What of a triple decides about headers: architecture, system and the binary interface, under one name
/// each. The vendor does not matter, nor which C library is meant: a host has only one.
fn parts(triple: &str) -> (&str, Option<&'static str>, &str) {
    const SYSTEMS: &[&str] = &[
        "linux", "darwin", "macos", "ios", "windows", "freebsd", "netbsd", "openbsd", "wasi",
    ];
    let mut parts = triple.split('-');
    let architecture = match parts.next().unwrap_or_default() {
        "amd64" => "x86_64",
        "arm64" => "aarch64",
        "i486" | "i586" | "i686" => "i386",
        other => other,
    };
    let rest: Vec<&str> = parts.collect();
    let system = SYSTEMS
        .iter()
        .copied()
        .find(|system| rest.iter().any(|part| part.starts_with(system)));
    let interface = match rest.last().copied().unwrap_or_default() {
        plain if system.is_some_and(|system| plain.starts_with(system)) => "",
        "gnu" | "musl" | "unknown" => "",
        other => other
            .strip_prefix("musl")
            .or(other.strip_prefix("gnu"))
            .unwrap_or(other),
    };
    (architecture, system, interface)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(triple: &str, directories: &[&Path]) -> Machine {
        Machine {
            triple: triple.to_owned(),
            directories: directories.iter().map(|path| path.to_path_buf()).collect(),
        }
    }

    #[test]
    fn what_clang_says() {
        let text = "clang version 14.0.6\nTarget: avr\n \"clang\" -cc1\n#include \"...\" search starts \
            here:\n\
                    #include <...> search starts here:\n /no/such/../place\n /other\nEnd of search list.\n";
        let expected = machine("avr", &[Path::new("/no/such/../place"), Path::new("/other")]);
        assert_eq!(Machine::parse(text), Some(expected));
        assert_eq!(Machine::parse("gcc version 12"), None);
    }

    #[test]
    fn machines_that_share_headers() {
        let check = |left: &str, right: &str, expected: bool| {
            let found = machine(left, &[]).shares_headers_with(&machine(right, &[]));
            assert_eq!(found, expected, "{left} and {right}");
        };
        check("x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnu", true);
        check("x86_64-pc-linux-gnu", "x86_64-unknown-linux-musl", true);
        check("x86_64-pc-linux-gnu", "amd64-linux", true);
        check("x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnux32", false);
        check("x86_64-pc-linux-gnu", "i386-pc-linux-gnu", false);
        check("x86_64-pc-linux-gnu", "x86_64-unknown-none-elf", false);
        check("x86_64-pc-linux-gnu", "x86_64-pc-windows-gnu", false);
        check(
            "armv7-unknown-linux-gnueabihf",
            "armv7-unknown-linux-gnueabi",
            false,
        );
        check("arm64-apple-darwin23.1.0", "aarch64-apple-darwin22.0.0", true);
    }

    #[test]
    fn only_what_was_installed_for_the_machine() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let make = |name: &str, file: &str| {
            let directory = root.path().join(name);
            let file = directory.join(file);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("writable");
            std::fs::write(file, "").expect("writable");
            directory
        };
        let clang = make("clang/include", "__stddef_max_align_t.h");
        let wrappers = make("clang/include/wrappers", "altivec.h");
        let shared = make("usr/include", "stdio.h");
        let own_part = make("usr/include/host", "bits/types.h");
        let other_part = make("usr/include/other", "bits/types.h");
        let kernel = make("usr/include/kernel", "asm/types.h");
        let cross = make("cross/include", "stdio.h");
        let host = machine("x86_64-pc-linux-gnu", &[&clang, &own_part, &shared]);

        let nothing = machine("aarch64-linux-gnu", &[&wrappers, &clang, &shared]).installed(&host);
        assert_eq!(nothing, Installed::default());

        let multiarch = machine("aarch64-linux-gnu", &[&clang, &other_part, &shared]).installed(&host);
        assert_eq!(multiarch.after, [other_part, shared.clone()]);

        let no_library = machine("mips-linux-gnu", &[&clang, &kernel, &shared]).installed(&host);
        assert_eq!(no_library.after, [kernel]);

        let bare = machine("avr", &[&cross, &clang, &shared]).installed(&host);
        assert_eq!(
            (bare.before.as_slice(), bare.after.as_slice()),
            ([cross].as_slice(), [].as_slice())
        );
    }
}
