//! Counterexamples of firmware: from states and choices to steps with instructions, changes and what the
//! environment did.

use kripke_avr::byte::{AbstractByte, Bits};
use kripke_avr::concrete::Blamed;
use kripke_avr::disassemble;
use kripke_avr::instruction::Operation;
use kripke_avr::micro::{Micro, Run as Steps};
use kripke_avr::replay::Replay;
use kripke_avr::tracing::{Event, Tracer};
use kripke_avr::walk::Taken;
use kripke_explicit::Path;
use kripke_model::{Choice, Place, Step, StepKind, Trace};

use super::load::Firmware;
use super::waveform::Waveform;
use crate::failure::Failure;

/// A run, with what is needed to show it.
pub struct Run {
    /// What happens in it.
    pub trace: Trace,
    /// Two copies of one input got different values, or the concrete core goes another way: no run of the
    /// chip.
    pub spurious: bool,
    /// Memory was read that the lazy stack had given up.
    pub read_forgotten: bool,
    /// From reset on.
    path: Path,
    /// State, events, next state; of a loop one round.
    steps: Vec<(usize, Vec<Event>, usize)>,
    tracer: Tracer,
}

impl Run {
    /// The run, if the chip does it whatever the abstraction adds.
    pub fn filter_real(self) -> Option<Self> {
        (!self.spurious && !self.read_forgotten).then_some(self)
    }

    /// The ports along the run, as a Value Change Dump.
    pub fn waveform(&self, micro: &Micro, firmware: &Firmware) -> std::io::Result<String> {
        let mut waveform = Waveform::new(firmware);
        waveform.sample(micro, &self.path.states[0]);
        for (_, events, to) in &self.steps {
            for event in events {
                if let Event::Read {
                    register,
                    unknown,
                    value,
                    origin,
                } = *event
                {
                    let open = unknown & !self.tracer.needed(origin);
                    let seen = self.tracer.value_of(origin, unknown, value);
                    waveform.read(register, Bits::input(seen, open, 0));
                }
            }
            waveform.sample(micro, &self.path.states[*to]);
        }
        waveform.render()
    }
}

/// The loop of a lasso: the index of its first state, and the choice that leads from the last state back to
/// it.
pub type Loop = Option<(usize, Option<Choice>)>;

/// A path with all its steps, and the way from reset to its beginning.
pub struct Whole {
    /// States from reset on, each with the choice that leads on.
    way: Vec<(Box<[u8]>, Choice)>,
    /// From where properties begin.
    pub path: Path,
    lasso: Loop,
}

impl Whole {
    /// A run without abstraction that this one stands for.
    ///
    /// # Errors
    /// What made this one possible, where there is none.
    pub fn concretise(&self, micro: &mut Micro, exact: bool) -> Result<Self, Blamed> {
        let start = self.lasso.and_then(|(start, back)| back.map(|_| start));
        let run = micro.concretise(&self.way, &self.path.states, start, exact)?;
        Ok(Self {
            way: run.way,
            path: Path {
                states: run.states,
                choices: run.choices,
            },
            lasso: self.lasso.map(|(start, _)| (start, run.back)),
        })
    }
}

/// A path with all its steps, where an exploration has left some of them out; none if it is not repeated.
/// From here on the microcontroller holds all memory in its states.
pub fn unfolded(micro: &mut Micro, path: &Path, lasso: Loop) -> Option<Whole> {
    let way = micro.way_to(&path.states[0]);
    let layout = micro.hold_whole_runs();
    let mut wide = |state: &[u8]| micro.in_layout(&layout, state);
    let way = way
        .into_iter()
        .map(|(state, choice)| (wide(&state), choice))
        .collect();
    let run = Steps {
        states: path.states.iter().map(|state| wide(state)).collect(),
        choices: path.choices.clone(),
        lasso,
    };
    let Steps {
        states,
        choices,
        lasso,
    } = micro.unfold(&run)?;
    Some(Whole {
        way,
        path: Path { states, choices },
        lasso,
    })
}

