//! The ports of a microcontroller along a run, as a Value Change Dump that GTKWave and PulseView show.
//!
//! One step of the run is one microsecond: time itself is not modelled. A bit that the run does not depend
//! on, or that was not read yet, is `x`.
//!
//! Source: IEEE 1364, section 18.

use std::collections::BTreeMap;

use kripke_avr::byte::{AbstractByte as _, Bits};
use kripke_avr::micro::Micro;
use vcd::{IdCode, TimescaleUnit, Value, Writer};

use super::load::Firmware;

/// Contents of the ports' registers after each step.
pub struct Waveform<'a> {
    firmware: &'a Firmware,
    samples: Vec<Vec<Bits>>,
    /// What was last read of each input register.
    inputs: BTreeMap<u16, Bits>,
}

impl<'a> Waveform<'a> {
    pub fn new(firmware: &'a Firmware) -> Self {
        Self {
            firmware,
            samples: Vec::new(),
            inputs: BTreeMap::new(),
        }
    }

    /// An input register was read: the bits that were seen.
    pub fn read(&mut self, register: u16, seen: Bits) {
        self.inputs.insert(register, seen);
    }

    /// The next state of the run.
    pub fn sample(&mut self, micro: &Micro, state: &[u8]) {
        let mut sample = Vec::new();
        for (index, port) in self.firmware.rules.ports.iter().enumerate() {
            let (direction, output) = (micro.byte_of(state, port.ddr), micro.byte_of(state, port.port));
            let input = self.inputs.get(&port.pin).copied();
            let input = input.unwrap_or(Bits::input(0, 0xFF, 0));
            // What a peripheral drives is known as far as it was read.
            let driven = Bits::known(micro.driven_in(state, index));
            let outputs = direction.and(driven.not());
            let pins = outputs.and(output).or(outputs.not().and(input));
            sample.extend([output, direction, pins]);
        }
        self.samples.push(sample);
    }

    /// The dump.
    pub fn render(&self) -> std::io::Result<String> {
        let mut text = Vec::new();
        let mut writer = Writer::new(&mut text);
        writer.timescale(1, TimescaleUnit::US)?;
        writer.comment("one step of the run is 1 us")?;
        writer.add_module(&self.firmware.device.name)?;
        let mut signals: Vec<IdCode> = Vec::new();
        for port in &self.firmware.rules.ports {
            for register in ["PORT", "DDR", "PIN"] {
                signals.push(writer.add_wire(8, &format!("{register}{}", port.name))?);
            }
        }
        writer.upscope()?;
        writer.enddefinitions()?;
        let mut shown: Vec<Option<Bits>> = vec![None; signals.len()];
        for (time, sample) in self.samples.iter().enumerate() {
            let changed = |index: &usize| shown[*index] != Some(sample[*index]);
            let changes: Vec<usize> = (0..signals.len()).filter(changed).collect();
            if changes.is_empty() && time + 1 < self.samples.len() {
                continue;
            }
            writer.timestamp(time as u64)?;
            for index in changes {
                let bits = sample[index];
                shown[index] = Some(bits);
                let values = (0..8)
                    .rev()
                    .map(|bit| match (bits.unknown >> bit & 1, bits.value >> bit & 1) {
                        (1, _) => Value::X,
                        (_, 1) => Value::V1,
                        _ => Value::V0,
                    });
                writer.change_vector(signals[index], values)?;
            }
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}
