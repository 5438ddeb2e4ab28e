//! The only places where a path gets narrower other than by the program's own decisions.
//!
//! Idea: a run that is not looked at needs a reason that the user sees: a check that has failed there (its
//! property is violated), an assumption of the program, or a cut, which leaves a verdict *unknown* where it
//! can be reached. Each function here records its reason and confines the path by the same condition, so
//! neither happens without the other.
//!
//! Invariant: no other module confines a path. `crates/cli/tests/tidy.rs` looks for those that do.

use kripke_elts::PropertyId;
use kripke_smt::TermId;

use crate::engine::Engine;
use crate::ltl::EndKind;
use crate::record::{Cut, CutPath, Violation};
use crate::state::State;

impl Engine<'_> {
    /// Confines the state to where the condition holds; false when that is nowhere.
    fn confine(&mut self, state: &mut State, condition: TermId) -> bool {
        match self.run.paths.assume(&mut self.terms, state.path, condition) {
            Some(path) => {
                state.path = path;
                true
            }
            None => false,
        }
    }

    fn confine_to_rest(&mut self, state: &mut State, gone: TermId) -> bool {
        let rest = self.terms.not(gone);
        self.confine(state, rest)
    }

    /// An assumption that stands in the program; false when no run satisfies it. What a library model assumes
    /// is listed where it reads the value that it confines.
    pub(crate) fn assume(&mut self, state: &mut State, condition: TermId) -> bool {
        self.confine(state, condition)
    }

    /// Records that the path is not followed where the condition holds, and goes on with the rest; false when
    /// there is none.
    pub(crate) fn cut_off(&mut self, state: &mut State, condition: TermId, cut: Cut) -> bool {
        if self.decide(state, condition) == Some(false) {
            return true;
        }
        self.cut(state, condition, cut);
        self.confine_to_rest(state, condition)
    }

    /// Records that a property is violated where `wrong` holds (or, where nothing checks it, that the run
    /// loses its meaning there), and confines the state to the rest; false when there is none.
    pub(crate) fn violation_or_misuse(
        &mut self,
        state: &mut State,
        wrong: TermId,
        check: Option<PropertyId>,
        what: &str,
    ) -> bool {
        if self.decide(state, wrong) == Some(false) || self.is_excluded_by_ranges(state, wrong) {
            return true;
        }
        let condition = self.here(state, wrong);
        if let Some(property) = check
            && self.program.properties[property].kind.is_contract()
            && !self.relied_on.contains(&property)
        {
            if self.checked[property] && !self.run.cursor.assuming {
                self.run.record.violations.push(Violation { property, condition });
                self.note_violation(state, wrong);
            }
            return true;
        }
        match check {
            _ if self.run.cursor.assuming => {}
            Some(property) => {
                self.trace_fails(state, wrong, property);
                if self.checked[property] {
                    self.run.record.violations.push(Violation { property, condition });
                    self.note_violation(state, wrong);
                }
            }
            None => self.cut(
                state,
                wrong,
                Cut::Misuse {
                    what: what.to_string(),
                },
            ),
        }
        self.confine_to_rest(state, wrong)
    }

    /// Records that the path is not followed where the condition holds.
    pub(crate) fn cut(&mut self, state: &State, condition: TermId, cut: Cut) {
        if self.run.cursor.assuming && !cut.is_unwinding() {
            return;
        }
        let condition = self.here(state, condition);
        if self.terms.as_bool(condition) == Some(false) {
            return;
        }
        self.trace_ends(state, condition, EndKind::Cut(cut.clone()));
        let function = self
            .run
            .stack
            .last()
            .map_or(self.program.entry, |top| top.function);
        self.run.record.cuts.push(CutPath {
            cut,
            condition,
            position: self.run.cursor.position,
            function,
            location: self.run.cursor.location,
        });
    }
}
