//! Mutants of the programs that hold: where a run of one fails, it is not said to hold.
//!
//! Each C program of `tests/filetests` and `examples` that holds is changed in one place (see the module
//! `mutants`), compiled by gcc with AddressSanitizer and UndefinedBehaviorSanitizer, and run on random
//! inputs; where that shows nothing, by clang with MemorySanitizer. Where a run is stopped, by a sanitizer,
//! a signal or an assertion, *holds* would be wrong. Of the mutants whose runs show nothing every fourth is
//! checked too: nothing may go wrong in the checker, and what is violated is looked for in the compiled
//! harness.
//!
//! All mutants stand in one order, in which each program comes once before any comes again.
//! `KRIPKE_MUTATION_COUNT` of them are tried (24 unless set), from number `KRIPKE_MUTATION_SEED` (1) on;
//! `KRIPKE_MUTATION_PROGRAM=text` leaves only programs whose path contains the text. What is wrong stays in
//! `target/tmp/mutation`.

mod filetest;
mod mutants;
mod native;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use filetest::{Test, find_tests};
use mutants::{Change, in_rounds, shuffle};
use native::{
    Build, GCC, MEMORY, WITH_DRIVER, driver, for_each_number, make_drivers, run, setting, try_compile,
};

/// The random inputs that each mutant is run on; with MemorySanitizer processes are slow to make.
const RUNS: u32 = 100;
const RUNS_FOR_MEMORY: u32 = 10;
/// Of the mutants that no run stops, one in so many is checked.
const SILENT_CHECKED: u64 = 4;
/// What decides the order of the mutants.
const ORDER: u64 = 10;
/// How long a check may take, and how much memory.
const LIMITS: [&str; 4] = ["--timeout", "20s", "--memory-limit", "2GB"];

/// Programs that hold and whose runs on this machine say nothing, and why.
const NOT_RUN: [(&str, &str); 2] = [
    (
        "globals/register_writes_are_allowed.c",
        "there is no such device here",
    ),
    (
        "memory/device_beyond_the_length.c",
        "there is no such device here",
    ),
];

/// Ends of runs that are the machine's and not the program's: C knows no end of memory or stack, and `malloc`
/// is assumed to succeed.
const MACHINE: [&str; 5] = [
    "stack-overflow",
    "allocation-size-too-big",
    "calloc-overflow",
    "out-of-memory",
    "rss limit",
];
/// What the report says of violations that a compiled program need not show.
const NOT_SHOWN: [&str; 3] = [
    "depends on where objects lie in memory",
    "violated[uninitialised]",
    "violated[missing-return]",
];

/// A program that holds.
struct Program {
    name: String,
    path: PathBuf,
    text: String,
    options: Vec<String>,
    /// What can be changed; once nothing is.
    changes: Vec<Option<Change>>,
}

impl Program {
    fn new(name: String, path: PathBuf, options: &[String]) -> Program {
        let text = fs::read_to_string(&path).expect("a program is text");
        let mut changes: Vec<_> = mutants::changes(&text).into_iter().map(Some).collect();
        changes.push(None);
        shuffle(&mut changes, ORDER);
        let options = options.to_vec();
        Program {
            name,
            path,
            text,
            options,
            changes,
        }
    }
}

/// Whether the test asks for no less than the default, of a program of one file on this machine.
fn is_plain(test: &Test) -> bool {
    let plain = |word: &String| {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        let known = [
            "check",
            "--unwind",
            "--check",
            "default,leak",
            "--malloc-may-fail",
        ];
        is_number || word.starts_with("-D") || known.contains(&word.as_str())
    };
    let runs = NOT_RUN.iter().all(|(name, _)| *name != test.name) && !filetest::is_llvm_ir(&test.path);
    test.expected.verdict == "holds" && test.command.iter().all(plain) && runs
}

fn programs() -> Vec<Program> {
    let mut tests = Vec::new();
    find_tests(&filetest::root(), &mut tests);
    let plain = tests.into_iter().filter(is_plain);
    let mut programs: Vec<Program> = plain
        .map(|test| Program::new(test.name, test.path, &test.command[1..]))
        .collect();
    for folder in ["", "ltl-more", "ltl-paper"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../examples")
            .join(folder);
        let entries = fs::read_dir(&path).expect("the examples are there");
        let files = entries.map(|entry| entry.expect("an entry").path());
        let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "c"));
        programs.extend(files.map(|path| {
            let file = path.file_name().expect("a file").to_string_lossy().into_owned();
            Program::new(format!("examples/{folder}/{file}"), path, &[])
        }));
    }
    let text = std::env::var("KRIPKE_MUTATION_PROGRAM").unwrap_or_default();
    programs.retain(|program| program.name.contains(&text));
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    shuffle(&mut programs, ORDER);
    programs
}

