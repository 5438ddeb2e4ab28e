//! The command line that a counterexample runs `main` with, for a harness.
//!
//! Idea: the front end's start-up function reads `argc`, and then each byte of each argument as an input
//! `argv[1][0]`; bash passes them to the compiled program. What stands behind the end of a text is passed
//! to no program.

use std::collections::BTreeMap;
use std::fmt::Write;

use kripke_llvm::translate::MainArguments;

/// What is known of it.
#[derive(Default)]
pub(super) struct CommandLine {
    /// `argc`, the first of these inputs.
    count: Option<u64>,
    /// By the number of the argument and the place in it.
    bytes: BTreeMap<(u64, u64), u8>,
}

impl CommandLine {
    /// Notes an input of the start-up function.
    pub fn note(&mut self, source: &str, bits: &str) {
        let Ok(value) = u64::from_str_radix(bits.trim_start_matches("0x"), 16) else {
            return;
        };
        let mut places = source.split('[').skip(1);
        let mut place = || places.next()?.trim_end_matches(']').parse().ok();
        match (place(), place()) {
            (Some(number), Some(at)) => {
                self.bytes.insert((number, at), value as u8);
            }
            _ => {
                self.count.get_or_insert(value);
            }
        }
    }

    /// The words behind the name of the program, as bash takes them, each with a space before it.
    pub fn words(&self) -> String {
        let mut words = String::new();
        // Who takes other parameters gets no arguments.
        let count = self
            .count
            .filter(|count| *count <= u64::from(MainArguments::MOST) + 1);
        for number in 1..count.unwrap_or(1) {
            let bytes = self.bytes.range((number, 0)..(number + 1, 0));
            let text: Vec<u8> = bytes
                .map(|(_, byte)| *byte)
                .take_while(|byte| *byte != 0)
                .collect();
            words.push(' ');
            words.push_str(&word(&text));
        }
        words
    }
}

/// A word as bash takes it. Nothing in it ends a comment of C.
fn word(text: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+=:.,@%".contains(byte);
    if !text.is_empty() && text.iter().all(is_plain) {
        return String::from_utf8_lossy(text).into_owned();
    }
    let mut quoted = String::from("$'");
    for byte in text {
        let _ = match is_plain(byte) {
            true => write!(quoted, "{}", char::from(*byte)),
            false => write!(quoted, "\\x{byte:02x}"),
        };
    }
    quoted + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_counterexample() {
        let mut line = CommandLine::default();
        line.note("argc", "0x00000003");
        for (at, byte) in [0x2d, 0x78, 0, 0x61].into_iter().enumerate() {
            line.note(&format!("argv[1][{at}]"), &format!("{byte:#04x}"));
        }
        line.note("argv[2][0]", "0x2a");
        line.note("argv[2][1]", "0x2f");
        assert_eq!(line.words(), " -x $'\\x2a\\x2f'");
    }

    #[test]
    fn an_argument_may_be_empty() {
        let mut line = CommandLine::default();
        line.note("n", "0x2");
        line.note("v[1][0]", "0x0");
        assert_eq!(line.words(), " $''");
    }
}
