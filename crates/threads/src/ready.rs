//! Whether a thread could go on now, where another one asks.
//!
//! Idea: it could unless it was not started or has ended, others keep it, or it stands where it waits and its
//! word does not let it go on. All places are known when the answer is written.
//!
//! Invariant: the answer is that of the hub, if it let the thread go on at that moment.

use kripke_elts::{BinaryOp as Op, Id, LocationId, Position, Type, VariableId};
use kripke_interrupts::terms::{and, assign, binary, int, not, or, truth};

use crate::inline::may_go_on;
use crate::weaver::{Stop, Weaver};

impl Weaver<'_> {
    /// Answers all questions.
    pub fn write_questions(&mut self) {
        let nowhere = Position::default();
        for (at, number, result) in std::mem::take(&mut self.questions) {
            let asker = self.thread_of[at.index()];
            let transitions = std::mem::take(&mut self.function.locations[at].transitions);
            let rest = self.location("is ready", asker);
            self.function.locations[rest].transitions = transitions;
            let mut none = truth(true);
            for thread in 0..self.threads.len() {
                let is_it = binary(Op::Eq, number.clone(), int(32, thread as u128));
                let asked = self.location("is ready?", asker);
                self.way(at, and(none.clone(), is_it.clone()), Vec::new(), asked, nowhere);
                none = and(none, not(is_it));
                self.write_answer((asked, rest), thread, result);
            }
            self.way(at, none, vec![assign(result, int(32, 0))], rest, nowhere);
        }
    }

    fn write_answer(&mut self, (from, to): (LocationId, LocationId), thread: usize, result: VariableId) {
        let nowhere = Position::default();
        let waits: Vec<_> = { self.places_of(thread) }
            .filter_map(|(number, place)| match place.stop {
                Stop::Wait(wait) => Some((number, wait)),
                Stop::Gap { .. } => None,
            })
            .collect();
        let kept = self.is_kept(thread);
        let stands = { waits.iter() }.map(|(number, _)| self.stands_at(thread, *number));
        let stands = stands.reduce(or).unwrap_or(truth(false));
        let answer = |yes: u128| vec![assign(result, int(32, yes))];
        self.way(from, kept.clone(), answer(0), to, nowhere);
        let free = and(not(kept.clone()), not(stands.clone()));
        self.way(from, free, answer(1), to, nowhere);
        let (word, value) = (self.threads[thread].word, self.variable("waits", Type::Int(32)));
        let looks = self.location("is ready?", self.thread_of[from.index()]);
        let reads = vec![self.read_word(value, word)];
        self.way(from, and(not(kept), stands), reads, looks, nowhere);
        let may = |(number, wait): &(usize, _)| and(self.stands_at(thread, *number), may_go_on(value, *wait));
        let goes = waits.iter().map(may).reduce(or).unwrap_or(truth(false));
        self.way(looks, goes.clone(), answer(1), to, nowhere);
        self.way(looks, not(goes), answer(0), to, nowhere);
    }
}
