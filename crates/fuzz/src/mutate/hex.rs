//! Mutations of Intel HEX: records are changed, repeated, exchanged and taken away, and get the checksums
//! that they need to be read at all; now and then not.

use super::{Seed, count};
use crate::random::Random;

pub fn mutant(seed: &Seed, random: &mut Random) -> Vec<u8> {
    let mut records: Vec<Vec<u8>> = seed.bytes.split(|byte| *byte == b'\n').map(bytes_of).collect();
    for _ in 0..count(random) {
        mutate(&mut records, random);
    }
    let mut text = Vec::new();
    for record in &records {
        let intact = !random.once_in(400);
        write(&mut text, record, intact);
    }
    if random.once_in(10) && !text.is_empty() {
        let at = random.below(text.len());
        text[at] = random.next() as u8;
    }
    if random.once_in(20) {
        text.truncate(random.below(text.len()));
    }
    text
}

/// The bytes of a line of pairs of digits, without the checksum.
fn bytes_of(line: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = line
        .iter()
        .filter_map(|byte| char::from(*byte).to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    let mut bytes: Vec<u8> = digits
        .chunks_exact(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect();
    bytes.pop();
    bytes
}

fn mutate(records: &mut Vec<Vec<u8>>, random: &mut Random) {
    const EXTREME: [u8; 6] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF];
    let at = random.below(records.len());
    let Some(record) = records.get_mut(at) else {
        return;
    };
    match random.below(8) {
        // Length, address and type are the first four bytes.
        0..=2 if !record.is_empty() => {
            let byte = random.below(record.len().min(4));
            record[byte] = match random.once_in(2) {
                true => *random.one_of(&EXTREME),
                false => random.below(7) as u8,
            };
        }
        3 if !record.is_empty() => {
            let byte = random.below(record.len());
            record[byte] = random.next() as u8;
        }
        4 => {
            let address = (*random.one_of(&EXTREME), *random.one_of(&EXTREME));
            let kind = *random.one_of(&[2, 4, 3, 5]);
            records.insert(at, vec![2, 0, 0, kind, address.0, address.1]);
        }
        5 => drop(records.remove(at)),
        6 => {
            let copy = record.clone();
            records.insert(at, copy);
        }
        _ => {
            let other = random.below(records.len());
            records.swap(at, other);
        }
    }
}

fn write(text: &mut Vec<u8>, record: &[u8], intact: bool) {
    if record.is_empty() {
        return;
    }
    let sum = record.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    let check = if intact { sum.wrapping_neg() } else { sum };
    text.push(b':');
    for byte in record.iter().chain([&check]) {
        text.extend(format!("{byte:02X}").bytes());
    }
    text.push(b'\n');
}
