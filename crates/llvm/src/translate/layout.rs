//! Sizes, alignments and offsets: the module's `target datalayout` string applied to its types.
//!
//! Idea: [`DataLayout`] is the parsed string, [`Types`] joins it with a module's named types and answers
//! every layout question of the translation, among them how a first-class value splits into scalars
//! ([`Leaf`]).
//!
//! Invariant: the answers are those LLVM's own `DataLayout` gives, so that offsets which clang folded
//! into constants agree with the ones computed here.
//!
//! Source: LLVM language reference, "Data Layout", with its defaults.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use kripke_elts::Type as Scalar;
use kripke_value::FloatFormat;
use rustc_hash::FxHashMap;

use crate::Error;
use crate::ir::Type;

use super::{Step, unsupported};

/// A first-class value of more scalars than this is not split.
const LEAF_LIMIT: u64 = 4096;

/// A parsed `target datalayout`.
#[derive(Clone, Debug)]
pub struct DataLayout {
    /// True when the byte at the lowest address is the most significant.
    pub big_endian: bool,
    /// Size in bits and alignment in bytes of a pointer, by address space.
    pointers: BTreeMap<u32, (u32, u64)>,
    integers: BTreeMap<u32, u64>,
    floats: BTreeMap<u32, u64>,
    vectors: BTreeMap<u32, u64>,
    aggregate: u64,
}

impl DataLayout {
    /// Parses the string; what it leaves out has LLVM's default.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut layout = DataLayout {
            big_endian: false,
            pointers: BTreeMap::from([(0, (64, 8))]),
            integers: BTreeMap::from([(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)]),
            floats: BTreeMap::from([(16, 2), (32, 4), (64, 8), (128, 16)]),
            vectors: BTreeMap::from([(64, 8), (128, 16)]),
            aggregate: 1,
        };
        for item in text.split('-').filter(|item| !item.is_empty()) {
            layout.read_item(item).ok_or_else(|| Error::Translate {
                message: format!(
                    "the module's data layout `{text}` has an item that cannot be read: `{item}`"
                ),
            })?;
        }
        Ok(layout)
    }

    fn read_item(&mut self, item: &str) -> Option<()> {
        let (head, rest) = item.split_at_checked(1)?;
        let mut fields = rest.split(':');
        let first = fields.next()?;
        match head {
            "e" if rest.is_empty() => self.big_endian = false,
            "E" if rest.is_empty() => self.big_endian = true,
            "p" => {
                let space = if first.is_empty() { 0 } else { first.parse().ok()? };
                let size = fields.next()?.parse().ok()?;
                let align = match fields.next() {
                    Some(bits) => bytes(bits)?,
                    None => (u64::from(size) / 8).next_power_of_two(),
                };
                self.pointers.insert(space, (size, align));
            }
            "i" => {
                self.integers.insert(first.parse().ok()?, bytes(fields.next()?)?);
            }
            "f" => {
                self.floats.insert(first.parse().ok()?, bytes(fields.next()?)?);
            }
            "v" => {
                self.vectors.insert(first.parse().ok()?, bytes(fields.next()?)?);
            }
            "a" => {
                let abi = fields.next()?;
                self.aggregate = bytes(abi)?.max(1);
            }
            _ => {}
        }
        Some(())
    }

    /// Width of a pointer of an address space.
    pub fn pointer_bits(&self, space: u32) -> u32 {
        self.pointers.get(&space).unwrap_or(&self.pointers[&0]).0
    }

    fn pointer_align(&self, space: u32) -> u64 {
        self.pointers.get(&space).unwrap_or(&self.pointers[&0]).1
    }

    fn integer_align(&self, bits: u32) -> u64 {
        let wider = self.integers.range(bits..).next();
        wider
            .or_else(|| self.integers.iter().next_back())
            .map_or(1, |entry| *entry.1)
            .max(1)
    }

    fn float_align(&self, bits: u32) -> u64 {
        match self.floats.get(&bits) {
            Some(align) => (*align).max(1),
            None => u64::from(bits.div_ceil(8)).next_power_of_two(),
        }
    }
}

