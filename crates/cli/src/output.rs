//! Where text goes: standard output, standard error, files.
//!
//! Invariants: a file is complete or not there (written beside its place, then renamed); a
//! reader that closes the pipe early is no error.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use kripke_report::{Sources, Style};

use crate::arguments::ColorChoice;
use kripke_check::Failure;

/// Writes a whole text to standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::input(format!(
            "cannot write to standard output: {error}"
        ))),
        _ => Ok(()),
    }
}

/// A line for the user beside the report.
pub fn note(text: &str) {
    // Nothing can be done about a closed standard error.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Fails where a file could not be written later, before a long check is made for nothing.
pub fn check_directory(path: &Path) -> Result<(), Failure> {
    let directory = directory_of(path);
    if path.as_os_str() == "-" || directory.is_dir() {
        return Ok(());
    }
    let (path, directory) = (path.display(), directory.display());
    Err(Failure::input(format!(
        "cannot write {path}: there is no directory {directory}"
    )))
}

fn directory_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Writes a file whole; `-` is standard output. Devices and pipes are written in place.
pub fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return print(text);
    }
    let failed =
        |error: io::Error| Failure::input(format!("cannot write {}: {}", path.display(), error.kind()));
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return fs::write(path, text).map_err(failed);
    }
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder
        .prefix(".kripke-")
        .tempfile_in(directory_of(path))
        .map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Colours as the user chose; automatic ones only on a terminal that wants them.
pub fn style(choice: ColorChoice) -> Style {
    let coloured = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
            io::stdout().is_terminal() && !refused && !dumb
        }
    };
    if coloured {
        Style::coloured()
    } else {
        Style::plain()
    }
}

/// Files are quoted as they are now; paths below the current directory are shown from there.
pub fn sources() -> Sources<'static> {
    let base = std::env::current_dir().unwrap_or_default();
    Sources::new(&base.to_string_lossy(), |path| {
        fs::read(path)
            .ok()
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    })
}
