//! Mutations of texts, token by token. Repeated brackets and operators are what finds the end of the stack,
//! extreme numbers what finds the end of memory and of arithmetic.

use std::ops::Range;

use super::{Seed, count};
use crate::random::Random;

const NUMBERS: [&str; 26] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "63",
    "64",
    "65",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "100000000000000000000000000000000000000000000000000",
];

/// Tokens that open something, and what closes it.
const BRACKETS: [(&str, &str); 8] = [
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("<", ">"),
    ("[2 x ", "]"),
    ("!(", ")"),
    ("G (", ")"),
    ("[", ","),
];

/// Words and punctuation that mean something somewhere.
const TOKENS: [&str; 24] = [
    "-", "!", "\"", "'", "\\", "\n", ",", ".", "@", "%", "#", "e", "x", "0x", "i64", "ptr", "null", "undef",
    "void", "true", "=", "*", "\u{0}", "\u{e9}",
];

/// The tokens of a text: words, numbers, blanks, and single characters of all else.
pub fn tokens(text: &[u8]) -> Vec<Range<usize>> {
    let class = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' => 0,
        b' ' | b'\n' => 1,
        _ => 2,
    };
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, byte) in text.iter().enumerate() {
        match found.last_mut() {
            Some(last) if class(*byte) < 2 && class(text[last.start]) == class(*byte) => last.end = at + 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

pub fn mutant(seeds: &[Seed], random: &mut Random) -> Vec<u8> {
    let seed = random.one_of(seeds);
    let mut text: Vec<&[u8]> = (0..seed.parts.len()).map(|index| seed.part(index)).collect();
    for _ in 0..count(random) {
        mutate(&mut text, seeds, random);
    }
    let mut bytes = text.concat();
    if random.once_in(10) && !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] = random.next() as u8;
    }
    if random.once_in(30) {
        bytes.truncate(random.below(bytes.len()));
    }
    bytes
}

fn mutate<'s>(text: &mut Vec<&'s [u8]>, seeds: &'s [Seed], random: &mut Random) {
    let Some(at) = visible(text, random) else {
        text.push(random.one_of(&TOKENS).as_bytes());
        return;
    };
    match random.below(16) {
        0 => drop(text.remove(at)),
        1 => text.insert(at, text[at]),
        2 => repeat(text, at, random),
        3 => wrap(text, at, random),
        4..=5 => {
            let other = random.below(text.len());
            text.swap(at, other);
        }
        6..=8 => text[at] = like(text[at], text, random),
        9 => text[at] = foreign(seeds, random),
        10..=12 => {
            if let Some(number) = number(text, random) {
                text[number] = random.one_of(&NUMBERS).as_bytes();
            }
        }
        13 => line(text, at, random),
        14 => splice(text, at, seeds, random),
        _ => text.insert(at, random.one_of(&TOKENS).as_bytes()),
    }
}

fn is_number(token: &[u8]) -> bool {
    token.first().is_some_and(u8::is_ascii_digit)
}

fn is_blank(token: &[u8]) -> bool {
    token.first().is_none_or(u8::is_ascii_whitespace)
}

/// The place of a token that is not blank.
fn visible(text: &[&[u8]], random: &mut Random) -> Option<usize> {
    if text.is_empty() {
        return None;
    }
    let at = random.below(text.len());
    let found = (at..text.len()).find(|index| !is_blank(text[*index]));
    Some(found.unwrap_or(at))
}

fn number(text: &[&[u8]], random: &mut Random) -> Option<usize> {
    let at = random.below(text.len());
    (at..text.len())
        .chain(0..at)
        .find(|index| is_number(text[*index]))
}

/// Another token of the text that looks like this one: a number for a number, a word for a word.
fn like<'s>(token: &'s [u8], text: &[&'s [u8]], random: &mut Random) -> &'s [u8] {
    let class = |token: &[u8]| {
        let first = token.first().copied().unwrap_or_default();
        (first.is_ascii_alphabetic(), first.is_ascii_digit())
    };
    let at = random.below(text.len());
    let mut others = text[at..].iter().chain(&text[..at]);
    others
        .find(|other| !is_blank(other) && class(other) == class(token) && **other != token)
        .copied()
        .unwrap_or(token)
}

fn foreign<'s>(seeds: &'s [Seed], random: &mut Random) -> &'s [u8] {
    let seed = random.one_of(seeds);
    seed.part(random.below(seed.parts.len()))
}

/// How often something is repeated to find out what there is room for.
fn often(random: &mut Random) -> usize {
    *random.one_of(&[2, 10, 100, 300, 1000, 10_000])
}

fn repeat(text: &mut Vec<&[u8]>, at: usize, random: &mut Random) {
    let end = (at + 1 + random.below(4)).min(text.len());
    let group: Vec<&[u8]> = text[at..end].to_vec();
    let times = often(random);
    let repeated = group.iter().copied().cycle().take(group.len() * times);
    text.splice(at..at, repeated.collect::<Vec<_>>());
}

fn wrap(text: &mut Vec<&[u8]>, at: usize, random: &mut Random) {
    let (open, close) = *random.one_of(&BRACKETS);
    let times = often(random);
    let after = if random.once_in(4) { 0 } else { times };
    text.splice(at + 1..at + 1, std::iter::repeat_n(close.as_bytes(), after));
    text.splice(at..at, std::iter::repeat_n(open.as_bytes(), times));
}

fn is_line_end(token: &[u8]) -> bool {
    token.contains(&b'\n')
}

/// The tokens of the line around one.
fn line_around(text: &[&[u8]], at: usize) -> Range<usize> {
    let start = text[..at]
        .iter()
        .rposition(|token| is_line_end(token))
        .map_or(0, |before| before + 1);
    let end = text[at..]
        .iter()
        .position(|token| is_line_end(token))
        .map_or(text.len(), |after| at + after + 1);
    start..end
}

/// Takes a line away, or puts it a second time, elsewhere.
fn line(text: &mut Vec<&[u8]>, at: usize, random: &mut Random) {
    let taken: Vec<&[u8]> = match random.once_in(2) {
        true => text.drain(line_around(text, at)).collect(),
        false => text[line_around(text, at)].to_vec(),
    };
    if !random.once_in(3) && !text.is_empty() {
        let there = line_around(text, random.below(text.len())).start;
        text.splice(there..there, taken);
    }
}

/// Puts a line of another seed before the one here.
fn splice<'s>(text: &mut Vec<&'s [u8]>, at: usize, seeds: &'s [Seed], random: &mut Random) {
    let seed = random.one_of(seeds);
    let from = random.below(seed.parts.len());
    let all: Vec<&[u8]> = (0..seed.parts.len()).map(|index| seed.part(index)).collect();
    if all.is_empty() {
        return;
    }
    let there = line_around(text, at).start;
    text.splice(there..there, all[line_around(&all, from)].iter().copied());
}
