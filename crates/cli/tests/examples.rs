//! The first comment of an example says how it is checked and what comes of it; that is so.

mod common;

use std::path::{Path, PathBuf};

use common::{kripke, text};

/// The commands in a comment, each with the kind that is violated, if any.
fn commands(source: &str) -> Vec<(Vec<String>, Option<String>)> {
    let lines = source.lines().filter_map(|line| line.strip_prefix("// kripke "));
    let command = |line: &str| {
        let (arguments, verdict) = line.split_once('#').expect("a verdict after the command");
        let arguments = words(arguments);
        let kind = match verdict.trim().split_once(": ") {
            Some(("violated", kind)) => Some(kind.to_string()),
            _ => {
                assert_eq!(verdict.trim(), "holds", "{line}");
                None
            }
        };
        (arguments, kind)
    };
    lines.map(command).collect()
}

/// The words of a command; what stands between `'` is one.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_string).collect(),
        _ => vec![part.to_string()],
    });
    words.collect()
}

#[test]
fn examples_of_threads_are_what_they_say() {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut checked = 0;
    let examples = std::fs::read_dir(root.join("examples/threads")).expect("the examples");
    let mut examples: Vec<PathBuf> = examples.map(|entry| entry.expect("an example").path()).collect();
    // Its abstract states take several turns.
    examples.push(root.join("examples/bicycle.c"));
    for example in examples {
        let source = std::fs::read_to_string(example).expect("text");
        for (arguments, kind) in commands(&source) {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let output = kripke(&arguments, &root);
            let said = text(&output);
            let (code, expected) = match &kind {
                None => (0, "HOLDS".to_string()),
                Some(kind) if kind == "ltl" => (1, "violated: ltl.1".to_string()),
                Some(kind) => (1, format!("violated[{kind}]")),
            };
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
            assert!(said.contains(&expected), "{arguments:?}: {said}");
            checked += 1;
        }
    }
    assert!(checked >= 20, "only {checked} commands");
}
