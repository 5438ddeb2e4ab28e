//! What C types are made of, for the objects that a function's pointers lead to.
//!
//! Invariant: every walk through a type ends, also where debug information goes in circles.

use kripke_elts::{CType, CTypeId};

use super::Translator;

/// Names of types and qualifiers that are looked through.
const DEPTH_LIMIT: usize = 64;

impl Translator<'_> {
    pub(super) fn plain_type(&self, c_type: CTypeId) -> CTypeId {
        self.tables.c_types.plain(c_type)
    }

    pub(super) fn type_content(&self, c_type: CTypeId) -> &CType {
        &self.tables.c_types[self.plain_type(c_type)]
    }

    pub(super) fn pointee_type(&self, c_type: CTypeId) -> Option<CTypeId> {
        self.tables.c_types.pointee(c_type)
    }

    pub(super) fn is_function_type(&self, c_type: CTypeId) -> bool {
        matches!(self.type_content(c_type), CType::Function)
    }

    pub(super) fn is_record_type(&self, c_type: CTypeId) -> bool {
        matches!(self.type_content(c_type), CType::Record { .. })
    }

    pub(super) fn is_restrict_type(&self, mut c_type: CTypeId) -> bool {
        for _ in 0..DEPTH_LIMIT {
            match self.tables.c_types.get(c_type) {
                Some(CType::Qualified { qualifier, .. }) if qualifier == "restrict" => return true,
                Some(CType::Typedef { of, .. } | CType::Qualified { of, .. }) => c_type = *of,
                _ => return false,
            }
        }
        false
    }

    /// The element of the flexible array that ends a record.
    pub(super) fn flexible_element(&self, c_type: CTypeId) -> Option<CTypeId> {
        let CType::Record {
            union: false,
            members,
            ..
        } = self.type_content(c_type)
        else {
            return None;
        };
        match self.type_content(members.last()?.c_type) {
            CType::Array { element, count: 0 } => Some(*element),
            _ => None,
        }
    }

    /// Bytes of an object of the type; `void` counts as a byte.
    pub(super) fn bytes_of_type(&self, c_type: CTypeId) -> u64 {
        let (mut count, mut at) = (1u64, c_type);
        for _ in 0..DEPTH_LIMIT {
            let one = match self.type_content(at) {
                CType::Base { bits, .. } | CType::Enum { bits, .. } => u64::from(bits.div_ceil(8)),
                CType::Pointer { .. } => u64::from(self.data_model.pointer_width / 8),
                CType::Record { bytes, .. } => *bytes,
                CType::Array { element, count: more } => {
                    count = count.saturating_mul(*more);
                    at = *element;
                    continue;
                }
                _ => 1,
            };
            return count.saturating_mul(one);
        }
        0
    }
}
