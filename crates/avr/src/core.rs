//! The concrete core: instructions at full speed, without peripherals.
//!
//! Idea: the semantics over plain bytes, with every word of flash decoded beforehand. I/O registers are
//! memory; a caller that wants peripherals changes them between instructions.
//!
//! Invariant: an instruction leads to the same registers, memory and counter as on the chip (the tests
//! compare with simavr).

use crate::device::Device;
use crate::image::Image;
use crate::instruction::{Instruction, decode, decode_all};
use crate::peripherals::Rules;
use crate::programming::{CONTROL, PageOperation, PagePlace};
use crate::semantics::{Effect, Machine, Step, execute, push_address, status};

/// Data addresses that every device of the family has.
pub mod address {
    /// Upper part of the pointer for ELPM.
    pub const RAMPZ: u16 = 0x5B;
    /// Upper part of the target of EIJMP and EICALL.
    pub const EIND: u16 = 0x5C;
    /// Stack pointer, low byte.
    pub const SPL: u16 = 0x5D;
    /// Stack pointer, high byte.
    pub const SPH: u16 = 0x5E;
    /// Status register.
    pub const SREG: u16 = 0x5F;
}

/// A concrete core.
#[derive(Clone)]
pub struct Core {
    data: Box<[u8; 0x1_0000]>,
    flash: Vec<u8>,
    program: Vec<Instruction>,
    flash_words: u32,
    address_bytes: u8,
    page_buffer: Vec<u8>,
    /// The register that controls self-programming.
    programming: Option<u16>,
    /// The word address from which SPM works.
    boot: u32,
    /// What the next LPM reads, if that is not flash.
    row: Option<u8>,
    /// The word address of the next instruction.
    pub pc: u32,
}

impl Core {
    /// A core after reset, with the image in flash and everything else zero.
    #[must_use]
    pub fn new(image: &Image, device: &Device) -> Self {
        let size = device.flash.size as usize & !1;
        let mut flash = vec![0xFF; size];
        let used = image.flash.bytes().len().min(size);
        flash[..used].copy_from_slice(&image.flash.bytes()[..used]);
        let program = decode_all(&flash);
        let data = vec![0_u8; 0x1_0000].into_boxed_slice();
        let mut core = Self {
            data: data.try_into().unwrap_or_else(|_| Box::new([0; 0x1_0000])),
            flash_words: program.len() as u32,
            program,
            address_bytes: device.pc_bytes,
            page_buffer: vec![0xFF; usize::from(device.flash_page)],
            row: None,
            programming: Rules::new(device).programming,
            flash,
            boot: image.boot / 2,
            pc: image.reset / 2,
        };
        for register in &device.registers {
            core.data[usize::from(register.address)] = register.reset;
        }
        core
    }

    /// A byte of the data address space.
    #[must_use]
    pub fn data(&self, address: u16) -> u8 {
        self.data[usize::from(address)]
    }

    /// Changes a byte of the data address space.
    pub fn set_data(&mut self, address: u16, value: u8) {
        self.data[usize::from(address)] = value;
    }

    /// Replaces flash from a byte address on.
    pub fn write_flash(&mut self, address: u32, bytes: &[u8]) {
        let start = address as usize;
        let end = (start + bytes.len()).min(self.flash.len());
        if start >= end {
            return;
        }
        self.flash[start..end].copy_from_slice(&bytes[..end - start]);
        let word = |index: usize| match self.flash.get(2 * index..2 * index + 2) {
            Some(bytes) => u16::from_le_bytes([bytes[0], bytes[1]]),
            None => 0xFFFF,
        };
        // The word before may be the first half of an instruction that goes on here.
        for index in (start / 2).saturating_sub(1)..end.div_ceil(2) {
            self.program[index] = decode(word(index), word(index + 1));
        }
    }

    /// A byte of flash; erased beyond its end.
    #[must_use]
    pub fn flash_byte(&self, address: u32) -> u8 {
        self.flash.get(address as usize).copied().unwrap_or(0xFF)
    }

    /// The next instruction.
    #[must_use]
    pub fn instruction(&self) -> Instruction {
        self.program[self.pc as usize]
    }

    /// Lets the next LPM read this: a fuse, lock bits, or a byte of the signature row.
    pub fn set_row(&mut self, value: u8) {
        self.row = Some(value);
    }

    /// Runs one instruction.
    #[inline]
    pub fn step(&mut self) -> Effect {
        let instruction = self.program[self.pc as usize];
        let Step { next, effect } = execute(self, &instruction, self.pc);
        self.pc = next;
        effect
    }

    /// Runs instructions until that many are done or one of them stops the core (SLEEP, BREAK, an undefined
    /// one); how many were done.
    pub fn run(&mut self, instructions: u64) -> u64 {
        for done in 0..instructions {
            if matches!(self.step(), Effect::Sleep | Effect::Break | Effect::Undefined) {
                return done + 1;
            }
        }
        instructions
    }

    /// Enters an interrupt handler: pushes the counter, clears I.
    pub fn interrupt(&mut self, vector_word: u32) {
        push_address(self, self.pc);
        self.data[usize::from(address::SREG)] &= !status::I;
        self.pc = vector_word % self.flash_words.max(1);
    }
}

