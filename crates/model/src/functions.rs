//! What is found where every function is checked by itself.
//!
//! Idea: a violation counts for as much as the run that shows it takes for granted. A run from `main` makes
//! nothing; one from a function that nobody in the program calls makes its arguments; one from a function
//! with callers in the program may make arguments that no caller passes. The [`Rank`] says which it is.

use serde::{Deserialize, Serialize};

use crate::{Outcome, Place, Property, Reason, Trace};

/// How much the run of a finding takes for granted, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rank {
    /// It starts in `main`, or in an entry point without parameters: nothing is made.
    Nothing,
    /// It starts in an entry point, with numbers for its parameters; objects behind pointers do not matter.
    Arguments,
    /// It starts in an entry point, and rests on what the objects behind its pointers hold, or how large they
    /// are, or on what global variables hold: callers who are not in the program decide.
    Objects,
    /// It starts in a function with callers in the program, and whether one of them lets it happen is open;
    /// or in one that is called through pointers, with arguments.
    Callers,
    /// It starts in an entry point that gets a null pointer.
    Null,
    /// It starts in a function with callers in the program, none of which lets it happen.
    Excluded,
}

impl Rank {
    /// Does the program violate the property?
    #[must_use]
    pub fn is_violation(self) -> bool {
        self <= Rank::Arguments
    }
}

/// A violation in the run of some function.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// What is violated.
    pub property: Property,
    /// Where in the user's code: the property's place, or the call of the library function that has it.
    pub place: Place,
    /// How much the run takes for granted.
    pub rank: Rank,
    /// The function that the run starts in.
    pub start: String,
    /// The parameters of that function that have to be null pointers for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub null: Vec<String>,
    /// What of the objects behind its pointers and of global variables matters, as `ring->head = 8`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<String>,
    /// The run.
    pub trace: Box<Trace>,
}

/// A function that was checked by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FunctionResult {
    /// What `--entry` calls it.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// `main`, or nobody in the program calls it by its name, or others may as there is no `main`.
    pub is_entry_point: bool,
    /// Its address is taken: it may be called with arguments of which nothing is known.
    pub is_callback: bool,
    /// The functions of the program that call it by its name.
    pub callers: Vec<String>,
    /// What holds of the properties in its body.
    pub verdict: Outcome,
    /// Properties in its body without an answer.
    pub unknown: usize,
    /// What keeps its properties open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Why no run can start in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Its parameters that have to be other than null.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_null: Vec<String>,
    /// How long its runs took.
    pub seconds: f64,
}

/// What there is to say beside the report where every function is checked by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FunctionsReport {
    /// In the order of the sources.
    pub functions: Vec<FunctionResult>,
    /// By rank, then in the order of the sources.
    pub findings: Vec<Finding>,
}
