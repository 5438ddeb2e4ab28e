//! Debug information as stabs: a table of symbols whose strings describe types in a small language.
//!
//! Idea: the records are read once in their order. They delimit compilation units, headers and functions, and
//! give lines and addresses at once; types are stored as parsed ([`store`]), because a type may be completed
//! after its first use, and are resolved ([`resolve`]) when all records are read.
//!
//! Headers: the compiler numbers types `(file, number)`, where file 0 is the unit itself and the others are
//! headers in the order of their inclusion. The linker keeps the first of equal copies of a header's types
//! (`N_BINCL`) and turns the others into a reference by name and checksum (`N_EXCL`). Each kept copy is a
//! *space* of types here, and a unit maps its file numbers to spaces. Two different copies of equal name and
//! checksum make a later reference ambiguous; its types are unknown then.
//!
//! What is not in stabs: names of addresses that differ from the variable's name (`asm("label")`), static
//! variables of functions that are inlined everywhere, and arrays without length at the end of structures.
//! Where the linker drops a function or variable, it drops the types with it that are described there, and
//! others of these types are of an unknown type then. C++ names are the linker's.
//!
//! Source: "The stabs debug format" (Menapace, Kingdon, MacKenzie), for headers its section on names of
//! include files.

mod parse;
mod resolve;
mod store;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use object::LittleEndian;
use object::read::elf::ElfFile32;

use self::parse::Parser;
use self::resolve::Resolver;
use self::store::{NodeId, Space, Store};
use super::builder::Builder;
use super::{DebugError, Function, Line, Variable, section};

const SECTION: &str = ".stab";
const STRINGS: &str = ".stabstr";
/// Bytes of a record: offset of its string, type, a byte without meaning, description, value.
const RECORD: usize = 12;

// Types of records.
const N_UNDF: u8 = 0x00;
const N_GSYM: u8 = 0x20;
const N_FUN: u8 = 0x24;
const N_STSYM: u8 = 0x26;
const N_LCSYM: u8 = 0x28;
const N_ROSYM: u8 = 0x2C;
const N_RSYM: u8 = 0x40;
const N_SLINE: u8 = 0x44;
const N_SO: u8 = 0x64;
const N_LSYM: u8 = 0x80;
const N_BINCL: u8 = 0x82;
const N_SOL: u8 = 0x84;
const N_PSYM: u8 = 0xA0;
const N_EINCL: u8 = 0xA2;
const N_EXCL: u8 = 0xC2;

/// Reads the sections of stabs, if there are any.
pub(super) fn read(file: &ElfFile32<'_, LittleEndian>, builder: &mut Builder) -> Result<(), DebugError> {
    let records = section(file, SECTION)?;
    if records.is_empty() {
        return Ok(());
    }
    let strings = section(file, STRINGS)?;
    let mut reader = Reader {
        builder,
        strings,
        table: 0,
        next_table: 0,
        store: Store::default(),
        headers: HashMap::new(),
        views: Vec::new(),
        variables: Vec::new(),
        unit: Unit::default(),
        function: None,
    };
    let mut continued = Vec::new();
    for (index, bytes) in records.chunks(RECORD).enumerate() {
        let offset = index * RECORD;
        let record = Record::new(bytes, offset)?;
        let mut text = reader.text(&record)?;
        if let Some(start) = text.strip_suffix(b"\\").filter(|_| record.has_type()) {
            continued.extend_from_slice(start);
            continue;
        }
        if !continued.is_empty() {
            continued.extend_from_slice(text);
            text = &continued;
        }
        reader.record(&record, text)?;
        continued.clear();
    }
    reader.end_function(None);
    reader.resolve()
}

/// One record, without its string.
struct Record {
    offset: usize,
    string: usize,
    kind: u8,
    description: u16,
    value: u32,
}

impl Record {
    fn new(bytes: &[u8], offset: usize) -> Result<Self, DebugError> {
        let &[s0, s1, s2, s3, kind, _, d0, d1, v0, v1, v2, v3] = bytes else {
            return Err(DebugError::new(SECTION, offset, "the last record is cut off"));
        };
        Ok(Self {
            offset,
            string: u32::from_le_bytes([s0, s1, s2, s3]) as usize,
            kind,
            description: u16::from_le_bytes([d0, d1]),
            value: u32::from_le_bytes([v0, v1, v2, v3]),
        })
    }

    /// Whether the string has a type, and goes on in the next record after a backslash if it is long.
    fn has_type(&self) -> bool {
        const SYMBOLS: [u8; 8] = [N_GSYM, N_FUN, N_STSYM, N_LCSYM, N_ROSYM, N_RSYM, N_LSYM, N_PSYM];
        SYMBOLS.contains(&self.kind)
    }
}

