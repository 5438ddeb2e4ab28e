//! Firmware images from ELF files as avr-gcc links them.
//!
//! Idea: the program headers say what is written where (the physical address of a segment is its load
//! address, so initial values of `.data` land in flash); the section of device information, where there is
//! one, names the device.
//!
//! Invariant: any bytes give an image or an error, and no segment's contents are dropped silently except
//! fuse, lock and signature bytes, which lie above the EEPROM and are no memory of the program.
//!
//! Source: System V ABI for ELF; avr-libc's manual on memory sections; binutils' `elf32-avr` for device
//! information.

use object::elf::{EM_AVR, ET_EXEC, FileHeader32, PT_LOAD};
use object::read::elf::{ElfFile32, FileHeader as _, ProgramHeader as _};
use object::{LittleEndian, Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind as Kind};

use crate::image::{Image, ImageError, Space, Symbol, SymbolKind};

/// Where avr-gcc's linker scripts put the data address space.
const DATA: u32 = 0x80_0000;
/// Where they put the EEPROM.
const EEPROM: u32 = 0x81_0000;
/// Where fuses begin, the end of the EEPROM's range.
const FUSES: u32 = 0x82_0000;
/// Fixed words in front of the offset table of device information: start and size of three memories.
const DEVICE_MEMORIES: usize = 24;

/// Reads an image from the bytes of an ELF file.
///
/// # Errors
/// If they are no executable ELF file for AVR, or a corrupt one.
pub fn read(bytes: &[u8]) -> Result<Image, ImageError> {
    if !bytes.starts_with(b"\x7fELF") {
        return Err(ImageError::NotElf);
    }
    // The machine stands at the same place in files of all classes; an x86-64 program gets a name, not
    // "corrupt".
    if let Some(&[low, high]) = bytes.get(18..20)
        && bytes[4..6] != [1, 1]
        && u16::from_le_bytes([low, high]) != EM_AVR.0
    {
        let machine = u16::from_le_bytes([low, high]);
        return Err(ImageError::NotAvr { machine });
    }
    let header = FileHeader32::<LittleEndian>::parse(bytes).map_err(|error| malformed("header", error))?;
    let endian = LittleEndian;
    if header.e_machine(endian) != EM_AVR {
        let machine = header.e_machine(endian).0;
        return Err(ImageError::NotAvr { machine });
    }
    if header.e_type(endian) != ET_EXEC {
        return Err(ImageError::NotExecutable);
    }
    let file = ElfFile32::<LittleEndian>::parse(bytes).map_err(|error| malformed("headers", error))?;
    let mut image = Image {
        entry: header.e_entry(endian),
        architecture: Some((header.e_flags(endian).0 & 0x7F) as u8),
        device: device_name(&file)?,
        symbols: symbols(&file)?,
        ..Image::default()
    };
    load(&file, bytes, &mut image)?;
    image.data_load = data_load(&file);
    image.static_end = Some(static_end(&file, &image));
    image.static_start = data_segments(&file).map(|(start, _)| start).min();
    image.not_initialised = not_initialised(&file, &image);
    // An absolute symbol, of start-up code.
    let stack = file
        .symbol_by_name("__stack")
        .map(|symbol| symbol.address() as u32);
    image.stack = stack.map(|stack| stack & 0xFFFF).filter(|stack| *stack != 0);
    Ok(image)
}

/// The data address behind the last static variable. The linker's symbol is gone when the file was stripped;
/// the segments are always there. 0 if there are no static variables.
fn static_end(file: &ElfFile32<'_, LittleEndian>, image: &Image) -> u32 {
    let symbols = ["_end", "__heap_start", "__bss_end"];
    let symbols = symbols.iter().filter_map(|name| image.symbol(name));
    let symbol = symbols
        .filter(|symbol| symbol.space == Space::Data)
        .map(|symbol| symbol.address);
    let segments = data_segments(file).map(|(_, end)| end);
    segments.chain(symbol.take(1)).max().unwrap_or(0)
}

/// The data addresses of variables that keep their values over a reset: a section of that name, or what the
/// linker's symbols say where sections are gone.
fn not_initialised(file: &ElfFile32<'_, LittleEndian>, image: &Image) -> std::ops::Range<u32> {
    let section = file.section_by_name(".noinit");
    let section = section.filter(|section| (u64::from(DATA)..u64::from(EEPROM)).contains(&section.address()));
    if let Some(section) = section {
        let start = section.address() as u32 - DATA;
        return start..start.saturating_add(section.size() as u32).min(EEPROM - DATA);
    }
    let named = |name| image.symbol(name).filter(|symbol| symbol.space == Space::Data);
    match (named("__noinit_start"), named("__noinit_end")) {
        (Some(start), Some(end)) => start.address..end.address,
        _ => 0..0,
    }
}

