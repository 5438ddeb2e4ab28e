//! What the diagrams may cost.
//!
//! Idea: each operation counts its steps. A term has so many of them, then it has no diagram; a question has
//! so many for all of its terms, then it is given up. The limits of the check are looked at every few
//! thousand steps, which take less than a millisecond.
//!
//! It is a [`kripke_limits::Watch`] with counts of its own: what it counts is the price of an answer, too,
//! and diagrams are kept with the terms, which threads share, as a watch with its account is not.
//!
//! Invariant: after a question was given up no step succeeds before the next one begins.

use kripke_limits::Limits;

/// Steps between two looks at the clock.
const STEPS: u64 = 1 << 12;
/// Looks at the clock between two looks at the memory of the process.
const LOOKS: u64 = 16;

/// Why there is no diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failed {
    /// The term has none, or it would be too large.
    Term,
    /// The question is given up.
    Question,
}

/// Counts steps, and says when they are too many.
#[derive(Default)]
pub(super) struct Effort {
    done: u64,
    /// The next step that is no plain one.
    next: u64,
    /// The last step of a term, and of the question.
    of_term: u64,
    of_question: u64,
    looks: u64,
    limits: Limits,
}

impl Effort {
    /// Begins a question.
    pub fn begin(&mut self, steps: u64, limits: &Limits) {
        self.of_question = self.done + steps;
        self.of_term = self.of_question;
        self.looks = 1;
        self.limits = limits.clone();
        self.next = self.done;
    }

    /// Begins a term.
    pub fn begin_term(&mut self, steps: u64) {
        self.of_term = self.of_question.min(self.done + steps);
        self.next = self.next.min(self.of_term);
    }

    /// Steps done in all.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// A step that takes no more than some dozen nanoseconds.
    #[inline]
    pub fn step(&mut self) -> Result<(), Failed> {
        self.done += 1;
        match self.done <= self.next {
            true => Ok(()),
            false => self.look(),
        }
    }

    /// As many steps at once.
    pub fn steps(&mut self, count: usize) -> Result<(), Failed> {
        self.done += count as u64;
        self.step()
    }

    #[cold]
    fn look(&mut self) -> Result<(), Failed> {
        let exhausted = match self.looks % LOOKS {
            0 => self.limits.exceeded(),
            _ => self.limits.stopped(),
        };
        if exhausted.is_some() {
            self.of_question = 0;
        }
        if self.done > self.of_question {
            return Err(Failed::Question);
        }
        if self.done > self.of_term {
            return Err(Failed::Term);
        }
        self.looks += 1;
        self.next = self.of_term.min(self.done + STEPS);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    fn steps_until(effort: &mut Effort) -> (u64, Failed) {
        for step in 0.. {
            if let Err(failed) = effort.step() {
                return (step, failed);
            }
        }
        unreachable!("the loop has no end")
    }

    #[test]
    fn a_term_and_a_question_have_their_steps() {
        let mut effort = Effort::default();
        effort.begin(10_000, &Limits::default());
        effort.begin_term(7_000);
        assert_eq!(steps_until(&mut effort), (7_000, Failed::Term));
        effort.begin_term(7_000);
        assert_eq!(steps_until(&mut effort), (2_999, Failed::Question));
        effort.begin_term(7_000);
        assert_eq!(steps_until(&mut effort), (0, Failed::Question));
        effort.begin(5, &Limits::default());
        assert_eq!(steps_until(&mut effort), (5, Failed::Question));
    }

    #[test]
    fn an_interrupt_ends_the_question() {
        let limits = Limits::default();
        let mut effort = Effort::default();
        effort.begin(u64::MAX / 2, &limits);
        effort.begin_term(u64::MAX / 4);
        effort.step().expect("nothing is exhausted yet");
        limits.interrupt.store(true, Ordering::Relaxed);
        let (steps, failed) = steps_until(&mut effort);
        assert!(steps <= STEPS);
        assert_eq!(failed, Failed::Question);
        effort.begin_term(1);
        assert_eq!(steps_until(&mut effort), (0, Failed::Question));
    }
}
