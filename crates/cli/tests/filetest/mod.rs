//! The programs in `tests/filetests`: each holds its command and the expected answer in its first lines.
//!
//! ```text
//! // kripke: check --unwind 8        the command; the file is added
//! // options: --timeout 10s          more of it, where the line would be too long
//! // verdict: violated               holds, violated, unknown or error
//! // ltl: G({p} -> F {q})            a formula for --ltl; one line for each
//! // violates: overflow@12           kind@line, or the id of a property; one line for each
//! // exit: 1                         where it does not follow from the verdict
//! // prints: inline assembly         text that the output contains
//! ```
#![allow(dead_code, reason = "no test needs all of it")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What a test expects, or what came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub verdict: String,
    pub violates: BTreeSet<String>,
    pub exit: i32,
}

/// A program with its command.
pub struct Test {
    pub path: PathBuf,
    /// The path below the folder of all tests.
    pub name: String,
    /// The subcommand and its options, without the file; those for formulas last.
    pub command: Vec<String>,
    pub expected: Answer,
    pub prints: Vec<String>,
}

/// Where they are.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/filetests")
}

/// What `kripke` exits with.
pub fn exit_code(verdict: &str) -> i32 {
    match verdict {
        "holds" => 0,
        "violated" => 1,
        "unknown" => 2,
        _ => 3,
    }
}

/// A file of LLVM IR.
pub fn is_llvm_ir(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "ll")
}

/// What a line of comment begins with.
pub fn comment_sign(path: &Path) -> &'static str {
    if is_llvm_ir(path) { ";" } else { "//" }
}

/// Every C file, and every file of LLVM IR (its comments begin with `;`), whose first line is a command.
pub fn find_tests(folder: &Path, tests: &mut Vec<Test>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the tests are there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            find_tests(&path, tests);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "c" || extension == "ll")
        {
            tests.extend(read_test(&path));
        }
    }
}

fn read_test(path: &Path) -> Option<Test> {
    let text = fs::read_to_string(path).expect("a test is text");
    let name = path
        .strip_prefix(root())
        .expect("below the root")
        .display()
        .to_string();
    let mut expected = Answer::default();
    let (mut command, mut prints, mut exit): (Option<Vec<String>>, _, _) = (None, Vec::new(), None);
    let (mut options, mut formulas) = (Vec::new(), Vec::new());
    let comment = comment_sign(path);
    for line in text.lines().map_while(|line| line.strip_prefix(comment)) {
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        let value = value.trim();
        match key.trim() {
            "kripke" => command = Some(value.split_whitespace().map(str::to_owned).collect()),
            "options" => options.extend(value.split_whitespace().map(str::to_owned)),
            "ltl" => formulas.extend(["--ltl".to_owned(), value.to_owned()]),
            "verdict" => expected.verdict = value.to_owned(),
            "violates" => _ = expected.violates.insert(value.to_owned()),
            "exit" => {
                exit = Some(
                    value
                        .parse()
                        .unwrap_or_else(|_| panic!("{name}: '{value}' is no exit code")),
                )
            }
            "prints" => prints.push(value.to_owned()),
            _ => {}
        }
    }
    if let Some(command) = &mut command {
        command.extend(options.into_iter().chain(formulas));
    }
    expected.exit = exit.unwrap_or_else(|| exit_code(&expected.verdict));
    Some(Test {
        path: path.to_owned(),
        name,
        command: command?,
        expected,
        prints,
    })
}
