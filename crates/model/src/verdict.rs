//! One verdict type for every engine, and honest: a bound, an abstraction or a skipped construct
//! always shows.

use kripke_limits::Exhausted;
use serde::Serialize;

use crate::{Open, Place, Property, Trace};

/// The answer for one property.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// True of every run of the model.
    Holds {
        /// By which argument.
        argument: Argument,
    },
    /// Some run breaks it; the trace was replayed concretely.
    Violated {
        /// That run.
        trace: Box<Trace>,
    },
    /// Bounded-trace verdict: no evidence against it within the bound.
    PresumablyHolds {
        /// A trace that does not settle it.
        trace: Box<Trace>,
        /// The bound.
        bound: u32,
    },
    /// Bounded-trace verdict: a cut trace does not satisfy it yet.
    PresumablyViolated {
        /// The cut trace.
        trace: Box<Trace>,
        /// The bound.
        bound: u32,
    },
    /// No answer.
    Unknown {
        /// Why not.
        reason: Reason,
    },
}

/// Why a property holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Argument {
    /// No path reaches it, or it is true by constant propagation alone.
    Trivial,
    /// Every continuation of every trace within the bound satisfies the formula.
    GoodPrefixes {
        /// The bound.
        bound: u32,
    },
    /// Every path ends within the bound.
    AllPathsWithinBound {
        /// The loop bound that sufficed.
        bound: u32,
    },
    /// k-induction; with 0 no state of the loops leads to a violation within one iteration.
    Induction {
        /// The k that sufficed.
        k: u32,
    },
    /// k-induction from states that satisfy invariants found for the loops; with 0 these alone.
    Invariants {
        /// The k that sufficed.
        k: u32,
    },
    /// Abstract states cover all states of a program with threads.
    AbstractStates {
        /// How many there are.
        states: u64,
    },
    /// All reachable states were seen.
    CompleteExploration {
        /// How many there are.
        states: u64,
    },
    /// It holds in the part of the program that matters to it.
    Slice {
        /// Why it holds there.
        argument: Box<Argument>,
    },
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Reason {
    /// No violation up to the bound, but some path goes on past it.
    Bound {
        /// The bound.
        bound: u32,
        /// The loop that goes on, as `file:line`.
        place: String,
    },
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The limit of stored states was reached.
    States {
        /// The limit.
        limit: u64,
    },
    /// The user interrupted the run.
    Interrupted,
    /// No violation was found, and states were told apart by their hashes: some may have been left out.
    Probable {
        /// How many were told apart.
        states: u64,
    },
    /// The files in which states are kept could not be written or read.
    Disk {
        /// What the system said.
        message: String,
    },
    /// A path reaches something that is not modelled.
    Unsupported {
        /// What it is.
        what: String,
        /// Where, as `file:line`.
        place: String,
    },
    /// The solver found a violation, and the run of the interpreter with its inputs ends otherwise: a defect
    /// of Kripke's.
    NotReplayed {
        /// How the run ends.
        end: String,
    },
    /// The solver gave up.
    Solver {
        /// What it said.
        message: String,
    },
    /// Another property was violated first and the run stopped there.
    NotChecked,
    /// The proof uses the contract of a function in the place of its calls, and that is not proved.
    Contract {
        /// The function.
        function: String,
    },
    /// It is violated for some of what callers of a function may pass who are not known.
    Callers {
        /// The function.
        function: String,
    },
}

impl From<Exhausted> for Reason {
    fn from(exhausted: Exhausted) -> Self {
        match exhausted {
            Exhausted::Time => Reason::Time,
            Exhausted::Memory => Reason::Memory,
            Exhausted::States(limit) => Reason::States { limit },
            Exhausted::Interrupted => Reason::Interrupted,
            Exhausted::Disk(kind) => Reason::Disk {
                message: kind.to_string(),
            },
        }
    }
}

/// Property and answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PropertyResult {
    /// The property.
    pub property: Property,
    /// The answer.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// For a temporal formula: more about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temporal: Option<Temporal>,
    /// For one that is unknown: how far the search came, where it can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<Open>,
}

impl PropertyResult {
    /// A property of a single place, and the answer.
    pub fn new(property: Property, verdict: Verdict) -> Self {
        PropertyResult {
            property,
            verdict,
            temporal: None,
            open: None,
        }
    }
}

/// What a temporal formula came to, bound by bound.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Temporal {
    /// The formula as the user wrote it.
    pub formula: String,
    /// Its class (safety, liveness, ...).
    pub class: String,
    /// The value on the last bound, in the lattice ⊥ < ⊥ᵖ < ⊤ᵖ < ⊤.
    pub value: String,
    /// The value per bound.
    pub bounds: Vec<BoundValue>,
    /// What the reader should know: what made the verdict definite, letters that cannot occur, and the like.
    pub notes: Vec<String>,
}