/// What a compilation unit sees of the types: its own space, and the headers that it includes.
#[derive(Debug, Default)]
struct View {
    main: Space,
    included: HashSet<Space>,
    /// Spaces by the name of the header; none where a header is included in several versions.
    by_name: HashMap<Vec<u8>, Option<Space>>,
}

impl View {
    /// The space that the unit means by one of another unit.
    fn counterpart(&self, space: Space, store: &Store) -> Option<Space> {
        if space == self.main || self.included.contains(&space) {
            return Some(space);
        }
        match store.header(space) {
            None => Some(self.main),
            Some(name) => *self.by_name.get(name)?,
        }
    }
}

/// The compilation unit whose records are read.
#[derive(Debug, Default)]
struct Unit {
    directory: Option<PathBuf>,
    /// Whether the unit's own file is known, after which a further name begins the next unit.
    begun: bool,
    main_file: Option<usize>,
    /// The file that lines are of.
    file: Option<usize>,
    /// Spaces by file number.
    spaces: Vec<Space>,
    /// Headers whose records these are, the innermost last.
    including: Vec<Space>,
}

/// The function whose records are read.
#[derive(Debug)]
struct Open {
    name: String,
    start: u32,
    external: bool,
    file: Option<usize>,
    line: u32,
    linked: bool,
    has_lines: bool,
}

/// A variable whose type is to be resolved.
#[derive(Debug)]
struct Pending {
    name: String,
    address: u32,
    node: NodeId,
    view: usize,
    file: Option<usize>,
    function: Option<String>,
    external: bool,
}

struct Reader<'data, 'builder> {
    builder: &'builder mut Builder,
    strings: &'data [u8],
    /// Where the current table of strings begins, and the one after it.
    table: usize,
    next_table: usize,
    store: Store,
    /// Kept copies of a header by name and checksum.
    headers: HashMap<(Vec<u8>, u32), Vec<Space>>,
    views: Vec<View>,
    variables: Vec<Pending>,
    unit: Unit,
    function: Option<Open>,
}

