//! What every graph needs, whatever its nodes are: strongly connected components, and texts for Graphviz.

mod components;
pub mod dot;

pub use components::{Edge, components};
