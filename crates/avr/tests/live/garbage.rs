//! Two runs of a firmware side by side: one as it is, one in which whatever is not live holds garbage.
//!
//! Both have the same inputs (every I/O register now and then holds something random) and the same
//! interrupts. They must take the same path and have the same memory, except for bytes that were pushed and
//! those below the stack pointer.

use kripke_avr::cfg::Cfg;
use kripke_avr::core::{Core, address};
use kripke_avr::device::Device;
use kripke_avr::image::Image;
use kripke_avr::instruction::{Instruction, Operation as Op, Pointer};
use kripke_avr::live::{Bits, Given, GivenMemory, LiveMemory, Liveness};
use kripke_avr::semantics::status;
use kripke_logic::random::Random;

/// What is garbled, by word address: what is live there.
pub type Live<'a> = dyn Fn(&Liveness, u32) -> Bits + 'a;

/// What is not live of static memory, too: what is dead at a word address.
pub type Dead<'a> = dyn Fn(&LiveMemory, u32) -> Vec<u16> + 'a;

/// A run.
pub struct Outcome {
    /// Instructions.
    pub steps: u64,
    /// Interrupts.
    pub interrupts: u64,
    /// Bits that were overwritten.
    pub garbled: u64,
    /// Bytes of memory that were overwritten.
    pub bytes: u64,
    /// What the analysis had to be told.
    pub given: Given,
}

/// Runs a firmware, with an analysis that is made anew where the run shows that it does not apply.
///
/// # Errors
/// Where and how the two runs differ.
pub fn compare(
    image: &Image,
    device: &Device,
    seed: u64,
    steps: u64,
    live: &Live<'_>,
    dead: Option<&Dead<'_>>,
) -> Result<Outcome, String> {
    let cfg = Cfg::new(image, device);
    let end = (device.sram.start + device.sram.size) as u16;
    let mut given = Given::default();
    let mut given_memory = GivenMemory::default();
    loop {
        let liveness = Liveness::given(&cfg, &given);
        if let Some(why) = liveness.why_incomplete() {
            return Err(format!("incomplete: {why:?}"));
        }
        let mut pair = Pair {
            memory: LiveMemory::new(&cfg, image, device, &liveness, &given_memory),
            dead,
            bytes: 0,
            liveness: &liveness,
            live,
            handlers: cfg.flow.handlers.iter().map(|(_, word)| *word).collect(),
            plain: Core::new(image, device),
            garbage: Core::new(image, device),
            pushed: vec![false; 0x1_0000],
            random: Random::new(seed),
            delay: false,
            end,
            lowest: end,
            steps: 0,
            interrupts: 0,
            garbled: 0,
        };
        match pair.run(steps)? {
            Some(surprise) => {
                let before = (given.clone(), given_memory.clone());
                match surprise {
                    Surprise::Byte(at) => given_memory.always.insert(at),
                    Surprise::StackLoad(at) => given.stack_loads.insert(at),
                    Surprise::RegisterLoad(at) => given.register_loads.insert(at),
                    Surprise::Store(at) => given.stores.insert(at),
                };
                assert_ne!(
                    before,
                    (given.clone(), given_memory.clone()),
                    "what is given makes a difference"
                );
            }
            None => {
                return Ok(Outcome {
                    steps: pair.steps,
                    interrupts: pair.interrupts,
                    garbled: pair.garbled,
                    bytes: pair.bytes,
                    given,
                });
            }
        }
    }
}

enum Surprise {
    StackLoad(u32),
    RegisterLoad(u32),
    Store(u32),
    Byte(u16),
}

struct Pair<'a> {
    liveness: &'a Liveness,
    live: &'a Live<'a>,
    memory: LiveMemory,
    dead: Option<&'a Dead<'a>>,
    bytes: u64,
    handlers: Vec<u32>,
    plain: Core,
    garbage: Core,
    /// Bytes of memory that hold what was pushed from a register.
    pushed: Vec<bool>,
    random: Random,
    delay: bool,
    /// The end of memory, and the lowest place of the stack so far.
    end: u16,
    lowest: u16,
    steps: u64,
    interrupts: u64,
    garbled: u64,
}

fn word(core: &Core, low: u16) -> u16 {
    u16::from_le_bytes([core.data(low), core.data(low + 1)])
}

/// The data address that a load or a store through a pointer is about to reach.
pub fn reached(core: &Core, instruction: &Instruction) -> u16 {
    let base = word(core, u16::from(instruction.r & 31));
    match instruction.pointer() {
        Pointer::Decrement => base.wrapping_sub(1),
        Pointer::Increment => base,
        Pointer::Plain => base.wrapping_add(instruction.k as u16),
    }
}