/// What came of a mutant.
enum Outcome {
    /// The compilers refuse it.
    NoProgram,
    /// No run is stopped, and nobody was asked.
    Silent,
    /// No run is stopped, and the checker says so.
    SilentHolds,
    /// No run is stopped; the checker says *violated*, and the compiled harness shows it.
    Beyond,
    /// The same, and the compiled harness does not show it.
    NotReproduced(String),
    SilentUnknown,
    /// A run is stopped, and the checker says *violated*.
    Caught,
    /// A run is stopped, and the checker says *unknown*.
    Unknown(String),
    Wrong(String),
}

/// A mutant in a folder of its own.
struct Trial<'a> {
    shared: &'a Path,
    folder: PathBuf,
    number: u64,
    program: &'a Program,
    change: Option<&'a Change>,
}

impl Trial<'_> {
    fn outcome(&self) -> Outcome {
        let source = self.folder.join("program.c");
        let text = match self.change {
            Some(change) => change.apply(&self.program.text),
            None => self.program.text.clone(),
        };
        fs::write(&source, text).expect("target folder is writable");
        let mut stopped = match self.native(&source, GCC, RUNS) {
            Some(stopped) => stopped,
            None => return Outcome::NoProgram,
        };
        if stopped.is_none() {
            stopped = self.native(&source, MEMORY, RUNS_FOR_MEMORY).flatten();
        }
        match stopped {
            Some(why) => self.check_stopped(&source, &why),
            None if self.number.is_multiple_of(SILENT_CHECKED) => self.check_silent(&source),
            None => Outcome::Silent,
        }
    }

    /// Compiles and runs: why a run is stopped, if one is; `None` where this is no program.
    fn native(&self, source: &Path, build: Build, runs: u32) -> Option<Option<String>> {
        let binary = self.folder.join(build.name);
        let folder = self
            .program
            .path
            .parent()
            .expect("a folder")
            .display()
            .to_string();
        let (source, driver) = (source.display().to_string(), driver(self.shared, build));
        let driver = driver.display().to_string();
        let mut arguments = vec!["-fno-builtin", WITH_DRIVER, "-I", &folder, &source, &driver];
        let macros = self.program.options.iter().filter(|word| word.starts_with("-D"));
        arguments.extend(macros.map(String::as_str));
        try_compile(build, &binary, &arguments).ok()?;
        let output = run(Command::new(&binary).args([&runs.to_string(), "stop"]));
        if !String::from_utf8_lossy(&output.stdout)
            .lines()
            .any(|line| line.starts_with('S'))
        {
            return Some(None);
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_machine = MACHINE.iter().any(|text| said.contains(text));
        let marks = [
            "runtime error: ",
            "ERROR: ",
            "WARNING: MemorySanitizer",
            "driver: ",
        ];
        let why = said
            .lines()
            .find(|line| marks.iter().any(|mark| line.contains(mark)));
        Some((!is_machine).then(|| format!("{}: {}", build.name, why.unwrap_or(&said))))
    }

    /// The exit code and what was printed.
    fn check(&self, source: &Path, further: &[&str]) -> (i32, String) {
        let folder = self.program.path.parent().expect("a folder");
        let output = run(Command::new(env!("CARGO_BIN_EXE_kripke"))
            .arg("check")
            .arg(source)
            .arg("-I")
            .arg(folder)
            .args(&self.program.options)
            .args(LIMITS)
            .args(further));
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        (output.status.code().unwrap_or(-1), said)
    }

    /// A run has failed: the checker may say anything but *holds*.
    fn check_stopped(&self, source: &Path, why: &str) -> Outcome {
        match self.check(source, &["--quiet"]) {
            (0, _) => Outcome::Wrong(format!("holds; {why}")),
            (1, _) => Outcome::Caught,
            (2, said) => Outcome::Unknown(tail(&said)),
            (3, _) => Outcome::NoProgram,
            (code, said) => Outcome::Wrong(format!("exit {code}; {why}; {}", tail(&said))),
        }
    }

    fn check_silent(&self, source: &Path) -> Outcome {
        let harness = self.folder.join("harness.c").display().to_string();
        match self.check(source, &["--harness", &harness]) {
            (0, _) => Outcome::SilentHolds,
            (1, said) => self.replay(source, &harness, &said),
            (2, _) => Outcome::SilentUnknown,
            (3, _) => Outcome::NoProgram,
            (code, said) => Outcome::Wrong(format!("exit {code}; {}", tail(&said))),
        }
    }

    /// Looks for the violation in the compiled program.
    fn replay(&self, source: &Path, harness: &str, said: &str) -> Outcome {
        if NOT_SHOWN.iter().any(|text| said.contains(text)) {
            return Outcome::Beyond;
        }
        let binary = self.folder.join("replay");
        let folder = self
            .program
            .path
            .parent()
            .expect("a folder")
            .display()
            .to_string();
        let source = source.display().to_string();
        let violated = said
            .lines()
            .find(|line| line.starts_with("violated"))
            .unwrap_or("");
        let mut arguments = vec!["-fno-builtin", "-I", &folder, &source, harness];
        let macros = self.program.options.iter().filter(|word| word.starts_with("-D"));
        arguments.extend(macros.map(String::as_str));
        if let Err(why) = try_compile(GCC, &binary, &arguments) {
            return Outcome::NotReproduced(format!("{violated}: {}", tail(&why)));
        }
        match run(Command::new("timeout").arg("10").arg(&binary))
            .status
            .success()
        {
            true => Outcome::NotReproduced(violated.to_owned()),
            false => Outcome::Beyond,
        }
    }
}

