//! Tasks of SV-COMP as input, and the module with which BenchExec runs Kripke on them.

mod common;

use std::fs;
use std::path::Path;

use common::{expect, kripke, text};
use tempfile::TempDir;

/// The sum overflows; the comparison never fails where `long` has 64 bits.
const PROGRAM: &str = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\n\
                       int main(void) {\n  int a = __VERIFIER_nondet_int();\n  long b = a;\n  \
                       if (sizeof(long) == 8 && b * 2 / 2 != a) reach_error();\n  \
                       if (sizeof(long) == 4) reach_error();\n  return a + 1;\n}\n";

const TASK: &str = "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  \
                    - property_file: properties/unreach-call.prp\n    expected_verdict: true\n  \
                    - property_file: properties/no-overflow.prp\n    expected_verdict: true\noptions:\n  \
                    language: C\n  data_model: LP64\n";

/// A folder with a task in a folder of its own.
fn folder(task: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let set = folder.path().join("set");
    fs::create_dir_all(set.join("properties")).expect("a folder");
    for (name, text) in [
        ("a.c", PROGRAM),
        ("a.yml", task),
        (
            "properties/unreach-call.prp",
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
        ),
        (
            "properties/no-overflow.prp",
            "CHECK( init(main()), LTL(G ! overflow) )\n",
        ),
    ] {
        fs::write(set.join(name), text).expect("a file");
    }
    folder
}

#[test]
fn tasks_say_what_is_checked() {
    let folder = folder(TASK);
    let check = |prp: &str, code: i32, said: &str| {
        let arguments = ["check", "set/a.yml", "--prp", prp, "--quiet"];
        expect(&arguments, folder.path(), code, said);
    };
    check(
        "set/properties/unreach-call.prp",
        0,
        "the task expects true: so it is",
    );
    check(
        "set/properties/no-overflow.prp",
        1,
        "the task expects true: that is not what was found",
    );
    check(
        "set/properties/nothing.prp",
        3,
        "is not among the task's properties",
    );
    expect(
        &["check", "set/a.yml"],
        folder.path(),
        3,
        "choose one with --prp: properties/unreach-call.prp",
    );
}

#[test]
fn the_data_model_decides() {
    let one = TASK.replace(
        "  - property_file: properties/no-overflow.prp\n    expected_verdict: true\n",
        "",
    );
    let folder_of = |model: &str| folder(&one.replace("LP64", model));
    let arguments = ["check", "set/a.yml", "--quiet"];
    expect(&arguments, folder_of("LP64").path(), 0, "HOLDS");
    expect(&arguments, folder_of("ILP32").path(), 1, "violated[assertion]");
    expect(
        &arguments,
        folder_of("LP32").path(),
        3,
        "set/a.yml: its data_model is 'LP32'",
    );
    let arguments = ["check", "set/a.yml", "--target", "avr"];
    expect(
        &arguments,
        folder_of("LP64").path(),
        3,
        "--target would change the data_model",
    );
}

/// The entries of a table of the module: what stands before and behind the colon.
fn table(module: &str, name: &str) -> Vec<(String, String)> {
    let start = format!("{name} = {{");
    let body = module.split_once(&start).expect("a table").1;
    let body = body.split('}').next().expect("its end");
    let entries = body.split(',').filter_map(|entry| entry.split_once(':'));
    entries
        .map(|(key, value)| (key.trim().trim_matches('"').to_owned(), value.trim().to_owned()))
        .collect()
}

#[test]
fn the_benchexec_module_reads_what_is_printed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/benchexec/kripke.py");
    let module = fs::read_to_string(path).expect("the module");
    let violations = table(&module, "VIOLATIONS");
    for kind in kripke_check::property_file::kinds() {
        let name = kind.name();
        assert!(violations.iter().any(|(key, _)| key == name), "{name}");
    }
    let folder = folder(TASK);
    let unknown =
        "int f(int); int main(void) { int a = 1; for (int i = 0; f(i) != i; i++) a *= 3; return a; }";
    fs::write(folder.path().join("unknown.c"), unknown).expect("a file");
    let unreach = ["set/a.yml", "--prp", "set/properties/unreach-call.prp"];
    let overflow = ["set/a.yml", "--prp", "set/properties/no-overflow.prp"];
    let bounded = [
        "unknown.c",
        "--unwind",
        "1",
        "--no-k-induction",
        "--check",
        "overflow",
    ];
    for (arguments, code, word, kind) in [
        (&unreach[..], 0, "HOLDS", None),
        (&overflow[..], 1, "VIOLATED", Some("overflow")),
        (&bounded[..], 2, "UNKNOWN", None),
        (&["nowhere.c"], 3, "", None),
    ] {
        let output = kripke(&[&["check", "--quiet"], arguments].concat(), folder.path());
        assert_eq!(output.status.code(), Some(code), "{}", text(&output));
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let words = ["HOLDS", "VIOLATED", "UNKNOWN"];
        let summaries = printed.lines().filter_map(|line| line.split_once(": "));
        let summaries: Vec<&str> = summaries
            .map(|(word, _)| word)
            .filter(|word| words.contains(word))
            .collect();
        assert_eq!(
            summaries,
            Vec::from_iter(Some(word).filter(|word| !word.is_empty())),
            "{printed}"
        );
        assert!(module.contains("INPUT_ERROR = 3") && words.iter().all(|word| module.contains(word)));
        if let Some(kind) = kind {
            let violated = format!("violated[{kind}]: ");
            assert!(
                printed.lines().any(|line| line.starts_with(&violated)),
                "{printed}"
            );
        }
    }
}