/// Follows a path, and runs it on the concrete core.
///
/// `atoms` are the texts of the property's atoms, and the position of the first one in the labels.
pub fn follow(
    micro: &mut Micro,
    firmware: &Firmware,
    atoms: (usize, &[String]),
    whole: &Whole,
) -> Result<Run, Failure> {
    let first = whole.way.len();
    let lasso = whole.lasso.map(|(start, back)| (start + first, back));
    let path = joined(whole.way.clone(), &whole.path);
    let mut follower = Follower {
        tracer: Tracer::new(firmware.device.sram.start),
        first,
        steps: Vec::new(),
    };
    let back = lasso.and_then(|(start, back)| Some((back?, start)));
    let numbers = 0..path.states.len();
    let mut steps: Vec<(usize, Choice, usize)> = numbers
        .zip(path.choices.iter().copied().zip(1..))
        .map(|(from, (choice, to))| (from, choice, to))
        .collect();
    steps.extend(back.map(|(choice, start)| (path.states.len() - 1, choice, start)));
    for step in &steps[..first] {
        follower.step(micro, &path, *step)?;
    }
    micro.settle_labels(&path.states[first], &mut follower.tracer);
    for step in &steps[first..] {
        follower.step(micro, &path, *step)?;
    }
    let mut repeats = true;
    if let Some((_, start)) = back {
        repeats = follower.repeat(micro, &path, &steps[start..])?;
    }
    let Follower {
        tracer,
        steps: mut followed,
        ..
    } = follower;
    let replays = {
        let (image, device) = (&firmware.image, &firmware.device);
        let mut replay = Replay::new(micro, &tracer, image, device, &path.states[0]);
        followed.iter().all(|(from, events, to)| {
            replay.step(*to >= first, &path.states[*from], events, &path.states[*to])
        })
    };
    let mut writer = Writer {
        firmware,
        atoms,
        steps: Vec::new(),
        depth: 0,
        loop_start: None,
        reads: Vec::new(),
    };
    writer.contents_at_reset(micro, &path.states[0], &tracer);
    followed.truncate(steps.len());
    for (from, events, to) in &followed {
        if lasso.is_some_and(|(start, _)| start == *from) {
            writer.loop_start = Some(writer.steps.len());
        }
        writer.step(micro, &path.states[*from], &path.states[*to], events);
    }
    writer.fill_in(&tracer);
    Ok(Run {
        spurious: tracer.conflict || !repeats || !replays,
        read_forgotten: tracer.forgotten,
        path,
        steps: followed,
        tracer,
        trace: Trace {
            steps: writer.steps,
            stack: Vec::new(),
            loop_start: writer.loop_start,
            ..Trace::default()
        },
    })
}

/// The way from reset and a path as one path.
fn joined(way: Vec<(Box<[u8]>, Choice)>, path: &Path) -> Path {
    let (mut states, mut choices): (Vec<_>, Vec<_>) = way.into_iter().unzip();
    states.extend(path.states.iter().cloned());
    choices.extend(&path.choices);
    Path { states, choices }
}

/// The number of handlers that are active after a step.
pub fn depth_after(micro: &Micro, before: &[u8], events: &[Event], depth: u32) -> u32 {
    for event in events {
        match event {
            Event::Interrupt(_) => return depth + 1,
            Event::WatchdogReset => return 0,
            Event::Read { .. } | Event::Found { .. } | Event::Set { .. } | Event::Row { .. } => {}
        }
    }
    let returns = micro.instruction_of(before).operation == Operation::Reti && !micro.is_asleep(before);
    depth.saturating_sub(u32::from(returns))
}

/// What one step did, with what the environment did in it. So many handlers were active before.
pub fn narrate(micro: &Micro, firmware: &Firmware, before: &[u8], taken: &Taken, depth: u32) -> Vec<Step> {
    let mut writer = Writer {
        firmware,
        atoms: (0, &[]),
        steps: Vec::new(),
        depth,
        loop_start: None,
        reads: Vec::new(),
    };
    writer.step(micro, before, &taken.state, &taken.events);
    writer.fill_in(&taken.tracer);
    writer.steps
}