impl Machine for Core {
    type Byte = u8;

    #[inline(always)]
    fn register(&mut self, number: u8) -> u8 {
        self.data[usize::from(number)]
    }
    #[inline(always)]
    fn demand(&mut self, number: u8, _needed: u8) -> u8 {
        self.data[usize::from(number)]
    }
    #[inline(always)]
    fn set_register(&mut self, number: u8, value: u8) {
        self.data[usize::from(number)] = value;
    }
    #[inline(always)]
    fn status(&mut self) -> u8 {
        self.data[usize::from(address::SREG)]
    }
    #[inline(always)]
    fn set_status(&mut self, value: u8) {
        self.data[usize::from(address::SREG)] = value;
    }
    #[inline(always)]
    fn stack_pointer(&mut self) -> u16 {
        u16::from_le_bytes([
            self.data[usize::from(address::SPL)],
            self.data[usize::from(address::SPH)],
        ])
    }
    #[inline(always)]
    fn set_stack_pointer(&mut self, value: u16) {
        let [low, high] = value.to_le_bytes();
        self.data[usize::from(address::SPL)] = low;
        self.data[usize::from(address::SPH)] = high;
    }
    #[inline(always)]
    fn load(&mut self, address: u16) -> u8 {
        self.data[usize::from(address)]
    }
    #[inline(always)]
    fn store(&mut self, address: u16, number: u8) {
        self.data[usize::from(address)] = self.data[usize::from(number)];
    }
    #[inline(always)]
    fn load_bit(&mut self, address: u16, bit: u8) -> bool {
        self.data[usize::from(address)] >> bit & 1 != 0
    }
    #[inline(always)]
    fn store_bit(&mut self, address: u16, bit: u8, value: bool) {
        let byte = &mut self.data[usize::from(address)];
        *byte = *byte & !(1 << bit) | u8::from(value) << bit;
    }
    #[inline(always)]
    fn push(&mut self, value: u8) {
        let at = self.stack_pointer();
        self.data[usize::from(at)] = value;
        self.set_stack_pointer(at.wrapping_sub(1));
    }
    #[inline(always)]
    fn pop(&mut self) -> u8 {
        let at = self.stack_pointer().wrapping_add(1);
        self.set_stack_pointer(at);
        self.data[usize::from(at)]
    }
    #[inline(always)]
    fn pop_address(&mut self) -> u8 {
        self.pop()
    }
    #[inline(always)]
    fn pointer(&mut self, low: u8) -> u16 {
        let low = usize::from(low & 31);
        u16::from_le_bytes([self.data[low], self.data[low + 1]])
    }
    fn extended_pointer(&mut self) -> u8 {
        if self.flash.len() > 0x1_0000 {
            self.data[usize::from(address::RAMPZ)]
        } else {
            0
        }
    }
    fn extended_target(&mut self) -> u8 {
        self.data[usize::from(address::EIND)]
    }
    fn set_extended_pointer(&mut self, value: u8) {
        // The register has the bits that an address in flash needs.
        let highest = self.flash.len().saturating_sub(1) >> 16;
        if highest != 0 {
            self.data[usize::from(address::RAMPZ)] = value & highest as u8;
        }
    }
    fn flash(&mut self, address: u32) -> u8 {
        if let Some(value) = self.row.take() {
            return value;
        }
        let size = self.flash.len().max(1);
        self.flash.get(address as usize % size).copied().unwrap_or(0xFF)
    }
    fn store_program(&mut self, address: u32) {
        let Some(control) = self.programming.map(usize::from) else {
            return;
        };
        if self.pc < self.boot {
            return;
        }
        let place = PagePlace::new(address, self.page_buffer.len());
        let operation = PageOperation::asked(self.data[control]);
        let old = self.flash.get(place.start..place.end).map(<[u8]>::to_vec);
        match (operation, old) {
            (Some(PageOperation::Fill), _) => {
                self.page_buffer[place.word..place.word + 2].copy_from_slice(&self.data[..2]);
            }
            (Some(PageOperation::Erase), Some(old)) => {
                self.write_flash(place.start as u32, &PagePlace::programmed(&old, None));
            }
            (Some(PageOperation::Write), Some(old)) => {
                let new = PagePlace::programmed(&old, Some(&self.page_buffer));
                self.write_flash(place.start as u32, &new);
                self.page_buffer.fill(0xFF);
            }
            (Some(PageOperation::Clear), _) => self.page_buffer.fill(0xFF),
            _ => {}
        }
        self.data[control] &= !CONTROL;
    }
    #[inline(always)]
    fn decide(&mut self, bit: u8) -> bool {
        bit & 1 != 0
    }
    #[inline(always)]
    fn words_at(&mut self, address: u32) -> u8 {
        self.program[address as usize].words
    }
    #[inline(always)]
    fn flash_words(&self) -> u32 {
        self.flash_words
    }
    #[inline(always)]
    fn address_bytes(&self) -> u8 {
        self.address_bytes
    }
}
