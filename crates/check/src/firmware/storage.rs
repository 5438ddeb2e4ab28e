//! Where the states of a firmware are kept, and where searches are written down: what the user asked for,
//! refused where it cannot be done.
//!
//! A directory of checkpoints has a file that says what they are of: the program, how it is checked and by
//! which version. Nothing else is gone on from.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use kripke_limits::{Checkpoint, Store};
use sha2::{Digest as _, Sha256};

use super::properties::Given;
use crate::failure::Failure;
use crate::job::{FirmwareJob, Job};

/// The file that says what checkpoints are of.
const IDENTITY: &str = "checkpoint";

/// The store for a check of these properties.
pub fn store(wanted: Option<&Store>, given: &[Given]) -> Result<Store, Failure> {
    let store = wanted.cloned().unwrap_or_default();
    if store == Store::Hash {
        only_about_states("hash", given)?;
    }
    if let Store::Disk(directory) = &store {
        only_about_states("disk", given)?;
        let made = match directory {
            Some(directory) => tempfile::tempdir_in(directory),
            None => tempfile::tempdir(),
        };
        made.map_err(|error| {
            let place = directory.as_ref().map_or_else(std::env::temp_dir, Clone::clone);
            Failure::input(format!(
                "--store disk: no files can be made in {}: {}; name a directory that exists and can be \
                 written to (disk:DIR)",
                place.display(),
                error.kind()
            ))
        })?;
    }
    Ok(store)
}

/// Refuses formulas for which all states have to be in memory.
fn only_about_states(store: &str, given: &[Given]) -> Result<(), Failure> {
    match given.iter().find(|property| !property.question.is_about_states()) {
        None => Ok(()),
        Some(property) => Err(Failure::input(format!(
            "--store {store} is for invariants and faults; '{}' is a temporal formula: check it by itself, \
             without --store (--property selects)",
            property.name
        ))),
    }
}

/// Where the searches of a check are written down, if the user wants that.
pub fn checkpoint(job: &Job, wanted: &FirmwareJob) -> Result<Option<Checkpoint>, Failure> {
    let Some(directory) = &wanted.checkpoint else {
        return Ok(None);
    };
    if matches!(wanted.store, Some(Store::Disk(_) | Store::Hash)) {
        return Err(Failure::input(
            "--checkpoint writes down searches that have their states in memory: leave out --store",
        ));
    }
    let place = directory.display();
    let bad = |what: &str| Failure::input(format!("--checkpoint {place}: {what}"));
    let identity = identity(job, wanted)?;
    let file = directory.join(IDENTITY);
    match (fs::read_to_string(&file), wanted.resume) {
        (Ok(found), true) => match difference(&found, &identity) {
            None => {}
            Some(what) => {
                return Err(bad(&format!(
                    "the checkpoint is of {what}; leave out --resume and name another directory to begin anew"
                )));
            }
        },
        (Ok(_), false) => {
            return Err(bad(
                "there is a checkpoint already: --resume goes on from it; to begin anew, remove it or name \
                 another directory",
            ));
        }
        (Err(error), true) if error.kind() == ErrorKind::NotFound => {
            return Err(bad("there is no checkpoint to resume from"));
        }
        (Err(error), false) if error.kind() == ErrorKind::NotFound => {
            begin(directory, &identity).map_err(|error| bad(&error))?;
        }
        (Err(error), _) => return Err(bad(&error.to_string())),
    }
    Ok(Some(Checkpoint::new(directory.clone())))
}

/// Makes a directory for checkpoints.
fn begin(directory: &Path, identity: &str) -> Result<(), String> {
    let shown = |error: std::io::Error| error.to_string();
    fs::create_dir_all(directory).map_err(shown)?;
    if fs::read_dir(directory).map_err(shown)?.next().is_some() {
        return Err("the directory holds other files; name an empty or a new one".to_owned());
    }
    let fresh = directory.join("checkpoint.new");
    fs::write(&fresh, identity).map_err(shown)?;
    fs::rename(&fresh, directory.join(IDENTITY)).map_err(shown)
}

/// What is checked and how, in lines.
fn identity(job: &Job, wanted: &FirmwareJob) -> Result<String, Failure> {
    let contents = |path: &Path| {
        let read = fs::read(path);
        read.map_err(|error| Failure::input(format!("cannot read {}: {error}", path.display())))
    };
    let device = match &wanted.device.file {
        Some(file) => contents(file)?,
        None => Vec::new(),
    };
    // Where the image lies and how states are kept does not matter.
    let asked = FirmwareJob {
        image: "".into(),
        store: None,
        checkpoint: None,
        resume: false,
        ..wanted.clone()
    };
    let options = format!("{asked:?} {:?}", job.formulas);
    Ok(format!(
        "kripke checkpoint 1\nversion {}\nprogram {}\ndevice {}\noptions {}\n",
        env!("CARGO_PKG_VERSION"),
        digest(&contents(&wanted.image)?),
        digest(&device),
        digest(options.as_bytes())
    ))
}

fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a checkpoint is of, where that is not this.
fn difference(found: &str, identity: &str) -> Option<&'static str> {
    let names = [
        "no kind that this version knows",
        "another version of kripke",
        "another program",
        "another device",
        "a check with other options or formulas",
    ];
    let mut found = found.lines();
    let differs = identity.lines().position(|line| found.next() != Some(line));
    differs.map(|line| names[line])
}
