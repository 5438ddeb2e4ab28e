//! Which steps of a long run are shown where a report has to stay small.
//!
//! Idea: what a reader must supply or could not guess (inputs, what the environment does, the violation)
//! comes before what follows from it, and what is close to the end before what is far from it.
//!
//! Invariant: the first and the last step that can be shown are always kept, and so is the one to which a run
//! returns; the order stays.

use std::cmp::Reverse;

use kripke_model::{Step, StepKind, Trace};

/// How much a step matters to a reader, the most first. SARIF has the same three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Importance {
    Essential,
    Important,
    Unimportant,
}

impl Importance {
    /// As SARIF says it.
    pub fn name(self) -> &'static str {
        match self {
            Importance::Essential => "essential",
            Importance::Important => "important",
            Importance::Unimportant => "unimportant",
        }
    }
}

pub(crate) fn importance(step: &Step) -> Importance {
    match &step.kind {
        StepKind::Violation { .. }
        | StepKind::Input { .. }
        | StepKind::Environment { .. }
        | StepKind::Letter { .. }
        | StepKind::End { .. } => Importance::Essential,
        _ if step.place.is_in_library() => Importance::Unimportant,
        StepKind::Call { .. }
        | StepKind::Return { .. }
        | StepKind::Assign { .. }
        | StepKind::Output { .. } => Importance::Important,
        StepKind::Branch { .. } | StepKind::Instruction { .. } => Importance::Unimportant,
    }
}

/// The indices of the steps to be shown, at most so many (two at the least). Calls of functions that only
/// Kripke knows are never shown.
pub(crate) fn chosen(trace: &Trace, limit: usize) -> Vec<usize> {
    let steps = trace.steps.iter().enumerate();
    let shown: Vec<usize> = steps
        .filter(|(_, step)| !is_internal(step))
        .map(|(index, _)| index)
        .collect();
    let [first, between @ .., last] = &shown[..] else {
        return shown;
    };
    let mut kept = between.to_vec();
    let is_loop = |index| trace.loop_start == Some(index);
    kept.sort_by_key(|&index| (!is_loop(index), importance(&trace.steps[index]), Reverse(index)));
    kept.truncate(limit.saturating_sub(2));
    kept.extend([first, last]);
    kept.sort_unstable();
    kept
}

fn is_internal(step: &Step) -> bool {
    match &step.kind {
        StepKind::Call { function, .. } | StepKind::Return { function, .. } => {
            function.starts_with("kripke ") || function.starts_with("kripke.")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use kripke_model::Place;

    use super::*;

    fn trace(kinds: &str) -> Trace {
        let step = |letter: char| Step {
            place: Place::default(),
            depth: 0,
            kind: match letter {
                'e' => StepKind::Environment {
                    message: String::new(),
                },
                'o' => StepKind::Output { text: String::new() },
                _ => StepKind::Branch { taken: true },
            },
        };
        Trace {
            steps: kinds.chars().map(step).collect(),
            ..Trace::default()
        }
    }

    fn check(kinds: &str, limit: usize, expected: &[usize]) {
        assert_eq!(chosen(&trace(kinds), limit), expected, "{kinds} to {limit}");
    }

    #[test]
    fn what_matters_stays_and_then_what_is_near_the_end() {
        check("beob", 4, &[0, 1, 2, 3]);
        check("bbeobob", 4, &[0, 2, 5, 6]);
        check("bbeobob", 5, &[0, 2, 3, 5, 6]);
        check("bbeobob", 6, &[0, 2, 3, 4, 5, 6]);
        check("bbb", 0, &[0, 2]);
        check("", 3, &[]);
    }
}