/// The data addresses where each segment of static data begins and ends.
fn data_segments(file: &ElfFile32<'_, LittleEndian>) -> impl Iterator<Item = (u32, u32)> {
    file.elf_program_headers().iter().filter_map(|header| {
        let start = header.p_vaddr(LittleEndian);
        let is_data = header.p_type(LittleEndian) == PT_LOAD && (DATA..EEPROM).contains(&start);
        let end = start.saturating_add(header.p_memsz(LittleEndian)).min(EEPROM);
        is_data.then(|| (start - DATA, end - DATA))
    })
}

fn malformed(part: &str, error: impl std::fmt::Display) -> ImageError {
    ImageError::Malformed {
        reason: format!("{part}: {error}"),
    }
}

fn load(file: &ElfFile32<'_, LittleEndian>, bytes: &[u8], image: &mut Image) -> Result<(), ImageError> {
    for header in file.elf_program_headers() {
        if header.p_type(LittleEndian) != PT_LOAD {
            continue;
        }
        let address = header.p_paddr(LittleEndian);
        let part = format!("segment at {address:#x}");
        let contents = header
            .data(LittleEndian, bytes)
            .map_err(|()| malformed(&part, "its contents lie outside the file"))?;
        if contents.is_empty() {
            continue;
        }
        let (memory, start, end) = match address {
            0..DATA => (&mut image.flash, 0, DATA),
            DATA..EEPROM => return Err(malformed(&part, "no programmer can load static memory")),
            EEPROM..FUSES => (&mut image.eeprom, EEPROM, FUSES),
            _ => continue,
        };
        if contents.len() > (end - address) as usize {
            return Err(malformed(&part, "it exceeds its memory's range of addresses"));
        }
        memory
            .define(address - start, contents)
            .map_err(|overlap| malformed(&part, format!("address {overlap:#x} is loaded twice")))?;
    }
    Ok(())
}

fn symbols(file: &ElfFile32<'_, LittleEndian>) -> Result<Vec<Symbol>, ImageError> {
    let mut found = Vec::new();
    for symbol in file.symbols() {
        // Absolute symbols are numbers such as __SP_L__, and lie in no section.
        if symbol.section_index().is_none() {
            continue;
        }
        let kind = match symbol.kind() {
            Kind::Text => SymbolKind::Function,
            Kind::Data => SymbolKind::Object,
            Kind::Label | Kind::Unknown => SymbolKind::Label,
            _ => continue,
        };
        let name = symbol.name().map_err(|error| malformed("symbol table", error))?;
        let value = symbol.address() as u32;
        let (space, start) = match value {
            0..DATA => (Space::Flash, 0),
            DATA..EEPROM => (Space::Data, DATA),
            EEPROM..FUSES => (Space::Eeprom, EEPROM),
            _ => continue,
        };
        if !name.is_empty() && !is_local_label(name) {
            found.push(Symbol {
                name: name.to_owned(),
                kind,
                space,
                address: value - start,
                size: symbol.size() as u32,
                global: symbol.is_global(),
            });
        }
    }
    found.sort_by(|a, b| (a.space, a.address, &a.name).cmp(&(b.space, b.address, &b.name)));
    Ok(found)
}

/// Whether the assembler or the compiler made the name up: of a temporary or numbered label, or of a place
/// that debugging information speaks of (manual of GNU as, "Symbol Names"). Such names stay in the file where
/// the linker may make code shorter, and some of them are offsets into debugging sections and no addresses.
fn is_local_label(name: &str) -> bool {
    name.starts_with(".L") || name.contains(['\u{1}', '\u{2}'])
}

fn data_load(file: &ElfFile32<'_, LittleEndian>) -> Option<std::ops::Range<u32>> {
    let address = |name| Some(file.symbol_by_name(name)?.address() as u32);
    let range = address("__data_load_start")?..address("__data_load_end")?;
    (range.start <= range.end && range.end <= DATA).then_some(range)
}

/// The device that `.note.gnu.avr.deviceinfo` names: a note whose description holds the memories, a table of
/// offsets headed by its own size, and the strings that the offsets point into; the first is the device's
/// name.
fn device_name(file: &ElfFile32<'_, LittleEndian>) -> Result<Option<String>, ImageError> {
    const SECTION: &str = ".note.gnu.avr.deviceinfo";
    let Some(section) = file.section_by_name(SECTION) else {
        return Ok(None);
    };
    let note = section.data().map_err(|error| malformed(SECTION, error))?;
    let name = || {
        let owner = word(note, 0)?.checked_next_multiple_of(4)?;
        let table = owner.checked_add(12 + DEVICE_MEMORIES)?;
        let strings = table.checked_add(word(note, table)?)?;
        let offset = word(note, table.checked_add(4)?)?;
        let text = note.get(strings.checked_add(offset)?..)?;
        let end = text.iter().position(|byte| *byte == 0)?;
        std::str::from_utf8(&text[..end]).ok()
    };
    let name = name().ok_or_else(|| malformed(SECTION, "no device name where its offset points"))?;
    Ok((!name.is_empty()).then(|| name.to_owned()))
}

fn word(bytes: &[u8], offset: usize) -> Option<usize> {
    let word = bytes.get(offset..offset.checked_add(4)?)?;
    Some(u32::from_le_bytes(word.try_into().ok()?) as usize)
}