/// Where the program is in a state: the next instruction, and its source line.
pub fn state_text(micro: &Micro, firmware: &Firmware, state: &[u8]) -> String {
    let pc = micro.pc_of(state);
    let place = firmware.place(pc);
    let instruction = disassemble::text(&micro.instruction_of(state)).replace('\t', " ");
    let mut text = format!("{} {instruction}", firmware.code_name(pc));
    if place.line > 0 {
        let file = std::path::Path::new(&place.file).file_name().unwrap_or_default();
        text += &format!("\n{}:{}", file.to_string_lossy(), place.line);
    }
    if micro.is_asleep(state) {
        text += "\nasleep";
    }
    text
}

/// What the environment does in a step between two states; none if there is no such step.
pub fn environment_of(
    micro: &mut Micro,
    firmware: &Firmware,
    before: &[u8],
    choice: Choice,
    after: &[u8],
) -> Option<String> {
    let mut tracer = Tracer::new(firmware.device.sram.start);
    let events = micro.trace_step(before, choice, after, &mut tracer)?;
    let taken = Taken {
        state: after.into(),
        events,
        tracer,
    };
    Some(environment(&narrate(micro, firmware, before, &taken, 0)))
}

/// What the environment did in some steps, in a line.
pub fn environment(steps: &[Step]) -> String {
    let messages = steps.iter().filter_map(|step| match &step.kind {
        StepKind::Environment { message } => Some(message.as_str()),
        _ => None,
    });
    messages.collect::<Vec<_>>().join("; ")
}

/// Follows unknown bits along a path, and notes what the environment did.
struct Follower {
    tracer: Tracer,
    /// The index of the state where properties begin.
    first: usize,
    /// State, events, next state.
    steps: Vec<(usize, Vec<Event>, usize)>,
}

impl Follower {
    fn step(&mut self, micro: &mut Micro, path: &Path, step: (usize, Choice, usize)) -> Result<(), Failure> {
        let (from, choice, to) = step;
        let (before, after, tracer) = (&path.states[from], &path.states[to], &mut self.tracer);
        let events = match self.steps.len() < self.first {
            true => micro.trace_step_before(before, choice, after, tracer),
            false => micro.trace_step(before, choice, after, tracer),
        };
        let events = events.ok_or_else(|| {
            Failure::Internal("a step of the counterexample leads elsewhere when it is repeated".to_owned())
        })?;
        self.steps.push((from, events, to));
        Ok(())
    }

    /// Goes round a loop until all that is known of the unknown bits is as it was after an earlier round:
    /// then the loop can be gone round for ever.
    fn repeat(
        &mut self,
        micro: &mut Micro,
        path: &Path,
        steps: &[(usize, Choice, usize)],
    ) -> Result<bool, Failure> {
        const ROUNDS: usize = 40;
        let mut shapes = vec![self.tracer.shape()];
        while shapes.len() < ROUNDS {
            for step in steps {
                self.step(micro, path, *step)?;
            }
            let shape = self.tracer.shape();
            if shapes.contains(&shape) {
                return Ok(true);
            }
            shapes.push(shape);
        }
        Ok(false)
    }
}

