//! The hub: where it is chosen which thread goes on, and the stops on the way to it.
//!
//! Idea: whoever comes to a place notes its number, forgets what is not needed from there on, so that states
//! that differ in nothing else become one, and goes to the hub. There a choice names a thread; it goes on
//! from its place. A thread that waits may be chosen too, and such a run exists only where it need not wait.
//! Where all threads wait or have ended, the choice may fall on the question whether none can go on.

use kripke_elts::passes::liveness::live_variables;
use kripke_elts::threads::{CHOICE, RUNS};
use kripke_elts::{
    BinaryOp as Op, Expr, Id, LocationId, NondetSource, Position, PropertyId, StatementKind, StopReason,
    Type, VariableId,
};
use kripke_interrupts::terms::{and, assign, binary, int, not, or, truth};

use crate::inline::{may_go_on, teller};
use crate::weaver::{ENDED, FIRST_PLACE, NOT_STARTED, Stop, Weaver};

/// The choice of the question whether there is a deadlock.
const DEADLOCK: u128 = 255;

impl Weaver<'_> {
    /// Writes all that is no thread's: the start, the stops, the hub.
    pub fn write_hub(&mut self) {
        self.write_stops();
        let position = Position::default();
        let mut kinds = Vec::new();
        for thread in 0..self.threads.len() {
            let (place, word) = (self.threads[thread].place, self.threads[thread].word);
            let argument = self.threads[thread].argument;
            let at = match thread {
                0 => self.place_at(self.threads[0].root),
                _ => NOT_STARTED,
            };
            kinds.push(assign(place, int(16, at as u128)));
            kinds.push(assign(word, Expr::Null));
            kinds.push(assign(argument, Expr::Null));
        }
        kinds.extend(self.owner.map(|owner| assign(owner, int(8, 0))));
        self.leave(self.function.entry, kinds, self.hub, position);
        self.write_choice(position);
    }

    fn is_idle(&self, thread: usize) -> Expr {
        let place = Expr::Variable(self.threads[thread].place);
        binary(Op::ULe, place, int(16, ENDED as u128))
    }

    fn stands_at(&self, thread: usize, number: usize) -> Expr {
        let place = Expr::Variable(self.threads[thread].place);
        binary(Op::Eq, place, int(16, number as u128))
    }

    /// Waits, or does nothing.
    fn is_stuck(&self, thread: usize) -> Expr {
        let own = self.places.iter().enumerate();
        let waits =
            own.filter(|(_, place)| place.thread == thread && matches!(place.stop, Stop::Wait { .. }));
        let idle = self.is_idle(thread);
        waits.fold(idle, |stuck, (index, _)| {
            or(stuck, self.stands_at(thread, FIRST_PLACE + index))
        })
    }

    fn all(&self, holds: impl Fn(&Self, usize) -> Expr, but: Option<usize>) -> Expr {
        let threads = (0..self.threads.len()).filter(|thread| Some(*thread) != but);
        threads.fold(truth(true), |all, thread| and(all, holds(self, thread)))
    }

    /// The question which thread goes on.
    fn write_choice(&mut self, position: Position) {
        let choice = self.choice;
        let chosen = self.location("choice", usize::MAX);
        let source = NondetSource::Library(CHOICE.to_owned());
        let choose = StatementKind::Nondet {
            target: choice,
            source,
        };
        self.leave(self.hub, vec![choose], chosen, position);
        let mut none = truth(true);
        if let Some(property) = self.deadlock() {
            let asked = binary(Op::Eq, Expr::Variable(choice), int(8, DEADLOCK));
            let asked = and(asked, self.all(Self::is_stuck, None));
            let asked = and(asked, not(self.all(Self::is_idle, None)));
            let question = self.location("deadlock", usize::MAX);
            self.way(chosen, asked.clone(), Vec::new(), question, position);
            self.write_deadlock(question, property, position);
            none = and(none, not(asked));
        }
        for thread in 0..self.threads.len() {
            let named = binary(Op::Eq, Expr::Variable(choice), int(8, thread as u128));
            let alone = self.all(Self::is_idle, Some(thread));
            let goes = match self.owner {
                None => or(alone, named),
                Some(owner) => {
                    let is = |number: usize| binary(Op::Eq, Expr::Variable(owner), int(8, number as u128));
                    or(is(thread + 1), and(is(0), or(alone, named)))
                }
            };
            let goes = and(not(self.is_idle(thread)), goes);
            let resumes = self.location("goes on", usize::MAX);
            let runs = kripke_interrupts::terms::call(self.teller_of(thread));
            self.way(
                chosen,
                and(none.clone(), goes.clone()),
                vec![runs],
                resumes,
                position,
            );
            self.write_resumption(thread, resumes, position);
            none = and(none, not(goes));
        }
        let over = self.all(Self::is_idle, None);
        let stop = StatementKind::Stop {
            reason: StopReason::Exit,
            status: Some(int(self.program.data_model.int_width, 0)),
        };
        let (end, nobody) = (
            self.function.exit,
            StatementKind::Assume {
                condition: truth(false),
            },
        );
        self.way(chosen, and(none.clone(), over.clone()), vec![stop], end, position);
        self.way(chosen, and(none, not(over)), vec![nobody], end, position);
    }

    /// A thread goes on from where it stands.
    fn write_resumption(&mut self, thread: usize, from: LocationId, position: Position) {
        let own = self
            .places
            .iter()
            .enumerate()
            .filter(|(_, place)| place.thread == thread);
        let own: Vec<(usize, LocationId)> = own
            .map(|(index, place)| (FIRST_PLACE + index, place.at))
            .collect();
        let mut none = truth(true);
        for (number, at) in own {
            let here = self.stands_at(thread, number);
            self.way(from, here.clone(), Vec::new(), at, position);
            none = and(none, not(here));
        }
        let nobody = StatementKind::Assume {
            condition: truth(false),
        };
        self.way(from, none, vec![nobody], self.function.exit, position);
    }

    /// Can none of the threads that wait go on?
    fn write_deadlock(&mut self, from: LocationId, property: PropertyId, position: Position) {
        let mut at = from;
        for thread in 0..self.threads.len() {
            let word = self.threads[thread].word;
            let value = self.variable("waits", Type::Int(32));
            let next = self.location("deadlock", usize::MAX);
            let looks = self.location("deadlock", usize::MAX);
            let idle = self.is_idle(thread);
            self.way(at, idle.clone(), Vec::new(), next, position);
            self.way(at, not(idle), vec![self.read_word(value, word)], looks, position);
            let own = self
                .places
                .iter()
                .enumerate()
                .filter(|(_, place)| place.thread == thread);
            let mut goes = truth(false);
            for (index, place) in own {
                if let Stop::Wait { for_zero } = place.stop {
                    let here = self.stands_at(thread, FIRST_PLACE + index);
                    goes = or(goes, and(here, may_go_on(value, for_zero)));
                }
            }
            let condition = not(goes);
            self.leave(looks, vec![StatementKind::Assume { condition }], next, position);
            at = next;
        }
        let never = StatementKind::Assert {
            condition: truth(false),
            property,
        };
        self.leave(at, vec![never], self.function.exit, position);
    }

    /// Whoever comes to a place notes it and goes to the hub.
    fn write_stops(&mut self) {
        let needed = self.needed();
        let mut stops = vec![None; self.function.locations.len()];
        for index in 0..self.places.len() {
            let (thread, at, stop) = {
                let place = &self.places[index];
                (place.thread, place.at, place.stop)
            };
            let position = Position::default();
            let mut kinds = vec![assign(
                self.threads[thread].place,
                int(16, (FIRST_PLACE + index) as u128),
            )];
            if !matches!(stop, Stop::Wait { .. }) {
                kinds.push(assign(self.threads[thread].word, Expr::Null));
            }
            kinds.extend(self.forgotten(thread, at, &needed));
            let from = self.location("stop", usize::MAX);
            self.leave(from, kinds, self.hub, position);
            stops[at.index()] = Some(from);
        }
        for (index, location) in self.function.locations.iter_mut().enumerate() {
            if self.thread_of[index] == usize::MAX {
                continue;
            }
            for transition in &mut location.transitions {
                if let Some(Some(stop)) = stops.get(transition.target.index()) {
                    transition.target = *stop;
                }
            }
        }
    }

    /// For each location what is needed from there on in its thread.
    fn needed(&mut self) -> Vec<Vec<bool>> {
        let mut function = self.function.clone();
        let position = function.position;
        for thread in &self.threads {
            let transition = kripke_elts::Transition {
                guard: truth(true),
                statements: Vec::new(),
                target: thread.root,
                position,
            };
            function.locations[function.entry].transitions.push(transition);
        }
        for place in &self.places {
            let transition = kripke_elts::Transition {
                guard: truth(true),
                statements: Vec::new(),
                target: place.at,
                position,
            };
            function.locations[function.entry].transitions.push(transition);
        }
        let live = live_variables(&function);
        let variables = function.variables.ids();
        let variables: Vec<VariableId> = variables.collect();
        let of = live
            .iter()
            .map(|set| variables.iter().map(|variable| set.contains(*variable)).collect());
        of.collect()
    }

    /// The assignments by which a thread that stops forgets what it does not need any more.
    fn forgotten(&self, thread: usize, at: LocationId, needed: &[Vec<bool>]) -> Vec<StatementKind> {
        let own = self.places.iter().filter(|place| place.thread == thread);
        let at_places: Vec<usize> = own.map(|place| place.at.index()).collect();
        let mut kinds = Vec::new();
        for (variable, of) in self.function.variables.enumerate() {
            let is_needed = |location: usize| needed[location][variable.index()];
            let elsewhere = at_places.iter().any(|location| is_needed(*location));
            if !elsewhere || is_needed(at.index()) || self.is_of_hub(variable) {
                continue;
            }
            kinds.extend(zero(of.ty).map(|value| assign(variable, value)));
        }
        kinds
    }

    /// Is it a variable by which the hub and the threads tell each other something?
    fn is_of_hub(&self, variable: VariableId) -> bool {
        let mut threads = self.threads.iter();
        let is_of_thread =
            threads.any(|thread| [thread.place, thread.argument, thread.word].contains(&variable));
        is_of_thread || Some(variable) == self.owner || variable == self.choice
    }

    /// The function that tells traces that a thread goes on.
    fn teller_of(&mut self, thread: usize) -> kripke_elts::FunctionId {
        let (begins, _) = self.threads[thread]
            .begins
            .unwrap_or((self.program.entry, self.program.entry));
        let of = self.program.functions[begins].clone();
        let name = format!("{RUNS}{thread} {}", of.name);
        self.target.functions.push(teller(&of, name, &[]))
    }
}

fn zero(ty: Type) -> Option<Expr> {
    match ty {
        Type::Int(width) => Some(int(width, 0)),
        Type::Pointer => Some(Expr::Null),
        Type::Float(_) => None,
    }
}
