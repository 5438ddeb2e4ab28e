//! Where a thread relies on that no other one runs.
//!
//! Idea: all others have ended there, or were not started; a run in which one has not is followed no further.
//! Handlers of interrupts may come: they take no locks, so nothing that they access is relied on.
//!
//! Invariant: behind such a place no other thread is in the middle of anything.

use kripke_elts::threads::NOT_ALONE;
use kripke_elts::{BinaryOp as Op, Expr, Id, StatementKind};
use kripke_interrupts::terms::{and, binary, int, not, truth};

use crate::weaver::{ENDED, Weaver};

impl Weaver<'_> {
    /// Writes all such checks: all threads are known.
    pub fn write_alone(&mut self) {
        for (at, position) in std::mem::take(&mut self.alone) {
            let own = self.thread_of[at.index()];
            let transitions = std::mem::take(&mut self.function.locations[at].transitions);
            let rest = self.location("alone", own);
            self.function.locations[rest].transitions = transitions;
            let hardware = self.hardware();
            let others = (0..self.threads.len()).filter(|other| *other != own && Some(*other) != hardware);
            let is_alone = others.fold(truth(true), |all, other| {
                let place = Expr::Variable(self.threads[other].place);
                and(all, binary(Op::ULe, place, int(16, ENDED as u128)))
            });
            let refuse = StatementKind::Unsupported {
                what: NOT_ALONE.to_owned(),
            };
            self.way(at, is_alone.clone(), Vec::new(), rest, position);
            self.way(at, not(is_alone), vec![refuse], rest, position);
        }
    }
}
