//! The documentation's examples: every fenced `console` block of `README.md` and `docs/` is run
//! in the project's folder and must print what the document shows.
//!
//! Lines that begin with `$ ` are commands, the lines below each its output (both streams). Times and
//! memory sizes may differ. `KRIPKE_BLESS=1` rewrites the documents instead.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Separates the outputs of a block's commands.
const MARK: char = '\u{1}';

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace")
}

/// Runs the commands one after the other in one shell; the output of each.
fn run_block(commands: &[&str]) -> Vec<String> {
    let mut script = String::from("status=0\n");
    for command in commands {
        // The mark must not disturb `$?`, which the next command may ask for.
        script += &format!("status=$?; printf '\\001'; (exit $status)\n{command}\n");
    }
    let kripke = Path::new(env!("CARGO_BIN_EXE_kripke"));
    let mut path = kripke.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{script}")])
        .current_dir(root())
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split(MARK).skip(1).map(str::to_string).collect()
}

/// The document with every block as it really comes out.
fn regenerate(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out += line;
        out += "\n";
        if line != "```console" {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let commands: Vec<&str> = block.iter().filter_map(|line| line.strip_prefix("$ ")).collect();
        for (command, output) in commands.iter().zip(run_block(&commands)) {
            out += &format!("$ {command}\n");
            out += &output;
            if !output.is_empty() && !output.ends_with('\n') {
                out += "\n";
            }
        }
        out += "```\n";
    }
    out
}

/// Numbers that differ from run to run become `#`.
fn normalise(text: &str) -> String {
    text.lines()
        .map(
            |line| match line.split_once(" s, ").filter(|(_, rest)| rest.contains(" MB, ")) {
                Some((before, rest)) => {
                    let head = before
                        .trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
                    let tail = rest.trim_start_matches(|character: char| character.is_ascii_digit());
                    format!(
                        "{head}# s, #{}\n",
                        tail.split(" MB, ").next().map_or("", |_| " MB")
                    )
                }
                None => format!("{}\n", without_seconds(line)),
            },
        )
        .collect()
}

/// A line of a table without the seconds that end it.
fn without_seconds(line: &str) -> String {
    let Some(before) = line.strip_suffix(" s") else {
        return line.to_string();
    };
    let head = before.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    match head.len() < before.len() {
        true => format!("{} # s", head.trim_end()),
        false => line.to_string(),
    }
}

fn check(document: &Path) {
    let text = fs::read_to_string(document).expect("a document");
    let regenerated = regenerate(&text);
    if std::env::var_os("KRIPKE_BLESS").is_some() {
        fs::write(document, regenerated).expect("a writable document");
        return;
    }
    let (shown, real) = (normalise(&text), normalise(&regenerated));
    for (number, (shown, real)) in shown.lines().zip(real.lines()).enumerate() {
        assert_eq!(shown, real, "{}, near line {}", document.display(), number + 1);
    }
    assert_eq!(
        shown.lines().count(),
        real.lines().count(),
        "{}",
        document.display()
    );
}

#[test]
fn examples_print_what_the_documents_show() {
    // Examples write there; with another CARGO_TARGET_DIR it need not exist.
    fs::create_dir_all(root().join("target")).expect("the directory target");
    let mut documents: Vec<PathBuf> = vec![root().join("README.md")];
    documents.extend(
        fs::read_dir(root().join("docs"))
            .expect("docs")
            .map(|entry| entry.expect("an entry").path()),
    );
    documents.sort();
    for document in documents
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
    {
        check(document);
    }
}

#[test]
fn the_guide_lists_every_page() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the table of contents");
    let pages = fs::read_dir(root().join("docs")).expect("docs");
    for page in pages.map(|entry| entry.expect("an entry").path()) {
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        if name.ends_with(".md") && name != "SUMMARY.md" {
            assert_eq!(
                summary.matches(&format!("]({name})")).count(),
                1,
                "{name} in SUMMARY.md"
            );
        }
    }
    for link in summary.split("](").skip(1) {
        let name = link.split(')').next().expect("a link");
        assert!(root().join("docs").join(name).is_file(), "{name}");
    }
}

/// The options that a command knows, with their aliases; none if there is no such command.
fn known_options(command: &str) -> Option<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args([command, "--help"])
        .output()
        .expect("kripke");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
}

/// The options of one command; what follows `--` or another command of the shell belongs to others.
fn options_of(words: &str) -> Vec<String> {
    let is_end = |word: &&str| ["--", "|", "&&", ";", ">", "#"].contains(word);
    let own = words.split_whitespace().take_while(|word| !is_end(word));
    own.filter(|word| word.starts_with("--"))
        .map(|word| {
            let name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            word.chars().take_while(|&c| name(c)).collect()
        })
        .collect()
}

#[test]
fn commands_in_the_documents_exist() {
    let mut help = std::collections::BTreeMap::new();
    let mut seen = 0;
    let documents = fs::read_dir(root().join("docs")).expect("docs");
    let documents = documents.map(|entry| entry.expect("an entry").path());
    for document in documents.chain([root().join("README.md"), root().join("CONTRIBUTING.md")]) {
        let text = fs::read_to_string(&document)
            .unwrap_or_default()
            .replace("\\\n", " ");
        for line in text.lines() {
            // Blocks of text, blocks of commands, and commands within sentences.
            let whole = line.trim_start().trim_start_matches("$ ");
            let within = line.split('`').skip(1).step_by(2);
            for command in std::iter::once(whole).chain(within) {
                let Some(rest) = command.strip_prefix("kripke ") else {
                    continue;
                };
                let name = rest.split_whitespace().next().unwrap_or_default();
                if name.starts_with('-')
                    || !name.chars().all(|c| c.is_ascii_lowercase())
                    || rest.contains('…')
                {
                    continue;
                }
                let known = help.entry(name.to_owned()).or_insert_with(|| known_options(name));
                let Some(known) = known else {
                    assert!(
                        whole != command,
                        "{}: no command '{name}': {line}",
                        document.display()
                    );
                    continue;
                };
                for option in options_of(rest) {
                    let listed = known.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
                    assert!(
                        listed.into_iter().any(|word| word == option),
                        "{}: 'kripke {name}' has no option {option}: {line}",
                        document.display()
                    );
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 100, "{seen} options were looked at");
}