fn tail(text: &str) -> String {
    let start = text.char_indices().rev().nth(300).map_or(0, |(index, _)| index);
    text[start..].trim().to_owned()
}

#[derive(Default)]
struct Tally {
    no_program: u64,
    silent: u64,
    silent_holds: u64,
    silent_unknown: u64,
    beyond: u64,
    caught: u64,
    unknown: Vec<String>,
    not_reproduced: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, what: String, outcome: Outcome) {
        match outcome {
            Outcome::NoProgram => self.no_program += 1,
            Outcome::Silent => self.silent += 1,
            Outcome::SilentHolds => self.silent_holds += 1,
            Outcome::SilentUnknown => self.silent_unknown += 1,
            Outcome::Beyond => self.beyond += 1,
            Outcome::Caught => self.caught += 1,
            Outcome::Unknown(why) => self.unknown.push(format!("{what}: {why}")),
            Outcome::NotReproduced(why) => self.not_reproduced.push(format!("{what}: {why}")),
            Outcome::Wrong(why) => self.wrong.push(format!("{what}: {why}")),
        }
    }

    fn found(&self) -> u64 {
        self.caught + (self.unknown.len() + self.wrong.len()) as u64
    }

    fn silent(&self) -> u64 {
        let not_reproduced = self.not_reproduced.len() as u64;
        self.silent + self.silent_holds + self.silent_unknown + self.beyond + not_reproduced
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "mutation: {} mutants ({} more are no programs); {} found by runs: {} caught, {} unknown, \
             {} wrong",
            self.found() + self.silent(),
            self.no_program,
            self.found(),
            self.caught,
            self.unknown.len(),
            self.wrong.len()
        )?;
        writeln!(
            f,
            "of the others: {} not checked, {} hold, {} unknown, {} violated and seen in the harness, \
             {} violated and not seen there",
            self.silent,
            self.silent_holds,
            self.silent_unknown,
            self.beyond,
            self.not_reproduced.len()
        )?;
        let lists = [
            ("unknown", &self.unknown),
            ("not reproduced", &self.not_reproduced),
        ];
        for (name, list) in lists {
            list.iter().try_for_each(|line| writeln!(f, "{name}: {line}"))?;
        }
        Ok(())
    }
}

#[test]
fn no_failing_mutant_holds() {
    let shared = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mutation");
    make_drivers(&shared, &[GCC, MEMORY]);
    let programs = programs();
    let counts: Vec<usize> = programs.iter().map(|program| program.changes.len()).collect();
    let mutants = in_rounds(&counts);
    let first = setting("KRIPKE_MUTATION_SEED", 1).max(1);
    let count = setting("KRIPKE_MUTATION_COUNT", 24).min((mutants.len() as u64 + 1).saturating_sub(first));
    let tally = Mutex::new(Tally::default());
    for_each_number(first, count, |number| {
        let (program, change) = mutants[number as usize - 1];
        let program = &programs[program];
        let change = program.changes[change].as_ref();
        let folder = shared.join(number.to_string());
        fs::create_dir_all(&folder).expect("target folder is writable");
        let trial = Trial {
            shared: &shared,
            folder,
            number,
            program,
            change,
        };
        let outcome = trial.outcome();
        let change = change.map_or("unchanged".to_owned(), |change| change.describe(&program.text));
        let what = format!("{number}: {}, {change}", program.name);
        match &outcome {
            Outcome::Wrong(why) => println!("{what}: {why}"),
            _ => _ = fs::remove_dir_all(&trial.folder),
        }
        tally
            .lock()
            .expect("no thread panics while it counts")
            .add(what, outcome);
    });
    let tally = tally.into_inner().expect("threads have ended");
    println!(
        "{} programs with {} mutants\n{tally}",
        programs.len(),
        mutants.len()
    );
    assert!(
        tally.wrong.is_empty(),
        "{} wrong:\n{}",
        tally.wrong.len(),
        tally.wrong.join("\n")
    );
    // Runs find one mutant in four; so few mutants are a small sample, and which they are changes with each
    // program that is added.
    assert!(
        tally.found() * 10 >= count,
        "runs find too few of {count} mutants: {}",
        tally.found()
    );
}
