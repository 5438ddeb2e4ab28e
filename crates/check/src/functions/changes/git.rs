//! What git knows of a revision.
//!
//! Invariant: files are compared as they lie on the disk, so that what is not committed yet counts, and what
//! git was told to overlook too. Nothing in the repository is changed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::failure::Failure;

/// A repository and one of its revisions.
pub(super) struct Repository {
    top: PathBuf,
    /// The commit's hash.
    commit: String,
    /// As the user says it.
    revision: String,
}

impl Repository {
    /// The repository in which a file is.
    pub fn of(file: &Path, revision: &str) -> Result<Repository, Failure> {
        let file = absolute(file);
        let folder = file.parent().unwrap_or(Path::new("/"));
        let output = run(folder, &["rev-parse", "--show-toplevel"])?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Failure::input(format!(
                "--changed-since: git knows no repository in {}: {}",
                folder.display(),
                said.trim()
            )));
        }
        let top = PathBuf::from(line(&output));
        // What begins with a hyphen would be an option.
        let named = format!("{revision}^{{commit}}");
        let output = run(
            &top,
            &["rev-parse", "--verify", "--quiet", "--end-of-options", &named],
        )?;
        if !output.status.success() {
            return Err(Failure::input(format!(
                "--changed-since: the repository {} has no revision '{revision}' (in a shallow clone it may \
                 be missing: git fetch --unshallow)",
                top.display()
            )));
        }
        Ok(Repository {
            top: absolute(&top),
            commit: line(&output),
            revision: revision.to_owned(),
        })
    }

    /// The text of a file in the revision, if it has the file.
    pub fn text(&self, path: &Path) -> Option<String> {
        let bytes = self.bytes(path)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        let path = absolute(path);
        let inside = path.strip_prefix(&self.top).ok()?.to_str()?.to_owned();
        let output = run(
            &self.top,
            &["cat-file", "blob", &format!("{}:{inside}", self.commit)],
        )
        .ok()?;
        output.status.success().then_some(output.stdout)
    }

    /// Does a file of the repository differ from the revision's? Others are not known to.
    pub fn is_changed(&self, path: &Path) -> bool {
        let path = absolute(path);
        if !path.starts_with(&self.top) {
            return false;
        }
        let now = std::fs::read(&path).ok();
        now.is_none() || now != self.bytes(&path)
    }

    /// A file of C that the revision has and the folder has not.
    pub fn removed(&self) -> Result<Option<String>, Failure> {
        let only = [
            "diff",
            "--name-only",
            "--no-renames",
            "--diff-filter=D",
            "--no-ext-diff",
            "-z",
        ];
        let output = run(&self.top, &[&only[..], &[&self.commit, "--"]].concat())?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Failure::input(format!(
                "--changed-since {}: git cannot compare: {}",
                self.revision,
                said.trim()
            )));
        }
        let names = String::from_utf8_lossy(&output.stdout).into_owned();
        let is_code = |name: &&str| [".c", ".h", ".i", ".inc"].iter().any(|end| name.ends_with(end));
        Ok(names.split('\0').find(is_code).map(str::to_owned))
    }
}

/// Runs git, which asks nobody anything.
fn run(folder: &Path, arguments: &[&str]) -> Result<Output, Failure> {
    Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .output()
        .map_err(|error| {
            Failure::input(format!(
                "--changed-since: git cannot be run ({error}); on Debian or Ubuntu: apt install git"
            ))
        })
}

fn line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim_end_matches(['\n', '\r']).to_owned()
}

/// The path from the root, links followed where it exists.
pub(super) fn absolute(path: &Path) -> PathBuf {
    path.canonicalize()
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_path_buf())
}
