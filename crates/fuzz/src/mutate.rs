//! Inputs that are nearly right: mutations of seeds, by what the seeds are made of.
//!
//! Idea: a reader refuses random bytes at once. So texts are mutated token by token (taken away, repeated up
//! to thousands of times, exchanged, taken from another seed, numbers made extreme), images within the
//! headers and sections that the target is about, and records of Intel HEX keep their checksums.
//!
//! Invariant: the result is determined by the seeds and the generator.

use std::ops::Range;

use crate::random::Random;
use crate::sections;

mod binary;
mod hex;
mod text;

/// What the inputs of a target look like.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// Text, in words, numbers and punctuation.
    Text,
    /// Intel HEX.
    Hex,
    /// An ELF file; the sections that matter, by the beginnings of their names, and "" for its headers.
    Elf(&'static [&'static str]),
}

/// Longer inputs are cut.
const LONGEST: usize = 1 << 20;

/// A valid input.
pub struct Seed {
    bytes: Vec<u8>,
    /// Tokens of a text, or the parts of an image that matter.
    parts: Vec<Range<usize>>,
}

impl Seed {
    /// Prepares an input.
    #[must_use]
    pub fn new(bytes: Vec<u8>, form: Form) -> Self {
        let parts = match form {
            Form::Text => text::tokens(&bytes),
            Form::Hex => Vec::new(),
            Form::Elf(names) => sections::parts(&bytes, names),
        };
        Self { bytes, parts }
    }

    fn part(&self, index: usize) -> &[u8] {
        self.parts
            .get(index)
            .map_or(&[], |range| &self.bytes[range.clone()])
    }
}

/// A mutant of one of the seeds.
#[must_use]
pub fn mutant(seeds: &[Seed], form: Form, random: &mut Random) -> Vec<u8> {
    if seeds.is_empty() {
        return Vec::new();
    }
    let mut bytes = match form {
        Form::Text => text::mutant(seeds, random),
        Form::Hex => hex::mutant(random.one_of(seeds), random),
        Form::Elf(_) => binary::mutant(random.one_of(seeds), random),
    };
    bytes.truncate(LONGEST);
    bytes
}

/// How many mutations are made at once: few, mostly.
fn count(random: &mut Random) -> usize {
    let most = *random.one_of(&[1, 1, 2, 2, 4, 8, 32]);
    1 + random.below(most)
}
