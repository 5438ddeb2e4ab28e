//! From addresses to what the user calls them: source places, variables, registers.

use std::collections::{BTreeMap, BTreeSet};

use kripke_avr::atom::Names;
use kripke_avr::concrete::Blamed;
use kripke_avr::debug::Scalar;
use kripke_avr::device::Register;
use kripke_avr::disassemble;
use kripke_avr::image::{Space, Symbol};
use kripke_avr::micro::Micro;
use kripke_model::Place;

use super::load::Firmware;
use crate::checks::hint;

/// Bytes of a number, at the most.
const NUMBER: u32 = 8;
/// Elements in a row that are named one by one, at the most.
const MOST_IN_A_ROW: usize = 8;
/// So many bytes of an array that change make it a buffer.
const BUFFER: usize = 4;
/// What becomes an address may be unknown up to that.
const LARGEST_INDEX: u8 = 0x3F;

/// What the names of elements of an array have in common, or addresses that have no name.
fn stem_of(name: &str) -> Option<&str> {
    let is_address = name.starts_with("0x");
    name.split_once('[')
        .map(|(stem, _)| stem)
        .or_else(|| is_address.then_some("0x"))
}

/// These bits and those below: a counter has had all values up to the largest, or will have them.
fn smeared(bits: u8) -> u8 {
    0xFF_u8.checked_shr(bits.leading_zeros()).unwrap_or(0)
}

