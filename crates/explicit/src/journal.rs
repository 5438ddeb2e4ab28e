//! A breadth-first search on disk, as far as it came, beside the search in memory.
//!
//! Idea: a search is determined by its states in the order of their numbers, each with its parent, and by how
//! many of them were expanded. So states are appended to a file now and then, and a short file says how many
//! of them count; that one is written beside the old one and takes its place at once. Whatever happens, the
//! state of some moment between two expansions is there. Labels are looked at again.
//!
//! What a model notes while it hands out successors ([`KripkeStructure::noted`]) is not in the states. The
//! states at whose expansion it noted something are remembered and expanded again.
//!
//! Checkpoints are written as often as costs a twentieth of the time.
//!
//! Invariant: a file that was changed is refused, by its checksum; so is one of another model.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read as _, Write as _};
use std::ops::ControlFlow;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use kripke_limits::{Checkpoint, Exhausted};

use crate::state_store::{hash_bytes, mixed};

/// Bytes of a parent's number behind each state.
const PARENT: usize = 5;
/// The parent of an initial state.
const NO_PARENT: u64 = (1 << (8 * PARENT)) - 1;
/// Bytes that are written at once.
const BUFFER: usize = 1 << 20;
/// A checkpoint is written after so many times as long as the last one took, and not before this time.
const PATIENCE: u32 = 20;
const SOONEST: Duration = Duration::from_millis(100);
/// The first line of the short file; it changes with the format.
const FORMAT: &str = "kripke search 1";

/// How far a search is, between two expansions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// States stored.
    pub(crate) states: u64,
    /// States expanded, the first ones.
    pub(crate) expanded: u64,
    /// Successors handed out.
    pub(crate) created: u64,
}

/// The files of one search.
pub(crate) struct Journal {
    checkpoint: Checkpoint,
    state_size: usize,
    log: File,
    short: PathBuf,
    /// States in the log, and the checksum over them.
    written: u64,
    checksum: u64,
    /// What the short file said at the beginning.
    begun: Progress,
    /// What counts if the search ends now.
    progress: Progress,
    /// States at whose expansion the model noted something.
    noted: Vec<u64>,
    buffer: Vec<u8>,
    last: Instant,
    cost: Duration,
}

fn failed(error: &io::Error) -> Exhausted {
    Exhausted::Disk(error.kind())
}

