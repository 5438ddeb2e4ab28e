//! Functions and labels whose address the image holds.
//!
//! Idea: a jump through a pointer can only lead where a pointer can point. Function pointers come into being
//! as words of flash (tables, initial values of variables) or as two LDI instructions, low and high byte.
//!
//! This is an assumption, not a proof: a program can compute any address. The halves of an address are taken
//! to be loaded close to each other, into a pair of registers, or through one register one after the other;
//! so avr-gcc loads constants of 16 bits.
//!
//! Invariant: words that are reached as instructions, or that lie in a function, are no pointers.

use std::collections::{BTreeMap, BTreeSet};

use crate::image::{Image, Space, SymbolKind};
use crate::instruction::{Instruction, Operation};

/// Halves that are loaded into a pair of registers are at most so many words apart.
const CLOSE: u32 = 8;
/// Halves that are loaded through one register are at most so many words apart.
const NEXT: u32 = 3;

/// Functions and labels whose address the image holds.
#[derive(Debug, Default)]
pub struct Taken {
    functions: BTreeSet<u32>,
    /// Word addresses within functions, by the function's byte address.
    labels: BTreeMap<u32, BTreeSet<u32>>,
}

/// What is looked through.
pub struct Searched<'a> {
    /// The image.
    pub image: &'a Image,
    /// Every word of flash, decoded.
    pub program: &'a [Instruction],
    /// Words that are reached as instructions.
    pub reached: &'a BTreeSet<u32>,
    /// Words of start-up code: what it loads are addresses of data.
    pub start_up: &'a BTreeSet<u32>,
}

impl Taken {
    /// Looks through an image. Handlers of interrupts are not called through pointers.
    pub fn new(searched: &Searched<'_>, handlers: &BTreeSet<u32>) -> Self {
        let image = searched.image;
        let starts: BTreeSet<u32> = image
            .symbols
            .iter()
            .filter(|symbol| symbol.space == Space::Flash && symbol.kind == SymbolKind::Function)
            .filter(|symbol| can_be_pointed_to(&symbol.name))
            .map(|symbol| symbol.address / 2)
            .chain(trampolines(searched))
            .filter(|entry| !handlers.contains(entry))
            .collect();
        let mut taken = Self::default();
        for word in data_words(image, searched.reached) {
            let address = u32::from(word) * 2;
            if starts.contains(&u32::from(word)) {
                taken.functions.insert(u32::from(word));
            } else if let Some(function) = image.function_at(address).filter(|function| function.size > 0) {
                taken
                    .labels
                    .entry(function.address)
                    .or_default()
                    .insert(u32::from(word));
            }
        }
        let loaded = loaded_words(searched);
        taken.functions.extend(loaded.intersection(&starts));
        taken
    }

    /// Word addresses of functions.
    pub fn functions(&self) -> &BTreeSet<u32> {
        &self.functions
    }

    /// Word addresses within these functions.
    pub fn labels_within(&self, functions: &BTreeSet<u32>) -> impl Iterator<Item = u32> {
        let labels = functions.iter().filter_map(|function| self.labels.get(function));
        labels.flatten().copied()
    }
}

/// Jumps to functions beyond what the 16 bits of a pointer reach: the linker has pointers lead to these.
fn trampolines(searched: &Searched<'_>) -> impl Iterator<Item = u32> {
    let place = |name| searched.image.symbol(name).map_or(0, |symbol| symbol.address / 2);
    let words = place("__trampolines_start")..place("__trampolines_end");
    let is_jump = |word: &u32| {
        let instruction = searched.program.get(*word as usize);
        instruction.is_some_and(|instruction| instruction.operation == Operation::Jmp)
    };
    words.step_by(2).filter(is_jump)
}

/// Whether a program can have a pointer to a function of that name. It has none to main nor to the compiler's
/// own library, whose names are reserved; the word that looks like one is a number. C++ keeps pointers to
/// some of its functions.
fn can_be_pointed_to(name: &str) -> bool {
    name != "main" && (!name.starts_with("__") || name.starts_with("__cxa"))
}

/// The byte addresses of the tables of constructors and destructors, by the linker's symbols.
pub fn constructors(image: &Image) -> [std::ops::Range<u32>; 2] {
    [("__ctors_start", "__ctors_end"), ("__dtors_start", "__dtors_end")].map(|(start, end)| {
        let address = |name| image.symbol(name).map(|symbol| symbol.address);
        address(start).unwrap_or(0)..address(end).unwrap_or(0)
    })
}

/// Every word of flash that is no instruction. Initial values of variables have no alignment.
fn data_words(image: &Image, reached: &BTreeSet<u32>) -> Vec<u16> {
    let bytes = image.flash.bytes();
    let is_data = |at: u32| {
        image.flash.is_used(at)
            && !reached.contains(&(at / 2))
            && image.function_at(at).is_none_or(|function| function.size == 0)
    };
    // Constructors are called by start-up code alone.
    let constructors = constructors(image);
    let initial = image.data_load.clone().unwrap_or(0..0);
    (0..bytes.len().saturating_sub(1) as u32)
        .filter(|at| at % 2 == 0 || initial.contains(at))
        .filter(|at| is_data(*at) && is_data(at + 1))
        .filter(|at| !constructors.iter().any(|table| table.contains(at)))
        .map(|at| u16::from_le_bytes([bytes[at as usize], bytes[at as usize + 1]]))
        .collect()
}

/// Words whose halves are loaded by LDI.
fn loaded_words(searched: &Searched<'_>) -> BTreeSet<u32> {
    let Searched { image, reached, .. } = *searched;
    let mut loads: BTreeMap<Option<u32>, Vec<(u32, u8, u8)>> = BTreeMap::new();
    let mut at = 0;
    while let Some(instruction) = searched.program.get(at as usize) {
        let function = image.function_at(at * 2).map(|symbol| symbol.address);
        let is_code = function.is_some() || reached.contains(&at);
        if is_code && instruction.operation == Operation::Ldi && !searched.start_up.contains(&at) {
            let load = (at, instruction.d, instruction.k as u8);
            loads.entry(function).or_default().push(load);
        }
        at += if is_code { u32::from(instruction.words) } else { 1 };
    }
    let mut words = BTreeSet::new();
    for loads in loads.values() {
        for (at, register, low) in loads {
            for (other, upper, high) in loads {
                let distance = at.abs_diff(*other);
                let is_pair = register % 2 == 0 && *upper == register + 1 && distance <= CLOSE;
                let is_one = register == upper && distance > 0 && distance <= NEXT;
                if is_pair || is_one {
                    words.insert(u32::from(u16::from_le_bytes([*low, *high])));
                }
            }
        }
    }
    words
}
