//! Names, types and source lines that a compiler wrote into an ELF file, whichever way it wrote them.
//!
//! Idea: avr-gcc up to version 5 writes stabs at plain `-g` and DWARF at `-gdwarf-2` and `-gdwarf-4`; later
//! versions and LLVM write DWARF only; and avr-libc's start-up object, which is linked into every program,
//! describes the I/O registers in DWARF. Both readers therefore fill one result, and a file may hold both
//! formats.
//!
//! Invariant: any bytes give a result or an error that says where the reader stopped. Types may be cyclic (a
//! list node points to its own type), so every walk over them and over the file is a loop with a bound. What
//! is ambiguous is left out instead of guessed: an enumerator that two units define with different values,
//! and a variable that does not lie in the data address space (flash and EEPROM have no data address).

mod builder;
mod dwarf;
mod scalar;
mod stabs;
mod types;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use object::elf::{EM_AVR, ET_EXEC, FileHeader32};
use object::read::elf::{ElfFile32, FileHeader as _};
use object::{LittleEndian, Object as _, ObjectSection as _};

use builder::Builder;
pub use scalar::Scalar;

/// A file of the program's source text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceFile {
    /// Path as the compiler has it: absolute, or relative to the directory.
    pub path: PathBuf,
    /// Directory in which the compiler ran.
    pub directory: Option<PathBuf>,
}

impl SourceFile {
    /// The path with the compiler's directory in front where it is relative.
    #[must_use]
    pub fn full_path(&self) -> PathBuf {
        match &self.directory {
            Some(directory) => directory.join(&self.path),
            None => self.path.clone(),
        }
    }
}

/// The source line of the instructions from an address to the next entry's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    /// Byte address in flash.
    pub address: u32,
    /// Index into [`DebugInfo::files`].
    pub file: usize,
    /// Line from 1; 0 where the instructions belong to no line.
    pub line: u32,
}

/// A function with code of its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Function {
    /// Name in the source text.
    pub name: String,
    /// Byte address of its first instruction.
    pub start: u32,
    /// Byte address behind its last instruction.
    pub end: u32,
    /// Where it is defined, as an index into [`DebugInfo::files`].
    pub file: Option<usize>,
    /// Line of its definition.
    pub line: Option<u32>,
    /// Whether other compilation units see it.
    pub external: bool,
}

/// A variable with a fixed address.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable {
    /// Name in the source text.
    pub name: String,
    /// Data address (0x60, not 0x800060).
    pub address: u32,
    /// Type.
    pub type_: TypeId,
    /// Main file of the compilation unit that defines it, as an index into [`DebugInfo::files`].
    pub file: Option<usize>,
    /// The function whose static variable it is.
    pub function: Option<String>,
    /// Whether other compilation units see it.
    pub external: bool,
}

/// Index of a type in [`DebugInfo::types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub usize);

/// A member of a structure or union.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// Name; empty for an anonymous structure or union.
    pub name: String,
    /// Byte in which it begins.
    pub offset: u32,
    /// Of a bit field: its first bit counted from bit 0 of that byte (below 8), and its width.
    pub bits: Option<(u32, u32)>,
    /// Type; of a bit field, the declared type.
    pub type_: TypeId,
}

/// A type without its type definitions and qualifiers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value.
    Void,
    /// An integer or character.
    Integer {
        /// The compiler's name, such as `long unsigned int`.
        name: String,
        /// Bytes.
        size: u32,
        /// Whether it has negative values.
        signed: bool,
    },
    /// `_Bool`.
    Boolean {
        /// Bytes.
        size: u32,
    },
    /// A binary floating-point number.
    Float {
        /// Bytes.
        size: u32,
    },
    /// A pointer.
    Pointer {
        /// Bytes.
        size: u32,
        /// What it points to.
        target: TypeId,
    },
    /// An array.
    Array {
        /// Type of an element.
        element: TypeId,
        /// Number of elements; 0 where the array is of no declared length.
        count: u32,
    },
    /// A structure or union; one without size and fields where it is declared only.
    Record {
        /// Tag.
        name: Option<String>,
        /// Bytes.
        size: u32,
        /// Whether all fields lie at the same place.
        is_union: bool,
        /// Members in their order.
        fields: Vec<Field>,
    },
    /// An enumeration.
    Enum {
        /// Tag.
        name: Option<String>,
        /// Bytes.
        size: u32,
        /// Whether it has negative values.
        signed: bool,
        /// Names with their values.
        enumerators: Vec<(String, i64)>,
    },
    /// A function.
    Function,
    /// A type that this reader has no form for (fixed-point and complex numbers) or that the file does not
    /// define.
    Unknown {
        /// Bytes; 0 where that is unknown, too.
        size: u32,
    },
}

