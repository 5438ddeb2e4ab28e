//! What a formula can say about finite traces, before any program is seen (journal paper, section 5.3).
//!
//! Safety: every word that violates φ has a prefix that no continuation saves. That is decided on the closure
//! of φ's automaton, in which every state accepts (Alpern and Schneider 1987): φ is a safety property when
//! the closure shares no word with ¬φ. Co-safety is safety of ¬φ.

use std::fmt;

use crate::bdd::Bdds;
use crate::emptiness;
use crate::formula::Formula;
use crate::graph::Graph;
use crate::monitor::{AutomatonPair, Monitor};
use crate::stutter::is_stutter_invariant;
use crate::verdict::FourValued;

/// The class of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// True of every word.
    Valid,
    /// True of no word.
    Unsatisfiable,
    /// Safety and co-safety: decided after a bounded number of letters.
    Bounded,
    /// A violation shows after finitely many letters.
    Safety,
    /// A satisfaction shows after finitely many letters.
    CoSafety,
    /// No finite trace decides, and the presumable value depends on the trace.
    Liveness,
    /// No finite trace decides, and the presumable value is always the same.
    Toggle,
    /// None of these: some finite traces decide, others do not.
    Mixed,
    /// None of the first five; what finite traces say is too much work to find out.
    Unknown,
}

impl Class {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Valid => "valid",
            Class::Unsatisfiable => "unsatisfiable",
            Class::Bounded => "safety and co-safety",
            Class::Safety => "safety",
            Class::CoSafety => "co-safety",
            Class::Liveness => "liveness",
            Class::Toggle => "toggle",
            Class::Mixed => "mixed",
            Class::Unknown => "neither safety nor co-safety",
        }
    }

    /// What that means for someone who checks a program.
    pub fn explanation(self) -> &'static str {
        match self {
            Class::Valid => "it holds on every trace, so it says nothing about a program",
            Class::Unsatisfiable => "it holds on no trace, so every program violates it",
            Class::Bounded => "a bounded number of letters decides it",
            Class::Safety => "a violation shows on a finite trace; a finite trace never proves it",
            Class::CoSafety => "a finite trace can prove it",
            Class::Liveness => {
                "no finite trace decides it: verdicts on cut paths are presumptions, and may alternate with \
                 the bound"
            }
            Class::Toggle => {
                "no finite trace decides it, and the presumption is the same for every finite trace: a \
                 bounded check \
                 tells nothing about it, only a lasso or a proof does"
            }
            Class::Mixed => "some finite traces decide it, others only presume",
            Class::Unknown => "whether finite traces can decide it would take too long to find out",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Everything that is known about a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classification {
    /// The class.
    pub class: Class,
    /// Whether it is a safety property.
    pub safety: bool,
    /// Whether it is a co-safety property.
    pub co_safety: bool,
    /// Whether it is a liveness property in the classical sense (every finite trace can still satisfy it);
    /// `None` when that was too much work.
    pub liveness: Option<bool>,
    /// Which of ⊥ ⊥ᵖ ⊤ᵖ ⊤ some finite trace has, in that order; `None` when that was too much work.
    pub possible: Option<[bool; 4]>,
    /// Whether repeating letters never changes its truth; `None` when that was too much work.
    pub stutter_invariant: Option<bool>,
}

impl Classification {
    /// Whether some finite trace has this value.
    pub fn can_be(&self, value: FourValued) -> Option<bool> {
        self.possible.map(|possible| possible[value as usize])
    }
}

/// Classifies a formula, given its automata and its monitor.
pub fn classify(formula: &Formula, pair: &AutomatonPair, monitor: &Monitor) -> Classification {
    let mut bdds = Bdds::new();
    let (positive, negative, letters) = pair.graphs(&mut bdds);
    let safety = is_closed(&positive, &negative, &mut bdds);
    let co_safety = is_closed(&negative, &positive, &mut bdds);
    let possible = match monitor {
        Monitor::Deterministic(monitor) => Some(monitor.possible),
        Monitor::Sets(_) => None,
    };
    let is_empty = |graph: &Graph| !graph.live_states()[graph.initial as usize];
    let class = if is_empty(&negative) {
        Class::Valid
    } else if is_empty(&positive) {
        Class::Unsatisfiable
    } else {
        match (safety, co_safety, possible) {
            (true, true, _) => Class::Bounded,
            (true, false, _) => Class::Safety,
            (false, true, _) => Class::CoSafety,
            (false, false, Some([false, true, true, false])) => Class::Liveness,
            (false, false, Some([false, _, _, false])) => Class::Toggle,
            (false, false, Some(_)) => Class::Mixed,
            (false, false, None) => Class::Unknown,
        }
    };
    let stutter_invariant = if formula.has_next() {
        is_stutter_invariant(&positive, &negative, letters, &mut bdds)
    } else {
        Some(true)
    };
    let liveness = possible.map(|possible| !possible[FourValued::False as usize]);
    Classification {
        class,
        safety,
        co_safety,
        liveness,
        possible,
        stutter_invariant,
    }
}

/// Whether a language contains its closure, given the automaton of its complement.
fn is_closed(graph: &Graph, complement: &Graph, bdds: &mut Bdds) -> bool {
    let mut closure = graph.clone();
    closure.trim();
    for edge in closure.edges.iter_mut().flatten() {
        edge.marks = 1;
    }
    let product = emptiness::product(&closure, complement, bdds);
    !product.live_states()[0]
}