impl Journal {
    /// Opens the files of a search, or makes them.
    pub(crate) fn open(checkpoint: &Checkpoint, state_size: usize) -> Result<Self, Exhausted> {
        let key = format!("{} size {state_size}", checkpoint.model);
        let name = format!("search-{:016x}", hash_bytes(key.as_bytes()));
        let short = checkpoint.directory.join(&name).with_extension("progress");
        let path = checkpoint.directory.join(&name).with_extension("states");
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let mut journal = Journal {
            checkpoint: checkpoint.of_model(key),
            state_size,
            log: opened.map_err(|error| failed(&error))?,
            short,
            written: 0,
            checksum: 0,
            begun: Progress::default(),
            progress: Progress::default(),
            noted: Vec::new(),
            buffer: Vec::new(),
            last: Instant::now(),
            cost: Duration::ZERO,
        };
        match fs::read_to_string(&journal.short) {
            Ok(text) => {
                let read = journal.parse(&text);
                read.ok_or_else(|| journal.refused("it is damaged"))?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(journal.refused(&error.to_string())),
        }
        Ok(journal)
    }

    /// Notes why the files cannot be used.
    pub(crate) fn refused(&self, why: &str) -> Exhausted {
        self.checkpoint.refuse(format!("{}: {why}", self.short.display()));
        Exhausted::Disk(io::ErrorKind::InvalidData)
    }

    fn parse(&mut self, text: &str) -> Option<()> {
        let (body, sum) = text.trim_end().rsplit_once('\n')?;
        let sum = u64::from_str_radix(sum.strip_prefix("sum ")?, 16).ok()?;
        let mut lines = body.lines();
        let is_whole = sum == hash_bytes(body.as_bytes()) && lines.next()? == FORMAT;
        let is_same = lines.next()?.strip_prefix("model ")? == self.checkpoint.model;
        let mut numbers = |name: &str| -> Option<Vec<u64>> {
            let line = lines.next()?.strip_prefix(name)?;
            line.split_whitespace()
                .map(|number| number.parse().ok())
                .collect()
        };
        let [states, expanded, created, checksum] = numbers("counts")?[..] else {
            return None;
        };
        let noted = numbers("noted")?;
        if !is_whole || !is_same || expanded > states {
            return None;
        }
        let progress = Progress {
            states,
            expanded,
            created,
        };
        (self.begun, self.progress, self.noted) = (progress, progress, noted);
        (self.written, self.checksum) = (states, checksum);
        Some(())
    }

    /// How far the search came before.
    pub(crate) fn begun(&self) -> Progress {
        self.begun
    }

    /// States at whose expansion the model noted something.
    pub(crate) fn noted(&self) -> &[u64] {
        &self.noted
    }

    /// Hands out the states of before with their parents, in order, until no more is wanted.
    pub(crate) fn read(
        &self,
        mut take: impl FnMut(&[u8], Option<u64>) -> ControlFlow<()>,
    ) -> Result<(), Exhausted> {
        let opened = OpenOptions::new()
            .read(true)
            .open(self.short.with_extension("states"));
        let mut log = BufReader::with_capacity(BUFFER, opened.map_err(|error| failed(&error))?);
        let mut record = vec![0; self.state_size + PARENT];
        let mut checksum = 0;
        // Nothing is handed on before all of it is known to be good.
        for _ in 0..self.begun.states {
            let read = log.read_exact(&mut record);
            read.map_err(|_| self.refused("states are missing"))?;
            checksum = mixed(checksum, hash_bytes(&record));
        }
        if checksum != self.checksum {
            return Err(self.refused("its states were changed"));
        }
        io::Seek::rewind(&mut log).map_err(|error| failed(&error))?;
        for _ in 0..self.begun.states {
            log.read_exact(&mut record).map_err(|error| failed(&error))?;
            let (state, parent) = record.split_at(self.state_size);
            let mut number = [0; 8];
            number[..PARENT].copy_from_slice(parent);
            let parent = Some(u64::from_le_bytes(number)).filter(|&parent| parent != NO_PARENT);
            if take(state, parent).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Says what counts from now on, if the search ends before the next time.
    pub(crate) fn stand(&mut self, progress: Progress) {
        self.progress = progress;
    }

    /// The model noted something when a state was expanded.
    pub(crate) fn note(&mut self, expanded: u64) {
        self.noted.push(expanded);
    }

    /// Whether it is time for a checkpoint.
    pub(crate) fn is_due(&self) -> bool {
        self.last.elapsed() >= SOONEST.max(PATIENCE * self.cost)
    }

    /// Writes a checkpoint of where the search stands. `state` writes a state into a buffer and tells its
    /// parent.
    pub(crate) fn write(
        &mut self,
        state: impl FnMut(u64, &mut Vec<u8>) -> Option<u64>,
    ) -> Result<(), Exhausted> {
        let started = Instant::now();
        self.write_files(state).map_err(|error| failed(&error))?;
        self.last = Instant::now();
        self.cost = self.last - started;
        Ok(())
    }

    fn write_files(&mut self, mut state: impl FnMut(u64, &mut Vec<u8>) -> Option<u64>) -> io::Result<()> {
        let mut record = Vec::new();
        let size = (self.state_size + PARENT) as u64;
        let (mut written, mut checksum, mut at) = (self.written, self.checksum, self.written * size);
        self.buffer.clear();
        while written < self.progress.states {
            let parent = state(written, &mut record).unwrap_or(NO_PARENT);
            record.extend_from_slice(&parent.to_le_bytes()[..PARENT]);
            checksum = mixed(checksum, hash_bytes(&record));
            self.buffer.extend_from_slice(&record);
            written += 1;
            if self.buffer.len() >= BUFFER || written == self.progress.states {
                self.log.write_all_at(&self.buffer, at)?;
                at += self.buffer.len() as u64;
                self.buffer.clear();
            }
        }
        self.log.sync_data()?;
        let Progress {
            states,
            expanded,
            created,
        } = self.progress;
        let noted = self.noted.iter().filter(|&&state| state < expanded);
        let noted: Vec<String> = noted.map(u64::to_string).collect();
        let body = format!(
            "{FORMAT}\nmodel {}\ncounts {states} {expanded} {created} {checksum}\nnoted {}",
            self.checkpoint.model,
            noted.join(" ")
        );
        let text = format!("{body}\nsum {:016x}\n", hash_bytes(body.as_bytes()));
        let fresh = self.short.with_extension("new");
        let mut file = File::create(&fresh)?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        fs::rename(&fresh, &self.short)?;
        (self.written, self.checksum) = (written, checksum);
        Ok(())
    }
}
