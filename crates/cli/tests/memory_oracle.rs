//! Verdicts on random programs about memory against the programs themselves, run with sanitizers.
//!
//! Each program is compiled by gcc or clang with AddressSanitizer and UndefinedBehaviorSanitizer, and by
//! clang with MemorySanitizer, and run on random inputs. What a run does is never excluded: where it is
//! stopped, a property at that line does not hold; where it observes a value, the assertion that there is no
//! such value does not hold. The other way round each violation is looked for in the harness compiled by gcc.
//!
//! A sanitizer does not see every error. Where another property, of a line before, does not hold either, the
//! run may be one that went wrong there: such programs are counted as masked. `KRIPKE_MEMORY_COUNT` programs
//! are tried (22 unless set), from seed `KRIPKE_MEMORY_SEED` (1) on; a failure is shrunk, printed, and left
//! in `target/tmp/memory`.

mod native;
mod random_memory;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use native::{
    Build, CLANG, GCC, MEMORY, WITH_DRIVER, compile, driver, for_each_number, make_drivers, run, setting,
};
use random_memory::Program;
use serde_json::Value;

/// The random inputs that each program is run on.
const RUNS: u32 = 24;
/// Failures that are shrunk; the others are only named.
const SHRUNK: usize = 3;

/// What a native run did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    Value(u32),
    Stopped(u64),
    Other,
}

/// What came of a program.
#[derive(Debug)]
enum Outcome {
    Agree,
    /// Holds, and no run said otherwise.
    Holds,
    Masked,
    Unknown,
    /// A violation that the compiled harness does not show, with its kind.
    NotReproduced(String),
    Mismatch(String),
}

/// A program in a folder of its own, with what the compilers and the checker say of it.
struct Trial<'a> {
    shared: &'a Path,
    folder: PathBuf,
    seed: u64,
}

impl Trial<'_> {
    fn write(&self, text: &str) -> PathBuf {
        let path = self.folder.join("program.c");
        fs::write(&path, text).expect("target folder is writable");
        path
    }

    fn native(&self, source: &Path, build: Build) -> Vec<Run> {
        let binary = self.folder.join(build.name);
        let (source, driver) = (source.display().to_string(), driver(self.shared, build));
        compile(
            build,
            &binary,
            &["-DNATIVE", WITH_DRIVER, &source, &driver.display().to_string()],
        );
        let output = run(Command::new(&binary).arg(RUNS.to_string()));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines()
            .map(|line| match line.split_once(' ') {
                Some(("V", value)) => Run::Value(value.parse().expect("a value")),
                Some(("S", line)) => Run::Stopped(line.parse().expect("a line")),
                _ => Run::Other,
            })
            .collect()
    }

    /// The properties that do not hold, each with kind and line; `None` where the report is no verdict.
    fn check(&self, source: &Path) -> Result<Report, String> {
        let (json, harness) = (self.folder.join("report.json"), self.folder.join("harness.c"));
        fs::remove_file(&harness).ok();
        let output = run(Command::new(env!("CARGO_BIN_EXE_kripke"))
            .arg("check")
            .arg(source)
            .args(["--all", "--quiet", "--max-unwind", "128", "--timeout", "30s"])
            .args(["--memory-limit", "2GB", "--json"])
            .arg(&json)
            .arg("--harness")
            .arg(&harness));
        let code = output.status.code().unwrap_or(-1);
        if !(0..=2).contains(&code) {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("exit {code}: {said}"));
        }
        let text = fs::read_to_string(&json).map_err(|why| why.to_string())?;
        let report: Value = serde_json::from_str(&text).map_err(|why| why.to_string())?;
        let open = report["results"].as_array().into_iter().flatten();
        let open = open.filter(|result| result["verdict"] != "holds");
        Ok(Report {
            code,
            complete: report["incomplete"].is_null(),
            open: open
                .map(|result| {
                    let property = &result["property"];
                    let kind = property["kind"].as_str().unwrap_or_default().to_owned();
                    let line = property["place"]["line"].as_u64().unwrap_or(0);
                    (kind, line, result["verdict"] == "violated")
                })
                .collect(),
        })
    }

    /// Compares one program.
    fn compare(&self, program: &Program) -> Outcome {
        let source = self.write(&program.text(0));
        let build = if self.seed.is_multiple_of(2) { GCC } else { CLANG };
        let runs = self.native(&source, build);
        let uninitialised = self.native(&source, MEMORY);
        let values: Vec<u32> = runs
            .iter()
            .filter_map(|run| match run {
                Run::Value(value) => Some(*value),
                _ => None,
            })
            .collect();
        // Mostly a value that was seen, sometimes one that may not exist.
        let target = match values.len() {
            0 => 12345,
            _ if self.seed % 5 == 4 => values[0].wrapping_add(1),
            count => values[self.seed as usize / 5 % count],
        };
        let text = program.text(target);
        let source = self.write(&text);
        let report = match self.check(&source) {
            Ok(report) => report,
            Err(why) => return Outcome::Mismatch(why),
        };
        let last = text.lines().count() as u64 - 2;
        report
            .judge(&runs, &uninitialised, values.contains(&target).then_some(last))
            .unwrap_or_else(|| self.replay(&source, &report))
    }

    /// Looks for the violation in the compiled program.
    fn replay(&self, source: &Path, report: &Report) -> Outcome {
        let kinds: BTreeSet<&str> = report.kinds_violated().collect();
        if report.code != 1 || kinds.contains("uninitialised") {
            return Outcome::Agree;
        }
        let (binary, harness) = (self.folder.join("replay"), self.folder.join("harness.c"));
        let (source, harness) = (source.display().to_string(), harness.display().to_string());
        compile(GCC, &binary, &["-fno-builtin", "-DREPLAY", &source, &harness]);
        let output = run(Command::new("timeout").arg("10").arg(&binary));
        if output.status.success() {
            let kinds: Vec<&str> = kinds.into_iter().collect();
            return Outcome::NotReproduced(kinds.join(", "));
        }
        Outcome::Agree
    }

    /// Leaves statements out while the program still disagrees.
    fn shrink(&self, program: &Program) -> Program {
        let mut smallest = program.clone();
        let mut index = 0;
        while index < smallest.statements.len() {
            let shorter = smallest.without(index);
            match self.compare(&shorter) {
                Outcome::Mismatch(_) => smallest = shorter,
                _ => index += 1,
            }
        }
        smallest
    }
}

