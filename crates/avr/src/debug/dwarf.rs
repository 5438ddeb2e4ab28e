//! Debug information as DWARF, versions 2 to 5, decoded by the crate `gimli`.
//!
//! Idea: all entries of all units are read into one table first ([`entries`]), since an entry may refer to
//! any other; then functions and variables are taken from the table, and the types that variables have are
//! resolved from it ([`resolve`]). Line programs are run as they are met.
//!
//! Source: DWARF Debugging Information Format, versions 2 to 5. avr-gcc gives byte addresses in flash, and
//! data addresses from 0x800000 on.

mod entries;
mod resolve;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use gimli::{DwTag, EndianSlice, SectionId};
use object::LittleEndian;
use object::read::elf::ElfFile32;

use self::entries::{Entries, Entry};
use self::resolve::Resolver;
use super::builder::Builder;
use super::{DebugError, Function, Line, Variable, section};

type Slice<'data> = EndianSlice<'data, gimli::LittleEndian>;
type Dwarf<'data> = gimli::Dwarf<Slice<'data>>;
type Unit<'data> = gimli::Unit<Slice<'data>>;

const INFO: &str = ".debug_info";
const LINE: &str = ".debug_line";
/// More rows than this are no program's line table.
const MOST_ROWS: usize = 1 << 22;
/// Longest chain of references from an entry to the one that names it.
const LONGEST_CHAIN: usize = 8;

/// Reads the sections of DWARF, if there are any.
pub(super) fn read(file: &ElfFile32<'_, LittleEndian>, builder: &mut Builder) -> Result<(), DebugError> {
    let load =
        |id: SectionId| Ok::<_, DebugError>(Slice::new(section(file, id.name())?, gimli::LittleEndian));
    let dwarf = Dwarf::load(load)?;
    let mut entries = Entries::default();
    let mut programs = HashSet::new();
    let mut rows = 0;
    let mut units = dwarf.units();
    let mut offset = 0;
    while let Some(header) = units
        .next()
        .map_err(|error| DebugError::new(INFO, offset, error))?
    {
        offset = header.offset().0;
        let corrupt = |error: gimli::Error| DebugError::new(INFO, offset, error);
        let unit = dwarf.unit(header).map_err(corrupt)?;
        let files = Files::new(&dwarf, &unit, builder);
        let first = entries.list.len();
        entries.read_unit(&dwarf, &unit, &files, builder)?;
        let Some(program) = &unit.line_program else {
            continue;
        };
        if programs.insert(program.header().offset().0) {
            let at_zero = entries.list[first..]
                .iter()
                .any(|entry| is_at_zero(&entries, entry, builder));
            read_lines(&unit, &files, at_zero, &mut rows, builder)?;
        }
    }
    functions(&entries, builder);
    variables(&entries, builder)
}

/// The source files of a unit.
struct Files {
    main: Option<usize>,
    /// Indices in the result by the unit's file numbers.
    numbered: Vec<Option<usize>>,
}

impl Files {
    fn new(dwarf: &Dwarf<'_>, unit: &Unit<'_>, builder: &mut Builder) -> Self {
        let directory = unit.comp_dir.map(|bytes| path(&bytes));
        let directory = directory.as_deref();
        let main = unit.name.map(|bytes| builder.file(path(&bytes), directory));
        let mut numbered = Vec::new();
        if let Some(program) = &unit.line_program {
            let header = program.header();
            if header.version() < 5 {
                numbered.push(None);
            }
            for file in header.file_names() {
                let name = dwarf.attr_string(unit, file.path_name()).ok();
                let inside = (file.directory_index() != 0)
                    .then(|| file.directory(header))
                    .flatten();
                let inside = inside.and_then(|value| dwarf.attr_string(unit, value).ok());
                numbered.push(name.map(|name| {
                    let name = path(&name);
                    let name = match inside {
                        Some(inside) => path(&inside).join(name),
                        None => name,
                    };
                    builder.file(name, directory)
                }));
            }
        }
        Self { main, numbered }
    }

    fn get(&self, number: u64) -> Option<usize> {
        let number = usize::try_from(number).ok()?;
        *self.numbered.get(number)?
    }
}

fn path(bytes: &[u8]) -> PathBuf {
    Path::new(String::from_utf8_lossy(bytes).as_ref()).to_path_buf()
}

