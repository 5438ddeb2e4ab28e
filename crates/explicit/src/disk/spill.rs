//! A file that grows at its end and is read anywhere.
//!
//! Invariant: what was appended is read back the same, also before it is written.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// Bytes that are written at once.
const BUFFER: usize = 1 << 18;

/// The file.
pub(crate) struct Spill {
    file: File,
    /// What was written.
    written: u64,
    /// What was appended since.
    buffer: Vec<u8>,
}

impl Spill {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)?;
        Ok(Spill {
            file,
            written: 0,
            buffer: Vec::new(),
        })
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.file.write_all_at(&self.buffer, self.written)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Reads so many bytes; what is read does not lie on both sides of the end of what was written, as it was
    /// appended at once.
    pub(crate) fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        match at.checked_sub(self.written) {
            None => self.file.read_exact_at(bytes, at),
            Some(start) => {
                let start = start as usize;
                let held = self.buffer.get(start..start + bytes.len());
                bytes.copy_from_slice(held.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }

    pub(crate) fn memory(&self) -> usize {
        self.buffer.capacity()
    }
}
