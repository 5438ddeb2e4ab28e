//! Runs a target in a process of its own, with little stack and little memory, and sees how each ends.
//!
//! Idea: a stack that overflows and a failed allocation take their process along, and a hang has to be ended
//! from outside. The process writes the number of each case before it begins; whoever watches makes the same
//! case from the seeds again, makes it smaller, and keeps it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kripke_fuzz::mutate::{self, Seed};
use kripke_fuzz::{Random, Target, seed_files, target_named};

/// Address space of the process, in KiB.
const MEMORY: u32 = 2 << 20;
/// A case that is not over by then hangs. The process itself objects earlier, once such a case is over.
const HANG: Duration = Duration::from_secs(20);
/// So many kinds of failures are enough to look at.
const MOST_FAILURES: usize = 12;
/// How often a failing input is tried to be made smaller.
const SHRINKINGS: usize = 300;

/// How a process ended that should not have.
type Failure = String;

/// The runs of one target.
pub struct Supervisor {
    target: Target,
    /// Where its files are.
    folder: PathBuf,
    seeds: Vec<Seed>,
}

impl Supervisor {
    /// Writes the seeds where the target's process reads them, and libFuzzer can be told to.
    pub fn new(name: &str, seeds: &[Vec<u8>]) -> Self {
        let target = target_named(name).unwrap_or_else(|| panic!("there is no target {name}"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(name);
        // What an earlier run left is no longer of interest, where there is any.
        let _ = std::fs::remove_dir_all(&folder);
        for part in ["seeds", "failures"] {
            std::fs::create_dir_all(folder.join(part)).expect("a folder for fuzzing");
        }
        for (number, seed) in seeds.iter().enumerate() {
            let file = folder.join("seeds").join(format!("{number:03}"));
            std::fs::write(file, seed).expect("a seed is written");
        }
        let seeds = seeds
            .iter()
            .map(|seed| Seed::new(seed.clone(), target.form))
            .collect();
        Self {
            target,
            folder,
            seeds,
        }
    }

    /// The seeds themselves do no harm.
    pub fn accepts_seeds(&self, seeds: &[Vec<u8>]) {
        for (number, seed) in seeds.iter().enumerate() {
            if let Some(failure) = self.try_input(seed) {
                panic!("{}, seed {number}: {failure}", self.target.name);
            }
        }
    }

    /// What once failed does so no longer.
    pub fn regressions(&self) {
        let kept = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../fuzz/regressions")
            .join(self.target.name);
        for file in seed_files(&kept) {
            let bytes = std::fs::read(&file).expect("a kept input");
            if let Some(failure) = self.try_input(&bytes) {
                panic!("{}: {failure}", file.display());
            }
        }
    }

    /// Feeds mutants for so long; how many there were.
    ///
    /// # Panics
    /// If one of them fails, with the smallest input of each kind of failure.
    pub fn feed(&self, seed: u64, time: Duration) -> u64 {
        let end = Instant::now() + time;
        let mut failures: BTreeMap<String, Failure> = BTreeMap::new();
        let mut from = 0;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if from > 0 && (left.is_zero() || failures.len() >= MOST_FAILURES) {
                break;
            }
            let (case, failure) = self.run(seed, from, left);
            let Some(failure) = failure else {
                from = case;
                break;
            };
            from = case + 1;
            failures.entry(kind(&failure)).or_insert_with(|| {
                let input = mutate::mutant(&self.seeds, self.target.form, &mut Random::of(seed, case));
                self.keep(case, input, &failure)
            });
        }
        let failures: Vec<Failure> = failures.into_values().collect();
        assert!(failures.is_empty(), "{}", failures.join("\n"));
        from
    }

    /// Runs cases in a process until one fails or the time is over.
    fn run(&self, seed: u64, from: u64, time: Duration) -> (u64, Option<Failure>) {
        let progress = self.folder.join("progress");
        std::fs::write(&progress, from.to_le_bytes()).expect("a file of progress");
        let numbers = [seed, from, time.as_millis() as u64].map(|number| number.to_string());
        let mut command = self.command();
        command
            .arg("--seeds")
            .arg(self.folder.join("seeds"))
            .arg("--cases")
            .args(numbers);
        command.arg("--progress").arg(&progress);
        let failure = self.watch(&mut command, Some(&progress));
        (case_in(&progress), failure)
    }

    /// Runs the target once.
    fn try_input(&self, bytes: &[u8]) -> Option<Failure> {
        let file = self.folder.join("input");
        std::fs::write(&file, bytes).expect("an input is written");
        self.watch(self.command().arg(&file), None)
    }

    fn command(&self) -> Command {
        let mut command = Command::new("sh");
        let limited = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
        command.args([
            "-c",
            &limited,
            env!("CARGO_BIN_EXE_kripke-fuzz"),
            self.target.name,
        ]);
        command
    }

    /// Waits for a process to end, as long as it goes on.
    fn watch(&self, command: &mut Command, progress: Option<&Path>) -> Option<Failure> {
        let messages = self.folder.join("messages");
        let file = std::fs::File::create(&messages).expect("a file of messages");
        let mut child = command
            .stdout(Stdio::null())
            .stderr(file)
            .spawn()
            .expect("the target is started");
        match outlast(&mut child, progress) {
            None => Some(format!("hangs: no end after {HANG:?}")),
            Some(true) => None,
            Some(false) => {
                let status = child.wait().expect("it has ended");
                let said = std::fs::read(&messages).unwrap_or_default();
                let said = String::from_utf8_lossy(&said);
                Some(format!(
                    "{status}: {}",
                    said.lines().take(12).collect::<Vec<_>>().join("\n    ")
                ))
            }
        }
    }

    /// Makes a failing input smaller and keeps it.
    fn keep(&self, case: u64, input: Vec<u8>, failure: &str) -> Failure {
        let small = match failure.starts_with("hangs") {
            true => input,
            false => self.shrunk(input, &kind(failure)),
        };
        let file = self.folder.join("failures").join(case.to_string());
        std::fs::write(&file, &small).expect("a failure is written");
        let name = self.target.name;
        format!(
            "{name}, case {case}: {failure}\n    cargo run -p kripke-fuzz -- {name} {}",
            file.display()
        )
    }

    /// Takes away what is not needed for a failure of this kind, by halves, quarters and so on.
    fn shrunk(&self, mut input: Vec<u8>, kind_of_failure: &str) -> Vec<u8> {
        let mut size = input.len() / 2;
        let mut tries = 0;
        while size > 0 && tries < SHRINKINGS {
            let mut at = 0;
            while at < input.len() && tries < SHRINKINGS {
                let mut smaller = input.clone();
                smaller.drain(at..(at + size).min(input.len()));
                tries += 1;
                match self.try_input(&smaller).map(|failure| kind(&failure)) {
                    Some(kind) if kind == kind_of_failure => input = smaller,
                    _ => at += size,
                }
            }
            size /= 2;
        }
        input
    }
}

/// Waits until a process ends; whether it ended well, and nothing if it hung and was ended.
fn outlast(child: &mut Child, progress: Option<&Path>) -> Option<bool> {
    let mut seen = (0, Instant::now());
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait().expect("the target is there") {
            return Some(status.success());
        }
        let case = progress.map_or(0, case_in);
        if case != seen.0 {
            seen = (case, Instant::now());
        }
        if seen.1.elapsed() > HANG {
            child.kill().expect("the target is there");
            child.wait().expect("the target has ended");
            return None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn case_in(progress: &Path) -> u64 {
    let bytes = std::fs::read(progress).unwrap_or_default();
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// What two failures of the same defect have in common: the place of the panic, or how the process ended.
fn kind(failure: &str) -> String {
    let place = failure
        .split("panicked at ")
        .nth(1)
        .and_then(|rest| rest.lines().next());
    let first = || {
        failure
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .filter(|c| !c.is_ascii_digit())
            .collect()
    };
    place.map_or_else(first, str::to_owned)
}
