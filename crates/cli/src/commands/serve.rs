//! `kripke serve`: the page, and its address for the user.

use std::process::{Command, Stdio};

use kripke_check::Failure;
use kripke_serve::Options;

use crate::output;
use crate::serve_arguments::ServeArguments;

/// Serves until the user interrupts.
pub fn serve(arguments: &ServeArguments) -> Result<u8, Failure> {
    let binary = std::env::current_exe()
        .map_err(|error| Failure::Internal(format!("cannot tell where kripke is: {error}")))?;
    let options = Options {
        project: arguments.project.clone(),
        port: arguments.port,
        binary,
    };
    kripke_serve::serve(options, |url| {
        // Whoever cannot read it can still open it.
        let _ = output::print(&format!("{url}\n"));
        output::note("Ctrl-C ends the server; the address can be opened once");
        if !arguments.no_open {
            open(url);
        }
    })?;
    Ok(0)
}

/// Opens the address in a browser, where there is one.
fn open(url: &str) {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let opened = Command::new(opener)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if opened.is_err() {
        output::note(&format!("there is no {opener}: open the address in a browser"));
    }
}
