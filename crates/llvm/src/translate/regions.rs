//! Parts of objects that an access certainly stays inside.
//!
//! Idea: a global and an object of this function are regions; so is the element that `a[i]` selects in
//! one, once clang's sanitizer has checked `i`. An access at a constant offset inside a region needs no
//! check of its own: the bounds property already says all there is to say.
//!
//! Invariant: a region's object certainly lives where the region is used, and the check of the index lies on
//! every path to its use (the chain of only predecessors).

use kripke_elts::{Expr, VariableId};
use kripke_model::PropertyKind;

use crate::ir::{CastOp, Constant, Instruction, InstructionKind, Predicate, Type, Value};

use super::expressions::split_pointer;
use super::function::FunctionTranslator;
use super::memory::align_at;

/// How many blocks before an access its index check is looked for.
const SEARCH_LIMIT: usize = 16;

/// A part of a live object.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// Size in bytes.
    pub size: u64,
    /// Alignment of its start.
    pub align: u64,
    /// False in constant data.
    pub writable: bool,
    /// For a part of an object of the function: the temporary that holds the object's address.
    pub object: Option<VariableId>,
}

impl<'m> FunctionTranslator<'_, 'm> {
    /// The region that a pointer certainly points into or to the end of, and its offset there.
    pub fn region_of(&self, pointer: &Expr) -> Option<(Region, u64)> {
        let (root, offset) = split_pointer(pointer);
        let offset = u64::try_from(offset).ok()?;
        let region = match root {
            Expr::GlobalAddress(id) => {
                let global = &self.unit.globals[*id];
                Region {
                    size: global.size,
                    align: u64::from(global.align),
                    writable: !global.constant,
                    object: None,
                }
            }
            Expr::Variable(variable) => match self.objects.get(variable) {
                Some(object) => Region {
                    size: object.size?,
                    align: object.align,
                    writable: true,
                    object: Some(*variable),
                },
                None => *self.elements.get(variable)?,
            },
            _ => return None,
        };
        let slot = region
            .object
            .and_then(|object| self.objects.get(&object)?.slot.as_deref());
        let lives = slot.is_none_or(|slot| self.scopes.lives(slot) && self.block_objects.lives(slot));
        lives.then_some((region, offset))
    }

    /// Remembers the element that `getelementptr [N x T], base, 0, index` selects, where the index was
    /// checked to be below N.
    pub fn record_element(&mut self, name: &str, element: &Type, base: &Expr, indices: &'m [(Type, Value)]) {
        let [(_, Value::Constant(Constant::Int(first))), (_, index)] = indices else {
            return;
        };
        let Type::Array(count, inner) = self.types.resolve(element).clone() else {
            return;
        };
        let Some([Expr::Variable(result)]) = self.values.get(name).map(Vec::as_slice) else {
            return;
        };
        let result = *result;
        if &**first != "0" || self.objects.contains_key(&result) {
            return;
        }
        let Some((region, offset)) = self.region_of(base) else {
            return;
        };
        let size = self.types.alloc_size(&inner);
        let whole = count
            .checked_mul(size)
            .and_then(|bytes| bytes.checked_add(offset));
        if size == 0 || whole.is_none_or(|end| end > region.size) || !self.is_checked(index, count) {
            return;
        }
        let align = align_at(align_at(region.align, offset), size);
        self.elements.insert(
            result,
            Region {
                size,
                align,
                ..region
            },
        );
    }

    /// True when an assertion on every path here says that the index is below the count.
    fn is_checked(&mut self, index: &'m Value, count: u64) -> bool {
        if !self.unit.checks(PropertyKind::Bounds) || self.in_library {
            return false;
        }
        let Some(wanted) = self.extended(index) else {
            return false;
        };
        let mut at = self.current_block;
        for _ in 0..SEARCH_LIMIT {
            let Some(before) = self.only_predecessor.get(at).copied().flatten() else {
                return false;
            };
            let function = self.function;
            if let Some(terminator) = function.blocks[before].instructions.last()
                && self.is_index_check(terminator, wanted, count)
            {
                return true;
            }
            at = before;
        }
        false
    }

    fn is_index_check(&mut self, terminator: &'m Instruction, wanted: (&str, bool), count: u64) -> bool {
        let InstructionKind::ConditionalBranch {
            condition: Value::Local(condition),
            otherwise,
            ..
        } = &terminator.kind
        else {
            return false;
        };
        let Some(InstructionKind::Compare {
            predicate: Predicate::Ult,
            left,
            right: Value::Constant(Constant::Int(limit)),
            ..
        }) = self
            .definitions
            .get(&**condition)
            .map(|definition| &definition.kind)
        else {
            return false;
        };
        let is_within = limit.parse::<u64>().is_ok_and(|limit| limit <= count);
        is_within
            && self.extended(left) == Some(wanted)
            && self
                .failure_of(otherwise)
                .is_some_and(|failure| failure.kind == PropertyKind::Bounds)
    }

    /// The SSA value that an index is the extension of, and whether the sign was extended.
    fn extended<'v>(&'v self, value: &'v Value) -> Option<(&'m str, bool)>
    where
        'm: 'v,
    {
        let Value::Local(name) = value else { return None };
        let (own, definition) = self.definitions.get_key_value(&**name)?;
        match &definition.kind {
            InstructionKind::Cast {
                op: op @ (CastOp::SExt | CastOp::ZExt),
                value: Value::Local(inner),
                ..
            } => {
                let inner = self.definitions.get_key_value(&**inner).map(|entry| *entry.0);
                inner.map(|inner| (inner, *op == CastOp::SExt))
            }
            _ => Some((own, false)),
        }
    }
}
