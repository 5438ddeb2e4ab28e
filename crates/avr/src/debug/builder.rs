//! The result under construction, shared by the readers of both formats.
//!
//! Idea: files, and types without parts of their own, are interned; the ELF symbols supply what debug
//! information leaves out (addresses of global variables in stabs, the sizes of variables whose type is
//! unknown).
//!
//! Invariant: every [`TypeId`] handed out is an index into the types.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use object::read::elf::ElfFile32;
use object::{LittleEndian, Object as _, ObjectSymbol as _};

use super::{DebugError, DebugInfo, Function, Line, SourceFile, Type, TypeId, Variable};

/// Where avr-gcc's linker scripts put the data address space.
const DATA: u32 = 0x80_0000;
/// Where the data address space ends at the latest.
const DATA_END: u32 = 0x81_0000;
/// More types than this are no program for an AVR, but a corrupt file whose types multiply.
const MOST_TYPES: usize = 1 << 20;
/// Names and descriptions of more bytes than this are no program's either; a corrupt file can refer to one
/// long string very often.
const MOST_TEXT: usize = 1 << 27;

/// The result under construction.
#[derive(Debug, Default)]
pub(super) struct Builder {
    info: DebugInfo,
    files: HashMap<SourceFile, usize>,
    interned: HashMap<Type, TypeId>,
    /// Enumerators that are defined with different values.
    ambiguous: BTreeSet<String>,
    /// Addresses in the line table that begin no statement.
    amid: BTreeSet<u32>,
    /// Addresses behind code of known lines.
    line_ends: BTreeMap<u32, usize>,
    variables: HashMap<(String, u32, Option<String>), usize>,
    /// Values of global symbols.
    symbols: HashMap<String, u32>,
    /// Sizes of the data symbols at an address.
    sizes: HashMap<u32, u32>,
    /// Names of the symbols at address 0.
    at_zero: BTreeSet<String>,
    /// Bytes of text read.
    text: usize,
}

impl Builder {
    /// An empty result that knows the file's symbols.
    pub(super) fn new(file: &ElfFile32<'_, LittleEndian>) -> Result<Self, DebugError> {
        let mut builder = Self::default();
        for symbol in file.symbols() {
            if symbol.section_index().is_none() {
                continue;
            }
            let name = symbol
                .name()
                .map_err(|error| DebugError::new(".symtab", symbol.index().0, error))?;
            let address = symbol.address() as u32;
            if symbol.is_global() {
                builder.symbols.insert(name.to_owned(), address);
            }
            if symbol.size() > 0 {
                builder.sizes.insert(address, symbol.size() as u32);
            }
            if address == 0 && !name.is_empty() {
                builder.at_zero.insert(name.to_owned());
            }
        }
        Ok(builder)
    }

    /// The value of a global symbol.
    pub(super) fn symbol(&self, name: &str) -> Option<u32> {
        self.symbols.get(name).copied()
    }

    /// The size of what lies at an address; 0 where the symbols do not say.
    pub(super) fn symbol_size(&self, address: u32) -> u32 {
        self.sizes.get(&address).copied().unwrap_or(0)
    }

    /// Whether code of a function that is said to be at an address is there: the linker leaves the address 0
    /// for functions that it drops, so that at 0 the function needs a symbol.
    pub(super) fn is_linked(&self, name: &str, start: u32) -> bool {
        start != 0 || self.at_zero.contains(name)
    }

    /// Notes that so many bytes of text are read.
    pub(super) fn spend(&mut self, section: &str, offset: usize, bytes: usize) -> Result<(), DebugError> {
        self.text = self.text.saturating_add(bytes);
        if self.text > MOST_TEXT {
            return Err(DebugError::new(section, offset, "too many or too long names"));
        }
        Ok(())
    }

