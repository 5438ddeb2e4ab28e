//! `kripke serve`: a project, its checks and their counterexamples as a page on the loopback address.
//!
//! Idea: a small server that keeps nothing but what runs now. Checks are processes of the same binary
//! ([`runs`]), so are disassembly, graphs and simulations ([`views`], [`simulate`]); formulas are read here
//! ([`formula`]), as that has to be quick. The page ([`assets`]) is the only client.
//!
//! Invariants: it listens on the loopback address only; nothing is told and nothing done without the session
//! ([`guard`]); no file outside the project is read and none but the project file is written; with the
//! server end its checks.

mod assets;
mod connections;
mod edit;
mod events;
mod formula;
mod guard;
mod names;
mod options;
mod project;
mod refused;
mod report;
mod runs;
mod server;
mod simulate;
mod views;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use kripke_check::Failure;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use guard::Guard;
use project::Opened;
use runs::Runs;
use server::Server;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// The project or file; the project of the current directory where none is named.
    pub project: Option<PathBuf>,
    /// The port; any that is free where none is given.
    pub port: Option<u16>,
    /// The `kripke` that does the checks.
    pub binary: PathBuf,
}

/// Serves until the user interrupts. `ready` is told the address that opens the page, once it can be opened.
///
/// # Errors
/// If there is nothing to serve, or the port is taken.
pub fn serve(options: Options, ready: impl FnOnce(&str)) -> Result<(), Failure> {
    let opened = Arc::new(Opened::new(options.project.as_deref())?);
    let internal = |error: std::io::Error| Failure::Internal(format!("cannot serve: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(internal)?;
    let done = runtime.block_on(async move {
        let listener = listen(options.port).await?;
        let port = listener.local_addr().map_err(internal)?.port();
        let guard = Guard::new(port);
        let no_numbers = |error| Failure::Internal(format!("there are no random numbers: {error}"));
        let guard = Arc::new(guard.map_err(no_numbers)?);
        let runs = Runs::new(options.binary.clone(), Arc::clone(&opened)).map_err(internal)?;
        let server = Arc::new(Server::new(options.binary, opened, Arc::new(runs)));
        let mut interrupt = signal(SignalKind::interrupt()).map_err(internal)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(internal)?;
        ready(&guard.url());
        tokio::select! {
            served = server::serve(listener, Arc::clone(&server), guard) => served.map_err(internal)?,
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        server.end().await;
        Ok(())
    });
    runtime.shutdown_background();
    done
}

async fn listen(port: Option<u16>) -> Result<TcpListener, Failure> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or(0)));
    TcpListener::bind(address)
        .await
        .map_err(|error| match (error.kind(), port) {
            (std::io::ErrorKind::AddrInUse, Some(port)) => Failure::input(format!(
                "port {port} is taken, perhaps by another kripke serve; without --port a free one is chosen"
            )),
            (std::io::ErrorKind::PermissionDenied, Some(port)) => Failure::input(format!(
                "port {port} needs more rights; use one above 1023, or none: a free one is chosen then"
            )),
            (kind, _) => Failure::input(format!("cannot listen on 127.0.0.1: {kind}")),
        })
}
