//! How long the questions of a bound may take before the turn of a larger one, and how much larger it is.
//!
//! Idea: of a path that goes on past a bound, a run with a larger bound tells whether it ends, piece by piece
//! and before it follows it. Where that takes less time than the question about all such paths at once, the
//! larger bound follows whatever the answer is, as long as there is time for several.
//!
//! A bound is twice the one before. Where that took not twice as long, paths end by themselves before many of
//! their loops reach the bound, and what a run costs is what all such paths cost: then few larger bounds are
//! better than many, as each begins from nothing.
//!
//! Invariant: the last bound's questions are asked to their ends, so what is said to hold does at any bound.

use std::time::{Duration, Instant};

use kripke_limits::stretched;

use super::{Check, LEAST_PATIENCE};
use crate::record::CutPath;

/// The part of the time of the run that they may take where a larger bound costs little.
const PART: u32 = 4;
/// A larger bound costs little where the last one took such a part of the time that is left, a larger one
/// where runs grow slowly,
const PART_OF_WHAT_IS_LEFT: u32 = 4;
const PART_WHERE_IT_GROWS_SLOWLY: u32 = 2;
/// and no longer than this.
const LITTLE: Duration = Duration::from_secs(60);

/// By how much a bound grows, and by how much where runs grow slowly: by the most after which the run is
/// expected to take a small part of the time that is left, else by the least; and by that where few
/// iterations tell little of many.
const GROWTH: u32 = 2;
const FAST_GROWTH: [u32; 3] = [16, 8, 4];
const FEW: u32 = 8;
/// The part of its bound's growth by which a run that grows slowly takes longer at most.
const MOST_OF_SLOW_GROWTH: f64 = 0.75;
/// What takes less is too short to tell.
const LEAST_TO_TELL: Duration = Duration::from_secs(1);

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
        let part = match self.slow_growth.is_some() {
            true => PART_WHERE_IT_GROWS_SLOWLY,
            false => PART_OF_WHAT_IS_LEFT,
        };
        let left = self.until_deadline(stretched(LITTLE)) / part;
        self.may_grow() && self.execution_took < left
    }

    /// By how much the bound grows. Where threads run, states that were seen are not followed again, so that
    /// one large bound costs less than many small ones there, too.
    pub(super) fn growth(&self) -> u32 {
        let [most @ .., least] = FAST_GROWTH;
        let Some(exponent) = self.slow_growth else {
            return if self.is_woven() { least } else { GROWTH };
        };
        let time = self.until_deadline(stretched(LITTLE)) / PART_OF_WHAT_IS_LEFT;
        let expected = |growth: u32| self.execution_took.as_secs_f64() * f64::from(growth).powf(exponent);
        let is_little = |growth: &u32| expected(*growth) < time.as_secs_f64();
        let growth = most.into_iter().find(is_little);
        growth.filter(|_| self.bound >= FEW).unwrap_or(least)
    }

    /// The exponent with which the time of a run has grown with its bound since the last one, where that is
    /// clearly less than the bound itself has. The time of threads tells little of what the next one takes.
    pub(super) fn slow_growth(&self, bound: u32, took: Duration) -> Option<f64> {
        if self.is_woven() || took < stretched(LEAST_TO_TELL) {
            return None;
        }
        let of_bound = f64::from(bound) / f64::from(self.executed_bound);
        let of_time = took.as_secs_f64() / self.execution_took.as_secs_f64();
        let is_slow = of_time < of_bound * MOST_OF_SLOW_GROWTH;
        is_slow.then(|| of_time.log(of_bound).max(0.0))
    }

    /// A path that goes on past the bound, if it can be taken at all.
    pub(super) fn unwound_cut(&self) -> Option<CutPath> {
        let mut cuts = self.engine.run.record.cuts.iter();
        cuts.find(|path| path.cut.is_unwinding()).cloned()
    }
}
