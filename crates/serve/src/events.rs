//! What happens to runs, as a stream of server-sent events.
//!
//! Idea: a page that comes gets all runs (`runs`) and then each that changes (`run`). One that is too slow to
//! be told everything gets all runs again, so it never misses how something ended.

use std::convert::Infallible;
use std::sync::Arc;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::runs::{Run, Runs};

/// What is told next.
enum Next {
    All(Vec<Run>),
    Changes,
}

/// The events for one page.
pub fn events(runs: Arc<Runs>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let (all, changes) = runs.watch();
    let stream = stream::unfold(
        (runs, changes, Next::All(all)),
        |(runs, changes, next)| async move {
            let (event, changes) = told(&runs, changes, next).await?;
            Some((Ok(event), (runs, changes, Next::Changes)))
        },
    );
    Sse::new(stream).keep_alive(KeepAlive::default())
}

async fn told(runs: &Runs, mut changes: Receiver<String>, next: Next) -> Option<(Event, Receiver<String>)> {
    let all = match next {
        Next::All(all) => all,
        Next::Changes => match changes.recv().await {
            Ok(text) => return Some((Event::default().event("run").data(text), changes)),
            Err(RecvError::Closed) => return None,
            Err(RecvError::Lagged(_)) => {
                let (all, again) = runs.watch();
                changes = again;
                all
            }
        },
    };
    let text = serde_json::to_string(&all).ok()?;
    Some((Event::default().event("runs").data(text), changes))
}
