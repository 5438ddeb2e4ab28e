//! What every graph needs, whatever its nodes are: strongly connected components, what is
//! reachable, and texts for Graphviz.

mod components;
pub mod dot;
mod reachable;

pub use components::{Edge, components};
pub use reachable::reachable;
