//! Temporal formulas, Büchi automata and monitors. Nothing here knows of programs: an atom is an opaque text.
//!
//! [`parser`] reads LTL and CTL in every usual spelling into one tree ([`formula`]); [`printer`] writes it
//! back in any. [`translate`] goes from LTL to a small Büchi automaton ([`buchi`]). [`monitor`] gives the
//! four-valued verdict on finite traces, [`classify`] says beforehand which verdicts there can be, [`report`]
//! puts everything together. [`hoa`], [`never_claim`], [`dot`] and [`c_monitor`] write automata for other
//! tools; [`evaluate`] is the independent oracle.

pub mod atom;
pub mod buchi;
pub mod c_monitor;
pub mod classify;
pub mod dialect;
pub mod dot;
pub mod evaluate;
pub mod formula;
pub mod hoa;
pub mod label;
pub mod monitor;
pub mod never_claim;
pub mod parser;
pub mod printer;
pub mod random;
pub mod report;
pub mod syntax_error;
pub mod trace;
pub mod translate;
pub mod verdict;

mod alternating;
mod bdd;
mod degeneralise;
mod emptiness;
mod graph;
mod implication;
mod letters;
mod lexer;
mod normal_form;
mod reduce;
mod rewrite;
mod simulation;
mod stutter;

pub use atom::{Atom, AtomId, AtomStyle, Atoms, MAX_ATOMS};
pub use buchi::{Buchi, StateId};
pub use classify::{Class, Classification, classify};
pub use dialect::Dialect;
pub use formula::{BinaryOperator, Formula, FormulaId, Formulas, Logic, Node, Quantifier, UnaryOperator};
pub use label::{Cube, Label, Letter};
pub use monitor::{AutomatonPair, DeterministicMonitor, Monitor, MonitorLimits, SetMonitor};
pub use parser::{Parsed, parse, parse_dialect};
pub use report::{LtlReport, TraceReport, describe};
pub use syntax_error::{SyntaxError, Warning};
pub use trace::{Lasso, Trace};
pub use translate::{Limits, Options, TooLarge, TranslateError, simplify, translate};
pub use verdict::FourValued;
