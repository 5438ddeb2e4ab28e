//! Fuzz targets: every reader of what a user supplies, each a function of any bytes.
//!
//! Idea: a target is a plain function that panics where Kripke has a defect, so that libFuzzer (`fuzz/`,
//! which needs a nightly compiler) and the driver that comes with this crate (`tests/targets.rs`, which does
//! not) share it. What a reader accepts is taken further, into the stages that rely on its answer.
//!
//! Invariant: a case of the driver is a function of the seeds and its number; nothing else is random.
//!
//! Rejected: libFuzzer alone. It cannot be run by `cargo test` with a stable compiler, and knows nothing of
//! the checksums of Intel HEX or the sections of ELF files.

pub mod mutate;
mod random;
mod sections;
mod targets;

use std::path::{Path, PathBuf};

use mutate::Form;
pub use random::Random;
pub use targets::{
    baseline, dap, device, dwarf, elf, elts, formula, hex, llvm_ir, project, property_file, report, stabs,
    task,
};

/// A reader of a user's bytes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, that of its file in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// Reads the bytes, and panics where it should not.
    pub run: fn(&[u8]),
    /// What its inputs look like.
    pub form: Form,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    target("llvm_ir", llvm_ir, Form::Text),
    target("elts", elts, Form::Text),
    target("formula", formula, Form::Text),
    target("project", project, Form::Text),
    target("baseline", baseline, Form::Text),
    target("property_file", property_file, Form::Text),
    target("task", task, Form::Text),
    target("device", device, Form::Text),
    target("dap", dap, Form::Text),
    target("report", report, Form::Text),
    target(
        "elf",
        elf,
        Form::Elf(&["", ".symtab", ".strtab", ".shstrtab", ".note", ".text"]),
    ),
    target("hex", hex, Form::Hex),
    target("dwarf", dwarf, Form::Elf(&[".debug"])),
    target("stabs", stabs, Form::Elf(&[".stab"])),
];

const fn target(name: &'static str, run: fn(&[u8]), form: Form) -> Target {
    Target { name, run, form }
}

/// The target of that name.
#[must_use]
pub fn target_named(name: &str) -> Option<Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}

/// The files of a folder of seeds, in their order.
#[must_use]
pub fn seed_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}
