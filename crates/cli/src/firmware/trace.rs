//! Counterexamples of firmware: from states and choices to steps with instructions, changes and what the environment did.

use kripke_avr::byte::Bits;
use kripke_avr::disassemble;
use kripke_avr::micro::Micro;
use kripke_avr::tracing::{Event, Tracer};
use kripke_explicit::Path;
use kripke_model::{Choice, Place, Step, StepKind, Trace};

use super::load::Firmware;

/// A run, with what is needed to show it.
pub struct Run {
    pub trace: Trace,
    /// Two copies of one input got different values: no run of the chip.
    pub spurious: bool,
    /// Memory was read that the lazy stack had given up.
    pub read_forgotten: bool,
}

/// Follows a path; for a lasso, `back` is the choice that leads from its last state back to the state with index `loop_start`.
pub fn follow(
    micro: &mut Micro,
    firmware: &Firmware,
    path: &Path,
    lasso: Option<(usize, Option<Choice>)>,
) -> Run {
    let mut writer = Writer {
        firmware,
        steps: Vec::new(),
        depth: 0,
        loop_start: None,
        reads: Vec::new(),
    };
    let mut tracer = Some(Tracer::new(firmware.device.sram.start));
    let mut read_forgotten = false;
    let back = lasso.and_then(|(start, back)| Some((back?, start)));
    let choices = path.choices.iter().copied().zip(1..).chain(back);
    for ((index, state), (choice, next)) in path.states.iter().enumerate().zip(choices) {
        if lasso.is_some_and(|(start, _)| start == index) {
            writer.loop_start = Some(writer.steps.len());
        }
        let events = micro.trace_step(state, choice, &mut tracer);
        writer.step(micro, state, &path.states[next], &events);
        read_forgotten |=
            micro.fault_of(&path.states[next]) == Some(kripke_avr::fault::Fault::UninitialisedRead);
    }
    let tracer = tracer.unwrap_or_default();
    writer.fill_in(&tracer);
    Run {
        spurious: tracer.conflict,
        read_forgotten,
        trace: Trace {
            steps: writer.steps,
            stack: Vec::new(),
            loop_start: writer.loop_start,
        },
    }
}

struct Writer<'a> {
    firmware: &'a Firmware,
    steps: Vec<Step>,
    /// Handlers that are active.
    depth: u32,
    loop_start: Option<usize>,
    /// Steps that tell of a read, whose value is known at the end only: step, register, open bits, known bits, number.
    reads: Vec<(usize, u16, u8, u8, u32)>,
}

impl Writer<'_> {
    fn push(&mut self, place: &Place, kind: StepKind) {
        self.steps.push(Step {
            place: place.clone(),
            depth: self.depth,
            kind,
        });
    }

    fn step(&mut self, micro: &Micro, before: &[u8], after: &[u8], events: &[Event]) {
        let pc = micro.pc_of(before);
        let place = self.firmware.place(pc);
        let instruction = micro.instruction_of(before);
        let mut executed = true;
        for event in events {
            match event {
                Event::Interrupt(index) => {
                    let name = &micro.rules().interrupts[*index].name;
                    self.push(
                        &place,
                        StepKind::Environment {
                            message: format!("{name} arrives"),
                        },
                    );
                    self.depth += 1;
                    executed = false;
                }
                Event::WatchdogReset => {
                    let message = "the watchdog resets the chip".to_owned();
                    self.push(&place, StepKind::Environment { message });
                    self.depth = 0;
                    executed = false;
                }
                Event::Read {
                    register,
                    unknown,
                    value,
                    origin,
                } => {
                    self.reads
                        .push((self.steps.len(), *register, *unknown, *value, *origin));
                    let message = String::new();
                    self.push(&place, StepKind::Environment { message });
                }
                Event::Found {
                    register,
                    mask,
                    value,
                } => {
                    let message = found(self.firmware, *register, *mask, *value);
                    self.push(&place, StepKind::Environment { message });
                }
            }
        }
        if executed && micro.is_asleep(before) {
            executed = false;
        }
        if executed {
            let text = disassemble::text(&instruction).replace('\t', " ");
            let kind = StepKind::Instruction {
                address: self.firmware.code_name(pc),
                text,
                changes: self.changes(micro, before, after),
            };
            self.push(&place, kind);
            if instruction.operation == kripke_avr::instruction::Operation::Reti {
                self.depth = self.depth.saturating_sub(1);
            }
        }
    }

    /// The bytes that a step changed, by name.
    fn changes(&self, micro: &Micro, before: &[u8], after: &[u8]) -> Vec<(String, String)> {
        let end = self.firmware.device.sram.end() as u16;
        let differs = |at: &u16| micro.byte_of(before, *at) != micro.byte_of(after, *at);
        (0..end)
            .filter(differs)
            .map(|at| (self.firmware.data_name(at), shown(micro.byte_of(after, at))))
            .collect()
    }

    /// Says what the inputs were: only what the run depends on.
    fn fill_in(&mut self, tracer: &Tracer) {
        for (step, register, unknown, value, origin) in std::mem::take(&mut self.reads) {
            let needed = tracer.needed(origin) & unknown;
            let found = found(
                self.firmware,
                register,
                needed,
                tracer.value_of(origin, unknown, value),
            );
            self.steps[step].kind = StepKind::Environment { message: found };
        }
        let mut kept = Vec::new();
        let mut removed_before_loop = 0;
        for (index, step) in std::mem::take(&mut self.steps).into_iter().enumerate() {
            let empty = matches!(&step.kind, StepKind::Environment { message } if message.is_empty());
            if empty {
                removed_before_loop += usize::from(self.loop_start.is_some_and(|start| index < start));
            } else {
                kept.push(step);
            }
        }
        self.steps = kept;
        self.loop_start = self.loop_start.map(|start| start - removed_before_loop);
    }
}

/// "PIND bit 2 is read as 1", or the whole value where all bits matter; empty where none does.
fn found(firmware: &Firmware, register: u16, mask: u8, value: u8) -> String {
    let name = firmware.data_name(register);
    match mask {
        0 => String::new(),
        0xFF => format!("{name} is read as {value:#04x}"),
        _ => {
            let bits: Vec<String> = (0..8)
                .rev()
                .filter(|bit| mask >> bit & 1 != 0)
                .map(|bit| {
                    format!(
                        "{} is read as {}",
                        bit_name(firmware, register, bit),
                        value >> bit & 1
                    )
                })
                .collect();
            format!("{name}: bit {}", bits.join(", bit "))
        }
    }
}

fn bit_name(firmware: &Firmware, register: u16, bit: u8) -> String {
    let named = firmware
        .device
        .register_at(register)
        .and_then(|register| register.bits.iter().find(|(_, position)| **position == bit));
    match named {
        Some((name, _)) => format!("{bit} ({name})"),
        None => bit.to_string(),
    }
}

fn shown(bits: Bits) -> String {
    match bits.unknown {
        0 => format!("{:#04x}", bits.value),
        0xFF => "?".to_owned(),
        _ => (0..8)
            .rev()
            .map(|bit| match (bits.unknown >> bit & 1, bits.value >> bit & 1) {
                (0, value) => char::from(b'0' + value),
                _ => '?',
            })
            .collect(),
    }
}
