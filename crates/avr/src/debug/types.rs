//! Sizes of types that may be cyclic.

use super::{Type, TypeId};

/// Bytes of a value of a type. An array of arrays of itself, which no compiler writes, has 0.
pub(super) fn size_of(types: &[Type], id: TypeId) -> u32 {
    let mut id = id;
    let mut count: u32 = 1;
    for _ in 0..=types.len() {
        let size = match types.get(id.0) {
            None | Some(Type::Void | Type::Function) => 0,
            Some(
                Type::Integer { size, .. }
                | Type::Boolean { size }
                | Type::Float { size }
                | Type::Pointer { size, .. }
                | Type::Record { size, .. }
                | Type::Enum { size, .. }
                | Type::Unknown { size },
            ) => *size,
            Some(Type::Array {
                element,
                count: inner,
            }) => {
                count = count.saturating_mul(*inner);
                id = *element;
                if count == 0 {
                    return 0;
                }
                continue;
            }
        };
        return count.saturating_mul(size);
    }
    0
}
