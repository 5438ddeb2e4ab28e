//! The hub: where it is chosen which thread goes on, and the stops on the way to it.
//!
//! Idea: whoever comes to a place notes its number, forgets what is not needed from there on, so that states
//! that differ in nothing else become one, and goes to the hub. There a choice names a thread; it goes on
//! from its place. A thread that waits may be chosen too, and such a run exists only where it need not wait.
//! Where all threads wait or have ended, the choice may fall on the question whether none can go on
//! ([`crate::deadlocks`]).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use kripke_elts::passes::liveness::{LiveSet, live_variables};
use kripke_elts::threads::{CHOICE, CUTS, RUNS};
use kripke_elts::{
    BinaryOp as Op, Expr, FunctionId, Id, IdVec, LocationId, NondetSource, Position, StatementKind,
    StopReason, Transition, Type, VariableId,
};
use kripke_interrupts::terms::{and, assign, binary, int, not, or, truth};

use crate::atomicity::Pair;
use crate::inline::{is_nobody, teller};
use crate::passes::next;
use crate::weaver::{ENDED, NOT_STARTED, Place, Stop, Thread, Weaver};

/// The choice of the question whether there is a deadlock.
const DEADLOCK: u128 = 255;
/// The choice of the question whether threads race.
const RACE: u128 = 254;
/// The choice of the question whether an access is torn.
const TORN: u128 = 253;

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
        kinds.extend(self.held.iter().map(|held| assign(*held, int(32, 0))));
        kinds.extend(self.keepers().map(|keeper| assign(keeper, int(8, 0))));
        kinds.extend(self.pair.iter().flat_map(Pair::forgotten));
        if let Some((_, last, count)) = self.switches {
            kinds.extend([assign(last, int(8, 0)), assign(count, int(32, 0))]);
        }
        self.leave(self.function.entry, kinds, self.hub, position);
        self.write_choice(position);
    }

    /// It was not started, or has ended.
    pub fn is_idle(&self, thread: usize) -> Expr {
        let place = Expr::Variable(self.threads[thread].place);
        let idle = binary(Op::ULe, place, int(16, ENDED as u128));
        match self.held.get(thread) {
            Some(held) => or(idle, binary(Op::Eq, Expr::Variable(*held), int(32, 2))),
            None => idle,
        }
    }

    /// It is idle, or others keep it from going on.
    pub fn is_kept(&self, thread: usize) -> Expr {
        let idle = self.is_idle(thread);
        match self.held.get(thread) {
            Some(held) => or(idle, binary(Op::Eq, Expr::Variable(*held), int(32, 1))),
            None => idle,
        }
    }

    pub fn stands_at(&self, thread: usize, number: usize) -> Expr {
        let place = Expr::Variable(self.threads[thread].place);
        binary(Op::Eq, place, int(16, number as u128))
    }

    /// Waits, or does nothing.
    fn is_stuck(&self, thread: usize) -> Expr {
        let own = self.places_of(thread);
        let waits = own.filter(|(_, place)| matches!(place.stop, Stop::Wait(_)));
        let kept = self.is_kept(thread);
        waits.fold(kept, |stuck, (number, _)| {
            or(stuck, self.stands_at(thread, number))
        })
    }

    pub fn all(&self, holds: impl Fn(&Self, usize) -> Expr, but: Option<usize>) -> Expr {
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
        if self.has_formulas || self.deadlock().is_some() {
            let asked = binary(Op::Eq, Expr::Variable(choice), int(8, DEADLOCK));
            let asked = and(asked, self.all(Self::is_stuck, None));
            let asked = and(asked, not(self.all(Self::is_idle, None)));
            let question = self.location("deadlock", usize::MAX);
            self.way(chosen, asked.clone(), Vec::new(), question, position);
            self.write_deadlock(question, position);
            none = and(none, not(asked));
        }
        if self.asks_for_races && !self.accesses.is_empty() {
            let asked = binary(Op::Eq, Expr::Variable(choice), int(8, RACE));
            let question = self.location("race", usize::MAX);
            self.way(
                chosen,
                and(none.clone(), asked.clone()),
                Vec::new(),
                question,
                position,
            );
            self.write_races(question);
            none = and(none, not(asked));
        } else if self.asks_for_races {
            self.add_empty_property();
        }
        if self.asks_for_torn {
            let asked = binary(Op::Eq, Expr::Variable(choice), int(8, TORN));
            let question = self.location("torn", usize::MAX);
            self.way(
                chosen,
                and(none.clone(), asked.clone()),
                Vec::new(),
                question,
                position,
            );
            self.write_torn(question);
            none = and(none, not(asked));
        }
        let cut = self.switches.map(|(bound, ..)| self.teller_of_cut(bound));
        for thread in 0..self.threads.len() {
            let named = binary(Op::Eq, Expr::Variable(choice), int(8, thread as u128));
            let goes = and(not(self.is_kept(thread)), self.is_chosen(thread, named));
            let resumes = self.location("goes on", usize::MAX);
            let runs = kripke_interrupts::terms::call(self.teller_of(thread));
            self.way(
                chosen,
                and(none.clone(), goes.clone()),
                vec![runs],
                resumes,
                position,
            );
            let resumes = match cut {
                Some(cut) => self.write_switch((thread, cut), resumes, position),
                None => resumes,
            };
            self.write_resumption(thread, resumes, position);
            none = and(none, not(goes));
        }
        let over = self.is_over();
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

    /// Does a thread that could go on do so? If it is named, or nobody else can.
    fn is_chosen(&self, thread: usize, named: Expr) -> Expr {
        if self.suspender.is_some() || self.masker.is_some() || self.hardware().is_some() {
            let cannot = |weaver: &Self, other| or(weaver.is_kept(other), not(weaver.is_free(other)));
            let mut alone = self.all(cannot, Some(thread));
            if self.hardware() == Some(thread) {
                // It goes on for ever, and does not keep the program from ending but where a handler runs.
                let runs = self.owner.map_or(truth(false), |owner| not(is_nobody(owner)));
                alone = and(alone, or(runs, not(self.is_over())));
            }
            return and(self.is_free(thread), or(alone, named));
        }
        let alone = self.all(Self::is_kept, Some(thread));
        match self.owner {
            None => or(alone, named),
            Some(owner) => {
                let is = |number: usize| binary(Op::Eq, Expr::Variable(owner), int(8, number as u128));
                or(is(thread + 1), and(is(0), or(alone, named)))
            }
        }
    }

    /// Does no other thread keep this one from going on?
    pub fn is_free(&self, thread: usize) -> Expr {
        let is = |keeper, number: usize| binary(Op::Eq, Expr::Variable(keeper), int(8, number as u128));
        let all = self
            .keepers_of(thread)
            .map(|keeper| or(is(keeper, 0), is(keeper, thread + 1)));
        all.reduce(and).unwrap_or(truth(true))
    }

    /// Has every thread of the program ended?
    fn is_over(&self) -> Expr {
        self.all(Self::is_idle, self.hardware())
    }

    /// Counts that a thread goes on after another one that could, and ends the run where that comes too
    /// often. Where the other one waits it is not looked at whether it has to. In abstract
    /// states none is the one that ran last.
    fn write_switch(
        &mut self,
        (thread, cut): (usize, FunctionId),
        from: LocationId,
        position: Position,
    ) -> LocationId {
        let Some((bound, last, count)) = self.switches else {
            return from;
        };
        let is_last = |other: usize| binary(Op::Eq, Expr::Variable(last), int(8, other as u128));
        let others = (0..self.threads.len()).filter(|other| *other != thread);
        let left = others
            .map(|other| and(is_last(other), not(self.is_stuck(other))))
            .reduce(or);
        let left = left.unwrap_or(truth(false));
        let full = binary(Op::ULe, int(32, u128::from(bound)), Expr::Variable(count));
        let next = self.location("switched", usize::MAX);
        let more = binary(Op::Add, Expr::Variable(count), int(32, 1));
        let goes = assign(last, int(8, thread as u128));
        let cuts = kripke_interrupts::terms::call(cut);
        let over = StatementKind::Assume {
            condition: truth(false),
        };
        self.way(from, not(left.clone()), vec![goes.clone()], next, position);
        let counted = vec![goes, assign(count, more)];
        self.way(
            from,
            and(left.clone(), not(full.clone())),
            counted,
            next,
            position,
        );
        self.way(
            from,
            and(left, full),
            vec![cuts, over],
            self.function.exit,
            position,
        );
        next
    }

    /// The function that says that a run is followed no further.
    fn teller_of_cut(&mut self, bound: u32) -> FunctionId {
        let of = self.program.functions[self.program.entry].clone();
        let teller = teller(&of, format!("{CUTS}{bound}"), &[]);
        self.target.functions.push(teller)
    }

    /// A thread goes on from where it stands.
    fn write_resumption(&mut self, thread: usize, from: LocationId, position: Position) {
        let own: Vec<(usize, LocationId)> = { self.places_of(thread) }
            .map(|(number, place)| (number, place.at))
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

    /// Whoever comes to a place notes it and goes to the hub.
    fn write_stops(&mut self) {
        let position = Position::default();
        let arrivals = self.write_arrivals();
        let needed = self.needed();
        let mut stops = BTreeMap::new();
        for (thread, arrival) in arrivals.into_iter().enumerate() {
            let places: Vec<(usize, LocationId, Stop)> = { self.places_of(thread) }
                .map(|(number, place)| (number, place.at, place.stop))
                .collect();
            let passed = self.passed_alone(thread);
            let somewhere = self.needed_somewhere(places.iter().map(|(_, at, _)| &needed[*at]));
            for (number, at, stop) in places {
                let Thread { place, word, .. } = self.threads[thread];
                let mut kinds = vec![assign(place, int(16, number as u128))];
                if !matches!(stop, Stop::Wait(_)) {
                    kinds.push(assign(word, Expr::Null));
                }
                let forgotten = somewhere
                    .iter()
                    .filter(|(variable, _)| !needed[at].contains(*variable));
                kinds.extend(forgotten.map(|(variable, zero)| assign(*variable, zero.clone())));
                let from = self.location("stop", usize::MAX);
                let to = match stop {
                    Stop::Wait(wait) if wait.names_thread() => arrival,
                    _ => self.back,
                };
                self.leave(from, kinds, to, position);
                let from = match passed.contains(&number) {
                    true => self.pass_alone(thread, at, from),
                    false => from,
                };
                stops.insert(at, from);
            }
        }
        for (index, location) in self.function.locations.iter_mut().enumerate() {
            if self.thread_of[index] == usize::MAX {
                continue;
            }
            for transition in &mut location.transitions {
                transition.target = *stops.get(&transition.target).unwrap_or(&transition.target);
            }
        }
    }

    /// The places that a thread goes past where nobody else may go on, as no question is asked there: not
    /// where it waits, and in each loop it stops somewhere, so that its states are looked at.
    fn passed_alone(&self, thread: usize) -> BTreeSet<usize> {
        let is_asked = self.has_formulas || self.asks_for_races || self.asks_for_torn || self.asks_for_pairs;
        if is_asked || self.keepers().next().is_none() {
            return BTreeSet::new();
        }
        let stays = |number: &usize, place: &Place| {
            self.section_begins.contains(number) || matches!(place.stop, Stop::Wait(_))
        };
        let own: BTreeMap<usize, usize> = { self.places_of(thread) }
            .map(|(number, place)| (place.at.index(), number))
            .collect();
        let kept = self
            .places_of(thread)
            .filter(|(number, place)| stays(number, place));
        let mut kept: BTreeSet<usize> = kept.map(|(_, place)| place.at.index()).collect();
        let order = self.order_of(thread);
        let all: BTreeSet<usize> = order.keys().copied().collect();
        loop {
            let first = |cycle: Vec<usize>| {
                let places = cycle
                    .into_iter()
                    .filter(|at| own.contains_key(at) && !kept.contains(at));
                places.min_by_key(|at| order[at])
            };
            let firsts: Vec<usize> = self.cycles(&all, &kept).into_iter().filter_map(first).collect();
            if firsts.is_empty() {
                let passed = own.into_iter().filter(|(at, _)| !kept.contains(at));
                return passed.map(|(_, number)| number).collect();
            }
            kept.extend(firsts);
        }
    }

    /// How many steps the locations of a thread are from its beginning at the least.
    fn order_of(&self, thread: usize) -> BTreeMap<usize, usize> {
        let root = self.threads[thread].root.index();
        let mut order = BTreeMap::from([(root, 0)]);
        let mut open = VecDeque::from([root]);
        while let Some(at) = open.pop_front() {
            let steps = order[&at] + 1;
            for (_, to) in next(self, thread, LocationId::new(at)) {
                if let Entry::Vacant(new) = order.entry(to.index()) {
                    new.insert(steps);
                    open.push_back(to.index());
                }
            }
        }
        order
    }

    /// Where a thread comes to a place that it goes past if nobody else may go on; else it stops.
    fn pass_alone(&mut self, thread: usize, at: LocationId, stop: LocationId) -> LocationId {
        let position = Position::default();
        let masker = self.masker.filter(|_| self.masks_all);
        let keepers = self.owner.into_iter().chain(masker);
        let own = int(8, thread as u128 + 1);
        let is_alone = keepers.map(|keeper| binary(Op::Eq, Expr::Variable(keeper), own.clone()));
        let is_alone = is_alone.reduce(or).unwrap_or(truth(false));
        let comes = self.location("alone?", usize::MAX);
        self.way(comes, is_alone.clone(), Vec::new(), at, position);
        self.way(comes, not(is_alone), Vec::new(), stop, position);
        comes
    }

    /// For each location what is needed from there on in its thread.
    pub fn needed(&self) -> IdVec<LocationId, LiveSet> {
        let mut function = self.function.clone();
        let begins = self.places.iter().map(|place| Transition {
            guard: truth(true),
            statements: Vec::new(),
            target: place.at,
            position: Position::default(),
        });
        function.locations[function.entry].transitions.extend(begins);
        live_variables(&function)
    }

    /// The variables that are needed at some place, each with the value that it has where it is not: floats,
    /// and those by which the hub and the threads tell each other something, keep theirs.
    fn needed_somewhere<'s>(&self, at: impl Iterator<Item = &'s LiveSet>) -> Vec<(VariableId, Expr)> {
        let at: Vec<&LiveSet> = at.collect();
        let needed = self.function.variables.enumerate().filter_map(|(variable, of)| {
            let is_needed = at.iter().any(|set| set.contains(variable)) && !self.is_of_hub(variable);
            is_needed.then(|| Some((variable, zero(of.ty)?))).flatten()
        });
        needed.collect()
    }

    /// Is it a variable by which the hub and the threads tell each other something?
    pub fn is_of_hub(&self, variable: VariableId) -> bool {
        let mut threads = self.threads.iter();
        let is_of_thread =
            threads.any(|thread| [thread.place, thread.argument, thread.word].contains(&variable));
        is_of_thread
            || self.held.contains(&variable)
            || self.keepers().any(|keeper| keeper == variable)
            || variable == self.choice
            || self.pair.as_ref().is_some_and(|pair| pair.has(variable))
            || self
                .switches
                .is_some_and(|(_, last, count)| [last, count].contains(&variable))
    }

    /// The function that tells traces that a thread goes on.
    fn teller_of(&mut self, thread: usize) -> FunctionId {
        let (begins, _) = self.threads[thread]
            .begins
            .unwrap_or((self.program.entry, self.program.entry));
        let of = self.program.functions[begins].clone();
        let name = format!("{RUNS}{thread} {}", self.program.name_for_users(begins));
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
