//! Valid inputs of the targets, out of the project's own tests and examples.

pub mod debugger;

use std::path::{Path, PathBuf};
use std::process::Command;

use kripke_elts::text;
use kripke_llvm::clang::{Clang, CompileOptions, Source};
use kripke_llvm::loader::{LoadOptions, load};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The paths below folders whose names end in this.
fn paths(folders: &[&str], ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    while let Some(folder) = open.pop() {
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The contents of the files below folders whose names end in this.
pub fn files(folders: &[&str], ending: &str) -> Vec<Vec<u8>> {
    paths(folders, ending).iter().map(|path| read(path)).collect()
}

/// C programs: those that show all of the language, and some of the filetests.
fn programs() -> Vec<PathBuf> {
    let mut found = paths(&["crates/llvm/tests/inputs"], ".c");
    let folders = ["lifetimes", "pointers", "varargs", "registers", "loops"];
    let folders: Vec<String> = folders
        .iter()
        .map(|folder| format!("tests/filetests/{folder}"))
        .collect();
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    found.extend(paths(&folders, ".c").into_iter().step_by(8));
    found
}

/// What clang makes of C programs.
pub fn llvm_ir() -> Vec<Vec<u8>> {
    let clang = Clang::find(None).expect("clang is installed (scripts/install-packages build)");
    let compiled = programs()
        .into_iter()
        .map(|path| clang.compile(&Source::new(path), &CompileOptions::default()));
    compiled.filter_map(|compiled| compiled.text.ok()).collect()
}

/// The models of C programs.
pub fn elts() -> Vec<Vec<u8>> {
    let loaded = programs().into_iter().filter_map(|path| {
        let options = LoadOptions {
            sources: vec![Source::new(path)],
            ..LoadOptions::default()
        };
        load(&options).ok()
    });
    loaded
        .map(|loaded| text::print(&loaded.program).into_bytes())
        .collect()
}

/// Formulas of projects and of other tools' lists, an automaton, and atoms of firmware.
pub fn formulas() -> Vec<Vec<u8>> {
    const MORE: &[&str] = &[
        "[] (p -> <> q)",
        "A[p U E[q U r]]",
        "AG ({x > 3} -> AF {y[2].z == -1})",
        "G(p0 -> (p1 U (G p2 || G p3))) W (X X p4 M p5) R !p6",
        "LTLSPEC G (p -> F q) & (r xor s) V t",
        "{PORTB & (1 << 3) != 0 || ~PINA + 7 * UDR % 2 >= 0x1f}",
        "PORTB.3 == 1 && (TCNT1 <= 512 || -TCNT0 != 'a')",
    ];
    let mut found: Vec<Vec<u8>> = MORE.iter().map(|text| text.as_bytes().to_vec()).collect();
    for file in files(&["examples"], "kripke.toml") {
        let text = String::from_utf8(file).expect("a project file is text");
        let formulas = text
            .lines()
            .filter_map(|line| line.split_once(" = '")?.1.strip_suffix('\''));
        found.extend(formulas.map(|formula| formula.as_bytes().to_vec()));
    }
    let formula = kripke_logic::parse("G(p -> X(q U r))")
        .expect("a formula")
        .formula;
    let automaton =
        kripke_logic::translate(&formula, &kripke_logic::Options::default()).expect("a small one");
    found.push(kripke_logic::hoa::write(&automaton, "seed").into_bytes());
    found
}

fn texts(all: &[&str]) -> Vec<Vec<u8>> {
    all.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// A baseline alone, and as a part of a report.
pub fn baselines() -> Vec<Vec<u8>> {
    texts(&[
        r#"{"schema_version": 2, "fingerprints": [
            {"fingerprint": "01ef", "verdict": "violated", "property": "p"}]}"#,
        r#"{"schema_version": 2, "verdict": "unknown", "properties": [], "fingerprints": [
            {"fingerprint": "01ef", "verdict": "possible", "property": "p/f.bounds.1"},
            {"fingerprint": "01ef", "verdict": "unknown", "property": "p/f.bounds.2"}]}"#,
    ])
}

/// Property files of SV-COMP.
pub fn property_files() -> Vec<Vec<u8>> {
    texts(&[
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\n",
        "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(G ! data-race) )",
    ])
}

/// Task definitions of SV-COMP.
pub fn tasks() -> Vec<Vec<u8>> {
    texts(&[
        "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: ../unreach-call.prp\n    \
         expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n",
        "# made by hand\nformat_version: \"2.1\"\ninput_files: [a.c, 'b.c']\nrequired_files: {}\n\
         properties:\n\
         - {property_file: p.prp, expected_verdict: false, subproperty: valid-free}\n",
        "format_version: 1.0\ninput_files:\n  - >-\n    a.c\n  - |\n    b.c\n\
         options: { language: C, data_model: LP64 }\n",
    ])
}

/// The firmware of the examples and one with all kinds of types, compiled with each of these options.
pub fn firmware(formats: &[&str]) -> Vec<Vec<u8>> {
    let mut sources = paths(&["examples/avr"], ".c");
    sources.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds/types.c"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let compiled = sources
        .iter()
        .flat_map(|source| formats.iter().map(move |format| (source, format)));
    compiled
        .map(|(source, format)| read(&compile(source, format, folder.path())))
        .collect()
}

/// Compiles for a device whose device information names it.
fn compile(source: &Path, format: &str, folder: &Path) -> PathBuf {
    let image = folder.join("image.elf");
    let output = Command::new("avr-gcc")
        .args(["-mmcu=atmega16", "-Os", format, "-DF_CPU=1000000UL", "-o"])
        .arg(&image)
        .arg(source)
        .output()
        .expect("avr-gcc is installed (scripts/install-packages test)");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", source.display());
    image
}

/// The same firmware as Intel HEX.
pub fn hex() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (image, hex) = (folder.path().join("image.elf"), folder.path().join("image.hex"));
    let images = firmware(&["-g0"]).into_iter().map(|bytes| {
        std::fs::write(&image, bytes).expect("a temporary file");
        let status = Command::new("avr-objcopy")
            .args(["-O", "ihex", "-R", ".eeprom", "-R", ".fuse", "-R", ".lock"])
            .args([&image, &hex])
            .status()
            .expect("avr-objcopy is installed (scripts/install-packages test)");
        assert!(status.success(), "avr-objcopy fails");
        read(&hex)
    });
    images.collect()
}
