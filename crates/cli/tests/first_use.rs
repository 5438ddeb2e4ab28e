//! The commands that help to begin: explanations whose examples do what they say, project files that work,
//! what is installed, manual pages.

mod common;

use std::fs;
use std::path::Path;

use common::{compile, expect, kripke, text};
use kripke_report::explain;
use tempfile::TempDir;

/// A folder with files, some in folders of their own.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

#[test]
fn the_example_of_each_kind_violates_it() {
    let mut tried = 0;
    for kind in explain::all_kinds() {
        let explanation = explain::of_kind(kind);
        let example = explanation.example;
        let Some(command) = example.strip_prefix("/* kripke ") else {
            assert!(
                kind.is_formula() || kind.name() == "firmware",
                "{}: no program",
                kind.name()
            );
            continue;
        };
        let command = command.split(" */").next().expect("an end of the comment");
        let folder = folder(&[("example.c", example)]);
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.push("--quiet");
        let violated = format!("violated[{}]", kind.name());
        expect(&arguments, folder.path(), 1, &violated);
        tried += 1;
    }
    assert_eq!(tried, kripke_model::PropertyKind::ALL.len());
}

#[test]
fn explanations_are_listed_and_found() {
    let folder = folder(&[]);
    let output = kripke(&["explain"], folder.path());
    let list = text(&output);
    for explanation in explain::all() {
        assert!(
            list.contains(&format!("  {} ", explanation.name)),
            "{}",
            explanation.name
        );
    }
    for fault in kripke_avr::fault::Fault::ALL {
        assert!(explain::find(fault.name()).is_some(), "{fault} is not explained");
    }
    expect(&["explain", "data-race"], folder.path(), 0, "What to do");
    expect(
        &["explain", "not-replayed"],
        folder.path(),
        0,
        "a defect of Kripke",
    );
    expect(&["explain", "overfow"], folder.path(), 3, "overflow");
}

/// Writes a project file for a folder, which says something, and checks it: not with exit code 3.
fn init(folder: &Path, said: &str) -> i32 {
    expect(&["init"], folder, 0, "kripke.toml is written");
    let file = fs::read_to_string(folder.join("kripke.toml")).expect("a project file");
    assert!(file.contains(said), "no '{said}' in\n{file}");
    let output = kripke(&["check", "--quiet"], folder);
    let code = output.status.code().unwrap_or(-1);
    assert!((0..=2).contains(&code), "{file}\n{}", text(&output));
    // It is never changed.
    fs::write(folder.join("kripke.toml"), "mine").expect("a file");
    expect(&["init"], folder, 3, "is there already");
    assert_eq!(
        fs::read_to_string(folder.join("kripke.toml")).expect("a file"),
        "mine"
    );
    code
}

#[test]
fn sources_become_programs() {
    let main = "#include \"lib.h\"\nint main(void) { return twice(2) != 4; }\n";
    let lib = "#include \"lib.h\"\nint twice(int x) { return 2 * x; }\n";
    let header = "int twice(int x);\n";
    let one = folder(&[("main.c", main), ("src/lib.c", lib), ("include/lib.h", header)]);
    assert_eq!(init(one.path(), "sources = [\"main.c\", \"src/lib.c\"]"), 0);

    let none = folder(&[("lib.c", "int half(int x) { return 100 / x; }\n")]);
    assert_eq!(init(none.path(), "functions = \"all\""), 1);

    let handlers = "
        volatile int ticks;
        void SysTick_Handler(void) { ticks = 1; }
        int main(void) { return ticks; }
    ";
    let two = folder(&[("a.c", handlers), ("b.c", "int main(void) { return 0; }")]);
    fs::write(
        two.path().join("b.c"),
        "#include \"none.h\"\nint main(void) { return 0; }",
    )
    .expect("a file");
    expect(&["init", "--print"], two.path(), 3, "nothing in . can be loaded");
    fs::write(two.path().join("b.c"), "int main(void) { return 0; }").expect("a file");
    assert_eq!(init(two.path(), "# This one cannot be loaded as it is"), 0);
}

#[test]
fn compile_databases_and_firmware() {
    let source = "int main(void) { return LIMIT - 3; }\n";
    let folder = folder(&[("src/a.c", source)]);
    let database = format!(
        r#"[{{"directory": "{}", "file": "src/a.c", "command": "cc -DLIMIT=3 -O2 -c src/a.c"}}]"#,
        folder.path().display()
    );
    fs::create_dir(folder.path().join("build")).expect("a folder");
    fs::write(folder.path().join("build/compile_commands.json"), database).expect("a file");
    assert_eq!(init(folder.path(), "-DLIMIT=3"), 0);

    let firmware = "
        #include <avr/io.h>
        int main(void) { DDRB = 1; for (;;) PORTB ^= 1; }
    ";
    let folder = compile(firmware, &["-g"]);
    fs::write(folder.path().join("Makefile"), "MCU = atmega16\n").expect("a file");
    let output = kripke(&["init", "--print"], folder.path());
    let file = text(&output);
    for said in [
        "firmware = \"a.elf\"",
        "mcu = \"atmega16\"",
        "sources = [\"a.c\"]",
        "-mmcu=atmega16",
    ] {
        assert!(file.contains(said), "no '{said}' in\n{file}");
    }
    assert_ne!(init(folder.path(), "firmware = \"a.elf\""), 1);
}

#[test]
fn folders_with_nothing_to_check() {
    let empty = folder(&[("README", "nothing")]);
    expect(&["init"], empty.path(), 3, "there is nothing to check in .");
    expect(&["init", "none"], empty.path(), 3, "there is no directory none");
    assert!(!empty.path().join("kripke.toml").exists());
    let sketch = folder(&[
        ("blink.ino", "void setup() {}"),
        ("a.c", "int main(void) { return 0; }"),
    ]);
    let output = kripke(&["init", "--print"], sketch.path());
    assert!(text(&output).contains("arduino-cli"), "{}", text(&output));
}

#[test]
fn what_is_installed() {
    let folder = folder(&[("clang", "#!/bin/sh\nexit 1\n")]);
    expect(&["doctor"], folder.path(), 0, "found    clang");
    expect(
        &["doctor", "--clang", "./none"],
        folder.path(),
        1,
        "MISSING  clang",
    );
    // One that does not run is no compiler.
    let output = kripke(&["doctor", "--clang", "./clang"], folder.path());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
}

#[test]
fn a_manual_page_for_each_command() {
    let folder = folder(&[]);
    expect(&["man", "pages"], folder.path(), 0, "");
    let page = |name: &str| {
        let path = folder.path().join("pages").join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    assert!(page("kripke.1").contains("kripke\\-check(1)"));
    assert!(page("kripke-check.1").contains("\\-\\-baseline"));
    for command in ["explain", "init", "doctor", "stack", "ltl"] {
        assert!(
            page(&format!("kripke-{command}.1")).starts_with(".ie"),
            "{command}"
        );
    }
    expect(&["man"], folder.path(), 0, ".TH kripke 1");
}
