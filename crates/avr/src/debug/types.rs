//! Sizes of types that may be cyclic.

use super::{Type, TypeId};

/// Arrays of more dimensions are no program's, but perhaps arrays of themselves.
const MOST_DIMENSIONS: usize = 64;

/// Bytes of a value of a type; 0 for an array of too many dimensions.
pub(super) fn size_of(types: &[Type], id: TypeId) -> u32 {
    let mut id = id;
    let mut count: u32 = 1;
    for _ in 0..=MOST_DIMENSIONS {
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