/// An alignment: a power of two, or 0 where there is none.
fn bytes(bits: &str) -> Option<u64> {
    let bytes = bits.parse::<u64>().ok()? / 8;
    (bytes == 0 || bytes.is_power_of_two()).then_some(bytes)
}

/// Rounds up to a multiple of `align`.
pub fn round_up(value: u64, align: u64) -> u64 {
    value.checked_next_multiple_of(align.max(1)).unwrap_or(u64::MAX)
}

/// A scalar inside a first-class value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its type in the program model.
    pub ty: Scalar,
    /// Byte offset in memory.
    pub offset: u64,
}

/// What is computed of a type from its members.
#[derive(Clone, Copy, Debug)]
struct Shape {
    bits: u64,
    align: u64,
    leaves: u64,
}

/// A module's types under a data layout.
///
/// What a named type's members come to is remembered: types that have the type before them twice each would
/// otherwise take time that doubles with each.
#[derive(Clone, Debug)]
pub struct Types<'m> {
    /// The data layout.
    pub layout: Rc<DataLayout>,
    /// The module's named types.
    pub names: &'m FxHashMap<Arc<str>, Type>,
    known: Rc<RefCell<FxHashMap<Arc<str>, Shape>>>,
}

impl<'m> Types<'m> {
    /// The types of a module.
    pub fn new(layout: Rc<DataLayout>, names: &'m FxHashMap<Arc<str>, Type>) -> Self {
        let known = Rc::default();
        Types { layout, names, known }
    }

    /// The type behind a name.
    pub fn resolve<'t>(&'t self, mut ty: &'t Type) -> &'t Type {
        while let Type::Named(name) = ty {
            match self.names.get(name) {
                Some(definition) => ty = definition,
                None => break,
            }
        }
        ty
    }

    /// Width of a data pointer.
    pub fn pointer_bits(&self) -> u32 {
        self.layout.pointer_bits(0)
    }

    fn shape(&self, ty: &Type) -> Shape {
        let Type::Named(name) = ty else {
            return self.computed_shape(ty);
        };
        if let Some(known) = self.known.borrow().get(name) {
            return *known;
        }
        let shape = self.computed_shape(self.resolve(ty));
        self.known.borrow_mut().insert(Arc::clone(name), shape);
        shape
    }

    fn computed_shape(&self, ty: &Type) -> Shape {
        Shape {
            bits: self.computed_bits(ty),
            align: self.computed_align(ty),
            leaves: self.computed_leaves(ty),
        }
    }

    /// Size in bits without padding at the end.
    pub fn bits(&self, ty: &Type) -> u64 {
        match ty {
            Type::Named(_) => self.shape(ty).bits,
            _ => self.computed_bits(ty),
        }
    }

    fn computed_bits(&self, ty: &Type) -> u64 {
        match ty {
            Type::Int(bits) => u64::from(*bits),
            Type::Half | Type::BFloat => 16,
            Type::Float => 32,
            Type::Double => 64,
            Type::X86Fp80 => 80,
            Type::Fp128 => 128,
            Type::Pointer(space) => u64::from(self.layout.pointer_bits(*space)),
            Type::Array(count, element) => count.saturating_mul(self.alloc_size(element)).saturating_mul(8),
            Type::Vector(count, element) => count.saturating_mul(self.bits(element)),
            Type::Struct { members, packed } => self.struct_layout(members, *packed).1.saturating_mul(8),
            _ => 0,
        }
    }

    /// Bytes that a store writes.
    pub fn store_size(&self, ty: &Type) -> u64 {
        self.bits(ty).div_ceil(8)
    }

    /// Distance of two neighbours in an array.
    pub fn alloc_size(&self, ty: &Type) -> u64 {
        round_up(self.store_size(ty), self.align(ty))
    }

    /// ABI alignment in bytes.
    pub fn align(&self, ty: &Type) -> u64 {
        match ty {
            Type::Named(_) => self.shape(ty).align,
            _ => self.computed_align(ty),
        }
    }

