//! Ctrl-C: the first one asks the engines to stop, so that partial results can be reported;
//! the second one ends the process at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Exit code of a run that a second signal ended.
const INCONCLUSIVE: i32 = 2;

/// A flag that becomes true when the user interrupts.
pub fn install() -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Order matters: the shutdown looks at the flag before this signal sets it.
        flag::register_conditional_shutdown(signal, INCONCLUSIVE, Arc::clone(&interrupted))?;
        flag::register(signal, Arc::clone(&interrupted))?;
    }
    Ok(interrupted)
}
