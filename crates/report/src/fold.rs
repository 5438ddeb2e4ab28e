//! Folding of long traces: the middle iterations of loops are hidden.
//!
//! Idea: the trace is a sequence of entries, each with a key (source line and call depth). A
//! key that comes back often within one activation of a function marks the iterations of a
//! loop, even when their bodies take different branches. Of such a loop the first two
//! iterations and the last one are kept, and folded in turn for the loops inside them.
//! Rejected: looking for exact periods, which misses loops that branch.

use std::collections::HashMap;

/// What the folding needs to know of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Identifies the source line.
    pub line: u64,
    /// How many calls deep.
    pub depth: u32,
}

/// A stretch of the folded sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// An entry to show, by index.
    Show(usize),
    /// Entries hidden: all of `first..end`.
    Hidden {
        /// First hidden entry.
        first: usize,
        /// One past the last hidden entry.
        end: usize,
        /// How many iterations they make up.
        iterations: usize,
    },
}

/// Loops of fewer iterations are shown whole.
const SHOWN_WHOLE: usize = 5;
/// Iterations kept at the start; one is kept at the end.
const KEPT: usize = 2;

/// Folds the sequence of keys.
pub fn fold(keys: &[Key]) -> Vec<Piece> {
    let mut folding = Folding {
        next: next_in_activation(keys),
        pieces: Vec::new(),
    };
    folding.range(0, keys.len());
    folding.pieces
}

struct Folding {
    next: Vec<usize>,
    pieces: Vec<Piece>,
}

impl Folding {
    fn range(&mut self, start: usize, end: usize) {
        let mut at = start;
        while at < end {
            let heads = self.occurrences(at, end);
            if heads.len() < SHOWN_WHOLE {
                self.pieces.push(Piece::Show(at));
                at += 1;
                continue;
            }
            let last = heads[heads.len() - 1];
            for pair in heads[..=KEPT].windows(2) {
                self.pieces.push(Piece::Show(pair[0]));
                self.range(pair[0] + 1, pair[1]);
            }
            let iterations = heads.len() - 1 - KEPT;
            self.pieces.push(Piece::Hidden {
                first: heads[KEPT],
                end: last,
                iterations,
            });
            self.pieces.push(Piece::Show(last));
            at = last + 1;
        }
    }

    /// Where the key at `at` occurs again before `end`, in the same activation.
    fn occurrences(&self, at: usize, end: usize) -> Vec<usize> {
        let following = std::iter::successors(Some(at), |&index| self.next.get(index).copied());
        following.take_while(|&index| index < end).collect()
    }
}

/// For each entry the next one with its key before its function returns; the length where there is none.
fn next_in_activation(keys: &[Key]) -> Vec<usize> {
    let mut next = vec![keys.len(); keys.len()];
    let mut activations: Vec<HashMap<u64, usize>> = Vec::new();
    for (index, key) in keys.iter().enumerate() {
        activations.truncate(key.depth as usize + 1);
        activations.resize_with(key.depth as usize + 1, HashMap::new);
        if let Some(previous) = activations[key.depth as usize].insert(key.line, index) {
            next[previous] = index;
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys from text: a letter is a line, a digit the depth of what follows.
    fn check(keys: &str, expected: &str) {
        let mut depth = 0;
        let mut sequence = Vec::new();
        for character in keys.chars() {
            match character.to_digit(10) {
                Some(digit) => depth = digit,
                None => sequence.push(Key {
                    line: character as u64,
                    depth,
                }),
            }
        }
        let letters: Vec<char> = keys
            .chars()
            .filter(|character| !character.is_ascii_digit())
            .collect();
        let text: String = fold(&sequence)
            .into_iter()
            .map(|piece| match piece {
                Piece::Show(index) => letters[index].to_string(),
                Piece::Hidden { iterations, .. } => format!("[{iterations}]"),
            })
            .collect();
        assert_eq!(text, expected);
    }

    #[test]
    fn keeps_short_loops() {
        check("aibibibz", "aibibibz");
    }

    #[test]
    fn folds_a_long_loop() {
        check("aibibibibibibz", "aibib[3]ibz");
    }

    #[test]
    fn folds_loops_that_branch() {
        check("ixixyiyixiyiz", "ixixy[3]iz");
    }

    #[test]
    fn folds_inner_loops_of_the_kept_iterations() {
        check("oiiiiiioiiiiiioooo", "oii[3]ioii[3]i[3]o");
    }

    #[test]
    fn does_not_join_separate_calls() {
        check("a1x0b1x0c1x0d1x0e1x", "axbxcxdxex");
    }
}