/// The value of a formula on the traces within a bound.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoundValue {
    /// The loop bound.
    pub bound: u32,
    /// violated, presumably violated, presumably holds, holds.
    pub value: String,
    /// Whether it is the verdict on the program's whole runs too.
    pub definite: bool,
    /// Seconds that this bound took, the program's loading not counted.
    pub seconds: f64,
}

/// The whole run in one word; also the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Exit code 0.
    Holds,
    /// Exit code 1.
    Violated,
    /// Exit code 2.
    Unknown,
}

impl Outcome {
    /// 0 all hold, 1 something violated, 2 inconclusive (3 is bad input, 4 an internal error).
    pub fn exit_code(self) -> u8 {
        match self {
            Outcome::Holds => 0,
            Outcome::Violated => 1,
            Outcome::Unknown => 2,
        }
    }
}

/// What a run cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// Seconds in all.
    pub seconds: f64,
    /// Seconds in the solver.
    pub solver_seconds: f64,
    /// Solver queries.
    pub queries: u64,
    /// Largest unwinding reached.
    pub bound: u32,
    /// Peak resident memory in bytes.
    pub peak_memory: u64,
    /// The schedules of threads, where each was explored by itself, up to the largest bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interleavings: Option<Interleavings>,
    /// The states that were explored one by one, of firmware.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explored: Option<Explored>,
}

/// States that were explored one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Explored {
    /// How many explorations there were: of the faults and invariants, of each formula, and those that began
    /// anew.
    pub searches: u64,
    /// States stored by all of them together.
    pub stored: u64,
    /// Successors computed, those included that were stored already.
    pub created: u64,
}

/// Schedules of threads that were explored one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Interleavings {
    /// Those that came to the end of the program.
    pub complete: u64,
    /// Those that were left where they came to a state that was seen.
    pub left: u64,
    /// The states at which a thread was chosen.
    pub states: u64,
    /// How often a thread was not chosen, as its step was taken before others that do not depend on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pruned: Option<u64>,
}

/// Conditions that hold whenever an iteration of a loop starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoopInvariant {
    /// The loop's head.
    pub place: Place,
    /// C expressions over the variables that are in scope there.
    pub conditions: Vec<String>,
}

/// Everything a run has to say.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Per property, in source order.
    pub results: Vec<PropertyResult>,
    /// What the verdicts rest on beside the program: external functions taken as nondeterministic, bounded
    /// library results, canonical NaNs, … one sentence each.
    pub assumptions: Vec<String>,
    /// Why there may be properties that are not among the results: a path ends at a construct that is not
    /// modelled, and what lies behind it was never seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<Reason>,
    /// The invariants that proofs by [`Argument::Invariants`] rest on, as far as C can say them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<LoopInvariant>,
    /// Cost.
    pub statistics: Statistics,
}

impl Report {
    /// Violated if anything is, else unknown if anything is or was never seen, else holds.
    pub fn outcome(&self) -> Outcome {
        let mut outcome = if self.incomplete.is_some() {
            Outcome::Unknown
        } else {
            Outcome::Holds
        };
        for result in &self.results {
            match result.verdict {
                Verdict::Violated { .. } => return Outcome::Violated,
                Verdict::Holds { .. } => {}
                _ => outcome = Outcome::Unknown,
            }
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PropertyKind;

    fn check(verdicts: &[Verdict], incomplete: bool, expected: Outcome) {
        let property = Property {
            id: "main.assertion.1".to_string(),
            kind: PropertyKind::Assertion,
            description: String::new(),
            place: Place::default(),
        };
        let results = verdicts
            .iter()
            .map(|verdict| PropertyResult::new(property.clone(), verdict.clone()));
        let report = Report {
            results: results.collect(),
            incomplete: incomplete.then_some(Reason::Time),
            ..Report::default()
        };
        assert_eq!(
            report.outcome(),
            expected,
            "{verdicts:?}, incomplete: {incomplete}"
        );
    }

    #[test]
    fn the_outcome_is_that_of_the_worst_result() {
        let argument = Argument::Trivial;
        let holds = Verdict::Holds { argument };
        let reason = Reason::Time;
        let unknown = Verdict::Unknown { reason };
        let trace = Box::new(Trace::default());
        let violated = Verdict::Violated { trace: trace.clone() };
        let presumably = [
            Verdict::PresumablyHolds {
                trace: trace.clone(),
                bound: 1,
            },
            Verdict::PresumablyViolated { trace, bound: 1 },
        ];
        check(&[], false, Outcome::Holds);
        check(&[holds.clone(), holds.clone()], false, Outcome::Holds);
        check(&[], true, Outcome::Unknown);
        check(std::slice::from_ref(&holds), true, Outcome::Unknown);
        check(&[holds.clone(), unknown.clone()], false, Outcome::Unknown);
        check(
            &[unknown.clone(), violated.clone(), holds.clone()],
            true,
            Outcome::Violated,
        );
        for open in presumably {
            check(&[holds.clone(), open.clone()], false, Outcome::Unknown);
            check(&[open, violated.clone()], false, Outcome::Violated);
        }
    }
}
