//! Numbers by keys, most of them on disk: a log-structured merge tree.
//!
//! Idea: what was added of late is in a table in memory; when that is full, its entries go to a file in the
//! order of their keys, a run. A run that is not much longer than the one after it is merged with it, so
//! there are few, and each at least twice as long as the next. Of every block of a run the first key is kept
//! in memory, so a look into a run reads one block.
//!
//! Invariant: every key is there once.
//!
//! Source: O'Neil, Cheng, Gawlick and O'Neil, "The log-structured merge-tree", 1996.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::spill::Spill;

/// Bytes of an entry: eight of the key, the highest first, and five of the number.
const ENTRY: usize = 13;
/// Entries of a block.
const BLOCK: usize = 256;
/// Bytes that an entry takes in memory, about.
const IN_MEMORY: usize = 40;

/// The numbers.
pub(crate) struct SortedRuns {
    directory: PathBuf,
    recent: HashMap<u64, u64>,
    most_recent: usize,
    /// The longest first.
    runs: Vec<Run>,
    made: usize,
}

struct Run {
    path: PathBuf,
    file: Spill,
    len: usize,
    /// The first key of every block.
    firsts: Vec<u64>,
    /// The block read last.
    block: Vec<u8>,
    block_number: usize,
}

impl Drop for Run {
    fn drop(&mut self) {
        // What cannot be removed goes with the directory.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn entry(key: u64, number: u64) -> [u8; ENTRY] {
    let mut bytes = [0; ENTRY];
    bytes[..8].copy_from_slice(&key.to_be_bytes());
    bytes[8..].copy_from_slice(&number.to_be_bytes()[3..]);
    bytes
}

fn key_of(entry: &[u8]) -> u64 {
    u64::from_be_bytes(entry[..8].try_into().expect("eight bytes"))
}

fn number_of(entry: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes[3..].copy_from_slice(&entry[8..ENTRY]);
    u64::from_be_bytes(bytes)
}

impl Run {
    fn create(path: PathBuf) -> io::Result<Self> {
        Ok(Run {
            file: Spill::create(&path)?,
            path,
            len: 0,
            firsts: Vec::new(),
            block: Vec::new(),
            block_number: usize::MAX,
        })
    }

    fn push(&mut self, entry: &[u8]) -> io::Result<()> {
        if self.len.is_multiple_of(BLOCK) {
            self.firsts.push(key_of(entry));
        }
        self.len += 1;
        self.file.append(entry)
    }

    fn load(&mut self, number: usize) -> io::Result<()> {
        if self.block_number != number {
            let count = BLOCK.min(self.len - number * BLOCK);
            self.block.resize(count * ENTRY, 0);
            self.block_number = usize::MAX;
            self.file.read((number * BLOCK * ENTRY) as u64, &mut self.block)?;
            self.block_number = number;
        }
        Ok(())
    }

    fn find(&mut self, key: u64) -> io::Result<Option<u64>> {
        let Some(block) = self.firsts.partition_point(|&first| first <= key).checked_sub(1) else {
            return Ok(None);
        };
        self.load(block)?;
        let (mut low, mut high) = (0, self.block.len() / ENTRY);
        while low < high {
            let middle = usize::midpoint(low, high);
            let entry = &self.block[middle * ENTRY..][..ENTRY];
            match key_of(entry).cmp(&key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Ok(Some(number_of(entry))),
            }
        }
        Ok(None)
    }

    /// An entry, where it is there: to be asked for one after the other.
    fn nth(&mut self, at: usize) -> io::Result<Option<[u8; ENTRY]>> {
        if at >= self.len {
            return Ok(None);
        }
        self.load(at / BLOCK)?;
        let bytes = &self.block[at % BLOCK * ENTRY..][..ENTRY];
        Ok(Some(bytes.try_into().expect("an entry")))
    }
}

impl SortedRuns {
    /// None yet; so many bytes of memory are for the latest.
    pub(crate) fn new(directory: &Path, memory: usize) -> Self {
        SortedRuns {
            directory: directory.to_owned(),
            recent: HashMap::new(),
            most_recent: (memory / IN_MEMORY).max(16),
            runs: Vec::new(),
            made: 0,
        }
    }

    /// The number with a key.
    pub(crate) fn find(&mut self, key: u64) -> io::Result<Option<u64>> {
        if let Some(&number) = self.recent.get(&key) {
            return Ok(Some(number));
        }
        for run in self.runs.iter_mut().rev() {
            if let Some(number) = run.find(key)? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Adds a key that is not there.
    pub(crate) fn insert(&mut self, key: u64, number: u64) -> io::Result<()> {
        self.recent.insert(key, number);
        if self.recent.len() < self.most_recent {
            return Ok(());
        }
        let mut entries: Vec<[u8; ENTRY]> = self
            .recent
            .iter()
            .map(|(&key, &number)| entry(key, number))
            .collect();
        entries.sort_unstable();
        let mut run = self.new_run()?;
        for entry in &entries {
            run.push(entry)?;
        }
        run.file.flush()?;
        self.recent.clear();
        self.runs.push(run);
        while let [.., longer, last] = &self.runs[..]
            && longer.len < 2 * last.len
        {
            self.merge_last_two()?;
        }
        Ok(())
    }

    fn new_run(&mut self) -> io::Result<Run> {
        self.made += 1;
        Run::create(self.directory.join(format!("run-{}", self.made)))
    }

    fn merge_last_two(&mut self) -> io::Result<()> {
        let mut merged = self.new_run()?;
        let [.., one, other] = &mut self.runs[..] else {
            return Ok(());
        };
        let (mut i, mut j) = (0, 0);
        loop {
            let next = match (one.nth(i)?, other.nth(j)?) {
                (None, None) => break,
                // Keys come first and lie in the order of their bytes.
                (Some(a), b) if b.is_none_or(|b| a < b) => {
                    i += 1;
                    a
                }
                (_, Some(b)) => {
                    j += 1;
                    b
                }
                (Some(a), None) => {
                    i += 1;
                    a
                }
            };
            merged.push(&next)?;
        }
        merged.file.flush()?;
        self.runs.truncate(self.runs.len() - 2);
        self.runs.push(merged);
        Ok(())
    }

    pub(crate) fn memory(&self) -> usize {
        let runs = self.runs.iter();
        let runs = runs.map(|run| 8 * run.firsts.capacity() + run.block.capacity() + run.file.memory());
        runs.sum::<usize>() + self.recent.capacity() * IN_MEMORY / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state_store::mixed;

    #[test]
    fn keys_are_found_in_memory_and_in_runs() {
        let directory = tempfile::tempdir().expect("a directory");
        let mut runs = SortedRuns::new(directory.path(), 100 * IN_MEMORY);
        let key = |n: u64| mixed(n, 3);
        for n in 0..20_050 {
            runs.insert(key(n), n << 20).expect("there is room");
        }
        assert!(runs.runs.len() < 10 && !runs.recent.is_empty());
        let on_disk: usize = runs.runs.iter().map(|run| run.len).sum();
        assert_eq!(on_disk + runs.recent.len(), 20_050);
        for n in 0..20_050 {
            assert_eq!(runs.find(key(n)).expect("it is read"), Some(n << 20));
            assert_eq!(runs.find(key(n) ^ 1 << 40).expect("it is read"), None);
        }
    }
}
