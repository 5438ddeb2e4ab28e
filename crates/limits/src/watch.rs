//! Looks at the limits of a hot loop.
//!
//! Idea: a look at the clock costs as much as a small step of a search, and one at the memory of the process
//! a hundred times that. So steps are counted, the clock is looked at every [`STEPS`] of them, and memory at
//! every [`LOOKS`]th look; between two of those, what is asked for is counted by the [`Account`].

use crate::{Account, Exhausted, Limits};

/// Steps between two looks at the clock. A step takes at most some microseconds, so these take some
/// milliseconds.
const STEPS: u32 = 1024;
/// Looks at the clock between two looks at the memory of the process.
const LOOKS: u32 = 16;

/// Limits, and how long they were not looked at.
#[derive(Debug)]
pub struct Watch {
    limits: Limits,
    account: Account,
    steps: u32,
    looks: u32,
}

impl Watch {
    /// The first step looks.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Watch {
            limits: limits.clone(),
            account: Account::new(limits),
            steps: 0,
            looks: 0,
        }
    }

    /// The limits.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Where memory is counted.
    #[must_use]
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// To be called once for each step of bounded cost. True where the limits were looked at.
    #[inline]
    pub fn step(&mut self) -> Result<bool, Exhausted> {
        if self.steps > 0 {
            self.steps -= 1;
            return Ok(false);
        }
        self.look()?;
        Ok(true)
    }

    #[cold]
    fn look(&mut self) -> Result<(), Exhausted> {
        self.steps = STEPS - 1;
        if let Some(exhausted) = self.limits.stopped() {
            return Err(exhausted);
        }
        if self.looks == 0 {
            self.looks = LOOKS;
            self.account.measure()?;
        }
        self.looks -= 1;
        Ok(())
    }

    /// Looks at all limits now.
    pub fn look_now(&mut self) -> Result<(), Exhausted> {
        self.looks = 0;
        self.look()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;
    use std::time::Instant;

    fn steps_until_stopped(limits: &Limits) -> (u32, Exhausted) {
        let mut watch = Watch::new(limits);
        watch.step().expect("nothing is exhausted yet");
        limits.interrupt.store(true, Ordering::Relaxed);
        for step in 1.. {
            if let Err(exhausted) = watch.step() {
                return (step, exhausted);
            }
        }
        unreachable!("the loop has no end")
    }

    #[test]
    fn an_interrupt_is_seen_within_so_many_steps() {
        let (steps, exhausted) = steps_until_stopped(&Limits::default());
        assert!(steps <= STEPS);
        assert_eq!(exhausted, Exhausted::Interrupted);
    }

    #[test]
    fn a_deadline_that_has_passed_stops_the_first_step() {
        let limits = Limits {
            deadline: Some(Instant::now()),
            ..Limits::default()
        };
        assert_eq!(Watch::new(&limits).step(), Err(Exhausted::Time));
    }

    #[test]
    fn memory_that_was_not_counted_is_seen_too() {
        let limits = Limits {
            memory: Some(1),
            ..Limits::default()
        };
        assert_eq!(Watch::new(&limits).step(), Err(Exhausted::Memory));
    }
}
