//! Connections, so many at once and no more.
//!
//! Idea: whoever floods the port shall not keep the page from being answered. Where all places are taken, the
//! oldest connection that never brought the session along is closed in favour of the new one; where all have
//! it, the new one is.
//!
//! Invariant: the registry knows exactly the connections that are open.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Connections at once. A tab needs two or three.
const MOST: usize = 128;

/// What is known of a connection.
#[derive(Debug, Default)]
struct Entry {
    /// It brought the session along.
    is_kept: AtomicBool,
    is_closed: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Entry {
    fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        let waker = self.waker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// All connections, the oldest first.
#[derive(Clone, Debug, Default)]
struct Registry(Arc<Mutex<VecDeque<Arc<Entry>>>>);

impl Registry {
    fn all(&self) -> MutexGuard<'_, VecDeque<Arc<Entry>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a new connection, if there is one or one can be made.
    fn enter(&self) -> Option<Arc<Entry>> {
        let mut all = self.all();
        if all.len() >= MOST {
            let oldest = all
                .iter()
                .position(|entry| !entry.is_kept.load(Ordering::Relaxed))?;
            all.remove(oldest)?.close();
        }
        let entry = Arc::new(Entry::default());
        all.push_back(Arc::clone(&entry));
        Some(entry)
    }

    fn leave(&self, entry: &Arc<Entry>) {
        self.all().retain(|other| !Arc::ptr_eq(other, entry));
    }
}

/// The connection that a request came by.
#[derive(Clone, Debug)]
pub struct Peer(Arc<Entry>);

impl Peer {
    /// It is the page's: it is not closed for others.
    pub fn keep(&self) {
        self.0.is_kept.store(true, Ordering::Relaxed);
    }
}

impl Connected<IncomingStream<'_, Limited>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Limited>) -> Self {
        Peer(Arc::clone(&stream.io().entry))
    }
}

/// Takes connections.
pub struct Limited {
    listener: TcpListener,
    registry: Registry,
}

impl Limited {
    pub fn new(listener: TcpListener) -> Self {
        Self {
            listener,
            registry: Registry::default(),
        }
    }
}

impl Listener for Limited {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    if let Some(entry) = self.registry.enter() {
                        let registry = self.registry.clone();
                        return (
                            Connection {
                                stream,
                                entry,
                                registry,
                            },
                            address,
                        );
                    }
                }
                // Too many files are open, or the peer is gone already.
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that can be closed from elsewhere.
pub struct Connection {
    stream: TcpStream,
    entry: Arc<Entry>,
    registry: Registry,
}

impl Connection {
    fn check(&self, context: &Context<'_>) -> io::Result<()> {
        let mut waker = self.entry.waker.lock().unwrap_or_else(PoisonError::into_inner);
        *waker = Some(context.waker().clone());
        match self.entry.is_closed.load(Ordering::Acquire) {
            true => Err(io::ErrorKind::ConnectionAborted.into()),
            false => Ok(()),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.registry.leave(&self.entry);
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_make_room_and_the_page_does_not() {
        let registry = Registry::default();
        let page = registry.enter().expect("a place");
        page.is_kept.store(true, Ordering::Relaxed);
        let strangers: Vec<_> = (1..MOST).filter_map(|_| registry.enter()).collect();
        assert_eq!(strangers.len(), MOST - 1);
        assert!(registry.enter().is_some());
        assert!(strangers[0].is_closed.load(Ordering::Relaxed));
        assert!(!page.is_closed.load(Ordering::Relaxed));
        assert_eq!(registry.all().len(), MOST);
        for entry in registry.all().iter() {
            entry.is_kept.store(true, Ordering::Relaxed);
        }
        assert!(registry.enter().is_none());
        registry.leave(&page);
        assert!(registry.enter().is_some());
    }
}
