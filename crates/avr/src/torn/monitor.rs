//! The monitor of torn accesses: some bytes in each state that follow one access of one line from its first
//! instruction to the end of the line.
//!
//! Idea: at every access that may be the first of a torn one the monitor chooses whether it follows this one.
//! Whose turn it is (the line's own, a function's that the line calls, a handler's) is told by the stack
//! pointer: an interrupt or a call is over when the stack is as high again as it was before.
//!
//! Invariant: the monitor changes nothing but its own bytes and, at the end, the fault; all zero means that
//! it follows nothing.

use std::sync::Arc;

use kripke_model::Labels;

use super::{Access, Accesses, Manner, Object, Sharing, Touched};
use crate::byte::AbstractByte as _;
use crate::core::address;
use crate::fault::Fault;
use crate::instruction::Operation as Op;
use crate::micro::Micro;
use crate::semantics::{Effect, status};

/// Bytes of the monitor in a state.
pub(crate) const SIZE: usize = 11;

/// An access is followed.
const ACTIVE: u8 = 1;
/// Its first instruction writes.
const WRITES: u8 = 2;
/// A handler has interrupted the line.
const INTERRUPTED: u8 = 4;
/// The line has called a function.
const CALLED: u8 = 8;

/// What an exploration does about torn accesses.
#[derive(Clone)]
pub(crate) struct Tearing {
    /// The accesses that it notes, if it does.
    pub(crate) accesses: Option<Accesses>,
    /// Where a state has the monitor; 0 if nowhere.
    pub(crate) monitor: usize,
}

impl Tearing {
    /// Accesses of what is shared are noted, in a flash of that many words; there is no monitor yet.
    pub(crate) fn new(sharing: Option<Arc<Sharing>>, flash_words: u32) -> Self {
        Self {
            accesses: sharing.map(|sharing| Accesses::new(sharing, flash_words)),
            monitor: 0,
        }
    }
}

/// What the monitor follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Window {
    flags: u8,
    /// The first instruction.
    first: u16,
    /// The byte that it accesses.
    address: u16,
    /// What handlers did to the object since.
    touched: Touched,
    /// The stack pointer before the call, and before the interrupt.
    call: u16,
    interrupt: u16,
}

impl Window {
    fn is_own(&self) -> bool {
        self.flags & (INTERRUPTED | CALLED) == 0
    }
}

/// The torn access at the end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TornAccess {
    /// What is accessed.
    pub object: Object,
    /// First instruction of the line's access, and whether it writes.
    pub first: (u32, bool),
    /// Its last instruction in this run, and whether it writes.
    pub second: (u32, bool),
    /// The handler's instruction, and whether it writes.
    pub between: (u32, bool),
    /// Index of the interrupt among the rules'.
    pub interrupt: Option<usize>,
}

impl Micro {
    /// An instruction accesses a byte of the data address space.
    pub(crate) fn accessed(&mut self, address: u16, manner: Manner) {
        let access = Access {
            at: self.draft.pc,
            address,
            manner,
            interruptible: self.read(u32::from(address::SREG)).ones() & status::I != 0,
        };
        if let Some(accesses) = &mut self.tearing.accesses {
            accesses.note(access);
        }
        if self.tearing.monitor != 0 {
            self.follow_access(access);
        }
    }

    fn window(&self, state: &[u8]) -> Window {
        let bytes = &state[self.tearing.monitor..self.tearing.monitor + SIZE];
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Window {
            flags: bytes[0],
            first: word(1),
            address: word(3),
            touched: Touched {
                read: bytes[5],
                written: bytes[6],
            },
            call: word(7),
            interrupt: word(9),
        }
    }

    fn set_window(&mut self, window: Window) {
        let bytes = &mut self.draft.state[self.tearing.monitor..self.tearing.monitor + SIZE];
        bytes[0] = window.flags;
        bytes[1..3].copy_from_slice(&window.first.to_le_bytes());
        bytes[3..5].copy_from_slice(&window.address.to_le_bytes());
        bytes[5] = window.touched.read;
        bytes[6] = window.touched.written;
        bytes[7..9].copy_from_slice(&window.call.to_le_bytes());
        bytes[9..11].copy_from_slice(&window.interrupt.to_le_bytes());
    }

    fn follow_access(&mut self, access: Access) {
        let Some(watch) = self.options.watch.clone() else {
            return;
        };
        let lines = &watch.sharing.lines;
        let writes = access.manner.writes();
        let window = self.window(&self.draft.state);
        if window.flags == 0 {
            let may_be_first = access.manner != Manner::Both
                && watch.begins(access.at, access.address, writes)
                && (access.interruptible || lines.may_enable(lines.of(access.at)));
            if may_be_first && self.choose(2) == 1 {
                self.set_window(Window {
                    flags: ACTIVE | if writes { WRITES } else { 0 },
                    first: access.at as u16,
                    address: access.address,
                    ..Window::default()
                });
            }
            return;
        }
        let Some(object) = watch.sharing.objects.at(access.address) else {
            return;
        };
        if !(object.start..object.start + u16::from(object.size)).contains(&window.address) {
            return;
        }
        let byte = (access.address - object.start) as u8;
        if window.flags & INTERRUPTED != 0 {
            let mut touched = window.touched;
            touched.read |= if access.manner == Manner::Write {
                0
            } else {
                1 << byte
            };
            touched.written |= if writes { 1 << byte } else { 0 };
            self.set_window(Window { touched, ..window });
            return;
        }
        let first = u32::from(window.first);
        let is_second = window.is_own()
            && access.manner != Manner::Both
            && access.at > first
            && lines.of(access.at) == lines.of(first)
            && watch.may_tear(first, access.at);
        let first_part = ((window.address - object.start) as u8, window.flags & WRITES != 0);
        if is_second && window.touched.tears(first_part, (byte, writes)) {
            self.commit(Fault::TornAccess);
        }
    }

