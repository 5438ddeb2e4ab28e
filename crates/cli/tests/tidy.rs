//! Rules about the source itself that no compiler checks.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Longer files, each with its reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// The longest a source file may be without a reason.
const LONGEST: usize = 900;

/// The widest a line may be, comments, texts and messages included.
const WIDEST: usize = 110;

/// Files and folders with wider lines, each with its reason.
const WIDE: &[(&str, &str)] = &[
    (
        "crates/avr/tests/datasheet.rs",
        "a table, as the datasheet prints it",
    ),
    ("crates/avr/tests/debug.rs", "C, and what is read of it"),
    ("crates/avr/tests/hex.rs", "C"),
    ("crates/cli/tests/command_line.rs", "C"),
    ("crates/cli/tests/stack.rs", "C"),
    ("crates/cli/tests/torn.rs", "C"),
    (
        "crates/fuzz/tests/seeds/debugger.rs",
        "messages and steps, one a line",
    ),
    ("crates/elts/examples/speed.rs", "ELTS, a location a line"),
    ("crates/elts/tests", "ELTS, a location a line"),
    (
        "crates/llvm/src/compile_database.rs",
        "a compile database, a command a line",
    ),
    ("crates/llvm/tests", "C and LLVM IR, a case a line"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace")
}

/// All files below a folder that belong to the project, as paths from the root.
fn files_below(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() && !matches!(name.as_str(), "target" | ".git" | "__pycache__" | "node_modules") {
                folders.push(path);
            } else if path.is_file() && name != ".git" {
                found.push(path.strip_prefix(root()).expect("below the root").to_path_buf());
            }
        }
    }
    found.sort();
    found
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    path.extension()
        .is_some_and(|extension| wanted.iter().any(|name| extension == *name))
}

fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_default()
}

/// Fails with the list, if there is anything on it.
fn check(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

fn rust_files() -> Vec<PathBuf> {
    files_below("crates")
        .into_iter()
        .filter(|path| has_extension(path, &["rs"]))
        .collect()
}

#[test]
fn every_module_says_what_it_is() {
    let undocumented = rust_files().into_iter().filter(|path| {
        let text = read(path);
        let first = text
            .lines()
            .find(|line| !line.trim().is_empty() && !line.starts_with("#!["));
        !first.is_some_and(|line| line.starts_with("//!"))
    });
    check(
        undocumented
            .map(|path| format!("{}: begins without a //! comment", path.display()))
            .collect(),
    );
}

#[test]
fn files_are_short() {
    let mut problems = Vec::new();
    for path in rust_files() {
        let lines = read(&path).lines().count();
        let excused = LONG_FILES.iter().any(|(name, _)| Path::new(name) == path);
        if lines > LONGEST && !excused {
            problems.push(format!(
                "{}: {lines} lines; split it, or give a reason in LONG_FILES",
                path.display()
            ));
        }
        if lines <= LONGEST && excused {
            problems.push(format!(
                "{}: no longer needs its place in LONG_FILES",
                path.display()
            ));
        }
    }
    check(problems);
}

/// Where the symbolic engine may confine a path, each with its reason.
const NARROWING: &[(&str, &str)] = &[
    ("narrowing.rs", "every function there records why"),
    ("path.rs", "defines what a path is"),
    ("kinduction.rs", "splits a path in two that are both followed"),
];

#[test]
fn paths_are_confined_only_with_a_reason() {
    let mut problems = Vec::new();
    let files = files_below("crates/bmc/src").into_iter().filter(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        !NARROWING
            .iter()
            .any(|(excused, _)| name.as_deref() == Some(*excused))
    });
    for path in files {
        for (number, line) in read(&path).lines().enumerate() {
            if line.contains("paths.assume(") || line.contains("state.path = ") {
                problems.push(format!(
                    "{}:{}: confines a path; call what crates/bmc/src/narrowing.rs has for the reason",
                    path.display(),
                    number + 1
                ));
            }
        }
    }
    check(problems);
}

/// The numbers of the lines of a text that may not be wide. In Markdown these are neither tables nor code.
fn narrow_lines(text: &str, is_markdown: bool) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    let lines = text.lines().enumerate();
    lines.filter_map(move |(index, line)| {
        let start = line.trim_start();
        is_code ^= is_markdown && start.starts_with("```");
        let is_free = is_markdown && (is_code || start.starts_with('|'));
        (!is_free).then_some((index + 1, line))
    })
}

#[test]
fn lines_are_short() {
    let mut problems = Vec::new();
    let mut used = BTreeSet::new();
    let files = files_below("");
    for path in files
        .iter()
        .filter(|path| has_extension(path, &["rs", "c", "h", "md"]))
    {
        let text = read(path);
        let mut lines = narrow_lines(&text, has_extension(path, &["md"]));
        let Some((number, _)) = lines.find(|(_, line)| line.chars().count() > WIDEST) else {
            continue;
        };
        match WIDE.iter().find(|(name, _)| path.starts_with(name)) {
            Some((name, _)) => drop(used.insert(*name)),
            None => problems.push(format!("{}:{number}: more than {WIDEST} columns", path.display())),
        }
    }
    let unused = WIDE.iter().filter(|(name, _)| !used.contains(name));
    problems.extend(unused.map(|(name, _)| format!("{name}: no longer needs its place in WIDE")));
    check(problems);
}