impl Firmware {
    /// What the names in an atom mean; inputs may be named in what constrains them.
    pub fn names(&self, inputs: bool) -> Names<'_> {
        Names {
            debug: &self.debug,
            device: &self.device,
            rules: &self.rules,
            inputs,
            image: &self.image,
        }
    }

    /// A function, or another symbol of the code.
    pub fn function_named(&self, name: &str) -> Result<&Symbol, String> {
        let code = || {
            let symbols = self.image.symbols.iter();
            symbols.filter(|symbol| symbol.space == Space::Flash)
        };
        code().find(|symbol| symbol.is_named(name)).ok_or_else(|| {
            let hint = hint(name, code().map(|symbol| symbol.name.as_str()));
            format!("there is no function '{name}'{hint}")
        })
    }

    /// What addresses of static memory are called; of many elements in a row the first and the last.
    pub fn names_of(&self, addresses: &BTreeSet<u16>) -> String {
        let name = |at: &u16| match self.scalar_at(*at) {
            Some(scalar) => scalar.name,
            None => self.data_name(*at),
        };
        let mut rows: Vec<Vec<String>> = Vec::new();
        for name in addresses.iter().map(name) {
            match rows.last_mut() {
                Some(row) if row.last() == Some(&name) => {}
                Some(row) if stem_of(&row[0]).is_some() && stem_of(&row[0]) == stem_of(&name) => {
                    row.push(name)
                }
                _ => rows.push(vec![name]),
            }
        }
        let text = |names: &Vec<String>| match &names[..] {
            [first, .., last] if names.len() > MOST_IN_A_ROW => format!("{first} to {last}"),
            _ => names.join(", "),
        };
        let texts: BTreeSet<String> = rows.iter().map(text).collect();
        texts.into_iter().collect::<Vec<_>>().join(", ")
    }

    /// The bits of static memory that take many values, with the other bytes of the same variables, and with
    /// the other bytes of buffers.
    pub fn whole_variables(&self, micro: &Micro) -> BTreeMap<u16, u8> {
        let mut found = BTreeMap::new();
        for at in micro.varying() {
            let scalar = self.scalar_at(at);
            let (first, size) = scalar.map_or((at, 1), |scalar| (scalar.address as u16, scalar.size));
            if size > 1 {
                let bytes = (first..).take(size as usize).filter(|at| micro.may_widen(*at));
                found.extend(bytes.map(|at| (at, 0xFF)));
                continue;
            }
            // Part of a structure may be an index that is reached through a pointer; a number is any number.
            let is_number = self.symbol_around(at).is_some_and(|symbol| symbol.size <= NUMBER);
            let bits = match is_number && micro.may_widen(at) {
                true => 0xFF,
                false => smeared(micro.varying_bits(at)),
            };
            if micro.may_widen(at) || bits <= LARGEST_INDEX && micro.may_widen_index(at) {
                found.insert(at, bits);
            }
        }
        found.extend(self.buffers(micro));
        found
    }

    /// The bits of arrays of bytes of which many elements change: buffers, whose contents are very many
    /// together, few as the values of each may be. Where the file does not tell its types, an array is what
    /// lies between bytes that instructions name.
    fn buffers(&self, micro: &Micro) -> BTreeMap<u16, u8> {
        let named = micro.named_directly();
        let mut changing: BTreeMap<(u16, u16), Vec<(u16, u8)>> = BTreeMap::new();
        for at in micro.changing() {
            if let Some(array) = self.bytes_around(at, &named) {
                let bits = smeared(micro.varying_bits(at));
                changing.entry(array).or_default().push((at, bits));
            }
        }
        let mut found = BTreeMap::new();
        for ((_, end), known) in changing.into_iter().filter(|(_, known)| known.len() >= BUFFER) {
            // What has not changed yet will as the others did. It is filled from its beginning on.
            let any = known.iter().fold(0, |any, (_, bits)| any | bits);
            found.extend((known[0].0..end).map(|at| (at, any)));
            found.extend(known);
        }
        found.retain(|at, _| micro.may_widen(*at));
        found
    }

    /// The symbol of the static memory that a byte belongs to.
    fn symbol_around(&self, at: u16) -> Option<&Symbol> {
        let address = u32::from(at);
        self.image.symbols.iter().find(|symbol| {
            let offset = address.checked_sub(symbol.address);
            symbol.space == Space::Data && offset.is_some_and(|offset| offset < symbol.size)
        })
    }

    /// Where the array of bytes begins and ends that a byte belongs to, as far as that is known.
    fn bytes_around(&self, at: u16, named: &BTreeSet<u16>) -> Option<(u16, u16)> {
        let address = u32::from(at);
        let bounds = |first: u32, size: u32| {
            let end = first.saturating_add(size).min(u32::from(u16::MAX));
            (first as u16, end as u16)
        };
        if let Some(scalar) = self.scalar_at(at) {
            let array = self.debug.array_at(address, self.device.sram.start)?;
            return (scalar.size == 1).then(|| bounds(array.address, array.size));
        }
        let symbol = self.symbol_around(at)?;
        let first = named.range(..=at).next_back().map_or(0, |before| before + 1);
        let end = named.range(at..).next().map_or(u16::MAX, |after| *after);
        let whole = bounds(symbol.address, symbol.size);
        (first <= at).then_some((first.max(whole.0), end.min(whole.1)))
    }

    /// What a refinement makes precise: source lines and variables.
    pub fn precise_names(&self, blamed: &Blamed) -> String {
        let words = blamed.instructions.union(&blamed.results);
        let mut names: BTreeSet<String> = words.map(|word| self.line_of(*word)).collect();
        if !blamed.bytes.is_empty() {
            names.insert(self.names_of(&blamed.bytes));
        }
        names.into_iter().collect::<Vec<_>>().join(", ")
    }

    /// Where instructions are, by their word addresses.
    pub fn lines_of(&self, words: &BTreeSet<u32>) -> String {
        let lines: BTreeSet<String> = words.iter().map(|word| self.line_of(*word)).collect();
        lines.into_iter().collect::<Vec<_>>().join(", ")
    }

    fn line_of(&self, word: u32) -> String {
        let place = self.place(word);
        let file = std::path::Path::new(&place.file).file_name().unwrap_or_default();
        match place.line {
            0 => self.code_name(word),
            line => format!("{}:{line}", file.to_string_lossy()),
        }
    }

    /// A register of the chip.
    pub fn register_named(&self, name: &str) -> Result<&Register, String> {
        let device = &self.device;
        device.register(name).ok_or_else(|| {
            let names = device.registers.iter();
            let hint = hint(name, names.map(|register| register.name.as_str()));
            format!("{} has no register '{name}'{hint}", device.name)
        })
    }

    /// An interrupt, by its name with or without `_vect`: its place among those of the rules.
    pub fn interrupt_named(&self, name: &str) -> Result<usize, String> {
        let all = &self.rules.interrupts;
        let found = self.rules.interrupt_named(name);
        let place = found.and_then(|found| all.iter().position(|interrupt| interrupt == found));
        place.ok_or_else(|| {
            let plain = name.strip_suffix("_vect").unwrap_or(name);
            let hint = hint(plain, all.iter().map(|interrupt| interrupt.name.as_str()));
            format!("{} has no interrupt '{name}'{hint}", self.device.name)
        })
    }

    /// The source line of an instruction; the symbol it lies behind where there is none.
    pub fn place(&self, word: u32) -> Place {
        let address = word * 2;
        let named = self
            .debug
            .function_at(address)
            .map(|function| function.name.clone());
        let symbol = || self.image.function_at(address).map(|symbol| symbol.name.clone());
        let function = named.or_else(symbol).unwrap_or_default();
        match self.debug.line_at(address) {
            Some((file, line)) if line > 0 => Place {
                file: self.source(&file.full_path()),
                line,
                column: 0,
                function,
            },
            _ => Place {
                function,
                ..Place::default()
            },
        }
    }

    /// The instructions with which a source line begins, as word addresses.
    pub fn words_of_line(&self, file: &str, line: u32) -> Result<Vec<u32>, String> {
        let begins = self.debug.begins_of_line(file, line)?;
        Ok(begins.into_iter().map(|address| address / 2).collect())
    }

    /// A source file where it is now.
    fn source(&self, noted: &std::path::Path) -> String {
        if !noted.exists() {
            let moved = self.source_path.iter().find_map(|directory| {
                let parts: Vec<_> = noted.components().collect();
                (0..parts.len()).find_map(|skipped| {
                    let rest: std::path::PathBuf = parts[skipped..].iter().collect();
                    let candidate = directory.join(rest);
                    candidate.is_file().then_some(candidate)
                })
            });
            if let Some(moved) = moved {
                return moved.to_string_lossy().into_owned();
            }
        }
        noted.to_string_lossy().into_owned()
    }

    /// An instruction's address, with the symbol it lies behind.
    pub fn code_name(&self, word: u32) -> String {
        match disassemble::place(&self.image, word * 2) {
            Some(place) => format!("{:#06x} <{place}>", word * 2),
            None => format!("{:#06x}", word * 2),
        }
    }

    /// The variable, element or member that an address belongs to.
    pub fn scalar_at(&self, address: u16) -> Option<Scalar> {
        self.debug.scalar_at(u32::from(address), self.device.sram.start)
    }

    /// What a byte of the data address space is called: a register, an element of a variable, or its address.
    pub fn data_name(&self, address: u16) -> String {
        if address < 32 {
            return format!("r{address}");
        }
        if let Some(register) = self.device.register_at(address) {
            return register.name.clone();
        }
        match self.scalar_at(address) {
            None => format!("{address:#06x}"),
            Some(scalar) => match u32::from(address) - scalar.address {
                0 => scalar.name,
                offset => format!("{}+{offset}", scalar.name),
            },
        }
    }
}
