//! How far the search for an answer came that was not found: what a reader needs to help it on.

use serde::Serialize;

/// What is known of a property that is open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Open {
    /// No run violates it in which every loop and recursion goes on at most so often; none where not even
    /// the first bound was searched to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searched: Option<u32>,
    /// The loops that go on past that, as far as they are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<OpenLoop>,
}

/// A loop (or a recursion) that goes on past every bound that was tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OpenLoop {
    /// Where it starts, as `file:line`.
    pub place: String,
    /// The variables that it changes and on which the property depends: induction from the start of any
    /// iteration failed for want of an invariant that says enough of them. Empty where no induction was
    /// tried.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<String>,
    /// It is a recursion.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recursion: bool,
}