impl<'data> Reader<'data, '_> {
    fn text(&mut self, record: &Record) -> Result<&'data [u8], DebugError> {
        if record.kind == N_UNDF {
            // The header of an object file's records has the size of its strings.
            self.table = self.next_table;
            self.next_table = self.table.saturating_add(record.value as usize);
        }
        if record.string == 0 {
            return Ok(&[]);
        }
        let start = self.table.saturating_add(record.string);
        let bytes = self.strings.get(start..).unwrap_or_default();
        match bytes.iter().position(|byte| *byte == 0) {
            Some(length) => {
                self.builder.spend(SECTION, record.offset, length)?;
                Ok(&bytes[..length])
            }
            None => {
                let reason = format!("the string at byte {start} of {STRINGS} does not end");
                Err(DebugError::new(SECTION, record.offset, reason))
            }
        }
    }

    fn record(&mut self, record: &Record, text: &[u8]) -> Result<(), DebugError> {
        match record.kind {
            N_SO => self.source(record, text),
            N_SOL => {
                let file = self.file(text);
                self.unit.file = Some(file);
            }
            N_SLINE => self.line(record),
            N_BINCL => {
                let space = self.store.space(Some(text));
                let key = (text.to_vec(), record.value);
                self.headers.entry(key).or_default().push(space);
                self.include(space);
                self.unit.including.push(space);
            }
            N_EINCL => {
                self.unit.including.pop();
            }
            N_EXCL => {
                let kept = self.headers.get(&(text.to_vec(), record.value));
                let space = match kept.map(Vec::as_slice) {
                    Some(&[space]) => space,
                    _ => self.store.space(Some(text)),
                };
                self.include(space);
            }
            N_FUN if text.is_empty() => self.end_function(Some(record.value)),
            _ if record.has_type() => self.symbol(record, text)?,
            _ => {}
        }
        Ok(())
    }

    fn source(&mut self, record: &Record, text: &[u8]) {
        if let Some(open) = &self.function {
            self.end_function(record.value.checked_sub(open.start));
        }
        if text.is_empty() {
            self.unit = Unit::default();
            return;
        }
        if self.unit.begun {
            self.unit = Unit::default();
        }
        if text.ends_with(b"/") || text.ends_with(b"\\") {
            self.unit.directory = Some(path(text));
            return;
        }
        self.begin_unit();
        let file = self.file(text);
        self.unit.main_file = Some(file);
        self.unit.file = Some(file);
    }

    /// Gives the unit its space and view; strings before any source file belong to a unit without a name.
    fn begin_unit(&mut self) {
        let main = self.store.space(None);
        self.unit.begun = true;
        self.unit.spaces = vec![main];
        self.views.push(View {
            main,
            ..View::default()
        });
    }

    fn include(&mut self, space: Space) {
        if !self.unit.begun {
            self.begin_unit();
        }
        self.unit.spaces.push(space);
        if let (Some(view), Some(name)) = (self.views.last_mut(), self.store.header(space)) {
            view.included.insert(space);
            let only = view.by_name.entry(name.to_vec()).or_insert(Some(space));
            if *only != Some(space) {
                *only = None;
            }
        }
    }

    fn file(&mut self, text: &[u8]) -> usize {
        self.builder.file(path(text), self.unit.directory.as_deref())
    }

    fn line(&mut self, record: &Record) {
        let line = u32::from(record.description);
        let mut start = 0;
        if let Some(open) = &mut self.function {
            if !open.linked {
                return;
            }
            start = open.start;
            // The record of the file may follow that of the function.
            if line == open.line && !open.has_lines {
                open.file = self.unit.file;
            }
            open.has_lines = true;
        }
        if let Some(file) = self.unit.file {
            let address = start.wrapping_add(record.value);
            self.builder.line(Line { address, file, line });
        }
    }

    /// Ends the open function, whose length is known unless an old compiler wrote none.
    fn end_function(&mut self, length: Option<u32>) {
        let Some(open) = self.function.take().filter(|open| open.linked) else {
            return;
        };
        let end = open.start.saturating_add(length.unwrap_or(0));
        if let Some(file) = self.unit.file {
            self.builder.line_end(end, file);
        }
        self.builder.function(Function {
            name: open.name,
            start: open.start,
            end,
            file: open.file,
            line: Some(open.line).filter(|line| *line != 0),
            external: open.external,
        });
    }

    fn symbol(&mut self, record: &Record, text: &[u8]) -> Result<(), DebugError> {
        if !self.unit.begun {
            self.begin_unit();
        }
        let mut parser = Parser {
            text,
            at: 0,
            record: record.offset,
            depth: 0,
            spaces: &self.unit.spaces,
            writer: *self.unit.including.last().unwrap_or(&self.unit.spaces[0]),
            store: &mut self.store,
        };
        let Some(symbol) = parser.symbol()? else {
            return Ok(());
        };
        match (record.kind, symbol.descriptor) {
            (N_FUN, b'F' | b'f') => self.begin_function(record, symbol.name, symbol.descriptor == b'F'),
            (N_GSYM, b'G') => {
                if let Some(address) = self.builder.symbol(&symbol.name) {
                    self.variable(symbol.name, address, symbol.node, true, false);
                }
            }
            // Read-only static variables are records of the type of functions.
            (N_FUN | N_STSYM | N_LCSYM | N_ROSYM, b'S' | b'V') => {
                let inside = symbol.descriptor == b'V';
                self.variable(symbol.name, record.value, symbol.node, false, inside);
            }
            _ => {}
        }
        Ok(())
    }

    fn begin_function(&mut self, record: &Record, name: String, external: bool) {
        if let Some(open) = &self.function {
            self.end_function(record.value.checked_sub(open.start));
        }
        self.function = Some(Open {
            linked: self.builder.is_linked(&name, record.value),
            name,
            start: record.value,
            external,
            file: self.unit.file,
            line: u32::from(record.description),
            has_lines: false,
        });
    }

    fn variable(&mut self, name: String, address: u32, node: NodeId, external: bool, inside: bool) {
        let function = self.function.as_ref().filter(|_| inside);
        self.variables.push(Pending {
            name,
            address,
            node,
            view: self.views.len() - 1,
            file: self.unit.main_file,
            function: function.map(|open| open.name.clone()),
            external,
        });
    }

    fn resolve(self) -> Result<(), DebugError> {
        let pending = self.variables.into_iter();
        let pending: Vec<(Pending, u32)> = pending
            .map(|variable| {
                let bytes = self.builder.symbol_size(variable.address);
                (variable, bytes)
            })
            .collect();
        let mut resolver = Resolver::new(&self.store, &self.views, self.builder);
        resolver.enumerators();
        resolver.measure_enums(
            pending
                .iter()
                .map(|(variable, bytes)| (variable.view, variable.node, *bytes)),
        )?;
        let mut variables = Vec::with_capacity(pending.len());
        for (variable, bytes) in pending {
            let type_ = resolver.type_of(variable.view, variable.node, bytes)?;
            variables.push(Variable {
                name: variable.name,
                address: variable.address,
                type_,
                file: variable.file,
                function: variable.function,
                external: variable.external,
            });
        }
        for variable in variables {
            self.builder.variable(variable);
        }
        Ok(())
    }
}

fn path(text: &[u8]) -> PathBuf {
    Path::new(String::from_utf8_lossy(text).as_ref()).to_path_buf()
}
