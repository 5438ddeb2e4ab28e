//! Deadlocks: threads that wait, and none of which can ever go on.
//!
//! Idea: where all threads wait or have ended, the hub may ask whether none can go on. Threads may also wait
//! for ever while others go on: for a lock whose holder waits for ever, or has ended with it, or for the end
//! of such a thread. Who waits for whom is known then, and each waits for one other, so from each leads one
//! chain. It changes for the worse where a thread begins to wait, ends, or is deleted: there the chain is
//! followed for as many steps as there are threads. It leads to one that goes on, or round.
//!
//! Invariant: the questions change nothing; a run in which threads wait for ever goes on with the others.
//!
//! Source: E. G. Coffman, M. J. Elphick, A. Shoshani, "System Deadlocks" (ACM Computing Surveys 1971).

use kripke_elts::threads::WAITS_FOR;
use kripke_elts::{
    BinaryOp as Op, Expr, Function, FunctionId, LocationId, Position, PropertyId, StatementKind, StopReason,
    Type, Variable, VariableId, VariableKind,
};
use kripke_interrupts::terms::{and, assign, binary, call_with, choose, int, not, or, select, truth};

use crate::inline::may_go_on;
use crate::marks::Wait;
use crate::weaver::{ENDED, Stop, Weaver};

/// Numbers of threads, and two that stand for none.
const NUMBER: u32 = 8;
/// It waits for nobody who is known.
const NOBODY: u128 = 255;
/// It waits for one that has ended.
const GONE: u128 = 254;
/// How a thread is held that never goes on.
pub const DELETED: u128 = 2;
/// The bits of a pointer to a word of 32 bits in a table that say which it is.
const INDEX_BITS: (u32, u32) = (9, 2);

/// Chains of threads that wait for each other.
struct Chains {
    /// For each thread whom it waits for.
    whom: Vec<VariableId>,
    /// The threads whose chains are followed, and where these lead, step by step.
    steps: Vec<(usize, Vec<VariableId>)>,
}

impl Chains {
    /// Does a thread wait, and for ever?
    fn is_stuck(&self, start: usize, steps: &[VariableId]) -> Expr {
        let is = |variable: VariableId, number: u128| {
            binary(Op::Eq, Expr::Variable(variable), int(NUMBER, number))
        };
        let waits = not(is(self.whom[start], GONE));
        let leads_on = steps.last().map(|last| is(*last, NOBODY));
        and(waits, not(leads_on.unwrap_or(truth(true))))
    }

    /// Does a thread wait for ever, and one whose chain is followed for it?
    fn is_on_stuck_chain(&self, thread: usize) -> Expr {
        let is_it = |step: &VariableId| binary(Op::Eq, Expr::Variable(*step), int(NUMBER, thread as u128));
        let is_on = |(start, steps): &(usize, Vec<VariableId>)| {
            let on = steps.iter().map(is_it).reduce(or).unwrap_or(truth(false));
            and(self.is_stuck(*start, steps), on)
        };
        self.steps.iter().map(is_on).reduce(or).unwrap_or(truth(false))
    }
}

