//! The device files that are embedded in the program.
//!
//! Idea: chips that differ in nothing that a program can see share a file, whose first name is its own.

/// The names of the chips that each file describes, and its text.
pub(super) const FILES: &[(&[&str], &str)] = &[
    (
        &["atmega8", "atmega8a"],
        include_str!("../../devices/atmega8.toml"),
    ),
    (
        &["atmega16", "atmega16a"],
        include_str!("../../devices/atmega16.toml"),
    ),
    (
        &["atmega32", "atmega32a"],
        include_str!("../../devices/atmega32.toml"),
    ),
    (
        &["atmega48", "atmega48a"],
        include_str!("../../devices/atmega48.toml"),
    ),
    (
        &["atmega48p", "atmega48pa"],
        include_str!("../../devices/atmega48p.toml"),
    ),
    (
        &["atmega88", "atmega88a"],
        include_str!("../../devices/atmega88.toml"),
    ),
    (
        &["atmega88p", "atmega88pa"],
        include_str!("../../devices/atmega88p.toml"),
    ),
    (
        &["atmega128", "atmega128a"],
        include_str!("../../devices/atmega128.toml"),
    ),
    (
        &["atmega168", "atmega168a"],
        include_str!("../../devices/atmega168.toml"),
    ),
    (
        &["atmega168p", "atmega168pa"],
        include_str!("../../devices/atmega168p.toml"),
    ),
    (&["atmega328"], include_str!("../../devices/atmega328.toml")),
    (&["atmega328p"], include_str!("../../devices/atmega328p.toml")),
    (&["atmega32u4"], include_str!("../../devices/atmega32u4.toml")),
    (&["atmega644"], include_str!("../../devices/atmega644.toml")),
    (&["atmega644a"], include_str!("../../devices/atmega644a.toml")),
    (
        &["atmega644p", "atmega644pa"],
        include_str!("../../devices/atmega644p.toml"),
    ),
    (&["atmega1280"], include_str!("../../devices/atmega1280.toml")),
    (&["atmega1284"], include_str!("../../devices/atmega1284.toml")),
    (&["atmega1284p"], include_str!("../../devices/atmega1284p.toml")),
    (&["atmega2560"], include_str!("../../devices/atmega2560.toml")),
    (&["attiny13"], include_str!("../../devices/attiny13.toml")),
    (&["attiny13a"], include_str!("../../devices/attiny13a.toml")),
    (&["attiny25"], include_str!("../../devices/attiny25.toml")),
    (&["attiny45"], include_str!("../../devices/attiny45.toml")),
    (&["attiny85"], include_str!("../../devices/attiny85.toml")),
    (&["attiny2313"], include_str!("../../devices/attiny2313.toml")),
];

/// The file of that name, in any case of letters: the name of the chip as it stands here, and the file's own.
pub(super) fn find(name: &str) -> Option<(&'static str, &'static str, &'static str)> {
    FILES.iter().find_map(|(names, text)| {
        let found = names.iter().find(|known| known.eq_ignore_ascii_case(name))?;
        Some((*found, names[0], *text))
    })
}