    fn computed_align(&self, ty: &Type) -> u64 {
        match ty {
            Type::Int(bits) => self.layout.integer_align(*bits),
            Type::Half | Type::BFloat => self.layout.float_align(16),
            Type::Float => self.layout.float_align(32),
            Type::Double => self.layout.float_align(64),
            Type::X86Fp80 => self.layout.float_align(80),
            Type::Fp128 => self.layout.float_align(128),
            Type::Pointer(space) => self.layout.pointer_align(*space).max(1),
            Type::Array(_, element) => self.align(element),
            Type::Vector(count, element) => {
                let bits = self.bits(ty);
                match u32::try_from(bits)
                    .ok()
                    .and_then(|bits| self.layout.vectors.get(&bits))
                {
                    Some(align) => (*align).max(1),
                    None => {
                        let size = count.saturating_mul(self.alloc_size(element));
                        size.checked_next_power_of_two().unwrap_or(1 << 63)
                    }
                }
            }
            Type::Struct { members, packed } => {
                if *packed {
                    return 1;
                }
                let members = members.iter().map(|member| self.align(member)).max();
                members.unwrap_or(1).max(self.layout.aggregate)
            }
            _ => 1,
        }
    }

    /// Offsets of a struct's members, and its size.
    pub fn struct_layout(&self, members: &[Type], packed: bool) -> (Vec<u64>, u64) {
        let mut offsets = Vec::with_capacity(members.len());
        let mut end = 0u64;
        let mut align = if packed { 1 } else { self.layout.aggregate };
        for member in members {
            let member_align = if packed { 1 } else { self.align(member) };
            align = align.max(member_align);
            end = round_up(end, member_align);
            offsets.push(end);
            end = end.saturating_add(self.alloc_size(member));
        }
        (offsets, round_up(end, align))
    }

    /// The scalar type of the program model, where this type is a scalar.
    pub fn scalar(&self, ty: &Type) -> Option<Scalar> {
        Some(match self.resolve(ty) {
            Type::Int(bits) => Scalar::Int(*bits),
            Type::Half => Scalar::Float(FloatFormat::Binary16),
            Type::Float => Scalar::Float(FloatFormat::Binary32),
            Type::Double => Scalar::Float(FloatFormat::Binary64),
            Type::X86Fp80 => Scalar::Float(FloatFormat::X87Extended),
            Type::Fp128 => Scalar::Float(FloatFormat::Binary128),
            Type::Pointer(_) => Scalar::Pointer,
            _ => return None,
        })
    }

    /// The scalars of a first-class value, in order.
    pub fn leaves(&self, ty: &Type) -> Step<Vec<Leaf>> {
        if self.leaf_count(ty) > LEAF_LIMIT {
            return unsupported(format!(
                "a value of {} scalars held in a register",
                self.leaf_count(ty)
            ));
        }
        let mut leaves = Vec::new();
        if self.leaf_count(ty) == 0 {
            return Ok(leaves);
        }
        self.collect_leaves(ty, 0, &mut leaves)?;
        Ok(leaves)
    }

    fn collect_leaves(&self, ty: &Type, offset: u64, leaves: &mut Vec<Leaf>) -> Step<()> {
        if let Some(ty) = self.scalar(ty) {
            leaves.push(Leaf { ty, offset });
            return Ok(());
        }
        match self.resolve(ty) {
            Type::Void => Ok(()),
            Type::Array(count, element) => {
                let size = self.alloc_size(element);
                (0..*count).try_for_each(|i| self.collect_leaves(element, offset + i * size, leaves))
            }
            Type::Vector(count, element) => {
                let size = self.store_size(element);
                (0..*count).try_for_each(|i| self.collect_leaves(element, offset + i * size, leaves))
            }
            Type::Struct { members, packed } => {
                let offsets = self.struct_layout(members, *packed).0;
                let mut members = members.iter().zip(offsets);
                members.try_for_each(|(member, at)| self.collect_leaves(member, offset + at, leaves))
            }
            Type::BFloat => unsupported("the type bfloat"),
            other => unsupported(format!("a value of type {}", describe(other))),
        }
    }

    /// How many scalars a first-class value has.
    pub fn leaf_count(&self, ty: &Type) -> u64 {
        match ty {
            Type::Named(_) => self.shape(ty).leaves,
            _ => self.computed_leaves(ty),
        }
    }

