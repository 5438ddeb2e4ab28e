//! What is known of a byte: the domain of the flow analysis.
//!
//! Idea: two kinds of facts matter. To follow the stack, registers that hold halves of "the stack pointer at
//! entry plus a constant"; to resolve indirect jumps, constants and halves of "index times scale plus
//! constant", where a comparison has bounded the index. Both are [`Number`]s. Carries between the two halves
//! of a 16-bit operation are kept as what they belong to ([`Carry`]), since their value is not known.
//!
//! Invariant: a byte stands for every value that it can have when control is there. Two halves with equal
//! numbers belong together: whoever makes an index anew at an instruction forgets the older values made there
//! ([`Byte::is_made_at`]).

/// Whether interrupts can be enabled, in ascending order of what is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// They are disabled.
    Clear,
    /// At most if they were when the function was entered.
    Entry,
    /// They may be enabled.
    Set,
}

/// What a number is relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// The stack pointer when the function was entered.
    Stack,
    /// An index from 0 to `limit`, bounded by the branch at word address `at`.
    Index {
        /// The branch.
        at: u32,
        /// The largest value.
        limit: u16,
    },
}

/// A 16-bit number: scale times base plus offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number {
    /// What it is relative to.
    pub base: Base,
    /// The factor of the base; 1 for the stack pointer.
    pub scale: u16,
    /// What is added.
    pub offset: u16,
}

/// The largest index that is followed; no table has more entries.
pub const LARGEST_INDEX: u16 = 1023;

impl Number {
    /// The stack pointer at entry plus a constant.
    #[must_use]
    pub fn stack(offset: i16) -> Self {
        Self {
            base: Base::Stack,
            scale: 1,
            offset: offset as u16,
        }
    }

    /// Whether it is an address on the stack.
    #[must_use]
    pub fn is_on_stack(self) -> bool {
        self.base == Base::Stack
    }

    /// The number plus a constant.
    #[must_use]
    pub fn plus(self, constant: u16) -> Self {
        Self {
            offset: self.offset.wrapping_add(constant),
            ..self
        }
    }

    /// The number without the upper half of the offset, on which its lower half does not depend.
    #[must_use]
    pub fn lower(self) -> Self {
        Self {
            offset: self.offset & 0xFF,
            ..self
        }
    }

    /// Twice the number, if it is an index.
    #[must_use]
    pub fn doubled(self) -> Option<Self> {
        matches!(self.base, Base::Index { .. }).then(|| Self {
            scale: self.scale.wrapping_mul(2),
            offset: self.offset.wrapping_mul(2),
            ..self
        })
    }

    /// All its values, if it is an index.
    pub fn values(self) -> Option<impl Iterator<Item = u16>> {
        let Base::Index { limit, .. } = self.base else {
            return None;
        };
        Some((0..=limit).map(move |index| index.wrapping_mul(self.scale).wrapping_add(self.offset)))
    }

    /// The byte that `part` takes of every value, if it is the same of all.
    fn same(self, part: impl Fn(u16) -> u8) -> Option<u8> {
        let mut values = self.values()?.map(part);
        let first = values.next()?;
        values.all(|other| other == first).then_some(first)
    }
}

/// What is known of a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Byte {
    /// Nothing.
    Any,
    /// Its value.
    Constant(u8),
    /// It is the lower half of a number, of which only the lower half of the offset is kept ([`Byte::low`]).
    Low(Number),
    /// It is the upper half of a number.
    High(Number),
    /// It is what the register held when the function was entered.
    Entry(u8),
    /// It is the byte of the return address that lies so many bytes above the stack pointer at entry.
    Return(u8),
    /// It is a copy of the status register that enables interrupts this far.
    Status(Level),
    /// It is a byte of flash, at the number in the 64 KiB that `extension` numbers.
    Flash {
        /// The address's lower 16 bits.
        address: Number,
        /// The rest of the address.
        extension: u8,
    },
}

impl Byte {
    /// The lower half of a number.
    #[must_use]
    pub fn low(number: Number) -> Self {
        match number.same(|value| value as u8) {
            Some(value) => Self::Constant(value),
            None => Self::Low(number.lower()),
        }
    }

