//! Temporal formulas, Büchi automata and monitors. Nothing here knows of programs: an atom is an opaque text.
//!
//! [`parser`] reads LTL and CTL in every usual spelling into one tree ([`formula`]); [`printer`] writes it back in any.
//! [`translate`] goes from LTL to a small Büchi automaton ([`buchi`]).

pub mod atom;
pub mod buchi;
pub mod dialect;
pub mod evaluate;
pub mod formula;
pub mod label;
pub mod parser;
pub mod printer;
pub mod random;
pub mod syntax_error;
pub mod trace;
pub mod translate;

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

pub use atom::{Atom, AtomId, AtomStyle, Atoms, MAX_ATOMS};
pub use buchi::{Buchi, StateId};
pub use dialect::Dialect;
pub use formula::{BinaryOperator, Formula, FormulaId, Formulas, Logic, Node, Quantifier, UnaryOperator};
pub use label::{Cube, Label, Letter};
pub use parser::{Parsed, parse, parse_dialect};
pub use syntax_error::{SyntaxError, Warning};
pub use trace::{Lasso, Trace};
pub use translate::{Limits, Options, TooLarge, TranslateError, simplify, translate};