    fn computed_leaves(&self, ty: &Type) -> u64 {
        match ty {
            Type::Array(count, element) | Type::Vector(count, element) => {
                count.saturating_mul(self.leaf_count(element))
            }
            Type::Struct { members, .. } => members
                .iter()
                .fold(0, |sum: u64, member| sum.saturating_add(self.leaf_count(member))),
            Type::Void => 0,
            _ => 1,
        }
    }

    /// First scalar, number of scalars and type of what `path` selects in a value of type `ty`.
    pub fn select(&self, ty: &Type, path: &[u32]) -> Option<(usize, usize, Type)> {
        let mut at = self.resolve(ty).clone();
        let mut first = 0u64;
        for &index in path {
            let next = match &at {
                Type::Array(count, element) | Type::Vector(count, element) => {
                    if u64::from(index) >= *count {
                        return None;
                    }
                    let before = u64::from(index).saturating_mul(self.leaf_count(element));
                    first = first.saturating_add(before);
                    (**element).clone()
                }
                Type::Struct { members, .. } => {
                    let before = members.get(..index as usize)?;
                    let before = before.iter().map(|member| self.leaf_count(member));
                    first = before.fold(first, u64::saturating_add);
                    members.get(index as usize)?.clone()
                }
                _ => return None,
            };
            at = self.resolve(&next).clone();
        }
        Some((first as usize, self.leaf_count(&at) as usize, at))
    }
}

/// A type's kind, for messages.
pub fn describe(ty: &Type) -> String {
    match ty {
        Type::Named(name) => format!("%{name}"),
        Type::Other(text) => text.to_string(),
        Type::Int(bits) => format!("i{bits}"),
        Type::Function(_) => "function".to_owned(),
        Type::BFloat => "bfloat".to_owned(),
        _ => "aggregate".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X86_64: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
    const I386: &str =
        "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128";
    const ARM: &str = "e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64";
    const AVR: &str = "e-P1-p:16:8-i8:8-i16:8-i32:8-i64:8-f32:8-f64:8-n8-a:8";
    const MSP430: &str = "e-m:e-p:16:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16";
    const RISCV32: &str = "e-m:e-p:32:32-i64:64-n32-S128";

    fn mixed() -> Type {
        let members = [
            Type::Int(8),
            Type::Int(64),
            Type::Int(16),
            Type::Pointer(0),
            Type::X86Fp80,
        ];
        Type::Struct {
            members: Arc::from(members),
            packed: false,
        }
    }

    fn check(layout: &str, offsets: &[u64], size: u64, align: u64) {
        let names = FxHashMap::default();
        let types = Types::new(Rc::new(DataLayout::parse(layout).unwrap()), &names);
        let ty = mixed();
        let Type::Struct { members, packed } = &ty else {
            unreachable!()
        };
        assert_eq!(types.struct_layout(members, *packed), (offsets.to_vec(), size));
        assert_eq!(types.align(&ty), align);
    }

    #[test]
    fn struct_offsets_by_target() {
        check(X86_64, &[0, 8, 16, 24, 32], 48, 16);
        check(I386, &[0, 4, 12, 16, 20], 32, 4);
        check(ARM, &[0, 8, 16, 20, 32], 48, 16);
        check(AVR, &[0, 1, 9, 11, 16], 32, 16);
        check(MSP430, &[0, 2, 10, 12, 16], 32, 16);
        check(RISCV32, &[0, 8, 16, 20, 32], 48, 16);
    }

    #[test]
    fn wide_integers_take_the_largest_alignment_when_none_fits() {
        let names = FxHashMap::default();
        let at = |layout: &str, bits| {
            let types = Types::new(Rc::new(DataLayout::parse(layout).unwrap()), &names);
            (types.alloc_size(&Type::Int(bits)), types.align(&Type::Int(bits)))
        };
        assert_eq!(at("e-i64:64", 128), (16, 8));
        assert_eq!(at(X86_64, 128), (16, 16));
        assert_eq!(at(X86_64, 24), (4, 4));
        assert_eq!(at(X86_64, 1), (1, 1));
    }

    #[test]
    fn broken_layout_is_an_error() {
        assert!(DataLayout::parse("e-p:x:y").is_err());
        assert!(DataLayout::parse("e-i64").is_err());
    }
}
