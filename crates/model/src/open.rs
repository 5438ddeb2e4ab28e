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
    /// For a search that stores states: what there are so many of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explosion: Option<Explosion>,
}

/// What makes states many, as far as a sample of them tells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Explosion {
    /// States that were stored.
    pub states: u64,
    /// States that were looked at.
    pub sample: u64,
    /// Variables and registers with many values in the sample, the one with most of them first.
    pub values: Vec<ManyValues>,
    /// Source lines at which many of the states are, the one with most of them first.
    pub lines: Vec<CrowdedLine>,
    /// What may help, a sentence each.
    pub hints: Vec<String>,
}

/// A variable, a register or a part of memory with many values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ManyValues {
    /// What it is called.
    pub name: String,
    /// Its different values in the sample.
    pub values: u64,
}

/// A line at which many states are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CrowdedLine {
    /// `file:line`, or the address with its symbol where there is no line.
    pub place: String,
    /// Of a hundred states.
    pub percent: u64,
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
