//! The debugging information entries of a file, with the attributes that matter here.
//!
//! Invariant: an entry's parent and children are indices into the list, and parents come before their
//! children.

use std::collections::HashMap;
use std::ops::Range;

use gimli::{Attribute, AttributeValue, DwAte, DwTag, Operation};

use super::super::DebugError;
use super::super::builder::Builder;
use super::{Dwarf, Files, INFO, LONGEST_CHAIN, Slice, Unit};

/// More entries than this are no program's for an AVR.
const MOST_ENTRIES: usize = 1 << 20;

/// The place of what is described in another section or file.
pub(super) const ELSEWHERE: usize = usize::MAX;

/// An entry.
#[derive(Debug, Default)]
pub(super) struct Entry<'data> {
    tag: Option<DwTag>,
    /// Place in the section.
    pub(super) offset: usize,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    /// Main file of the unit.
    pub(super) main_file: Option<usize>,
    pub(super) name: Option<&'data [u8]>,
    /// Places of the type, and of the entry that this one completes.
    pub(super) type_: Option<usize>,
    pub(super) origin: Option<usize>,
    pub(super) file: Option<usize>,
    pub(super) line: Option<u32>,
    pub(super) external: bool,
    pub(super) declaration: bool,
    /// Whether the unit is written in assembly language.
    pub(super) is_assembly: bool,
    /// Address of a variable, as the linker has it.
    pub(super) address: Option<u32>,
    /// Code.
    pub(super) ranges: Vec<Range<u32>>,
    pub(super) size: Option<u32>,
    pub(super) encoding: Option<DwAte>,
    /// Enumerator.
    pub(super) value: Option<i64>,
    /// Bounds of an array's indices, or their number.
    pub(super) lower: Option<i64>,
    pub(super) upper: Option<i64>,
    pub(super) count: Option<i64>,
    /// Member: byte, bits from the most significant one, bits from the record's start, width.
    pub(super) place: Option<i64>,
    pub(super) bit_offset: Option<i64>,
    pub(super) data_bit_offset: Option<i64>,
    pub(super) bit_size: Option<i64>,
}

/// All entries.
#[derive(Debug, Default)]
pub(super) struct Entries<'data> {
    pub(super) list: Vec<Entry<'data>>,
    at: HashMap<usize, usize>,
}

impl<'data> Entries<'data> {
    /// The entry at a place in the section.
    pub(super) fn get(&self, offset: usize) -> Option<usize> {
        self.at.get(&offset).copied()
    }

