//! Limits of time and memory, and interrupts.

use std::sync::atomic::Ordering;
use std::time::Instant;

use kripke_model::Reason;

use crate::options::Options;

/// The reason to stop now, if there is one. Memory is asked of the system only when told so.
pub fn check(options: &Options, memory: bool) -> Result<(), Reason> {
    if options.interrupt.load(Ordering::Relaxed) {
        return Err(Reason::Interrupted);
    }
    if options
        .deadline
        .is_some_and(|deadline| Instant::now() >= deadline)
    {
        return Err(Reason::Time);
    }
    if memory
        && let (Some(limit), Some(used)) = (options.memory_limit, resident_memory())
        && used > limit
    {
        return Err(Reason::Memory);
    }
    Ok(())
}

/// Bytes of this process that are resident, where the system tells.
pub fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// The largest amount of memory that was ever resident, where the system tells.
pub fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
