//! From entries that describe types to types of the result.
//!
//! Idea: type definitions and qualifiers are passed through; types are made from a list of work, as they may
//! be cyclic.

use std::collections::HashMap;

use super::super::builder::Builder;
use super::super::{DebugError, Field, Type, TypeId};
use super::INFO;
use super::entries::{ELSEWHERE, Entries, Entry};

/// Bytes of a pointer whose entry does not say.
const POINTER: u32 = 2;
/// Longer chains of type definitions are no program's.
const LONGEST_CHAIN: usize = 1000;

/// Makes types, each once.
pub(super) struct Resolver<'a, 'data> {
    entries: &'a Entries<'data>,
    builder: &'a mut Builder,
    known: HashMap<usize, TypeId>,
    work: Vec<(usize, TypeId)>,
}

impl<'a, 'data> Resolver<'a, 'data> {
    pub(super) fn new(entries: &'a Entries<'data>, builder: &'a mut Builder) -> Self {
        Self {
            entries,
            builder,
            known: HashMap::new(),
            work: Vec::new(),
        }
    }

    /// Adds the enumerators of all enumerations, also of those that no variable has.
    pub(super) fn enumerators(&mut self) {
        for entry in &self.entries.list {
            if entry.tag() == gimli::DW_TAG_enumeration_type {
                let enumerators = self.enumerators_of(entry);
                self.builder.enumerators(&enumerators);
            }
        }
    }

    /// The type that the entry at a place describes; none is `void`.
    pub(super) fn type_of(&mut self, place: Option<usize>) -> Result<TypeId, DebugError> {
        let id = self.id(place)?;
        while let Some((index, id)) = self.work.pop() {
            let type_ = self.composite(index)?;
            self.builder.define(id, type_);
        }
        Ok(id)
    }

    fn id(&mut self, place: Option<usize>) -> Result<TypeId, DebugError> {
        let Some(index) = self.target(place)? else {
            return Ok(self.builder.intern(Type::Void));
        };
        if let Some(id) = self.known.get(&index) {
            return Ok(*id);
        }
        let entry = &self.entries.list[index];
        let id = match self.simple(entry)? {
            Some(type_) => self.builder.intern(type_),
            None => {
                let id = self.builder.reserve(INFO, entry.offset)?;
                self.work.push((index, id));
                id
            }
        };
        self.known.insert(index, id);
        Ok(id)
    }

    /// The entry behind type definitions and qualifiers.
    fn target(&self, place: Option<usize>) -> Result<Option<usize>, DebugError> {
        let mut place = place;
        for _ in 0..LONGEST_CHAIN {
            let Some(offset) = place else {
                return Ok(None);
            };
            let Some(index) = self.entries.get(offset) else {
                return Err(self.missing(offset));
            };
            let entry = &self.entries.list[index];
            match entry.tag() {
                gimli::DW_TAG_typedef
                | gimli::DW_TAG_const_type
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_restrict_type
                | gimli::DW_TAG_atomic_type
                | gimli::DW_TAG_subrange_type => place = entry.type_,
                _ => return Ok(Some(index)),
            }
        }
        let offset = place.unwrap_or(0);
        Err(DebugError::new(INFO, offset, "the type is defined by itself"))
    }

    fn missing(&self, offset: usize) -> DebugError {
        let reason = match offset {
            ELSEWHERE => "a type is in another section; compile without -fdebug-types-section",
            _ => "a type is expected here",
        };
        DebugError::new(INFO, offset, reason)
    }

    /// The type of an entry that refers to no other.
    fn simple(&self, entry: &Entry<'data>) -> Result<Option<Type>, DebugError> {
        let size = entry.size.unwrap_or(0);
        Ok(Some(match entry.tag() {
            gimli::DW_TAG_base_type => self.base(entry),
            gimli::DW_TAG_enumeration_type => {
                let enumerators = self.enumerators_of(entry);
                let underlying = self.target(entry.type_)?;
                let underlying = underlying.map(|index| self.base(&self.entries.list[index]));
                let is_signed = matches!(underlying, Some(Type::Integer { signed: true, .. }));
                Type::Enum {
                    name: self.entries.name(entry),
                    size,
                    signed: is_signed || enumerators.iter().any(|(_, value)| *value < 0),
                    enumerators,
                }
            }
            gimli::DW_TAG_subroutine_type | gimli::DW_TAG_subprogram => Type::Function,
            gimli::DW_TAG_unspecified_type => Type::Void,
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type
            | gimli::DW_TAG_array_type
            | gimli::DW_TAG_structure_type
            | gimli::DW_TAG_class_type
            | gimli::DW_TAG_union_type => return Ok(None),
            _ => Type::Unknown { size },
        }))
    }