impl Weaver<'_> {
    /// Can none of the threads that wait go on? Then the property fails, or the trace of a formula ends.
    pub fn write_deadlock(&mut self, from: LocationId, position: Position) {
        let mut at = from;
        for thread in 0..self.threads.len() {
            let word = self.threads[thread].word;
            let value = self.variable("waits", Type::Int(32));
            let next = self.location("deadlock", usize::MAX);
            let looks = self.location("deadlock", usize::MAX);
            let idle = self.is_kept(thread);
            self.way(at, idle.clone(), Vec::new(), next, position);
            self.way(at, not(idle), vec![self.read_word(value, word)], looks, position);
            let mut goes = truth(false);
            for (number, place) in self.places_of(thread) {
                if let Stop::Wait(wait) = place.stop {
                    goes = or(goes, and(self.stands_at(thread, number), may_go_on(value, wait)));
                }
            }
            let condition = not(goes);
            self.leave(looks, vec![StatementKind::Assume { condition }], next, position);
            at = next;
        }
        let stop = StatementKind::Stop {
            reason: StopReason::Deadlock,
            status: None,
        };
        let mut fails = truth(self.deadlock().is_some());
        if !self.held.is_empty() {
            // Those that only serve others wait where these have ended.
            fails = and(fails, not(self.all(Self::is_idle_or_serves, None)));
        }
        if self.has_formulas {
            // The trace ends here as well.
            fails = and(fails, self.either(&mut at, position));
        }
        let end = self.function.exit;
        self.way(at, not(fails.clone()), vec![stop], end, position);
        if let Some(property) = self.deadlock() {
            let condition = truth(false);
            let never = StatementKind::Assert { condition, property };
            self.way(at, fails, vec![never], end, position);
        }
    }

    /// It is idle, or does something for the others only.
    fn is_idle_or_serves(&self, thread: usize) -> Expr {
        let idle = self.is_idle(thread);
        match self.held.get(thread) {
            Some(held) => or(idle, binary(Op::Eq, Expr::Variable(*held), int(32, 3))),
            None => idle,
        }
    }

    /// A truth value that may be either.
    fn either(&mut self, at: &mut LocationId, position: Position) -> Expr {
        let chosen = self.variable("asks", Type::BOOL);
        let next = self.location("asks", usize::MAX);
        self.leave(*at, vec![choose(chosen)], next, position);
        *at = next;
        Expr::Variable(chosen)
    }

    /// For each thread the location by which it comes to the hub when it begins to wait for another one; and
    /// the way there of those that end.
    pub fn write_arrivals(&mut self) -> Vec<LocationId> {
        let threads = 0..self.threads.len();
        let waiting: Vec<usize> = threads
            .clone()
            .filter(|thread| self.waits_for_others(*thread))
            .collect();
        let property = self.deadlock().filter(|_| !waiting.is_empty());
        let ended = self.ended;
        let Some(property) = property else {
            self.leave(ended, Vec::new(), self.back, Position::default());
            return vec![self.back; threads.len()];
        };
        let back = self.back;
        self.write_chains((ended, back), &waiting, property);
        for (at, then) in std::mem::take(&mut self.deletions) {
            let asks = self.location("deleted", usize::MAX);
            let transitions = &mut self.function.locations[at].transitions;
            let ways = transitions.iter_mut().filter(|way| way.target == then);
            ways.for_each(|way| way.target = asks);
            self.write_chains((asks, then), &waiting, property);
        }
        threads
            .map(|thread| {
                let at = self.location("waits", usize::MAX);
                self.write_chains((at, back), &[thread], property);
                at
            })
            .collect()
    }

    fn waits_for_others(&self, thread: usize) -> bool {
        let names = |stop: Stop| matches!(stop, Stop::Wait(wait) if wait.names_thread());
        self.places_of(thread).any(|(_, place)| names(place.stop))
    }

    /// Asks whether some threads wait for ever, on the way from one location to another.
    fn write_chains(
        &mut self,
        (from, then): (LocationId, LocationId),
        starts: &[usize],
        property: PropertyId,
    ) {
        let position = Position::default();
        let mut at = from;
        let whom = (0..self.threads.len())
            .map(|thread| self.write_whom(&mut at, thread))
            .collect();
        let mut chains = Chains {
            whom,
            steps: Vec::new(),
        };
        let (mut kinds, mut stuck) = (Vec::new(), truth(false));
        for start in starts {
            let steps = self.follow(&chains.whom, *start, &mut kinds);
            stuck = or(stuck, chains.is_stuck(*start, &steps));
            chains.steps.push((*start, steps));
        }
        let found = self.variable("stuck", Type::BOOL);
        kinds.push(assign(found, stuck));
        let [fork, fails] = ["chains", "deadlock"].map(|name| self.location(name, usize::MAX));
        self.leave(at, kinds, fork, position);
        self.way(fork, not(Expr::Variable(found)), Vec::new(), then, position);
        self.way(fork, Expr::Variable(found), Vec::new(), fails, position);
        let mut at = fails;
        let asked = self.either(&mut at, position);
        self.way(at, not(asked.clone()), Vec::new(), then, position);
        let tells = self.location("deadlock", usize::MAX);
        self.way(at, asked, Vec::new(), tells, position);
        self.tell_chains(tells, &chains, property);
    }

    /// Sets a variable to the number of the thread that a thread waits for.
    fn write_whom(&mut self, at: &mut LocationId, thread: usize) -> VariableId {
        let position = Position::default();
        let whom = self.variable("waits for", Type::Int(NUMBER));
        let next = self.location("waits for", usize::MAX);
        // One that was deleted while it waited does not wait any more, and its word may be gone.
        let is_gone = self.is_gone(thread);
        let mut none = not(is_gone.clone());
        let gone = vec![assign(whom, int(NUMBER, GONE))];
        self.way(*at, is_gone, gone, next, position);
        for wait in [Wait::Free, Wait::End] {
            let places = self
                .places_of(thread)
                .filter(|(_, place)| place.stop == Stop::Wait(wait));
            let stands = places
                .map(|(number, _)| self.stands_at(thread, number))
                .reduce(or);
            let Some(stands) = stands else {
                continue;
            };
            let (word, value) = (self.threads[thread].word, self.variable("waits", Type::Int(32)));
            let looks = self.location("waits for", usize::MAX);
            let reads = vec![self.read_word(value, word)];
            self.way(*at, and(none.clone(), stands.clone()), reads, looks, position);
            let number = self.named(wait, value, word);
            let is_known = binary(Op::ULt, number.clone(), int(NUMBER, self.threads.len() as u128));
            let waits = and(not(may_go_on(value, wait)), is_known);
            let number = select(waits, number, int(NUMBER, NOBODY));
            self.leave(looks, vec![assign(whom, number)], next, position);
            none = and(none, not(stands));
        }
        let nobody = vec![assign(whom, int(NUMBER, NOBODY))];
        self.way(*at, none, nobody, next, position);
        *at = next;
        whom
    }

    /// It has ended, or was deleted.
    fn is_gone(&self, thread: usize) -> Expr {
        let place = Expr::Variable(self.threads[thread].place);
        let ended = binary(Op::Eq, place, int(16, ENDED as u128));
        match self.held.get(thread) {
            Some(held) => or(ended, binary(Op::Eq, Expr::Variable(*held), int(32, DELETED))),
            None => ended,
        }
    }

    /// The number of the thread that a word names, or a larger one.
    fn named(&self, wait: Wait, value: VariableId, word: VariableId) -> Expr {
        let (high, low, value) = match wait {
            Wait::End => {
                let word = Box::new(Expr::Variable(word));
                (INDEX_BITS.0, INDEX_BITS.1, Expr::PointerOffset(word))
            }
            _ => {
                let count = int(32, self.threads.len() as u128);
                let is_known = binary(Op::ULe, Expr::Variable(value), count);
                let number = binary(Op::Sub, Expr::Variable(value), int(32, 1));
                (NUMBER - 1, 0, select(is_known, number, int(32, NOBODY)))
            }
        };
        Expr::Extract {
            high,
            low,
            value: Box::new(value),
        }
    }

    /// The steps of the chain from a thread on, the thread first, and the statements that make them.
    fn follow(
        &mut self,
        whom: &[VariableId],
        start: usize,
        kinds: &mut Vec<StatementKind>,
    ) -> Vec<VariableId> {
        let mut current = int(NUMBER, start as u128);
        let mut steps = Vec::new();
        for _ in 0..=whom.len() {
            let step = self.variable("chain", Type::Int(NUMBER));
            kinds.push(assign(step, current));
            steps.push(step);
            let of = |next: Expr, (thread, whom): (usize, &VariableId)| {
                let is_it = binary(Op::Eq, Expr::Variable(step), int(NUMBER, thread as u128));
                select(is_it, Expr::Variable(*whom), next)
            };
            current = whom.iter().enumerate().fold(Expr::Variable(step), of);
        }
        steps
    }

    /// Tells which threads wait for whom, and fails.
    fn tell_chains(&mut self, from: LocationId, chains: &Chains, property: PropertyId) {
        let position = Position::default();
        let mut at = from;
        for (thread, whom) in chains.whom.iter().enumerate() {
            if !self.waits_for_others(thread) {
                continue;
            }
            let is_gone = binary(Op::Eq, Expr::Variable(*whom), int(NUMBER, GONE));
            let is_on = and(chains.is_on_stuck_chain(thread), not(is_gone));
            let next = self.location("deadlock", usize::MAX);
            let tells = call_with(self.teller_of_wait(thread), vec![Expr::Variable(*whom)]);
            self.way(at, is_on.clone(), vec![tells], next, position);
            self.way(at, not(is_on), Vec::new(), next, position);
            at = next;
        }
        let condition = truth(false);
        let never = StatementKind::Assert { condition, property };
        self.leave(at, vec![never], self.function.exit, position);
    }

    /// The function that tells traces whom a thread waits for.
    fn teller_of_wait(&mut self, thread: usize) -> FunctionId {
        let begins = self.threads[thread].begins.map(|(begins, _)| begins);
        let position = self.program.functions[begins.unwrap_or(self.program.entry)].position;
        let whom = Variable {
            name: "whom".to_owned(),
            ty: Type::Int(NUMBER),
            kind: VariableKind::Parameter,
            c_type: None,
            position,
        };
        let name = format!("{WAITS_FOR}{thread}");
        let teller = Function::without_effect(name, [whom], (position, position));
        self.target.functions.push(teller)
    }
}
