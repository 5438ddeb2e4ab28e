//! Verdicts and traces for people and machines: terminal text, JSON, SARIF, JUnit XML, HTML, and what CI
//! systems show.
//!
//! Idea: everything here is a pure function from a [`kripke_model::Report`] (and the source
//! text, through [`Sources`]) to text; the command line decides where the text goes. A report
//! never says more than the verdict does: bounds, assumptions and skipped properties are part
//! of every form.

pub mod annotations;
pub mod baseline;
pub mod dot;
mod entries;
mod excerpt;
pub mod explain;
mod fold;
mod functions;
pub mod html;
pub mod json;
pub mod junit;
mod lanes;
mod open;
pub mod sarif;
mod source;
mod style;
mod temporal;
mod terminal;
mod thin;
mod trace_text;
pub mod vcd;

pub use entries::{Checked, Document, Entry, Status};
pub use functions::render_functions;
pub use lanes::{Lanes, lanes};
pub use open::explosion_text;
pub use source::Sources;
pub use style::Style;
pub use terminal::{TerminalOptions, list_properties, render};
pub use trace_text::{step_text, trace_text};
