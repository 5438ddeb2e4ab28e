//! How long the questions of a bound may take before the turn of a larger one.
//!
//! Idea: of a path that goes on past a bound, a run with a larger bound tells whether it ends, piece by piece
//! and before it follows it. Where that takes less time than the question about all such paths at once, the
//! larger bound follows whatever the answer is, as long as there is time for several.
//!
//! Invariant: the last bound's questions are asked to their ends, so what is said to hold does at any bound.

use std::time::{Duration, Instant};

use kripke_limits::stretched;

use super::{Check, LEAST_PATIENCE};
use crate::record::CutPath;

/// The part of the time of the run that they may take where a larger bound costs little.
const PART: u32 = 4;
/// A larger bound costs little where the last one took such a part of the time that is left,
const PART_OF_WHAT_IS_LEFT: u32 = 4;
/// and no longer than this.
const LITTLE: Duration = Duration::from_secs(60);

impl Check<'_> {
    /// Until when the questions of this bound are asked where another follows.
    pub(super) fn soon(&self, is_cheap: bool) -> Instant {
        let took = match is_cheap {
            true => self.execution_took / PART,
            false => self.execution_took,
        };
        Instant::now() + took.max(stretched(LEAST_PATIENCE))
    }

    /// Is there time enough for several larger bounds, as far as the last one tells?
    pub(super) fn is_next_cheap(&self) -> bool {
        let left = self.until_deadline(stretched(LITTLE)) / PART_OF_WHAT_IS_LEFT;
        self.may_grow() && self.execution_took < left
    }

    /// A path that goes on past the bound, if it can be taken at all.
    pub(super) fn unwound_cut(&self) -> Option<CutPath> {
        let mut cuts = self.engine.run.record.cuts.iter();
        cuts.find(|path| path.cut.is_unwinding()).cloned()
    }
}
