//! How the time is shared among functions.
//!
//! Idea: each gets an equal share of what is left; what it does not use is for those after it. When all had
//! their turn, those that are still open begin again, as long as that gives them much more time than before.
//! Where there is no limit, the shares grow from turn to turn.

use std::time::{Duration, Instant};

/// The first share where there is no limit.
const FIRST: Duration = Duration::from_secs(30);
/// A new turn gives at least so many times what the last one took.
const GROWTH: u32 = 2;
/// Less is not worth a new turn.
const LEAST: Duration = Duration::from_millis(500);

/// The time of a check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    deadline: Option<Instant>,
    turn: u32,
}

impl Budget {
    pub fn new(deadline: Option<Instant>) -> Self {
        Budget { deadline, turn: 0 }
    }

    /// Everybody had a turn.
    pub fn next_turn(&mut self) {
        self.turn += 1;
    }

    /// What the next one gets who has so many others behind it; nothing where the time is over.
    pub fn share(&self, others: usize) -> Option<Duration> {
        let Some(deadline) = self.deadline else {
            return Some(FIRST.saturating_mul(GROWTH.saturating_pow(self.turn)));
        };
        let left = deadline.saturating_duration_since(Instant::now());
        let parts = u32::try_from(others).unwrap_or(u32::MAX).saturating_add(1);
        (!left.is_zero()).then_some(left / parts)
    }

    /// Is it worth while to begin again what has had so much time?
    pub fn is_worth_while(&self, share: Duration, took: Duration) -> bool {
        share >= LEAST && share >= took.saturating_mul(GROWTH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_equal_and_grow_without_a_limit() {
        let budget = Budget::new(Some(Instant::now() + Duration::from_secs(100)));
        let share = budget.share(9).expect("time is left");
        assert!(
            share > Duration::from_secs(9) && share <= Duration::from_secs(10),
            "{share:?}"
        );
        let mut without = Budget::new(None);
        let first = without.share(9).expect("no limit");
        without.next_turn();
        let second = without.share(0).expect("no limit");
        assert!(without.is_worth_while(second, first));
        assert!(!without.is_worth_while(first, first));
    }

    #[test]
    fn nothing_is_left_after_the_deadline() {
        assert_eq!(Budget::new(Some(Instant::now())).share(0), None);
    }
}
