//! The object of C that a data address belongs to, as small as it has a value: a variable, an element, a
//! member.

use super::{DebugInfo, Type, TypeId};

/// Arrays and structures inside each other, at the most: corrupt types may be cyclic.
const DEEPEST: usize = 32;

/// An object that is no array and no structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    /// As C writes it: `buffer[2].len`.
    pub name: String,
    /// Data address of its first byte.
    pub address: u32,
    /// Bytes.
    pub size: u32,
    /// Type.
    pub type_: TypeId,
}

impl DebugInfo {
    /// The object that a byte of static memory belongs to. Of a union it is the first member with a byte
    /// there; the storage of bit fields has no object.
    #[must_use]
    pub fn scalar_at(&self, address: u32, first_memory: u32) -> Option<Scalar> {
        let scalar = self.around(address, first_memory).pop()?;
        let is_whole = matches!(
            self.types.get(scalar.type_.0)?,
            Type::Array { .. } | Type::Record { .. }
        );
        (!is_whole && scalar.size > 0).then_some(scalar)
    }

    /// The innermost array that a byte of static memory belongs to.
    #[must_use]
    pub fn array_at(&self, address: u32, first_memory: u32) -> Option<Scalar> {
        let around = self.around(address, first_memory);
        let is_array = |one: &Scalar| matches!(self.types.get(one.type_.0), Some(Type::Array { .. }));
        around.into_iter().rev().find(is_array)
    }

    /// The variable that a byte of static memory belongs to, and its parts with that byte, the innermost
    /// last.
    fn around(&self, address: u32, first_memory: u32) -> Vec<Scalar> {
        let variable = self.variables.iter().find(|variable| {
            let end = variable.address + self.size_of(variable.type_);
            variable.address >= first_memory && (variable.address..end).contains(&address)
        });
        let whole = variable.map(|variable| Scalar {
            name: variable.name.clone(),
            address: variable.address,
            size: self.size_of(variable.type_),
            type_: variable.type_,
        });
        let parts = std::iter::successors(whole, |whole| self.part_at(whole, address));
        parts.take(DEEPEST).collect()
    }

    /// The element or member that a byte of an array or structure belongs to.
    fn part_at(&self, whole: &Scalar, address: u32) -> Option<Scalar> {
        let offset = address - whole.address;
        match self.types.get(whole.type_.0)? {
            Type::Array { element, .. } => {
                let size = self.size_of(*element);
                let index = offset.checked_div(size)?;
                Some(Scalar {
                    name: format!("{}[{index}]", whole.name),
                    address: whole.address + index * size,
                    size,
                    type_: *element,
                })
            }
            Type::Record { fields, .. } => {
                let field = fields.iter().find(|field| {
                    let end = field.offset + self.size_of(field.type_);
                    field.bits.is_none() && (field.offset..end).contains(&offset)
                })?;
                let name = match field.name.as_str() {
                    "" => whole.name.clone(),
                    member => format!("{}.{member}", whole.name),
                };
                Some(Scalar {
                    name,
                    address: whole.address + field.offset,
                    size: self.size_of(field.type_),
                    type_: field.type_,
                })
            }
            _ => None,
        }
    }

    /// The value of an object's bytes, the lowest first, as C would print it.
    #[must_use]
    pub fn value_text(&self, type_: TypeId, bytes: &[u8]) -> String {
        let unsigned = bytes
            .iter()
            .rev()
            .fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
        let shift = 64 - 8 * bytes.len().clamp(1, 8) as u32;
        let signed = (unsigned << shift) as i64 >> shift;
        let number = |is_signed: bool| match is_signed && signed < 0 {
            true => format!("{signed} ({unsigned:#x})"),
            false if unsigned < 10 => unsigned.to_string(),
            false => format!("{unsigned} ({unsigned:#x})"),
        };
        match self.types.get(type_.0) {
            Some(Type::Integer { signed, .. }) => number(*signed),
            Some(Type::Boolean { .. }) if unsigned < 2 => (unsigned == 1).to_string(),
            Some(Type::Float { size: 4 }) => f32::from_bits(unsigned as u32).to_string(),
            Some(Type::Enum {
                signed: is_signed,
                enumerators,
                ..
            }) => {
                let value = if *is_signed { signed } else { unsigned as i64 };
                let named = enumerators.iter().find(|(_, known)| *known == value);
                named.map_or_else(|| number(*is_signed), |(name, _)| name.clone())
            }
            Some(Type::Pointer { .. }) => format!("{unsigned:#06x}"),
            _ => number(false),
        }
    }
}
