//! The first run of a report as a Value Change Dump, which GTKWave, PulseView and Surfer show.
//!
//! Idea: whatever a step gives a value to is a signal: variables, members and elements (those of a function
//! in a scope of its name), registers and I/O registers, atoms of the formula, and for each thread and
//! handler whether it runs. One step is one microsecond: time itself is not modelled.
//!
//! Invariant: a signal is as wide as the widest value that it takes; bits that are not known are `x`, and so
//! is all of it before its first value.
//!
//! Source: IEEE 1364, section 18.

use std::collections::BTreeMap;
use std::io;

use kripke_model::{Step, StepKind, Storage, Trace, TraceValue};
use vcd::{IdCode, TimescaleUnit, Value, Writer};

use crate::entries::Document;
use crate::lanes::lanes;

/// The bits of a value, the most significant first.
type Bits = Vec<Value>;

/// A signal: its scope, empty for what all functions see, and its name.
type Name = (String, String);

#[derive(Default)]
struct Signals {
    /// When which signal gets which value; times and changes are in order.
    changes: BTreeMap<Name, Vec<(usize, Bits)>>,
}

/// The dump of the first run of the document, if there is a run.
pub fn render(document: &Document) -> io::Result<Option<String>> {
    let trace = document.entries.iter().find_map(|entry| entry.trace);
    trace.map(dump).transpose()
}

fn dump(trace: &Trace) -> io::Result<String> {
    let signals = signals(trace);
    let mut text = Vec::new();
    let mut writer = Writer::new(&mut text);
    writer.timescale(1, TimescaleUnit::US)?;
    writer.comment("one step of the run is 1 us")?;
    if let Some(start) = trace.loop_start {
        writer.comment(&format!("the run repeats from {start} us on for ever"))?;
    }
    let mut changes: BTreeMap<usize, Vec<(IdCode, Bits)>> = BTreeMap::new();
    writer.add_module("kripke")?;
    let mut scope = "";
    for ((owner, name), values) in &signals.changes {
        if owner != scope {
            if !scope.is_empty() {
                writer.upscope()?;
            }
            writer.add_module(owner)?;
            scope = owner;
        }
        let width = values.iter().map(|(_, bits)| bits.len()).max().unwrap_or(1);
        let id = writer.add_wire(u32::try_from(width).unwrap_or(u32::MAX), name)?;
        for (time, bits) in values {
            changes.entry(*time).or_default().push((id, widened(bits, width)));
        }
    }
    if !scope.is_empty() {
        writer.upscope()?;
    }
    writer.upscope()?;
    writer.enddefinitions()?;
    for (time, changes) in &changes {
        writer.timestamp(*time as u64)?;
        for (id, bits) in changes {
            match bits[..] {
                [bit] => writer.change_scalar(*id, bit)?,
                _ => writer.change_vector(*id, bits.iter().copied())?,
            }
        }
    }
    writer.timestamp(trace.steps.len() as u64)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// All values of all signals.
fn signals(trace: &Trace) -> Signals {
    let mut signals = Signals::default();
    for (name, value) in &trace.initial {
        signals.change("", name, 0, bits_of(value));
    }
    for (time, step) in trace.steps.iter().enumerate() {
        signals.step(time, step);
    }
    let lanes = lanes(trace);
    if lanes.names.len() > 1 {
        let mut before = None;
        for (time, &running) in lanes
            .of
            .iter()
            .enumerate()
            .filter(|(_, lane)| before.replace(**lane) != Some(**lane))
        {
            for (lane, name) in lanes.names.iter().enumerate() {
                signals.change("runs", name, time, vec![(running == lane).into()]);
            }
        }
    }
    signals
}

impl Signals {
    fn step(&mut self, time: usize, step: &Step) {
        match &step.kind {
            StepKind::Assign {
                target,
                value,
                storage,
            } => {
                let scope = match storage {
                    Storage::Local => &step.place.function,
                    Storage::Global | Storage::Heap => "",
                };
                self.change(scope, target, time, bits_of(value));
            }
            StepKind::Call { function, arguments } => {
                for (name, value) in arguments {
                    self.change(function, name, time, bits_of(value));
                }
            }
            StepKind::Instruction { changes, .. } => {
                for (name, text) in changes {
                    self.change("", name, time, bits_in(text));
                }
            }
            StepKind::Letter { atoms, .. } => {
                for (atom, holds) in atoms {
                    self.change("", &format!("{{{atom}}}"), time, vec![(*holds).into()]);
                }
            }
            _ => {}
        }
    }

    fn change(&mut self, scope: &str, name: &str, time: usize, bits: Bits) {
        // A name ends at a blank.
        let name: String = name.split_whitespace().collect();
        let scope: String = scope.split_whitespace().collect();
        let values = self.changes.entry((scope, name)).or_default();
        match values.last_mut() {
            Some((last, value)) if *last == time => *value = bits,
            Some((_, value)) if *value == bits => {}
            _ => values.push((time, bits)),
        }
    }
}

fn bits_of(value: &TraceValue) -> Bits {
    match value.type_name.as_str() {
        "_Bool" | "bool" => vec![(value.text != "false" && value.text != "0").into()],
        _ => bits_in(&value.bits),
    }
}

/// The bits in a text such as `0x3f`, `31 (0x1f)`, `0x0?`, `0b1?00`, `false` or `?`.
fn bits_in(text: &str) -> Bits {
    let digits = |prefix: &str, width: u32| {
        let (_, digits) = text.split_once(prefix)?;
        let digit = |digit: char| {
            let value = digit.to_digit(1 << width);
            (0..width).rev().map(move |bit| match value {
                Some(value) => (value >> bit & 1 == 1).into(),
                None => Value::X,
            })
        };
        let is_digit = |digit: &char| digit.is_digit(1 << width) || *digit == '?';
        let bits: Bits = digits
            .chars()
            .filter(|&c| c != '_')
            .take_while(is_digit)
            .flat_map(digit)
            .collect();
        (!bits.is_empty()).then_some(bits)
    };
    match text {
        "true" => vec![Value::V1],
        "false" => vec![Value::V0],
        _ => digits("0b", 1)
            .or_else(|| digits("0x", 4))
            .unwrap_or(vec![Value::X]),
    }
}

/// A value of a wider signal: what is all unknown stays so.
fn widened(bits: &[Value], width: usize) -> Bits {
    let fill = match bits {
        [Value::X] => Value::X,
        _ => Value::V0,
    };
    let mut wide = vec![fill; width - bits.len()];
    wide.extend_from_slice(bits);
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        bits_in(text).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn values_are_read_from_what_is_shown() {
        assert_eq!(shown("0x3f"), "00111111");
        assert_eq!(shown("31 (0x1f)"), "00011111");
        assert_eq!(shown("0x0?"), "0000xxxx");
        assert_eq!(shown("0b1?0_0"), "1x00");
        assert_eq!(shown("true"), "1");
        assert_eq!(shown("?"), "x");
        assert_eq!(shown(""), "x");
        assert_eq!(widened(&bits_in("?"), 2), [Value::X, Value::X]);
        assert_eq!(widened(&bits_in("0b1"), 2), [Value::V0, Value::V1]);
    }
}
