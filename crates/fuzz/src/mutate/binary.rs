//! Mutations of images, within the parts of a seed that matter; mostly in place, since everything in such a
//! file refers to everything else by its offset.

use super::{Seed, count};
use crate::random::Random;

/// Numbers that are first or last of something.
const EXTREME: [u64; 16] = [
    0,
    1,
    2,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0xFFFF,
    0x1_0000,
    0x7F_FFFF,
    0x80_0000,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0x7FFF_FFFF_FFFF_FFFF,
    u64::MAX,
];

pub fn mutant(seed: &Seed, random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.bytes.clone();
    for _ in 0..count(random) {
        let part = match seed.parts.is_empty() || random.once_in(20) {
            true => 0..seed.bytes.len(),
            false => random.one_of(&seed.parts).clone(),
        };
        let part = part.start.min(bytes.len())..part.end.min(bytes.len());
        mutate(&mut bytes, part, random);
    }
    if random.once_in(40) {
        bytes.truncate(random.below(bytes.len()));
    }
    bytes
}

fn mutate(bytes: &mut Vec<u8>, part: std::ops::Range<usize>, random: &mut Random) {
    if part.is_empty() {
        return;
    }
    let at = part.start + random.below(part.len());
    let room = part.end - at;
    let length = 1 + random.below(room.min(16));
    match random.below(16) {
        0..=2 => bytes[at] ^= 1 << random.below(8),
        3..=4 => bytes[at] = random.next() as u8,
        5..=6 => bytes[at] = bytes[at].wrapping_add(*random.one_of(&[1, 2, 4, 0xFF, 0xFE, 0xFC])),
        7..=9 => put(&mut bytes[at..part.end], *random.one_of(&EXTREME), random),
        10..=11 => {
            // An offset or a size of this very part, or a little more.
            let value = random.below(part.len() + 2) as u64;
            put(&mut bytes[at..part.end], value, random);
        }
        12 => bytes[at..at + length].fill(*random.one_of(&[0, 0x7F, 0x80, 0xFF])),
        13..=14 => {
            let from = part.start + random.below(part.len() - length + 1);
            bytes.copy_within(from..from + length, at);
        }
        _ if random.once_in(2) => drop(bytes.drain(at..at + length)),
        _ => {
            let copy = bytes[at..at + length].to_vec();
            bytes.splice(at..at, copy);
        }
    }
}

/// Writes a number in 1, 2, 4 or 8 bytes, as many as there are.
fn put(bytes: &mut [u8], value: u64, random: &mut Random) {
    let width = *random.one_of(&[1, 2, 4, 4, 8]);
    let width = width.min(bytes.len());
    bytes[..width].copy_from_slice(&value.to_le_bytes()[..width]);
}