/// What the checker said.
struct Report {
    code: i32,
    complete: bool,
    /// Kind and line of each property that does not hold, and whether it is violated.
    open: Vec<(String, u64, bool)>,
}

impl Report {
    fn kinds_violated(&self) -> impl Iterator<Item = &str> {
        let violated = self.open.iter().filter(|(_, _, violated)| *violated);
        violated.map(|(kind, _, _)| kind.as_str())
    }

    /// `None` where every run is allowed for and something is violated.
    fn judge(&self, runs: &[Run], uninitialised: &[Run], seen: Option<u64>) -> Option<Outcome> {
        let mut masked = false;
        let mut demand = |what: String, line: u64, allowed: &dyn Fn(&str, u64) -> bool| {
            let direct = self.open.iter().any(|(kind, at, _)| allowed(kind, *at));
            let earlier = self
                .open
                .iter()
                .any(|(kind, at, _)| kind != "assertion" && *at <= line);
            if !direct && !earlier && self.complete {
                return Some(Outcome::Mismatch(what));
            }
            masked |= !direct;
            None
        };
        for (number, run) in runs.iter().enumerate() {
            if let Run::Stopped(line) = run {
                let what = format!("run {number} is stopped at line {line}, and everything holds there");
                let wrong = demand(what, *line, &|kind, at| at == *line && kind != "assertion");
                if wrong.is_some() {
                    return wrong;
                }
                continue;
            }
            if let Some(Run::Stopped(line)) = uninitialised.get(number) {
                let what = format!("run {number} uses bytes at line {line} that were never written");
                let wrong = demand(what, *line, &|kind, at| kind == "uninitialised" && at <= *line);
                if wrong.is_some() {
                    return wrong;
                }
            }
        }
        if let Some(line) = seen {
            let what = "the value was observed, and the assertion that excludes it holds".to_owned();
            let wrong = demand(what, line, &|kind, _| kind == "assertion");
            if wrong.is_some() {
                return wrong;
            }
        }
        match self.code {
            0 => Some(Outcome::Holds),
            2 => Some(Outcome::Unknown),
            _ if masked => Some(Outcome::Masked),
            _ => None,
        }
    }
}

#[derive(Default)]
struct Tally {
    agreed: u64,
    held: u64,
    masked: u64,
    unknown: u64,
    not_reproduced: Vec<String>,
    mismatches: Vec<String>,
}

impl Tally {
    fn add(&mut self, seed: u64, outcome: Outcome) {
        match outcome {
            Outcome::Agree => self.agreed += 1,
            Outcome::Holds => self.held += 1,
            Outcome::Masked => self.masked += 1,
            Outcome::Unknown => self.unknown += 1,
            Outcome::NotReproduced(kinds) => self.not_reproduced.push(format!("{seed} ({kinds})")),
            Outcome::Mismatch(why) => self.mismatches.push(format!("seed {seed}: {why}")),
        }
    }
}

#[test]
fn no_run_is_excluded() {
    let shared = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("memory");
    make_drivers(&shared, &[GCC, CLANG, MEMORY]);
    let first = setting("KRIPKE_MEMORY_SEED", 1);
    let count = setting("KRIPKE_MEMORY_COUNT", 22);
    let tally = Mutex::new(Tally::default());
    let work = |seed: u64| {
        let folder = shared.join(seed.to_string());
        fs::create_dir_all(&folder).expect("target folder is writable");
        let trial = Trial {
            shared: &shared,
            folder,
            seed,
        };
        let program = random_memory::program(seed);
        let outcome = trial.compare(&program);
        let mismatch = matches!(outcome, Outcome::Mismatch(_));
        let shrink = {
            let mut tally = tally.lock().expect("no thread panics while it counts");
            tally.add(seed, outcome);
            mismatch && tally.mismatches.len() <= SHRUNK
        };
        if shrink {
            let smallest = trial.shrink(&program);
            let statements = smallest.statements.join("\n    ");
            println!(
                "seed {seed}, shrunk:\n    {statements}\n    observed: {}",
                smallest.observed
            );
            trial.compare(&smallest);
        }
        if !mismatch {
            fs::remove_dir_all(&trial.folder).ok();
        }
    };
    for_each_number(first, count, work);
    let tally = tally.into_inner().expect("threads have ended");
    println!(
        "memory: {} agreed, {} hold, {} masked, {} unknown, {} not reproduced by the harness: {}",
        tally.agreed,
        tally.held,
        tally.masked,
        tally.unknown,
        tally.not_reproduced.len(),
        tally.not_reproduced.join("; ")
    );
    assert!(
        tally.mismatches.is_empty(),
        "{} of {count} disagree:\n{}",
        tally.mismatches.len(),
        tally.mismatches.join("\n")
    );
    assert!(
        tally.agreed * 3 >= count,
        "too few of {count} programs say anything: {} agreed",
        tally.agreed
    );
}
