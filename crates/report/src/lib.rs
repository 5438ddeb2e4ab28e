//! Verdicts and traces for people and machines: terminal text and JSON.
//!
//! Idea: everything here is a pure function from a [`kripke_model::Report`] (and the source
//! text, through [`Sources`]) to text; the command line decides where the text goes. A report
//! never says more than the verdict does: bounds, assumptions and skipped properties are part
//! of every form.

mod excerpt;
mod fold;
mod functions;
pub mod json;
mod open;
mod source;
mod style;
mod temporal;
mod terminal;
mod trace_text;

pub use functions::render_functions;
pub use open::explosion_text;
pub use source::Sources;
pub use style::Style;
pub use terminal::{TerminalOptions, list_properties, render};
pub use trace_text::trace_text;