/// Whether an entry says that code of the program lies at address 0, where dropped functions are said to be,
/// too.
fn is_at_zero(entries: &Entries<'_>, entry: &Entry<'_>, builder: &Builder) -> bool {
    let begins_there = entry.ranges.iter().any(|range| range.start == 0 && range.end > 0);
    let is_linked = || match entry.tag() {
        gimli::DW_TAG_subprogram => entries
            .name(entry)
            .is_some_and(|name| builder.is_linked(&name, 0)),
        gimli::DW_TAG_compile_unit => entry.is_assembly,
        _ => false,
    };
    begins_there && is_linked()
}

fn read_lines(
    unit: &Unit<'_>,
    files: &Files,
    at_zero: bool,
    rows_read: &mut usize,
    builder: &mut Builder,
) -> Result<(), DebugError> {
    let Some(program) = unit.line_program.clone() else {
        return Ok(());
    };
    let offset = program.header().offset().0;
    let mut rows = program.rows();
    let mut sequence: Vec<(Line, bool)> = Vec::new();
    let corrupt = |error: gimli::Error| DebugError::new(LINE, offset, error);
    while let Some((_, row)) = rows.next_row().map_err(corrupt)? {
        *rows_read += 1;
        if *rows_read > MOST_ROWS {
            return Err(DebugError::new(LINE, offset, "too many rows"));
        }
        let Ok(address) = u32::try_from(row.address()) else {
            continue;
        };
        if !row.end_sequence() {
            let line = row.line().and_then(|line| u32::try_from(line.get()).ok());
            let file = files.get(row.file_index());
            let line = file.map(|file| Line {
                address,
                file,
                line: line.unwrap_or(0),
            });
            sequence.extend(line.map(|line| (line, row.is_stmt())));
            continue;
        }
        let linked = at_zero
            || sequence
                .first()
                .is_some_and(|(first, _)| builder.is_linked("", first.address));
        for (line, is_statement) in sequence.drain(..).filter(|_| linked) {
            builder.line(line);
            builder.begins(line.address, is_statement);
            builder.line_end(address, line.file);
        }
    }
    Ok(())
}

fn functions(entries: &Entries<'_>, builder: &mut Builder) {
    for entry in &entries.list {
        if entry.tag() != gimli::DW_TAG_subprogram || entry.ranges.is_empty() {
            continue;
        }
        let Some(name) = entries.name(entry) else {
            continue;
        };
        for range in &entry.ranges {
            if builder.is_linked(&name, range.start) {
                builder.function(Function {
                    name: name.clone(),
                    start: range.start,
                    end: range.end,
                    file: entries.find(entry, |entry| entry.file),
                    line: entries.find(entry, |entry| entry.line),
                    external: entries
                        .find(entry, |entry| entry.external.then_some(()))
                        .is_some(),
                });
            }
        }
    }
}

fn variables(entries: &Entries<'_>, builder: &mut Builder) -> Result<(), DebugError> {
    let mut resolver = Resolver::new(entries, builder);
    resolver.enumerators();
    let mut variables = Vec::new();
    for entry in &entries.list {
        if entry.tag() != gimli::DW_TAG_variable {
            continue;
        }
        let (Some(address), Some(name)) = (entry.address, entries.name(entry)) else {
            continue;
        };
        let type_ = resolver.type_of(entries.find(entry, |entry| entry.type_))?;
        variables.push(Variable {
            name,
            address,
            type_,
            file: entry.main_file,
            function: function_around(entries, entry),
            external: entries
                .find(entry, |entry| entry.external.then_some(()))
                .is_some(),
        });
    }
    for variable in variables {
        builder.variable(variable);
    }
    Ok(())
}

/// The name of the function that an entry lies in; of an inlined one, its own.
fn function_around(entries: &Entries<'_>, entry: &Entry<'_>) -> Option<String> {
    const FUNCTIONS: [DwTag; 2] = [gimli::DW_TAG_subprogram, gimli::DW_TAG_inlined_subroutine];
    let mut entry = entry;
    while let Some(parent) = entry.parent {
        entry = &entries.list[parent];
        if FUNCTIONS.contains(&entry.tag()) {
            return entries.name(entry);
        }
    }
    None
}