    /// The upper half of a number.
    #[must_use]
    pub fn high(number: Number) -> Self {
        match number.same(|value| (value >> 8) as u8) {
            Some(value) => Self::Constant(value),
            None => Self::High(number),
        }
    }

    /// The value, if it is known.
    #[must_use]
    pub fn constant(self) -> Option<u8> {
        match self {
            Self::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// What two paths agree on.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            _ if self == other => self,
            (Self::Status(a), Self::Status(b)) => Self::Status(a.max(b)),
            _ => Self::Any,
        }
    }

    /// Whether it depends on an index that was bounded at this instruction.
    #[must_use]
    pub fn is_made_at(self, place: u32) -> bool {
        match self {
            Self::Low(number) | Self::High(number) | Self::Flash { address: number, .. } => {
                matches!(number.base, Base::Index { at, .. } if at == place)
            }
            _ => false,
        }
    }
}

/// What is known of two bytes together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Nothing.
    Any,
    /// Its value.
    Constant(u16),
    /// A number.
    Number(Number),
    /// A word of flash, low byte first.
    Flash {
        /// The low byte's address, its lower 16 bits.
        address: Number,
        /// The rest of the address.
        extension: u8,
    },
    /// The return address of the function.
    Return,
}

impl Word {
    /// What two bytes are together.
    #[must_use]
    pub fn of(low: Byte, high: Byte) -> Self {
        match (low, high) {
            (Byte::Constant(low), Byte::Constant(high)) => Self::Constant(u16::from_le_bytes([low, high])),
            (_, Byte::High(number)) if Byte::low(number) == low => Self::Number(number),
            (Byte::Low(number), Byte::Constant(high)) => match Byte::high(number) {
                Byte::Constant(other) => Self::Number(number.plus(u16::from(high.wrapping_sub(other)) << 8)),
                _ => Self::Any,
            },
            (
                Byte::Flash { address, extension },
                Byte::Flash {
                    address: next,
                    extension: same,
                },
            ) if address.plus(1) == next && extension == same => Self::Flash { address, extension },
            (Byte::Return(low), Byte::Return(high)) if low == high + 1 => Self::Return,
            _ => Self::Any,
        }
    }

    /// The two halves; what is known only of both together is lost.
    #[must_use]
    pub fn halves(self) -> [Byte; 2] {
        match self {
            Self::Constant(value) => value.to_le_bytes().map(Byte::Constant),
            Self::Number(number) => [Byte::low(number), Byte::high(number)],
            _ => [Byte::Any, Byte::Any],
        }
    }

    /// The word plus a constant.
    #[must_use]
    pub fn plus(self, constant: u16) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(value.wrapping_add(constant)),
            Self::Number(number) => Self::Number(number.plus(constant)),
            _ => Self::Any,
        }
    }
}

/// What is known of the carry flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carry {
    /// Nothing.
    Unknown,
    /// Its value.
    Known(bool),
    /// It is the carry (or borrow) between the halves of an operation on a number.
    Between {
        /// The number, as far as its lower half goes.
        operand: Number,
        /// The lower half of the constant that is added or subtracted.
        constant: u8,
        /// What the operation is.
        operation: Halves,
    },
    /// A register or a pair was compared with a constant.
    Compared(Comparison),
}

/// An operation on 16 bits in two instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halves {
    /// A constant is added.
    Addition,
    /// A constant is subtracted.
    Subtraction,
    /// The number is added to itself.
    Doubling,
}

/// A comparison of registers with a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    /// The register, or the lower one of two.
    pub low: u8,
    /// The upper one.
    pub high: Option<u8>,
    /// The constant.
    pub constant: u16,
    /// Whether the registers are subtracted from the constant: the carry says that they are greater. Else it
    /// says that they are less.
    pub reversed: bool,
}

impl Comparison {
    /// The largest value that the registers can have where the carry is so.
    #[must_use]
    pub fn limit(self, carry: bool) -> Option<u16> {
        let limit = match (self.reversed, carry) {
            (false, true) => self.constant.checked_sub(1)?,
            (true, false) => self.constant,
            _ => return None,
        };
        (limit <= LARGEST_INDEX).then_some(limit)
    }
}
