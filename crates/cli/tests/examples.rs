//! The first comment of an example says how it is checked and what comes of it; that is so.

mod common;

use std::path::{Path, PathBuf};

use common::{for_each, kripke, text};

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

/// Runs the commands in the comment of an example; how many there are.
fn check(example: &PathBuf) -> usize {
    let root = root();
    let source = std::fs::read_to_string(example).expect("text");
    let commands = commands(&source);
    for (arguments, kind) in &commands {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = kripke(&arguments, &root);
        let said = text(&output);
        let (code, expected) = match kind.as_deref() {
            None => (0, "HOLDS".to_string()),
            Some("ltl") => (1, "violated: ltl.1".to_string()),
            Some(kind) => (1, format!("violated[{kind}]")),
        };
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(&expected), "{arguments:?}: {said}");
    }
    commands.len()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn examples_of_threads_are_what_they_say() {
    let root = root();
    let examples = std::fs::read_dir(root.join("examples/threads")).expect("the examples");
    let mut examples: Vec<PathBuf> = examples.map(|entry| entry.expect("an example").path()).collect();
    examples.sort();
    // Its abstract states take several turns.
    examples.insert(0, root.join("examples/bicycle.c"));
    let checked: usize = for_each(&examples, check).into_iter().sum();
    assert!(checked >= 20, "only {checked} commands");
}
