//! How long the questions of a bound may take before the turn of a larger one, and how much larger it is.
//!
//! Idea: of a path that goes on past a bound, a run with a larger bound tells whether it ends, piece by piece
//! and before it follows it. Where that takes less time than the question about all such paths at once, the
//! larger bound follows whatever the answer is, as long as there is time for several.
//!
//! A bound is twice the one before. Where that took not twice as long, paths end by themselves before many of
//! their loops reach the bound, and what a run costs is what all such paths cost: then few larger bounds are
//! better than many, as what follows the loops is executed at each, and all of it where one begins again.
//!
//! Invariant: the last bound's questions are asked to their ends, so what is said to hold does at any bound.

use std::time::{Duration, Instant};

use kripke_limits::stretched;

use super::{Check, LEAST_PATIENCE};
use crate::record::{Cut, CutPath};

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
const FAST_GROWTH: [u32; 2] = [16, 8];
const LEAST_OF_FAST_GROWTH: u32 = 4;
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
        let time = self.until_deadline(stretched(LITTLE)) / PART_OF_WHAT_IS_LEFT;
        match self.slow_growth {
            None if self.is_woven() => LEAST_OF_FAST_GROWTH,
            None => GROWTH,
            Some(_) if self.bound < FEW => LEAST_OF_FAST_GROWTH,
            Some(exponent) => fast_growth(self.executions_took, exponent, time),
        }
    }

    /// The exponent with which the time of a run has grown with its bound since the last one, where that is
    /// clearly less than the bound itself has. The time of threads tells little of what the next one takes.
    pub(super) fn slow_growth(&self, bound: u32) -> Option<f64> {
        let took = self.engine.run.took;
        if self.is_woven() || took < stretched(LEAST_TO_TELL) {
            return None;
        }
        let of_bound = f64::from(bound) / f64::from(self.executed_bound);
        let of_time = took.as_secs_f64() / self.executions_took.as_secs_f64();
        exponent_of_slow_growth(of_bound, of_time)
    }

    /// A path that goes on past the bound, if it can be taken at all; one that a larger bound follows, if
    /// there is one.
    pub(super) fn unwound_cut(&self) -> Option<CutPath> {
        let cuts = || self.engine.run.record.cuts.iter();
        let of_turns = cuts().find(|path| path.cut == Cut::Turns);
        let found = of_turns.or_else(|| cuts().find(|path| path.cut.is_unwinding()));
        found.cloned()
    }
}

/// The largest growth after which a run that took so long is expected to take less than some time more, if
/// not the least.
fn fast_growth(took: Duration, exponent: f64, time: Duration) -> u32 {
    let expected = |growth: u32| took.as_secs_f64() * (f64::from(growth).powf(exponent) - 1.0);
    let is_little = |growth: &u32| expected(*growth) < time.as_secs_f64();
    let growth = FAST_GROWTH.into_iter().find(is_little);
    growth.unwrap_or(LEAST_OF_FAST_GROWTH)
}

/// By which power of its bound's growth a run has grown, where that is clearly less than in proportion.
fn exponent_of_slow_growth(of_bound: f64, of_time: f64) -> Option<f64> {
    let is_slow = of_time < of_bound * MOST_OF_SLOW_GROWTH;
    is_slow.then(|| of_time.log(of_bound).max(0.0))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{exponent_of_slow_growth, fast_growth};

    #[test]
    fn a_bound_grows_by_the_most_after_which_a_run_takes_little() {
        let growth = |took| fast_growth(Duration::from_secs(took), 0.5, Duration::from_secs(15));
        // 16 times as many iterations take 3, 21 and 42 seconds more, 8 times as many 13 of 7 and 26 of 14.
        assert_eq!([growth(1), growth(7), growth(14)], [16, 8, 4]);
    }

    #[test]
    fn runs_grow_slowly_where_they_take_clearly_less_than_in_proportion() {
        let exponent = |of_time| exponent_of_slow_growth(2.0, of_time);
        assert_eq!([exponent(2.0), exponent(1.6)], [None, None]);
        assert!(exponent(1.4).is_some_and(|exponent| (0.4..0.5).contains(&exponent)));
        assert_eq!(exponent(0.7), Some(0.0));
    }
}
