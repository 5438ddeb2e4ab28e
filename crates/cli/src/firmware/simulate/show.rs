//! What the simulator shows: where the program is, and what the chip holds.

use std::fmt::Write as _;

use kripke_avr::byte::AbstractByte as _;
use kripke_avr::core::address;
use kripke_avr::disassemble;

use super::command::Command;
use super::session::Session;
use kripke_check::firmware::trace::{shown, value_at};

/// Lines of source and instructions that are shown around a place.
const AROUND: u32 = 5;

impl Session<'_> {
    /// The next instruction, and its source line.
    pub fn place_text(&self) -> String {
        let pc = self.micro.pc_of(&self.state);
        let place = self.firmware.place(pc);
        let instruction = disassemble::text(&self.micro.instruction_of(&self.state)).replace('\t', " ");
        let mut text = format!("at {} {instruction}", self.firmware.code_name(pc));
        if place.line > 0 {
            let sources = &self.sources;
            let _ = write!(text, "\n   {}:{}", sources.display(&place.file), place.line);
            if let Some(line) = sources.line(&place.file, place.line) {
                let _ = write!(text, "  {}", line.trim());
            }
        }
        if self.micro.is_asleep(&self.state) {
            text.push_str("\n   asleep");
        }
        text + "\n"
    }

    /// Answers a command that only looks.
    pub fn show(&self, command: &Command) -> Result<String, String> {
        match command {
            Command::Print(text) => self.printed(text),
            Command::Registers => Ok(self.registers_text()),
            Command::Io(Some(name)) => self.register_text(name),
            Command::Io(None) => Ok(self.io_text()),
            Command::Variables => Ok(self.variables_text()),
            Command::Stack => Ok(self.stack_text()),
            Command::List => self.source_text(),
            _ => Ok(self.instructions_text()),
        }
    }

    fn printed(&self, text: &str) -> Result<String, String> {
        let atom = self.atom(text)?;
        Ok(match self.value(&atom) {
            Some(value @ 0..10) => format!("{text} = {value}\n"),
            Some(value) if value < 0 => format!("{text} = {value}\n"),
            Some(value) => format!("{text} = {value} ({value:#x})\n"),
            None => format!("{text} = ? (it depends on what was never written, or on inputs)\n"),
        })
    }

    fn registers_text(&self) -> String {
        let mut text = String::new();
        for number in 0..32 {
            let end = if number % 8 == 7 { '\n' } else { ' ' };
            let _ = write!(text, "r{number:<2} {:<8}{end}", shown(self.byte(number)));
        }
        let status = self.byte(address::SREG);
        let flags: String = "ITHSVNZC"
            .chars()
            .enumerate()
            .map(|(index, name)| {
                let mask = 0x80 >> index;
                match (status.unknown & mask, status.value & mask) {
                    (0, 0) => name.to_ascii_lowercase(),
                    (0, _) => name,
                    _ => '?',
                }
            })
            .collect();
        let _ = writeln!(
            text,
            "SREG {flags}  SP {:#06x}  PC {:#06x}  step {}",
            self.stack_pointer(),
            self.micro.pc_of(&self.state) * 2,
            self.steps
        );
        text
    }

    fn register_text(&self, name: &str) -> Result<String, String> {
        let register = self.firmware.register_named(name)?;
        let bits = self.byte(register.address);
        let mut text = format!("{name} = {}\n", shown(bits));
        let mut named: Vec<_> = register.bits.iter().collect();
        named.sort_by_key(|(_, position)| std::cmp::Reverse(**position));
        for (bit, position) in named {
            let value = match (bits.unknown >> position & 1, bits.value >> position & 1) {
                (0, value) => value.to_string(),
                _ => "?".to_owned(),
            };
            let _ = writeln!(text, "  {position} {bit} = {value}");
        }
        Ok(text)
    }

    fn io_text(&self) -> String {
        let mut text = String::new();
        for register in &self.firmware.device.registers {
            let bits = self.byte(register.address);
            if bits.value() != Some(0) {
                let _ = writeln!(text, "{:<8} {}", register.name, shown(bits));
            }
        }
        text
    }

    fn variables_text(&self) -> String {
        let memory = &self.firmware.device.sram;
        let mut text = String::new();
        let mut at = memory.start;
        while at < memory.end() {
            match self.firmware.scalar_at(at as u16) {
                None => at += 1,
                Some(scalar) => {
                    let (name, value) = value_at(self.firmware, at as u16, |at| self.byte(at));
                    let _ = writeln!(text, "{name} = {value}");
                    at = (scalar.address + scalar.size).max(at + 1);
                }
            }
        }
        match text.is_empty() {
            true => "no variables are known (compile with -g)\n".to_owned(),
            false => text,
        }
    }

    fn stack_pointer(&self) -> u16 {
        let low = self.byte(address::SPL).value().unwrap_or(0);
        u16::from_le_bytes([low, self.byte(address::SPH).value().unwrap_or(0)])
    }

    fn stack_text(&self) -> String {
        let (first, end) = (
            u32::from(self.stack_pointer()) + 1,
            self.firmware.device.sram.end(),
        );
        if first >= end {
            return "the stack is empty\n".to_owned();
        }
        if first < self.firmware.device.sram.start {
            return format!("the stack pointer ({:#06x}) is not in static memory\n", first - 1);
        }
        let mut text = String::new();
        for row in (first..end).step_by(8) {
            let _ = write!(text, "{row:#06x}:");
            for at in row..(row + 8).min(end) {
                let _ = write!(text, " {}", shown(self.byte(at as u16)));
            }
            text.push('\n');
        }
        text
    }

    fn source_text(&self) -> Result<String, String> {
        let place = self.firmware.place(self.micro.pc_of(&self.state));
        if place.line == 0 {
            return Err("there is no source line here (compile with -g)".to_owned());
        }
        let sources = &self.sources;
        let mut text = String::new();
        for line in place.line.saturating_sub(AROUND).max(1)..=place.line + AROUND {
            let mark = if line == place.line { '>' } else { ' ' };
            if let Some(source) = sources.line(&place.file, line) {
                let _ = writeln!(text, "{mark}{line:>5}  {source}");
            }
        }
        match text.is_empty() {
            true => Err(format!(
                "{} cannot be read; --source-path tells where it is",
                place.file
            )),
            false => Ok(text),
        }
    }

    fn instructions_text(&self) -> String {
        let mut text = String::new();
        let mut word = self.micro.pc_of(&self.state);
        for number in 0..2 * AROUND {
            let Some(instruction) = self.micro.instruction_at(&self.state, word) else {
                break;
            };
            let mark = if number == 0 { '>' } else { ' ' };
            let shown = disassemble::text(&instruction).replace('\t', " ");
            let _ = writeln!(text, "{mark}{} {shown}", self.firmware.code_name(word));
            word += u32::from(instruction.words);
        }
        text
    }
}