struct Writer<'a> {
    firmware: &'a Firmware,
    /// The texts of the property's atoms, and the position of the first one in the labels.
    atoms: (usize, &'a [String]),
    steps: Vec<Step>,
    /// Handlers that are active.
    depth: u32,
    loop_start: Option<usize>,
    /// Steps that tell of a read, whose value is known at the end only: step, register, open bits, known
    /// bits, number.
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

    /// What memory held at reset, where the run depends on it.
    fn contents_at_reset(&mut self, micro: &Micro, state: &[u8], tracer: &Tracer) {
        let needed = tracer.needed_at_reset();
        let read = |at: u16| {
            let known = micro.byte_of(state, at);
            let traced = needed.iter().find(|(cell, ..)| *cell == u32::from(at));
            let traced = traced.map_or(0, |(_, mask, value)| mask & value);
            Bits::known(known.ones() | traced & known.unknown)
        };
        let mut said: Vec<(String, String)> = Vec::new();
        for at in 0..self.firmware.device.sram.end() as u16 {
            let decided_first = micro.undefined_at_reset(at) & !micro.byte_of(state, at).unknown != 0;
            if decided_first || needed.iter().any(|(cell, ..)| *cell == u32::from(at)) {
                let change = value_at(self.firmware, at, read);
                if !said.contains(&change) {
                    said.push(change);
                }
            }
        }
        let place = self.firmware.place(micro.pc_of(state));
        for (name, value) in said {
            let message = format!("at reset {name} is {value}");
            self.push(&place, StepKind::Environment { message });
        }
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
                    executed = false;
                }
                Event::WatchdogReset => {
                    let message = "the watchdog resets the chip".to_owned();
                    self.push(&place, StepKind::Environment { message });
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
                Event::Set { .. } => {}
                Event::Row { value } => {
                    let message = format!("LPM reads {value:#04x}: fuses, lock bits or the signature row");
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
        }
        for event in events {
            if let Event::Set { register, mask } = event {
                let bit = bit_name(self.firmware, *register, mask.trailing_zeros() as u8);
                let name = self.firmware.data_name(*register);
                let message = format!("hardware sets {name}: bit {bit}");
                self.push(&place, StepKind::Environment { message });
            }
        }
        self.depth = depth_after(micro, before, events, self.depth);
    }

    /// What a step changed: registers, variables, atoms.
    fn changes(&self, micro: &Micro, before: &[u8], after: &[u8]) -> Vec<(String, String)> {
        let end = self.firmware.device.sram.end() as u16;
        let ports = &self.firmware.rules.ports;
        // What is read of pins is told as it is read.
        let is_pin = |at: u16| ports.iter().any(|port| port.pin == at);
        let differs = |at: &u16| micro.byte_of(before, *at) != micro.byte_of(after, *at) && !is_pin(*at);
        let read = |at: u16| micro.byte_of(after, at);
        let mut changes: Vec<(String, String)> = Vec::new();
        for at in (0..end).filter(differs) {
            let change = value_at(self.firmware, at, read);
            if !changes.contains(&change) {
                changes.push(change);
            }
        }
        let (first, atoms) = self.atoms;
        let (old, new) = (micro.atoms_of(before) >> first, micro.atoms_of(after) >> first);
        for (index, atom) in atoms.iter().enumerate() {
            if (old ^ new) >> index & 1 != 0 {
                changes.push((format!("{{{atom}}}"), (new >> index & 1 != 0).to_string()));
            }
        }
        changes
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

/// What a byte of the data address space belongs to, with its value: a register, or a whole variable, element
/// or member.
pub fn value_at(firmware: &Firmware, address: u16, read: impl Fn(u16) -> Bits) -> (String, String) {
    let Some(scalar) = firmware.scalar_at(address) else {
        return (firmware.data_name(address), shown(read(address)));
    };
    let first = scalar.address as u16;
    let bytes: Vec<Bits> = (0..scalar.size as u16)
        .map(|offset| read(first.wrapping_add(offset)))
        .collect();
    let text = match bytes.iter().map(|bits| bits.value()).collect::<Option<Vec<u8>>>() {
        Some(known) => firmware.debug.value_text(scalar.type_, &known),
        None if bytes.iter().all(|bits| bits.unknown == 0xFF) => "?".to_owned(),
        None => bytes
            .iter()
            .rev()
            .map(|bits| shown(*bits))
            .collect::<Vec<_>>()
            .join(":"),
    };
    (scalar.name, text)
}

/// A byte; bit by bit where some of them are unknown.
pub fn shown(bits: Bits) -> String {
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
