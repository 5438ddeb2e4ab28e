//! Ctrl-C: the first one asks the engines to stop, so that partial results can be reported;
//! the second one ends the process at once. SIGUSR1 asks how far a search is.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;

/// Exit code of a run that a second signal ended.
const INCONCLUSIVE: i32 = 2;

/// Set when somebody asks how far a search is.
static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Whether somebody has asked how far a search is since this was last called.
pub fn asked() -> bool {
    ASKED
        .get()
        .is_some_and(|asked| asked.swap(false, Ordering::Relaxed))
}

/// A flag that becomes true when the user interrupts.
pub fn install() -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Order matters: the shutdown looks at the flag before this signal sets it.
        flag::register_conditional_shutdown(signal, INCONCLUSIVE, Arc::clone(&interrupted))?;
        flag::register(signal, Arc::clone(&interrupted))?;
    }
    let asked = ASKED.get_or_init(Arc::default);
    flag::register(SIGUSR1, Arc::clone(asked))?;
    Ok(interrupted)
}
