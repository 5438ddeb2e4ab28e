//! Where the parts of an ELF file lie that a target is about: its headers and some of its sections.

use std::ops::Range;

use object::elf::FileHeader32;
use object::read::elf::{FileHeader as _, SectionHeader as _};
use object::{LittleEndian, Object as _, ObjectSection as _, read::elf::ElfFile32};

/// The ranges of bytes of the headers (the name "") and of the sections whose names begin with one of these.
pub fn parts(bytes: &[u8], names: &[&str]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if names.contains(&"") {
        found.extend(headers(bytes));
    }
    let Ok(file) = ElfFile32::<LittleEndian>::parse(bytes) else {
        return found;
    };
    for section in file.sections() {
        let name = section.name().unwrap_or("");
        if names
            .iter()
            .any(|wanted| !wanted.is_empty() && name.starts_with(wanted))
            && let Some((start, size)) = section.file_range()
        {
            found.push(start as usize..(start + size) as usize);
        }
    }
    found.retain(|range| !range.is_empty() && range.end <= bytes.len());
    found
}

/// The file's header, the program headers, and each section's header.
fn headers(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    found.push(0..52.min(bytes.len()));
    let Ok(header) = FileHeader32::<LittleEndian>::parse(bytes) else {
        return found;
    };
    let start = header.e_phoff(LittleEndian) as usize;
    let size = usize::from(header.e_phnum(LittleEndian)) * usize::from(header.e_phentsize(LittleEndian));
    found.push(start..start + size);
    let start = header.e_shoff(LittleEndian) as usize;
    let sections = header.section_headers(LittleEndian, bytes).unwrap_or_default();
    let interesting = sections
        .iter()
        .enumerate()
        .filter(|(_, section)| section.sh_size(LittleEndian) != 0);
    found.extend(interesting.map(|(index, _)| start + index * 40..start + (index + 1) * 40));
    found
}