    /// The index of a source file.
    pub(super) fn file(&mut self, path: PathBuf, directory: Option<&Path>) -> usize {
        let directory = directory.filter(|_| path.is_relative());
        let file = SourceFile {
            path,
            directory: directory.map(|directory| directory.components().collect()),
        };
        match self.files.entry(file) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let index = self.info.files.len();
                self.info.files.push(entry.key().clone());
                *entry.insert(index)
            }
        }
    }

    /// A new type that is filled in later.
    pub(super) fn reserve(&mut self, section: &str, offset: usize) -> Result<TypeId, DebugError> {
        if self.info.types.len() >= MOST_TYPES {
            return Err(DebugError::new(section, offset, "too many types"));
        }
        self.info.types.push(Type::Unknown { size: 0 });
        Ok(TypeId(self.info.types.len() - 1))
    }

    /// Fills in a reserved type.
    pub(super) fn define(&mut self, id: TypeId, type_: Type) {
        self.info.types[id.0] = type_;
    }

    /// Adds the enumerators of an enumeration.
    pub(super) fn enumerators(&mut self, enumerators: &[(String, i64)]) {
        for (name, value) in enumerators {
            let known = *self.info.enumerators.entry(name.clone()).or_insert(*value);
            if known != *value {
                self.ambiguous.insert(name.clone());
            }
        }
    }

    /// The one type that is equal to the given one, which refers to no other.
    pub(super) fn intern(&mut self, type_: Type) -> TypeId {
        let next = TypeId(self.info.types.len());
        match self.interned.entry(type_) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                self.info.types.push(entry.key().clone());
                *entry.insert(next)
            }
        }
    }

    /// The type of an object. The compiler leaves out some types of objects (of a volatile array that a type
    /// definition names, in DWARF), but no object is `void`.
    pub(super) fn object(&mut self, id: TypeId) -> TypeId {
        match self.type_(id) {
            Type::Void => self.intern(Type::Unknown { size: 0 }),
            _ => id,
        }
    }

    /// A type that is known already.
    pub(super) fn type_(&self, id: TypeId) -> &Type {
        &self.info.types[id.0]
    }

    /// Bytes of a type, as far as it is filled in.
    pub(super) fn size_of(&self, id: TypeId) -> u32 {
        self.info.size_of(id)
    }

    /// Adds an entry to the line table; of several at an address, the last one holds.
    pub(super) fn line(&mut self, line: Line) {
        self.info.lines.push(line);
    }

    /// Notes whether the entry of the line table that was added last begins a statement.
    pub(super) fn begins(&mut self, address: u32, is_statement: bool) {
        match is_statement {
            true => self.amid.remove(&address),
            false => self.amid.insert(address),
        };
    }

    /// Notes that the code of known lines ends at an address.
    pub(super) fn line_end(&mut self, address: u32, file: usize) {
        self.line_ends.insert(address, file);
    }

    /// Adds a function.
    pub(super) fn function(&mut self, function: Function) {
        self.info.functions.push(function);
    }

    /// Adds a variable whose address is one of the linker; those outside the data address space are left out.
    pub(super) fn variable(&mut self, mut variable: Variable) {
        let linked = variable.address;
        if !(DATA..DATA_END).contains(&linked) {
            return;
        }
        variable.address -= DATA;
        variable.type_ = self.object(variable.type_);
        if self.info.types[variable.type_.0] == (Type::Unknown { size: 0 })
            && let Some(size) = self.sizes.get(&linked)
        {
            variable.type_ = self.intern(Type::Unknown { size: *size });
        }
        let key = (variable.name.clone(), variable.address, variable.function.clone());
        match self.variables.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(self.info.variables.len());
                self.info.variables.push(variable);
            }
            // Several units describe a variable that is defined in one; a complete type tells most.
            Entry::Occupied(entry) => {
                let known = &self.info.variables[*entry.get()];
                if self.info.size_of(known.type_) == 0 {
                    self.info.variables[*entry.get()] = variable;
                }
            }
        }
    }

    /// The result, sorted.
    pub(super) fn finish(self) -> DebugInfo {
        let mut info = self.info;
        for name in &self.ambiguous {
            info.enumerators.remove(name);
        }
        info.variables
            .sort_by(|a, b| (a.address, &a.name, &a.function).cmp(&(b.address, &b.name, &b.function)));
        info.functions
            .sort_by(|a, b| (a.start, a.end, &a.name).cmp(&(b.start, b.end, &b.name)));
        info.functions.dedup();
        let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
        for line in info.lines {
            lines.insert(line.address, line);
        }
        for (address, file) in self.line_ends {
            lines.entry(address).or_insert(Line {
                address,
                file,
                line: 0,
            });
        }
        info.lines = lines.into_values().collect();
        let mut before = None;
        for line in &info.lines {
            let here = (line.file, line.line);
            let begins = line.line != 0 && !self.amid.contains(&line.address);
            if begins && before != Some(here) {
                info.statements.push(line.address);
            }
            if begins || line.line == 0 {
                before = Some(here);
            }
        }
        info
    }
}
