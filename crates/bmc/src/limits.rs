//! The limits of a check, looked at between two steps of the engine.

use kripke_limits::Limits;
use kripke_model::Reason;

use crate::options::Options;

/// The limits that these options give.
pub fn of(options: &Options) -> Limits {
    Limits {
        deadline: options.deadline,
        memory: options.memory_limit,
        interrupt: options.interrupt.clone(),
        cancel: options.cancel.clone(),
        ..Limits::default()
    }
}

/// The reason to stop now, if there is one. Memory is asked of the system only when told so.
pub fn check(options: &Options, memory: bool) -> Result<(), Reason> {
    let limits = of(options);
    let exhausted = if memory {
        limits.exceeded()
    } else {
        limits.stopped()
    };
    exhausted.map_or(Ok(()), |exhausted| Err(exhausted.into()))
}
