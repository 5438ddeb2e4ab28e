//! Checks: each a process of its own, told to every page that looks.
//!
//! Idea: a check runs as `kripke check` of the same binary, so that it can be ended at any moment and its
//! crash is not the server's. It writes its report to a file and says now and then on standard error how far
//! it is. All that is known of runs lies in one place; pages get it whole when they come, and each run anew
//! when it changes, so that two pages cannot disagree.
//!
//! Invariants: as many checks run at once as the machine has cores, others wait in order; every run ends as
//! `done`, `stopped` or `failed`; when the server ends, so do its checks.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::{Semaphore, broadcast};

use crate::edit::{self, Property};
use crate::options;
use crate::project::Opened;
use crate::refused::Refused;
use crate::report::Report;

/// Runs that are kept; of more the oldest that have ended are forgotten.
const KEPT: usize = 100;
/// Lines of standard error that are kept of a run.
const LINES: usize = 200;
/// A check that was asked to stop gets so much time to report what it knows.
const PATIENCE: Duration = Duration::from_secs(5);
/// No harness takes longer.
const HARNESS: Duration = Duration::from_secs(600);
/// Seconds between two reports on how far a check is.
const PROGRESS: &str = "0.5";

/// What is to be checked.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    /// The program.
    program: String,
    /// Only this property of it.
    property: Option<String>,
    /// A formula that the project file does not have.
    formula: Option<Property>,
    /// Options by their names.
    #[serde(default)]
    options: BTreeMap<String, Value>,
}

/// How a run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Others are before it.
    Waiting,
    /// It goes on.
    Running,
    /// It has a report.
    Done,
    /// It was stopped before it had one.
    Stopped,
    /// It ended without one.
    Failed,
}

/// A run as pages see it.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    id: u64,
    program: String,
    /// What is checked, in words.
    label: String,
    property: Option<String>,
    formula: Option<String>,
    options: Vec<String>,
    status: Status,
    /// Somebody asked it to stop.
    is_stopping: bool,
    /// When it started, in milliseconds of the system's clock: files may be newer.
    began: u64,
    seconds: f64,
    /// How far it is, as it says it.
    progress: String,
    /// What it said beside that.
    lines: Vec<String>,
    /// Why it failed.
    failure: Option<String>,
    /// The table of the project's run.
    rows: Vec<Value>,
    /// Verdicts.
    results: Vec<Value>,
    assumptions: Vec<String>,
    statistics: Vec<Value>,
    /// Counts up with each change.
    version: u64,
}

/// A run and what belongs to it here.
struct Kept {
    run: Run,
    /// The words of its check.
    asked: Vec<OsString>,
    started: Option<Instant>,
    /// The process group, while it runs.
    process: Arc<AtomicU32>,
}

/// All runs.
pub struct Runs {
    /// The `kripke` that does them.
    binary: PathBuf,
    opened: Arc<Opened>,
    /// Reports and runs, for as long as the server is there.
    directory: tempfile::TempDir,
    all: Mutex<VecDeque<Kept>>,
    next: AtomicU64,
    cores: Arc<Semaphore>,
    changes: broadcast::Sender<String>,
}

