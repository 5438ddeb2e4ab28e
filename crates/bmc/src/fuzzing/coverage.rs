//! Which parts of a program runs came to, and how often each of them.
//!
//! Idea: what a run shows is the pairs of locations that come after each other in it, each with the number of
//! times, of which only the order of magnitude counts: the run's features. Pairs that share a number by
//! chance are taken for one.
//!
//! Source: Zalewski: American fuzzy lop (technical details, 2014).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kripke_elts::Id;
use kripke_elts::interpreter::{Detail, Event, Observer, View};

/// How many pairs are told apart.
const PAIRS: usize = 1 << 16;
/// How many orders of magnitude are told apart.
const MAGNITUDES: u32 = 16;
/// The number of features, which are pairs with how often they came.
pub(super) const FEATURES: usize = PAIRS * MAGNITUDES as usize;

/// What the present run shows.
pub(super) struct Coverage {
    /// By pair, how often it came in this run.
    counts: Vec<u32>,
    /// The pairs that came in this run.
    touched: Vec<u32>,
    features: Vec<u32>,
    last: usize,
    /// Becomes true when no run is of interest any more.
    cancel: Arc<AtomicBool>,
}

impl Coverage {
    /// Ends the run where somebody sets the flag.
    pub fn new(cancel: Arc<AtomicBool>) -> Self {
        Coverage {
            counts: vec![0; PAIRS],
            touched: Vec::new(),
            features: Vec::new(),
            last: 0,
            cancel,
        }
    }

    /// The run has ended: the features that it showed.
    pub fn end_run(&mut self) -> &[u32] {
        self.features.clear();
        for pair in self.touched.drain(..) {
            let count = std::mem::take(&mut self.counts[pair as usize]);
            self.features.push(pair * MAGNITUDES + magnitude(count));
        }
        self.last = 0;
        &self.features
    }
}

/// 1, 2, 3, 4, 5 to 6, 7 to 8, 9 to 12, 13 to 16, and so on: two to each doubling.
fn magnitude(count: u32) -> u32 {
    match count {
        0..=4 => count.saturating_sub(1),
        _ => {
            let doublings = (count - 1).ilog2();
            let half = (count - 1) >> (doublings - 1) & 1;
            (2 * doublings + half).min(MAGNITUDES - 1)
        }
    }
}

impl Observer for Coverage {
    fn detail(&self) -> Detail {
        Detail::Locations
    }

    fn event(&mut self, view: &View<'_>, event: &Event<'_>) {
        let (Event::Location { location }, Some(function)) = (event, view.function()) else {
            return;
        };
        let here = (function.index() << 12 ^ location.index()).wrapping_mul(0x9e37_79b9) >> 8;
        let pair = (here ^ self.last) % PAIRS;
        self.last = here.rotate_right(1);
        if self.counts[pair] == 0 {
            self.touched.push(pair as u32);
        }
        self.counts[pair] += 1;
    }

    fn is_done(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::magnitude;

    #[test]
    fn orders_of_magnitude_grow_with_the_count() {
        let of = |counts: &[u32]| counts.iter().map(|count| magnitude(*count)).collect::<Vec<_>>();
        assert_eq!(of(&[1, 2, 3, 4, 5, 6, 7, 8, 9]), [0, 1, 2, 3, 4, 4, 5, 5, 6]);
        assert_eq!(of(&[12, 13, 16, 17, 24, 25, 32, 33]), [6, 7, 7, 8, 8, 9, 9, 10]);
        assert_eq!(magnitude(u32::MAX), 15);
    }
}