/// What the debug information of a program says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DebugInfo {
    /// Source files.
    pub files: Vec<SourceFile>,
    /// Line table, sorted by address, one entry for an address.
    pub lines: Vec<Line>,
    /// The byte addresses of the instructions with which statements begin, ascending: where the line table
    /// says so, and the line is not that of the statement before.
    pub statements: Vec<u32>,
    /// Functions, sorted by start.
    pub functions: Vec<Function>,
    /// Variables in the data address space, sorted by address and name.
    pub variables: Vec<Variable>,
    /// Types.
    pub types: Vec<Type>,
    /// Enumerators that have the same value wherever they are defined.
    pub enumerators: BTreeMap<String, i64>,
}

/// Why debug information cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebugError {
    /// The section, or the part of the ELF file.
    pub section: String,
    /// Byte in the section.
    pub offset: usize,
    /// What is wrong.
    pub reason: String,
}

impl DebugError {
    fn new(section: &str, offset: usize, reason: impl fmt::Display) -> Self {
        Self {
            section: section.to_owned(),
            offset,
            reason: reason.to_string(),
        }
    }
}

impl fmt::Display for DebugError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            section,
            offset,
            reason,
        } = self;
        write!(f, "debug information, {section} at byte {offset}: {reason}")
    }
}

impl std::error::Error for DebugError {}

impl DebugInfo {
    /// Reads the debug information of an executable ELF file for AVR; a file without any gives an empty
    /// result.
    ///
    /// # Errors
    /// If the bytes are no such file, or its debug information is corrupt or of a kind that is not supported.
    pub fn read(elf_bytes: &[u8]) -> Result<Self, DebugError> {
        let header = FileHeader32::<LittleEndian>::parse(elf_bytes)
            .map_err(|error| DebugError::new("ELF header", 0, error))?;
        if header.e_machine(LittleEndian) != EM_AVR || header.e_type(LittleEndian) != ET_EXEC {
            let reason = "no executable for AVR; link the program with avr-gcc first";
            return Err(DebugError::new("ELF header", 16, reason));
        }
        let file = ElfFile32::<LittleEndian>::parse(elf_bytes)
            .map_err(|error| DebugError::new("ELF headers", 0, error))?;
        let mut builder = Builder::new(&file)?;
        stabs::read(&file, &mut builder)?;
        dwarf::read(&file, &mut builder)?;
        Ok(builder.finish())
    }

    /// Whether the file has no debug information. A program with avr-libc's start-up object has the I/O
    /// registers at least, as variables without a file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
            && self.lines.is_empty()
            && self.functions.is_empty()
            && self.variables.is_empty()
    }

    /// The source line of the instruction at a byte address.
    #[must_use]
    pub fn line_at(&self, address: u32) -> Option<(&SourceFile, u32)> {
        let after = self.lines.partition_point(|line| line.address <= address);
        let line = self.lines[..after].last().filter(|line| line.line != 0)?;
        Some((&self.files[line.file], line.line))
    }

    /// The byte addresses of the instructions with which a source line begins; the file goes by the end of
    /// its path.
    ///
    /// # Errors
    /// If there is no such file, or no code for the line.
    pub fn begins_of_line(&self, file: &str, line: u32) -> Result<Vec<u32>, String> {
        let named = |path: PathBuf| path.ends_with(file);
        let files: Vec<usize> = (0..self.files.len())
            .filter(|index| named(self.files[*index].full_path()))
            .collect();
        if files.is_empty() {
            return Err(format!("no source file is called {file}"));
        }
        let mut begins: Vec<u32> = Vec::new();
        let mut before = None;
        for entry in &self.lines {
            let here = (entry.file, entry.line);
            if files.contains(&entry.file) && entry.line == line && before != Some(here) {
                begins.push(entry.address);
            }
            before = Some(here);
        }
        match begins.is_empty() {
            true => Err(format!("there is no code for {file}:{line}")),
            false => Ok(begins),
        }
    }

    /// The function whose code the byte address lies in.
    #[must_use]
    pub fn function_at(&self, address: u32) -> Option<&Function> {
        let after = self
            .functions
            .partition_point(|function| function.start <= address);
        let functions = self.functions[..after].iter().rev();
        functions.clone().find(|function| address < function.end)
    }

    /// The variables of a name: a global one, or static ones of several units and functions.
    pub fn variables_named(&self, name: &str) -> impl Iterator<Item = &Variable> {
        self.variables
            .iter()
            .filter(move |variable| variable.name == name)
    }

    /// Bytes of a value of a type; 0 for functions, `void` and what is declared only.
    #[must_use]
    pub fn size_of(&self, id: TypeId) -> u32 {
        types::size_of(&self.types, id)
    }
}

/// The bytes of a section; empty where the file has none of the name.
fn section<'data>(file: &ElfFile32<'data, LittleEndian>, name: &str) -> Result<&'data [u8], DebugError> {
    match file.section_by_name(name) {
        None => Ok(&[]),
        Some(section) => section.data().map_err(|error| DebugError::new(name, 0, error)),
    }
}