impl Runs {
    /// None yet.
    ///
    /// # Errors
    /// If there is no place for their reports.
    pub fn new(binary: PathBuf, opened: Arc<Opened>) -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            binary,
            opened,
            directory: tempfile::Builder::new().prefix("kripke-serve-").tempdir()?,
            all: Mutex::default(),
            next: AtomicU64::new(1),
            cores: Arc::new(Semaphore::new(cores)),
            changes: broadcast::Sender::new(256),
        })
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All runs as they are now, and every change from now on.
    pub fn watch(&self) -> (Vec<Run>, broadcast::Receiver<String>) {
        let all = self.all();
        (
            all.iter().map(|kept| kept.run.clone()).collect(),
            self.changes.subscribe(),
        )
    }

    /// Changes a run and tells it.
    fn change(&self, id: u64, change: impl FnOnce(&mut Kept)) {
        let mut all = self.all();
        if let Some(kept) = all.iter_mut().find(|kept| kept.run.id == id) {
            change(kept);
            self.told(kept);
        }
    }

    /// Tells it while the runs are locked, so that changes are told in their order.
    fn told(&self, kept: &mut Kept) {
        kept.run.version += 1;
        if let Some(started) = kept.started {
            kept.run.seconds = started.elapsed().as_secs_f64();
        }
        if let Ok(text) = serde_json::to_string(&kept.run) {
            // Nobody may look.
            let _ = self.changes.send(text);
        }
    }

    /// Begins a check; its number.
    pub fn start(self: &Arc<Self>, wanted: Wanted) -> Result<u64, Refused> {
        let project = self.opened.project()?;
        let program = crate::project::program(&project, &wanted.program)?;
        let words = options::words(&wanted.options)?;
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let place = self.directory.path().join(id.to_string());
        let io = |error: std::io::Error| Refused::failed(format!("no place for a report: {}", error.kind()));
        std::fs::create_dir(&place).map_err(io)?;
        let (what, selected) = match &wanted.formula {
            Some(_) => (self.alone(&place, &wanted)?, None),
            None if self.opened.is_single() => (self.alone(&place, &wanted)?, None),
            None => {
                let selected = match &wanted.property {
                    Some(property) => format!("{}/{property}", program.name),
                    None => program.name.clone(),
                };
                (self.opened.file.clone(), Some(selected))
            }
        };
        let mut asked: Vec<OsString> = vec!["check".into(), what.into(), "--quiet".into()];
        asked.extend(words.iter().map(OsString::from));
        asked.extend(selected.map(|selected| format!("--property={selected}").into()));
        let mut command = Command::new(&self.binary);
        command.args(&asked);
        for (format, file) in [
            ("json", "report.json"),
            ("html", "report.html"),
            ("sarif", "report.sarif"),
        ] {
            command
                .arg("--report")
                .arg(format!("{format}={}", place.join(file).display()));
        }
        if program.firmware.is_some() {
            command.arg("--vcd").arg(place.join("wave.vcd"));
        }
        let property = wanted
            .formula
            .as_ref()
            .map(|formula| formula.name.clone())
            .or(wanted.property);
        let run = Run {
            id,
            label: property.clone().unwrap_or_else(|| "all properties".to_owned()),
            program: wanted.program,
            property,
            formula: wanted.formula.map(|formula| formula.text),
            options: words,
            status: Status::Waiting,
            is_stopping: false,
            began: 0,
            seconds: 0.0,
            progress: String::new(),
            lines: Vec::new(),
            failure: None,
            rows: Vec::new(),
            results: Vec::new(),
            assumptions: Vec::new(),
            statistics: Vec::new(),
            version: 0,
        };
        self.add(run, asked);
        tokio::spawn(Arc::clone(self).follow(id, command, place));
        Ok(id)
    }

    /// A project file for what the opened one does not say.
    fn alone(&self, place: &Path, wanted: &Wanted) -> Result<PathBuf, Refused> {
        let text = self.opened.current()?.text;
        let text = edit::alone(&text, &self.opened.root, &wanted.program, wanted.formula.as_ref())?;
        let file = place.join("kripke.toml");
        let failed = |error: std::io::Error| Refused::failed(format!("cannot write: {}", error.kind()));
        std::fs::write(&file, text).map_err(failed)?;
        Ok(file)
    }

    fn add(&self, run: Run, asked: Vec<OsString>) {
        let mut all = self.all();
        let mut kept = Kept {
            run,
            asked,
            started: None,
            process: Arc::default(),
        };
        self.told(&mut kept);
        all.push_back(kept);
        if all.len() > KEPT {
            let ended = |kept: &Kept| !matches!(kept.run.status, Status::Waiting | Status::Running);
            if let Some(oldest) = all.iter().position(ended) {
                drop(all.remove(oldest));
            }
        }
    }

    /// From its start to its report.
    async fn follow(self: Arc<Self>, id: u64, mut command: Command, place: PathBuf) {
        let permit = Arc::clone(&self.cores).acquire_owned().await;
        let is_wanted = |kept: &Kept| kept.run.id == id && !kept.run.is_stopping;
        if permit.is_err() || !self.all().iter().any(is_wanted) {
            self.change(id, |kept| kept.run.status = Status::Stopped);
            return;
        }
        command
            .current_dir(&self.opened.root)
            .env("KRIPKE_PROGRESS", PROGRESS)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                self.end(
                    id,
                    Status::Failed,
                    Some(format!("the check cannot be started: {error}")),
                );
                return;
            }
        };
        let number = child.id().unwrap_or(0);
        self.change(id, |kept| {
            kept.process.store(number, Ordering::Relaxed);
            kept.run.status = Status::Running;
            kept.started = Some(Instant::now());
            kept.run.began = milliseconds(SystemTime::now());
        });
        let ended = self.listen(id, child).await;
        self.change(id, |kept| kept.process.store(0, Ordering::Relaxed));
        self.conclude(id, ended, place).await;
    }

    /// Reads what a check says until it ends.
    async fn listen(&self, id: u64, mut child: Child) -> std::io::Result<ExitStatus> {
        if let Some(said) = child.stderr.take() {
            let mut said = BufReader::new(said);
            let mut line = Vec::new();
            while said
                .read_until(b'\n', &mut line)
                .await
                .is_ok_and(|count| count > 0)
            {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                line.clear();
                self.change(id, |kept| match is_progress(&text) {
                    true => kept.run.progress = text,
                    false if kept.run.lines.len() < LINES => kept.run.lines.push(text),
                    false => {}
                });
            }
        }
        child.wait().await
    }

    /// What came of a check.
    async fn conclude(self: &Arc<Self>, id: u64, ended: std::io::Result<ExitStatus>, place: PathBuf) {
        let ended = match ended {
            Ok(ended) => ended,
            Err(error) => {
                return self.end(id, Status::Failed, Some(format!("the check was lost: {error}")));
            }
        };
        let runs = Arc::clone(self);
        let read = tokio::task::spawn_blocking(move || runs.read(id, &place));
        let has_report = read.await.unwrap_or(false);
        let is_stopping = self
            .all()
            .iter()
            .any(|kept| kept.run.id == id && kept.run.is_stopping);
        let (status, failure) = match (ended.code(), ended.signal()) {
            (Some(0..=2), _) if has_report => (Status::Done, None),
            _ if is_stopping => (Status::Stopped, None),
            (Some(3), _) => (Status::Failed, Some("the input is not right".to_owned())),
            (Some(4), _) => (
                Status::Failed,
                Some("the check failed by a defect of Kripke".to_owned()),
            ),
            (_, Some(signal)) => (
                Status::Failed,
                Some(format!("the check was ended by signal {signal}")),
            ),
            (code, _) => (
                Status::Failed,
                Some(format!(
                    "the check ended without a report ({})",
                    code.unwrap_or(-1)
                )),
            ),
        };
        self.end(id, status, failure);
    }

    fn end(&self, id: u64, status: Status, failure: Option<String>) {
        self.change(id, |kept| {
            kept.run.status = status;
            kept.run.failure = failure;
            if let Some(started) = kept.started.take() {
                kept.run.seconds = started.elapsed().as_secs_f64();
            }
        });
    }

    /// Takes the report in; whether there is one.
    fn read(&self, id: u64, place: &Path) -> bool {
        let Ok(text) = std::fs::read(place.join("report.json")) else {
            return false;
        };
        let Ok(mut report) = serde_json::from_slice::<Report>(&text) else {
            return false;
        };
        let rows = std::mem::take(&mut report.rows);
        let digest = report.digest(&|file| self.opened.shown(file));
        for (number, run) in digest.traces.iter().enumerate() {
            let written = serde_json::to_vec(run).map_err(std::io::Error::from);
            let file = place.join(format!("trace-{number}.json"));
            if written.and_then(|text| std::fs::write(file, text)).is_err() {
                return false;
            }
        }
        self.change(id, |kept| {
            kept.run.rows = rows;
            kept.run.results = digest.results;
            kept.run.assumptions = digest.assumptions;
            kept.run.statistics = digest.statistics;
        });
        true
    }

    /// A file of a run.
    pub async fn file(&self, id: u64, name: &str) -> Result<Vec<u8>, Refused> {
        let path = self.directory.path().join(id.to_string()).join(name);
        let read = tokio::fs::read(path).await;
        read.map_err(|_| Refused::missing("this run has nothing like that"))
    }

    /// The C file that reproduces the run's violation in the compiled program: the check once more, which
    /// writes it.
    pub async fn harness(&self, id: u64) -> Result<Vec<u8>, Refused> {
        let kept = self
            .all()
            .iter()
            .find(|kept| kept.run.id == id)
            .map(|kept| kept.asked.clone());
        let asked = kept.ok_or_else(|| Refused::missing("there is no such run any more"))?;
        let file = self.directory.path().join(id.to_string()).join("harness.c");
        if !file.is_file() {
            let _permit = self.cores.acquire().await;
            let mut command = Command::new(&self.binary);
            command.args(asked).arg("--harness").arg(&file);
            command
                .current_dir(&self.opened.root)
                .stdin(Stdio::null())
                .kill_on_drop(true);
            let output = tokio::time::timeout(HARNESS, command.output()).await;
            let output = output.map_err(|_| Refused::bad("this takes too long"))?;
            let output = output.map_err(|error| Refused::failed(format!("kripke check: {error}")))?;
            if !file.is_file() {
                let said = String::from_utf8_lossy(&output.stderr);
                let said = said.trim().trim_start_matches("error: ");
                return Err(Refused::bad(format!("there is no harness: {said}")));
            }
        }
        self.file(id, "harness.c").await
    }

    /// Asks a check to stop; asked again, or after a while, it is ended.
    pub fn stop(self: &Arc<Self>, id: u64) -> Result<(), Refused> {
        let mut process = None;
        self.change(id, |kept| {
            let again = kept.run.is_stopping;
            kept.run.is_stopping |= matches!(kept.run.status, Status::Waiting | Status::Running);
            if kept.run.status == Status::Waiting {
                kept.run.status = Status::Stopped;
            }
            process = Some((Arc::clone(&kept.process), again));
        });
        let (process, again) = process.ok_or_else(|| Refused::missing("there is no such run any more"))?;
        signal(&process, if again { Signal::KILL } else { Signal::TERM });
        tokio::spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            signal(&process, Signal::KILL);
        });
        Ok(())
    }

    /// Ends all checks, and forgets their reports.
    pub async fn end_all(&self) {
        self.cores.close();
        let running: Vec<_> = self.all().iter().map(|kept| Arc::clone(&kept.process)).collect();
        for process in &running {
            signal(process, Signal::TERM);
        }
        let is_running = || running.iter().any(|process| process.load(Ordering::Relaxed) != 0);
        let deadline = Instant::now() + Duration::from_secs(1);
        while is_running() && Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        for process in &running {
            signal(process, Signal::KILL);
        }
        // Tasks that are not awaited any more may keep the directory's guard. What cannot be removed is in a
        // directory for temporary files.
        let _ = std::fs::remove_dir_all(self.directory.path());
    }
}

/// A time as pages get it.
pub fn milliseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// Signals a check and the processes that it started, while it runs.
fn signal(process: &AtomicU32, signal: Signal) {
    let number = process.load(Ordering::Relaxed);
    if let Some(group) = i32::try_from(number).ok().and_then(Pid::from_raw) {
        // It may just have ended.
        let _ = kill_process_group(group, signal);
    }
}

/// Whether a line says how far a check is: `[12 s] 300 states stored, …`.
fn is_progress(line: &str) -> bool {
    let seconds = line.strip_prefix('[').and_then(|rest| rest.split_once(" s] "));
    seconds.is_some_and(|(seconds, _)| seconds.chars().all(|character| character.is_ascii_digit()))
}