    fn base(&self, entry: &Entry<'data>) -> Type {
        let size = entry.size.unwrap_or(0);
        let name = || self.entries.name(entry).unwrap_or_default();
        let integer = |signed| Type::Integer {
            name: name(),
            size,
            signed,
        };
        match entry.encoding {
            Some(gimli::DW_ATE_signed | gimli::DW_ATE_signed_char) => integer(true),
            Some(gimli::DW_ATE_unsigned | gimli::DW_ATE_unsigned_char | gimli::DW_ATE_UTF) => integer(false),
            Some(gimli::DW_ATE_boolean) => Type::Boolean { size },
            Some(gimli::DW_ATE_float) => Type::Float { size },
            _ => Type::Unknown { size },
        }
    }

    fn enumerators_of(&self, entry: &Entry<'data>) -> Vec<(String, i64)> {
        let children = entry.children.iter().map(|child| &self.entries.list[*child]);
        children
            .filter(|child| child.tag() == gimli::DW_TAG_enumerator)
            .filter_map(|child| Some((self.entries.name(child)?, child.value?)))
            .collect()
    }

    fn composite(&mut self, index: usize) -> Result<Type, DebugError> {
        let entry = &self.entries.list[index];
        Ok(match entry.tag() {
            gimli::DW_TAG_array_type => self.array(entry)?,
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
                Type::Record {
                    name: self.entries.name(entry),
                    size: entry.size.unwrap_or(0),
                    is_union: entry.tag() == gimli::DW_TAG_union_type,
                    fields: self.fields(entry)?,
                }
            }
            _ => Type::Pointer {
                size: entry.size.unwrap_or(POINTER),
                target: self.id(entry.type_)?,
            },
        })
    }

    /// An array of as many dimensions as there are ranges of indices.
    fn array(&mut self, entry: &Entry<'data>) -> Result<Type, DebugError> {
        let element = self.id(entry.type_)?;
        let mut element = self.builder.object(element);
        let children = entry.children.iter().map(|child| &self.entries.list[*child]);
        let ranges = children.filter(|child| child.tag() == gimli::DW_TAG_subrange_type);
        let mut counts = Vec::new();
        for range in ranges {
            let bounds = range.upper.filter(|upper| *upper != i64::from(u32::MAX));
            let bounds = bounds.map(|upper| upper.saturating_sub(range.lower.unwrap_or(0)).saturating_add(1));
            let count = range.count.or(bounds).unwrap_or(0).max(0);
            counts.push(
                u32::try_from(count)
                    .map_err(|_| DebugError::new(INFO, range.offset, "the array is too large"))?,
            );
        }
        let outermost = counts.first().copied().unwrap_or(0);
        for count in counts.into_iter().skip(1).rev() {
            let id = self.builder.reserve(INFO, entry.offset)?;
            self.builder.define(id, Type::Array { element, count });
            element = id;
        }
        Ok(Type::Array {
            element,
            count: outermost,
        })
    }

    fn fields(&mut self, entry: &Entry<'data>) -> Result<Vec<Field>, DebugError> {
        let mut fields = Vec::new();
        for child in &entry.children {
            let child = &self.entries.list[*child];
            let is_base = child.tag() == gimli::DW_TAG_inheritance;
            let is_static = child.external || child.declaration;
            if is_base || (child.tag() == gimli::DW_TAG_member && !is_static) {
                fields.push(self.field(child)?);
            }
        }
        Ok(fields)
    }

    fn field(&mut self, member: &Entry<'data>) -> Result<Field, DebugError> {
        let type_ = self.id(member.type_)?;
        let type_ = self.builder.object(type_);
        let type_size = self.builder.size_of(type_);
        let byte = member.place.unwrap_or(0);
        let width = member.bit_size.unwrap_or(0);
        // The old attribute counts from the most significant bit of the unit that holds the field.
        let unit = i64::from(member.size.unwrap_or(type_size));
        let old = |offset: i64| unit.checked_mul(8)?.checked_sub(offset)?.checked_sub(width);
        let in_byte = match (member.data_bit_offset, member.bit_offset) {
            (Some(offset), _) => Some(offset),
            (None, Some(offset)) => old(offset),
            (None, None) => Some(0),
        };
        let place = in_byte.and_then(|bits| byte.checked_mul(8)?.checked_add(bits));
        let place = place.and_then(|place| u32::try_from(place).ok());
        let (Some(place), Ok(width)) = (place, u32::try_from(width)) else {
            return Err(DebugError::new(
                INFO,
                member.offset,
                "the field lies outside its record",
            ));
        };
        let is_whole = width == type_size.saturating_mul(8) && place % 8 == 0;
        Ok(Field {
            name: self.entries.name(member).unwrap_or_default(),
            offset: place / 8,
            bits: (width != 0 && !is_whole).then_some((place % 8, width)),
            type_,
        })
    }
}
