//! Concrete scalar values: what a variable or an expression holds in one run.
//!
//! A pointer keeps the object it was made from (its provenance) beside the byte offset, so that
//! an access can be judged against that object and no other.

use kripke_value::{BitVec, Float};

use crate::ids::{FunctionId, GlobalId, Id};
use crate::program::Type;

/// An object of a run. Globals come first: object `n` of generation 0 is the global `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectRef {
    /// Index into the table of objects; entries of dead objects are used again.
    pub slot: u32,
    /// Counts the uses of the entry, so that a pointer to a dead object is known as such.
    pub generation: u32,
}

impl ObjectRef {
    /// The object of a global.
    pub fn global(id: GlobalId) -> Self {
        ObjectRef {
            slot: id.index() as u32,
            generation: 0,
        }
    }
}

/// What a pointer points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerBase {
    /// The null pointer, possibly moved.
    Null,
    /// No object: the offset is the address.
    Raw,
    /// A function.
    Function(FunctionId),
    /// An object, live or dead.
    Object(ObjectRef),
}

/// A pointer value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pointer {
    /// What it points into.
    pub base: PointerBase,
    /// Byte offset from the start of the base, modulo 2 to the pointer width.
    pub offset: u64,
}

impl Pointer {
    /// The null pointer.
    pub const NULL: Pointer = Pointer {
        base: PointerBase::Null,
        offset: 0,
    };

    /// An address that belongs to no object (null for zero).
    pub fn raw(address: u64) -> Self {
        if address == 0 {
            Pointer::NULL
        } else {
            Pointer {
                base: PointerBase::Raw,
                offset: address,
            }
        }
    }

    /// The start of an object.
    pub fn object(object: ObjectRef) -> Self {
        Pointer {
            base: PointerBase::Object(object),
            offset: 0,
        }
    }

    /// The start of a function.
    pub fn function(function: FunctionId) -> Self {
        Pointer {
            base: PointerBase::Function(function),
            offset: 0,
        }
    }

    /// Moved by a signed number of bytes, in the given pointer width.
    pub fn add(self, bytes: u64, pointer_width: u32) -> Self {
        Pointer {
            base: self.base,
            offset: self.offset.wrapping_add(bytes) & mask(pointer_width),
        }
    }

    /// Packed into two words, as the interpreter's slots hold it.
    pub(crate) fn pack(self) -> [u64; 2] {
        let base = match self.base {
            PointerBase::Null => 0,
            PointerBase::Raw => 1,
            PointerBase::Function(function) => function.index() as u64 | u64::from(u32::MAX) << 32,
            PointerBase::Object(ObjectRef { slot, generation }) => {
                (u64::from(slot) + 2) | u64::from(generation) << 32
            }
        };
        [base, self.offset]
    }

    /// The inverse of [`Pointer::pack`].
    pub(crate) fn unpack([base, offset]: [u64; 2]) -> Self {
        let low = base as u32;
        let generation = (base >> 32) as u32;
        let base = match (generation, low) {
            (u32::MAX, _) => PointerBase::Function(FunctionId::new(low as usize)),
            (0, 0) => PointerBase::Null,
            (0, 1) => PointerBase::Raw,
            _ => PointerBase::Object(ObjectRef {
                slot: low.wrapping_sub(2),
                generation,
            }),
        };
        Pointer { base, offset }
    }
}

/// The value of a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ScalarValue {
    /// An integer.
    Int(BitVec),
    /// A float.
    Float(Float),
    /// A pointer.
    Pointer(Pointer),
}

impl ScalarValue {
    /// Zero, +0 or null.
    pub fn zero(ty: Type) -> Self {
        match ty {
            Type::Int(width) => ScalarValue::Int(BitVec::zero(width)),
            Type::Float(format) => ScalarValue::Float(Float::zero(format, false)),
            Type::Pointer => ScalarValue::Pointer(Pointer::NULL),
        }
    }

    /// A truth value.
    pub fn bool(value: bool) -> Self {
        ScalarValue::Int(BitVec::from_bool(value))
    }

    /// Its type.
    pub fn ty(&self) -> Type {
        match self {
            ScalarValue::Int(value) => Type::Int(value.width()),
            ScalarValue::Float(value) => Type::Float(value.format()),
            ScalarValue::Pointer(_) => Type::Pointer,
        }
    }

    /// The integer, where it is one.
    pub fn as_int(&self) -> Option<&BitVec> {
        match self {
            ScalarValue::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The float, where it is one.
    pub fn as_float(&self) -> Option<&Float> {
        match self {
            ScalarValue::Float(value) => Some(value),
            _ => None,
        }
    }

    /// The pointer, where it is one.
    pub fn as_pointer(&self) -> Option<Pointer> {
        match self {
            ScalarValue::Pointer(value) => Some(*value),
            _ => None,
        }
    }
}

/// The ones of a word of that many bits, at most 64.
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}
