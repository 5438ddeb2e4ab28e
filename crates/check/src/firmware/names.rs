//! From addresses to what the user calls them: source places, variables, registers.

use kripke_avr::atom::Names;
use kripke_avr::debug::Scalar;
use kripke_avr::device::Register;
use kripke_avr::disassemble;
use kripke_avr::image::{Space, Symbol};
use kripke_model::Place;

use super::load::Firmware;
use crate::checks::hint;

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

    /// A register of the chip.
    pub fn register_named(&self, name: &str) -> Result<&Register, String> {
        let device = &self.device;
        device.register(name).ok_or_else(|| {
            let names = device.registers.iter();
            let hint = hint(name, names.map(|register| register.name.as_str()));
            format!("{} has no register '{name}'{hint}", device.name)
        })
    }

    /// An interrupt, by its place among those of the rules.
    pub fn interrupt_named(&self, name: &str) -> Result<usize, String> {
        let names = || {
            self.rules
                .interrupts
                .iter()
                .map(|interrupt| interrupt.name.as_str())
        };
        names().position(|known| known == name).ok_or_else(|| {
            let hint = hint(name, names());
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
        let named = |path: &std::path::Path| path.ends_with(file);
        let files: Vec<usize> = (0..self.debug.files.len())
            .filter(|index| named(&self.debug.files[*index].full_path()))
            .collect();
        if files.is_empty() {
            return Err(format!("no source file is called {file}"));
        }
        let mut words: Vec<u32> = Vec::new();
        let mut before = None;
        for entry in &self.debug.lines {
            let here = (entry.file, entry.line);
            if files.contains(&entry.file) && entry.line == line && before != Some(here) {
                words.push(entry.address / 2);
            }
            before = Some(here);
        }
        match words.is_empty() {
            true => Err(format!("there is no code for {file}:{line}")),
            false => Ok(words),
        }
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
