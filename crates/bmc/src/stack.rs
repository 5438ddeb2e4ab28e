//! Threads with stacks for deep terms and programs.

use crate::options::InternalError;

/// Deep terms and programs recurse; the stack is reserved, not used.
const STACK: usize = 1 << 30;

/// Does work that recurses deeply; a panic in it is an internal error.
pub(crate) fn on_big_stack<R: Send>(
    work: impl FnOnce() -> Result<R, InternalError> + Send,
) -> Result<R, InternalError> {
    let error = |what: &str| InternalError {
        message: what.to_string(),
    };
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map_err(|why| error(&format!("no thread for the engine: {why}")))?;
        worker.join().unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
            Err(error(&format!("the engine failed: {}", text.unwrap_or_default())))
        })
    })
}
