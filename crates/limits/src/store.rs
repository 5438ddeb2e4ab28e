//! Where a search keeps the states that it has seen.

use std::path::PathBuf;

/// A kind of store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Store {
    /// In memory, put together of parts that they share.
    #[default]
    Tree,
    /// In memory, as they are.
    Plain,
    /// In memory, a part of their hashes only: for finding errors.
    Hash,
    /// In files, in this directory; in the system's directory for temporary files where none is named.
    Disk(Option<PathBuf>),
}