    /// An instruction was executed, and `next` comes next.
    pub(crate) fn follow_instruction(&mut self, effect: Effect, next: u32) {
        let mut window = self.window(&self.draft.state);
        // Where the access was torn, the state tells which one it was.
        if window.flags == 0 || self.draft.faults & Fault::TornAccess.bit() != 0 {
            return;
        }
        let stack = self.stack();
        if window.is_own() {
            match effect {
                Effect::Return | Effect::InterruptReturn => return self.set_window(Window::default()),
                // A call of the next instruction makes room on the stack.
                Effect::Call if next != self.draft.pc + 1 => {
                    window.flags |= CALLED;
                    window.call = stack.wrapping_add(u16::from(self.chip.address_bytes));
                }
                _ => {}
            }
        }
        if window.flags & INTERRUPTED != 0 && stack >= window.interrupt {
            window.flags &= !INTERRUPTED;
            window.interrupt = 0;
        }
        if window.flags & (INTERRUPTED | CALLED) == CALLED && stack >= window.call {
            window.flags &= !CALLED;
            window.call = 0;
        }
        if window.is_own() {
            let goes_on = self.options.watch.as_ref().is_some_and(|watch| {
                let lines = &watch.sharing.lines;
                lines.goes_on(lines.of(u32::from(window.first)), next)
            });
            if next <= u32::from(window.first) || !goes_on {
                window = Window::default();
            }
        }
        self.set_window(window);
    }

    /// A handler is entered; nothing has been pushed yet.
    pub(crate) fn follow_interrupt(&mut self) {
        let window = self.window(&self.draft.state);
        if window.flags == 0 || window.flags & INTERRUPTED != 0 {
            return;
        }
        let interrupt = self.stack();
        self.set_window(Window {
            flags: window.flags | INTERRUPTED,
            interrupt,
            ..window
        });
    }

    /// The chip is reset.
    pub(crate) fn follow_reset(&mut self) {
        self.set_window(Window::default());
    }

    /// Which line's access the step into a state tore, as a label; none if it tore none.
    pub(crate) fn torn_label(&self, state: &[u8]) -> Labels {
        match &self.options.watch {
            Some(watch) if self.has_fault(state, Fault::TornAccess) => {
                watch.label(u32::from(self.window(state).first))
            }
            _ => 0,
        }
    }

    /// The torn access that a run ends with.
    #[must_use]
    pub fn torn_access(&self, states: &[Box<[u8]>]) -> Option<TornAccess> {
        let watch = self
            .options
            .watch
            .as_ref()
            .filter(|_| self.tearing.monitor != 0)?;
        let [before @ .., last] = states else { return None };
        if !self.has_fault(last, Fault::TornAccess) {
            return None;
        }
        let windows: Vec<Window> = before.iter().map(|state| self.window(state)).collect();
        let window = *windows.last()?;
        let begin = windows.iter().rposition(|window| window.flags == 0)? + 1;
        let object = watch.sharing.objects.at(window.address)?;
        let byte = 1 << (window.address - object.start);
        let first_writes = window.flags & WRITES != 0;
        let grew = |at: &usize, mask: fn(Touched) -> u8| {
            (mask(windows[at + 1].touched) & !mask(windows[*at].touched)) & byte != 0
        };
        let steps = begin..windows.len() - 1;
        let wrote = steps.clone().find(|at| grew(at, |touched| touched.written));
        let read = steps.clone().find(|at| grew(at, |touched| touched.read));
        let (at, writes) = match (wrote, read) {
            (Some(at), _) => (at, true),
            (None, Some(at)) if first_writes => (at, false),
            _ => return None,
        };
        let entered = (begin..=at).rev().find(|at| {
            let was = at.checked_sub(1).map(|before| windows[before].flags);
            windows[*at].flags & INTERRUPTED != 0 && was.is_none_or(|was| was & INTERRUPTED == 0)
        });
        let vector = entered.map(|at| self.pc_of(&states[at]));
        let last = before.last()?;
        let stores = matches!(self.instruction_of(last).operation, Op::St | Op::Sts | Op::Out);
        Some(TornAccess {
            object: object.clone(),
            first: (u32::from(window.first), first_writes),
            second: (self.pc_of(last), stores),
            between: (self.pc_of(&states[at]), writes),
            interrupt: vector.and_then(|vector| {
                self.chip
                    .rules
                    .interrupts
                    .iter()
                    .position(|known| known.vector == vector)
            }),
        })
    }
}
