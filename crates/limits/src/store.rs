//! Where a search keeps the states that it has seen.

/// A kind of store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Store {
    /// In memory, put together of parts that they share.
    #[default]
    Tree,
    /// In memory, as they are.
    Plain,
}