impl Pair<'_> {
    fn run(&mut self, steps: u64) -> Result<Option<Surprise>, String> {
        while self.steps < steps {
            self.inputs();
            self.interrupt()?;
            self.garble();
            let instruction = self.plain.instruction();
            if let Some(surprise) = self.surprise(&instruction) {
                return Ok(Some(surprise));
            }
            self.note_pushes(&instruction);
            self.same_store(&instruction)?;
            let (before, enabled) = (self.plain.pc, self.is_enabled());
            self.plain.step();
            self.garbage.step();
            self.track_stack(&instruction);
            self.delay = !enabled && self.is_enabled();
            self.steps += 1;
            let after = self.plain.pc;
            if after != self.garbage.pc {
                return Err(format!("{before:#x}: to {after:#x} and {:#x}", self.garbage.pc));
            }
            if !self.liveness.foresees_step(before, after) {
                return Err(format!("{before:#x} to {after:#x} was not foreseen"));
            }
            if self.steps.is_multiple_of(16) {
                self.same_memory()?;
            }
        }
        self.same_memory()?;
        Ok(None)
    }

    fn is_enabled(&self) -> bool {
        self.plain.data(address::SREG) & status::I != 0
    }

    /// Something else in I/O registers than the program left there.
    fn inputs(&mut self) {
        if self.random.below(4) != 0 {
            return;
        }
        let at = 0x20 + self.random.below(0xE0) as u16;
        if (address::RAMPZ..=address::SREG).contains(&at) {
            return;
        }
        let value = self.random.next() as u8;
        self.plain.set_data(at, value);
        self.garbage.set_data(at, value);
    }

    fn interrupt(&mut self) -> Result<(), String> {
        let at = self.plain.pc;
        let has_room = word(&self.plain, address::SPL) > self.end - 0x200;
        if self.handlers.is_empty() || !self.is_enabled() || self.delay || !has_room {
            return Ok(());
        }
        if self.random.below(20) != 0 {
            return Ok(());
        }
        if !self.liveness.foresees_interrupt(at) {
            return Err(format!("the interrupt at {at:#x} was not foreseen"));
        }
        // What is live before an interrupt is the same as before the instruction.
        self.garble();
        let handler = self.handlers[self.random.below(self.handlers.len())];
        let stack = word(&self.plain, address::SPL);
        for below in 0..3 {
            self.pushed[usize::from(stack - below)] = false;
        }
        self.plain.interrupt(handler);
        self.garbage.interrupt(handler);
        self.lowest = self.lowest.min(stack - 3);
        self.interrupts += 1;
        Ok(())
    }

    /// Overwrites what is not live. What is may differ all the same: where a function returns, all is live
    /// that is behind any of its calls.
    fn garble(&mut self) {
        let live = (self.live)(self.liveness, self.plain.pc);
        for (number, bits) in live.registers.iter().enumerate() {
            self.garble_byte(number as u16, *bits);
        }
        self.garble_byte(address::SREG, live.flags | status::I);
        let dead = self.dead.map(|dead| dead(&self.memory, self.plain.pc));
        for place in dead.into_iter().flatten() {
            self.garbage.set_data(place, self.random.next() as u8);
            self.bytes += 1;
        }
    }

    /// What is stored matters.
    fn same_store(&self, instruction: &Instruction) -> Result<(), String> {
        let stored = u16::from(instruction.d);
        let (plain, garbage) = (self.plain.data(stored), self.garbage.data(stored));
        let stores = matches!(instruction.operation, Op::Sts | Op::St | Op::Out);
        // Of the status register, only live flags matter.
        let is_status = instruction.operation != Op::St && instruction.k == i32::from(address::SREG);
        if stores && !is_status && plain != garbage {
            return Err(format!(
                "{:#x}: stores {plain:#x} and {garbage:#x}",
                self.plain.pc
            ));
        }
        Ok(())
    }

    fn garble_byte(&mut self, place: u16, live: u8) {
        let byte = self.garbage.data(place);
        let other = byte & live | self.random.next() as u8 & !live;
        self.garbled += u64::from(live.count_zeros());
        self.garbage.set_data(place, other);
    }

    fn surprise(&self, instruction: &Instruction) -> Option<Surprise> {
        let (at, stack) = (self.plain.pc, word(&self.plain, address::SPL));
        let read = match instruction.operation {
            Op::Ld => reached(&self.plain, instruction),
            Op::Pop | Op::Ret | Op::Reti => stack + 1,
            _ => 0,
        };
        if self.dead.is_some() && !self.memory.foresees_load(at, read) {
            return Some(Surprise::Byte(read));
        }
        match instruction.operation {
            Op::Ld => {
                let place = reached(&self.plain, instruction);
                if self.liveness.foresees_load(at, place, stack) {
                    return None;
                }
                let is_register = place < 32 || place == address::SREG;
                Some(if is_register {
                    Surprise::RegisterLoad(at)
                } else {
                    Surprise::StackLoad(at)
                })
            }
            Op::St => {
                let place = reached(&self.plain, instruction);
                let foreseen = self.liveness.foresees_store(at, place, stack);
                (!foreseen).then_some(Surprise::Store(at))
            }
            _ => None,
        }
    }

    /// How low the stack gets, once it is set up.
    fn track_stack(&mut self, instruction: &Instruction) {
        let stack = word(&self.plain, address::SPL);
        if matches!(instruction.operation, Op::Push | Op::Call | Op::Rcall | Op::Icall) {
            self.lowest = self.lowest.min(stack);
        }
    }

    fn note_pushes(&mut self, instruction: &Instruction) {
        let stack = word(&self.plain, address::SPL);
        match instruction.operation {
            Op::Push => self.pushed[usize::from(stack)] = true,
            Op::Call | Op::Rcall | Op::Icall => {
                for below in 0..3 {
                    self.pushed[usize::from(stack - below)] = false;
                }
            }
            Op::St => {
                let place = reached(&self.plain, instruction);
                self.pushed[usize::from(place)] = false;
            }
            Op::Sts => self.pushed[instruction.k as usize] = false,
            _ => {}
        }
    }

    fn same_memory(&self) -> Result<(), String> {
        let stack = word(&self.plain, address::SPL);
        for place in 0x20..self.end {
            let (plain, garbage) = (self.plain.data(place), self.garbage.data(place));
            let is_lost = (self.lowest..=stack).contains(&place);
            // Named bytes are compared when they are stored.
            let is_variable = self.dead.is_some() && self.memory.variables().binary_search(&place).is_ok();
            let counts =
                place != address::SREG && !is_lost && !is_variable && !self.pushed[usize::from(place)];
            if counts && plain != garbage {
                let at = self.plain.pc;
                return Err(format!("{at:#x}: {place:#x} holds {plain:#x} and {garbage:#x}"));
            }
        }
        Ok(())
    }
}
