//! How much of the time runs take.
//!
//! Idea: beside the search and the proofs, which begin later, runs are a third thread, and what they find
//! comes early or hardly at all. So they take all the time of a processor at first and then a small part of
//! it, more as long as they come further. Where there are processors enough for all there are no rests.

use std::num::NonZero;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// Between two rests.
const TURN: Duration = Duration::from_millis(10);
/// How long there are no rests: until proofs begin beside the search.
const FIRST: Duration = Duration::from_millis(2500);
/// How many rests follow each turn then: where nothing was found for long, and else.
const RESTS: u32 = 15;
const FEWER_RESTS: u32 = 5;
/// With so many processors there are no rests.
const ENOUGH: usize = 4;

/// Ends the work of who waits for it.
pub(crate) type Stop = Receiver<()>;

/// When to rest.
pub(super) struct Pace<'s> {
    stop: &'s Stop,
    processors: usize,
    started: Instant,
    turn: Instant,
    came_further: Instant,
}

impl<'s> Pace<'s> {
    pub fn new(stop: &'s Stop) -> Self {
        let now = Instant::now();
        Pace {
            stop,
            processors: available_parallelism().map_or(1, NonZero::get),
            started: now,
            turn: now,
            came_further: now,
        }
    }

    /// After a run, which came further than others or not: rests where it is time. False when there is no
    /// more to do.
    pub fn goes_on(&mut self, came_further: bool) -> bool {
        let now = Instant::now();
        if came_further {
            self.came_further = now;
        }
        let worked = now - self.turn;
        if self.processors >= ENOUGH || worked < TURN {
            return true;
        }
        let age = now - self.started;
        let rests = match () {
            () if age < FIRST && self.processors > 1 => 0,
            () if now - self.came_further < age / 4 => FEWER_RESTS,
            () => RESTS,
        };
        let goes_on = waits(self.stop, worked * rests);
        self.turn = Instant::now();
        goes_on
    }
}

/// Waits so long; false when it is to stop.
pub(crate) fn waits(stop: &Stop, time: Duration) -> bool {
    stop.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
}