    /// The first answer among an entry and those that it completes.
    pub(super) fn find<T>(
        &self,
        entry: &Entry<'data>,
        ask: impl Fn(&Entry<'data>) -> Option<T>,
    ) -> Option<T> {
        let mut entry = entry;
        for _ in 0..LONGEST_CHAIN {
            if let Some(answer) = ask(entry) {
                return Some(answer);
            }
            entry = &self.list[self.get(entry.origin?)?];
        }
        None
    }

    pub(super) fn name(&self, entry: &Entry<'data>) -> Option<String> {
        let name = self.find(entry, |entry| entry.name)?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    /// Reads the entries of a unit.
    pub(super) fn read_unit(
        &mut self,
        dwarf: &Dwarf<'data>,
        unit: &Unit<'data>,
        files: &Files,
        builder: &mut Builder,
    ) -> Result<(), DebugError> {
        let start = unit.header.offset().0;
        // The entries that enclose the current one, the innermost last.
        let mut enclosing: Vec<usize> = Vec::new();
        let mut cursor = unit.entries();
        loop {
            let place = start.saturating_add(cursor.next_offset().0);
            let corrupt = |error: gimli::Error| DebugError::new(INFO, place, error);
            let Some(die) = cursor.next_dfs().map_err(corrupt)? else {
                return Ok(());
            };
            let index = self.list.len();
            if index >= MOST_ENTRIES {
                return Err(DebugError::new(INFO, place, "too many entries"));
            }
            enclosing.truncate(usize::try_from(die.depth()).unwrap_or(0));
            let offset = start.saturating_add(die.offset().0);
            let mut entry = Entry {
                tag: Some(die.tag()),
                offset,
                parent: enclosing.last().copied(),
                main_file: files.main,
                ..Entry::default()
            };
            let mut code = Code::default();
            for attribute in die.attrs() {
                entry
                    .attribute(dwarf, unit, files, attribute, &mut code)
                    .map_err(|error| DebugError::new(INFO, offset, error))?;
            }
            entry.code(&code);
            let text = entry.name.map_or(0, <[u8]>::len);
            builder.spend(INFO, offset, text)?;
            if let Some(parent) = entry.parent {
                self.list[parent].children.push(index);
            }
            enclosing.push(index);
            self.at.insert(offset, index);
            self.list.push(entry);
        }
    }
}

/// The parts of a simple range of code.
#[derive(Debug, Default)]
struct Code {
    low: Option<u64>,
    high: Option<u64>,
    length: Option<u64>,
}

impl<'data> Entry<'data> {
    /// What the entry describes.
    pub(super) fn tag(&self) -> DwTag {
        self.tag.unwrap_or(gimli::DW_TAG_null)
    }

    fn attribute(
        &mut self,
        dwarf: &Dwarf<'data>,
        unit: &Unit<'data>,
        files: &Files,
        attribute: &Attribute<Slice<'data>>,
        code: &mut Code,
    ) -> gimli::Result<()> {
        let value = attribute.value();
        match attribute.name() {
            gimli::DW_AT_name => self.name = Some(dwarf.attr_string(unit, value)?.slice()),
            gimli::DW_AT_type => self.type_ = reference(unit, &value),
            gimli::DW_AT_specification | gimli::DW_AT_abstract_origin => {
                self.origin = reference(unit, &value)
            }
            gimli::DW_AT_decl_file => {
                if let AttributeValue::FileIndex(number) = value {
                    self.file = files.get(number);
                }
            }
            gimli::DW_AT_decl_line => {
                self.line = value.udata_value().and_then(|line| u32::try_from(line).ok());
            }
            gimli::DW_AT_external => self.external = value == AttributeValue::Flag(true),
            gimli::DW_AT_declaration => self.declaration = value == AttributeValue::Flag(true),
            gimli::DW_AT_language => {
                self.is_assembly = value == AttributeValue::Language(gimli::DW_LANG_Mips_Assembler);
            }
            gimli::DW_AT_location => self.address = address(unit, attribute)?,
            gimli::DW_AT_low_pc => code.low = dwarf.attr_address(unit, value)?,
            gimli::DW_AT_high_pc => match value {
                AttributeValue::Udata(length) => code.length = Some(length),
                _ => code.high = dwarf.attr_address(unit, value)?,
            },
            gimli::DW_AT_ranges => {
                if let Some(mut ranges) = dwarf.attr_ranges(unit, value)? {
                    while let Some(range) = ranges.next()? {
                        self.range(range.begin, range.end);
                    }
                }
            }
            gimli::DW_AT_byte_size => {
                self.size = value.udata_value().and_then(|size| u32::try_from(size).ok());
            }
            gimli::DW_AT_encoding => {
                if let AttributeValue::Encoding(encoding) = value {
                    self.encoding = Some(encoding);
                }
            }
            gimli::DW_AT_const_value => self.value = number(&value),
            gimli::DW_AT_lower_bound => self.lower = number(&value),
            gimli::DW_AT_upper_bound => self.upper = number(&value),
            gimli::DW_AT_count => self.count = number(&value),
            gimli::DW_AT_data_member_location => self.place = member_location(unit, attribute)?,
            gimli::DW_AT_bit_offset => self.bit_offset = number(&value),
            gimli::DW_AT_data_bit_offset => self.data_bit_offset = number(&value),
            gimli::DW_AT_bit_size => self.bit_size = number(&value),
            _ => {}
        }
        Ok(())
    }

    fn code(&mut self, code: &Code) {
        if let Some(low) = code.low {
            let length = code.length.map(|length| low.saturating_add(length));
            if let Some(high) = length.or(code.high) {
                self.range(low, high);
            }
        }
    }

    fn range(&mut self, start: u64, end: u64) {
        if let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end))
            && start <= end
        {
            self.ranges.push(start..end);
        }
    }
}

/// The place in the section that an attribute refers to.
fn reference(unit: &Unit<'_>, value: &AttributeValue<Slice<'_>>) -> Option<usize> {
    match value {
        AttributeValue::UnitRef(offset) => unit.header.offset().0.checked_add(offset.0),
        AttributeValue::DebugInfoRef(offset) => Some(offset.0),
        _ => Some(ELSEWHERE),
    }
}

/// A constant. Compilers write one with a sign as such, and the fixed forms for those without.
fn number(value: &AttributeValue<Slice<'_>>) -> Option<i64> {
    match *value {
        AttributeValue::Data1(value) => Some(i64::from(value)),
        AttributeValue::Data2(value) => Some(i64::from(value)),
        AttributeValue::Data4(value) => Some(i64::from(value)),
        AttributeValue::Data8(value) | AttributeValue::Udata(value) => Some(value.cast_signed()),
        AttributeValue::Sdata(value) => Some(value),
        _ => None,
    }
}

/// The address of a variable that has the same one always.
fn address(unit: &Unit<'_>, attribute: &Attribute<Slice<'_>>) -> gimli::Result<Option<u32>> {
    let Some(expression) = attribute.exprloc_value() else {
        return Ok(None);
    };
    let mut operations = expression.operations(unit.encoding());
    let first = operations.next()?;
    Ok(match (first, operations.next()?) {
        (Some(Operation::Address { address }), None) => u32::try_from(address).ok(),
        _ => None,
    })
}

/// The byte of a member: a constant, in version 2 a sum with the record's address.
fn member_location(unit: &Unit<'_>, attribute: &Attribute<Slice<'_>>) -> gimli::Result<Option<i64>> {
    if let Some(place) = number(&attribute.value()) {
        return Ok(Some(place));
    }
    let Some(expression) = attribute.exprloc_value() else {
        return Ok(None);
    };
    let first = expression.operations(unit.encoding()).next()?;
    Ok(match first {
        Some(Operation::PlusConstant { value }) => i64::try_from(value).ok(),
        _ => None,
    })
}