#[test]
fn only_the_command_line_prints() {
    let prints = [
        "println!(",
        "eprintln!(",
        "print!(",
        "eprint!(",
        "dbg!(",
        "io::stdout()",
        "io::stderr()",
    ];
    let mut problems = Vec::new();
    for path in rust_files() {
        let components: Vec<_> = path
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        let exempt = components
            .iter()
            .any(|part| matches!(part.as_ref(), "tests" | "examples" | "benches" | "build"));
        if exempt {
            continue;
        }
        // Even the command line prints in one place.
        let prints = match path.starts_with("crates/cli") {
            true => &prints[..5],
            false => &prints[..],
        };
        for (number, line) in read(&path).lines().enumerate() {
            let calls = prints.iter().any(|print| {
                line.find(print)
                    .is_some_and(|at| !line[..at].ends_with(|before: char| before.is_alphanumeric()))
            });
            if calls && !line.trim_start().starts_with("//") {
                problems.push(format!("{}:{}: prints", path.display(), number + 1));
            }
        }
    }
    check(problems);
}

#[test]
fn no_machine_paths() {
    // Put together here, so that this file does not contain them.
    let roots: Vec<String> = ["work", "home", "root"]
        .iter()
        .map(|name| format!("/{name}/"))
        .collect();
    let texts = &["rs", "md", "toml", "py", "c", "h", "sh", "json", "yml"];
    let mut problems = Vec::new();
    for path in files_below("")
        .into_iter()
        .filter(|path| has_extension(path, texts) || path.extension().is_none())
    {
        for (number, line) in read(&path).lines().enumerate() {
            if roots.iter().any(|root| line.contains(root.as_str())) {
                problems.push(format!(
                    "{}:{}: names a folder of one machine: {}",
                    path.display(),
                    number + 1,
                    line.trim()
                ));
            }
        }
    }
    check(problems);
}

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn the_map_names_what_exists() {
    let text = read(Path::new("ARCHITECTURE.md"));
    let is_path = |name: &&str| {
        let starts = [
            "crates/",
            "docs/",
            "examples/",
            "benches/",
            "scripts/",
            ".ci/",
            ".cargo/",
            "build/",
        ];
        starts.iter().any(|start| name.starts_with(start))
            && !name.contains([' ', '*', '<'])
            && !name.contains("NAME")
    };
    let named: BTreeSet<&str> = quoted(&text).filter(is_path).collect();
    assert!(named.len() > 10, "the map should name the places it speaks of");
    check(
        named
            .iter()
            .filter(|name| !root().join(name).exists())
            .map(|name| format!("{name} does not exist"))
            .collect(),
    );
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut problems = Vec::new();
    for path in files_below("")
        .into_iter()
        .filter(|path| has_extension(path, &["md"]))
    {
        let text = read(&path);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or("");
            if target.is_empty() || link.contains("://") {
                continue;
            }
            let folder = path.parent().unwrap_or(Path::new(""));
            if !root().join(folder).join(target).exists() {
                problems.push(format!(
                    "{}: links to {target}, which does not exist",
                    path.display()
                ));
            }
        }
    }
    check(problems);
}

#[test]
fn what_a_proof_rests_on_is_guarded_by_tests() {
    let text = read(Path::new("docs/soundness.md"));
    let mut problems = Vec::new();
    for name in quoted(&text) {
        let Some((file, test)) = name.split_once(".rs::") else {
            continue;
        };
        let source = read(Path::new(&format!("{file}.rs")));
        if !source.contains(&format!("fn {test}(")) {
            problems.push(format!("docs/soundness.md: there is no test {name}"));
        }
    }
    check(problems);
}

fn help(command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args([command, "--help"])
        .output()
        .expect("kripke runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_option_is_documented() {
    let reference = read(Path::new("docs/command-line.md"));
    let documented: BTreeSet<&str> = quoted(&reference)
        .filter_map(|text| text.split([' ', '=']).next())
        .collect();
    let mut problems = Vec::new();
    for command in ["check", "elts", "run", "cfg", "stack", "serve"] {
        for line in help(command)
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with('-'))
        {
            for word in line
                .split_whitespace()
                .map_while(|word| word.strip_suffix(',').or(Some(word)))
            {
                let option = word.split(['=', '[', '<']).next().unwrap_or("");
                let is_option = option.starts_with('-') && !option.trim_start_matches('-').is_empty();
                if !is_option {
                    break;
                }
                if !documented.contains(option) {
                    problems.push(format!(
                        "docs/command-line.md does not mention {option} of kripke {command}"
                    ));
                }
            }
        }
    }
    check(problems);
}
