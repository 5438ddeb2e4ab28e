//! The kind `atomicity` of threads: two accesses of a thread to an object, and one of another thread in
//! between that no serial order explains.
//!
//! Idea: variables of our own hold one access that was chosen, the address of one byte of it, and which
//! access of another thread has read or written this byte since. The next access of the thread to the byte
//! asserts that none has come that makes a pattern with both. Any access may be chosen or not, and any of its
//! bytes, so all pairs are looked at, one in each run. Choices are branches, so that the variables stay
//! constants.
//!
//! Who writes the byte before anybody reads it has read nothing of the first access: it could as well have
//! come before. What is done in pieces comes when each of them is done: others are noted at the first and at
//! the last one, the own access ends with the last.
//!
//! Invariant: every run goes on as if nobody had asked, as the access that is held is an arbitrary choice.
//! What is held is forgotten where [`crate::pairs`] says that no pair reaches further.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{
    BinaryOp as Op, Expr, Id, LocationId, Position, PropertyId, PropertySite, StatementKind, Type, VariableId,
};
use kripke_interrupts::terms::{and, assign, binary, call, choose, int, not, or, truth};
use kripke_model::PropertyKind;

use crate::pairs::{Ending, Event, First, Noted, Plan, Together, exact, may_meet};
use crate::races::{Bytes, overlap};
use crate::weaver::Weaver;

/// The type of the numbers of accesses.
const NUMBER: u32 = 32;
/// Of how many bytes one is chosen by a branch for each.
const MOST_BYTES: u64 = 32;

/// What is noted of a pair.
#[derive(Clone, Copy)]
pub struct Pair {
    /// The number of the first access and one, or 0.
    held: VariableId,
    /// A byte of it.
    byte: VariableId,
    /// The accesses of others that read what it left, and wrote it: their numbers and one, or 0.
    reader: VariableId,
    writer: VariableId,
    /// Of a pointer, in bits.
    width: u32,
}

impl Pair {
    /// Statements that hold nothing any more.
    pub fn forgotten(&self) -> [StatementKind; 4] {
        let none = || int(NUMBER, 0);
        [
            assign(self.held, none()),
            assign(self.byte, Expr::Null),
            assign(self.reader, none()),
            assign(self.writer, none()),
        ]
    }

    pub fn has(&self, variable: VariableId) -> bool {
        [self.held, self.byte, self.reader, self.writer].contains(&variable)
    }

    fn is_zero(variable: VariableId) -> Expr {
        binary(Op::Eq, Expr::Variable(variable), int(NUMBER, 0))
    }

    /// Is one of some accesses held?
    fn holds(&self, numbers: &BTreeSet<usize>) -> Expr {
        let mut runs: Vec<(u128, u128)> = Vec::new();
        for number in numbers.iter().map(|number| *number as u128 + 1) {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => runs.push((number, number)),
            }
        }
        let held = || Expr::Variable(self.held);
        let is_in = |(from, to): (u128, u128)| match from == to {
            true => binary(Op::Eq, held(), int(NUMBER, from)),
            false => and(
                binary(Op::ULe, int(NUMBER, from), held()),
                binary(Op::ULe, held(), int(NUMBER, to)),
            ),
        };
        runs.into_iter().map(is_in).reduce(or).unwrap_or(truth(false))
    }

    /// Is the byte one of a range?
    fn meets(&self, bytes: &Bytes) -> Expr {
        let byte = Bytes {
            address: Expr::Variable(self.byte),
            length: int(self.width, 1),
            writes: false,
        };
        overlap(&byte, bytes).unwrap_or(truth(false))
    }
}

/// Whether the own access that is made ends the pair that is held, by reading, and by writing.
type Ends = (VariableId, VariableId);

/// What is written at the places of accesses.
struct Asked {
    pair: Pair,
    plan: Plan,
    /// For each thread the numbers of its first accesses, and of those among them that write.
    firsts: Vec<BTreeSet<usize>>,
    /// The accesses of other threads that may come between.
    remotes: BTreeSet<usize>,
    properties: BTreeMap<(String, Position), PropertyId>,
}

impl Asked {
    /// The first accesses of some thread, or of all but it, that some bytes may meet.
    fn firsts_met(&self, bytes: &Bytes, is_of: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        let threads = self
            .firsts
            .iter()
            .enumerate()
            .filter(|(thread, _)| is_of(*thread));
        let numbers = threads.flat_map(|(_, numbers)| numbers.iter().copied());
        let met = numbers.filter(|number| may_meet(&self.plan.firsts[*number].bytes, bytes));
        met.collect()
    }

    fn that_write(&self, numbers: BTreeSet<usize>) -> BTreeSet<usize> {
        let writes = |number: &usize| self.plan.firsts[*number].bytes.writes;
        numbers.into_iter().filter(writes).collect()
    }
}

impl Weaver<'_> {
    /// Asks of all accesses whether others come between two of them. All places are known, so that what is
    /// written here adds none.
    pub fn write_pairs(&mut self) {
        self.leave_out_null();
        let plan = self.plan_pairs();
        let benign = plan.benign.iter().cloned();
        self.target.assumptions.extend(benign);
        if plan.firsts.is_empty() {
            return self.add_empty_question();
        }
        let mut firsts = vec![BTreeSet::new(); self.threads.len()];
        for (number, first) in plan.firsts.iter().enumerate() {
            firsts[self.noted[first.access].thread].insert(number);
        }
        let number = Type::Int(NUMBER);
        let pair = Pair {
            held: self.variable("held", number),
            byte: self.variable("byte", Type::Pointer),
            reader: self.variable("reader", number),
            writer: self.variable("writer", number),
            width: self.program.data_model.pointer_width,
        };
        self.pair = Some(pair);
        let mut asked = Asked {
            pair,
            plan,
            firsts,
            remotes: BTreeSet::new(),
            properties: BTreeMap::new(),
        };
        self.write_ends_of_passes(&asked);
        let noted = std::mem::take(&mut self.noted);
        asked.remotes = { noted.iter().enumerate() }
            .filter(|(_, access)| access.bytes.iter().any(|bytes| access.is_remote(bytes)))
            .map(|(index, _)| index)
            .collect();
        for (at, event) in std::mem::take(&mut self.events) {
            let thread = self.thread_of[at.index()];
            match event {
                Event::Waits => {
                    let all = asked.firsts[thread].clone();
                    self.write_end(&asked, at, &all);
                }
                Event::Publishes => {
                    let writing = asked.that_write(asked.firsts[thread].clone());
                    self.write_end(&asked, at, &writing);
                }
                Event::Begins(index) => self.write_access(&mut asked, &noted, index),
            }
        }
        self.noted = noted;
    }

    /// The thread library accesses nothing for who gives it no address.
    fn leave_out_null(&mut self) {
        let mut noted = std::mem::take(&mut self.noted);
        for access in noted.iter_mut().filter(|access| access.ends.is_none()) {
            let is_there = |bytes: &Bytes| self.resolved(bytes.address.clone()) != Expr::Null;
            access.bytes.retain(is_there);
        }
        self.noted = noted;
    }

    fn add_empty_question(&mut self) {
        let function = self.program.entry;
        self.target.properties.push(PropertySite {
            kind: PropertyKind::Atomicity,
            description: "atomicity of any two accesses".to_owned(),
            position: self.program.functions[function].position,
            function,
        });
    }

    /// Makes room before what is done at a location: it is done at the one that is returned.
    fn room_before(&mut self, at: LocationId) -> LocationId {
        let rest = self.location("pair", self.thread_of[at.index()]);
        let transitions = std::mem::take(&mut self.function.locations[at].transitions);
        self.function.locations[rest].transitions = transitions;
        rest
    }

    fn place_in_pair(&mut self, like: LocationId) -> LocationId {
        self.location("pair", self.thread_of[like.index()])
    }

    /// Does something where a condition holds, and goes on.
    fn write_if(&mut self, at: &mut LocationId, condition: Expr, kinds: Vec<StatementKind>) {
        let next = self.place_in_pair(*at);
        let nowhere = Position::default();
        self.way(*at, condition.clone(), kinds, next, nowhere);
        self.way(*at, not(condition), Vec::new(), next, nowhere);
        *at = next;
    }

    /// What is held is forgotten at a location, if it is one of some accesses.
    fn write_end(&mut self, asked: &Asked, at: LocationId, numbers: &BTreeSet<usize>) {
        if numbers.is_empty() {
            return;
        }
        let (mut at, rest) = (at, self.room_before(at));
        let forgotten = asked.pair.forgotten().to_vec();
        self.write_if(&mut at, asked.pair.holds(numbers), forgotten);
        self.leave(at, Vec::new(), rest, Position::default());
    }

    /// Pairs do not reach from one pass of a loop into the next.
    fn write_ends_of_passes(&mut self, asked: &Asked) {
        for passes in &asked.plan.passes {
            for ((from, number), inside) in &passes.ends {
                let begins = |first: &First| self.noted[first.access].begins;
                let firsts = asked.plan.firsts.iter().enumerate();
                let numbers: BTreeSet<usize> = firsts
                    .filter(|(_, first)| inside.contains(&begins(first)))
                    .map(|(number, _)| number)
                    .collect();
                if numbers.is_empty() {
                    continue;
                }
                let ends = self.place_in_pair(*from);
                let target = &mut self.function.locations[*from].transitions[*number].target;
                let head = std::mem::replace(target, ends);
                self.leave(ends, Vec::new(), head, Position::default());
                self.write_end(asked, ends, &numbers);
            }
        }
    }

    /// What an access does to the pair that is held; or it is held itself.
    fn write_access(&mut self, asked: &mut Asked, noted: &[Noted], index: usize) {
        let access = &noted[index];
        let (mut at, rest) = (access.begins, self.room_before(access.begins));
        let ends = self.write_meeting(asked, access, &mut at);
        let wrote = access.ends.as_ref().map(|ends| ends.wrote.clone());
        let Some(Ending {
            at: end, in_pieces, ..
        }) = access.ends.clone()
        else {
            self.write_second(asked, noted, (index, ends), &mut at);
            self.write_remote(asked, (index, access), &access.bytes, truth(true), &mut at);
            self.write_first(asked, noted, index, &mut at);
            return self.leave(at, Vec::new(), rest, Position::default());
        };
        let bytes = match in_pieces {
            true => self.keep_addresses(access, &mut at),
            false => access.bytes.clone(),
        };
        let is_written = truth(!access.compares());
        self.write_remote(asked, (index, access), &bytes, is_written, &mut at);
        self.write_first(asked, noted, index, &mut at);
        self.leave(at, Vec::new(), rest, Position::default());
        let (mut at, rest) = (end, self.room_before(end));
        if in_pieces || access.compares() {
            let wrote = wrote.unwrap_or(truth(true));
            self.write_remote(asked, (index, access), &bytes, wrote, &mut at);
        }
        self.write_second(asked, noted, (index, ends), &mut at);
        if access.is_atomic && access.bytes.iter().any(|bytes| bytes.writes) {
            let writing = asked.that_write(asked.firsts[access.thread].clone());
            self.write_if(
                &mut at,
                asked.pair.holds(&writing),
                asked.pair.forgotten().to_vec(),
            );
        }
        self.leave(at, Vec::new(), rest, Position::default());
    }

    /// The addresses of an access, in variables that it does not change.
    fn keep_addresses(&mut self, access: &Noted, at: &mut LocationId) -> Vec<Bytes> {
        let mut kinds = Vec::new();
        let mut kept = Vec::new();
        for bytes in &access.bytes {
            let width = self.program.data_model.pointer_width;
            let address = self.variable("address", Type::Pointer);
            let length = self.variable("length", Type::Int(width));
            kinds.push(assign(address, bytes.address.clone()));
            kinds.push(assign(length, bytes.length.clone()));
            kept.push(Bytes {
                address: Expr::Variable(address),
                length: Expr::Variable(length),
                writes: bytes.writes,
            });
        }
        self.write_if(at, truth(true), kinds);
        kept
    }

    /// Whether the access is the next one to the byte that is held, before the access changes what tells so.
    fn write_meeting(&mut self, asked: &Asked, access: &Noted, at: &mut LocationId) -> Option<Ends> {
        if access.keeps_neighbours() {
            return None;
        }
        let mut found = [None, None];
        for bytes in &access.bytes {
            let met = asked.firsts_met(bytes, |thread| thread == access.thread);
            if met.is_empty() {
                continue;
            }
            let meets = and(asked.pair.holds(&met), asked.pair.meets(bytes));
            let before: &mut Option<Expr> = &mut found[usize::from(bytes.writes)];
            *before = Some(match before.take() {
                Some(before) => or(before, meets),
                None => meets,
            });
        }
        if found.iter().all(Option::is_none) {
            return None;
        }
        let [reads, writes] = found.map(|found| found.unwrap_or(truth(false)));
        let (by_reading, by_writing) = (
            self.variable("reads", Type::BOOL),
            self.variable("writes", Type::BOOL),
        );
        let kinds = vec![
            assign(by_reading, reads),
            assign(by_writing, and(writes, not(Expr::Variable(by_reading)))),
        ];
        let next = self.place_in_pair(*at);
        self.leave(*at, kinds, next, Position::default());
        *at = next;
        Some((by_reading, by_writing))
    }

    /// Notes what an access does to the byte that another thread holds: what is read first.
    fn write_remote(
        &mut self,
        asked: &Asked,
        (index, access): (usize, &Noted),
        bytes: &[Bytes],
        wrote: Expr,
        at: &mut LocationId,
    ) {
        let pair = asked.pair;
        let mut ranges: Vec<(&Bytes, &Bytes)> = access.bytes.iter().zip(bytes).collect();
        ranges.sort_by_key(|(known, _)| known.writes);
        for (known, bytes) in ranges {
            if !access.is_remote(known) || known.writes && wrote == truth(false) {
                continue;
            }
            let met = asked.firsts_met(known, |thread| thread != access.thread);
            let met = if known.writes { met } else { asked.that_write(met) };
            if met.is_empty() {
                continue;
            }
            let meets = and(pair.holds(&met), pair.meets(bytes));
            let unwritten = and(meets, Pair::is_zero(pair.writer));
            let (condition, noted) = match known.writes {
                true => (and(unwritten, wrote.clone()), pair.writer),
                false => (and(unwritten, Pair::is_zero(pair.reader)), pair.reader),
            };
            let number = int(NUMBER, index as u128 + 1);
            self.write_if(at, condition, vec![assign(noted, number)]);
        }
    }

    /// An access may be held from now on, if none is.
    fn write_first(&mut self, asked: &Asked, noted: &[Noted], index: usize, at: &mut LocationId) {
        let nowhere = Position::default();
        let numbers = asked.firsts[noted[index].thread].iter().copied();
        let own: Vec<usize> = numbers
            .filter(|number| asked.plan.firsts[*number].access == index)
            .collect();
        if own.is_empty() {
            return;
        }
        let pair = asked.pair;
        let next = self.place_in_pair(*at);
        let chosen = self.variable("chosen", Type::Int(NUMBER));
        let fork = self.place_in_pair(next);
        let free = Pair::is_zero(pair.held);
        self.way(*at, free.clone(), vec![choose(chosen)], fork, nowhere);
        self.way(*at, not(free), Vec::new(), next, nowhere);
        let mut others = truth(true);
        let mut count = 0;
        for number in own {
            let bytes = &asked.plan.firsts[number].bytes;
            for byte in self.bytes_to_hold(noted, &noted[index], bytes) {
                count += 1;
                let is_it = binary(Op::Eq, Expr::Variable(chosen), int(NUMBER, count));
                let mut kinds = Vec::new();
                let address = match byte {
                    Some(offset) => moved(&bytes.address, int(pair.width, u128::from(offset))),
                    None => {
                        let offset = self.variable("offset", Type::Int(pair.width));
                        let inside = binary(Op::ULt, Expr::Variable(offset), bytes.length.clone());
                        kinds.push(choose(offset));
                        kinds.push(StatementKind::Assume { condition: inside });
                        moved(&bytes.address, Expr::Variable(offset))
                    }
                };
                kinds.push(assign(pair.held, int(NUMBER, number as u128 + 1)));
                kinds.push(assign(pair.byte, address));
                self.way(fork, is_it.clone(), kinds, next, nowhere);
                others = and(others, not(is_it));
            }
        }
        self.way(fork, others, Vec::new(), next, nowhere);
        *at = next;
    }

    /// The bytes of an access of which one is held, by their distances from the first; any if none is named.
    /// Where ranges of bytes have some in common, one of these is where one of them begins.
    fn bytes_to_hold(&self, noted: &[Noted], first: &Noted, bytes: &Bytes) -> Vec<Option<u64>> {
        let all = noted
            .iter()
            .flat_map(|other| other.bytes.iter().map(move |its| (other, its)));
        let met: Vec<(&Noted, &Bytes)> = all.filter(|(_, its)| may_meet(bytes, its)).collect();
        let places: Option<Vec<u64>> = met.iter().map(|(_, its)| Some(exact(its)?.1)).collect();
        if let (Some(places), Some((_, from, to))) = (places, exact(bytes)) {
            let inside = places.into_iter().filter(|place| from < *place && *place < to);
            let offsets: BTreeSet<u64> = inside.map(|place| place - from).chain([0]).collect();
            if offsets.len() as u64 <= MOST_BYTES {
                return offsets.into_iter().map(Some).collect();
            }
        }
        let length = |bytes: &Bytes| match &bytes.length {
            Expr::Int(length) => length.to_u64(),
            _ => None,
        };
        let unit_of = |other: &Noted, its: &Bytes| match length(its) {
            Some(length) => 1 << (other.unit | length).trailing_zeros().min(16),
            None => 1,
        };
        let units = met.iter().map(|(other, its)| unit_of(other, its));
        let unit = units.min().unwrap_or(1).min(unit_of(first, bytes));
        match length(bytes) {
            Some(length) if length.div_ceil(unit) <= MOST_BYTES => {
                (0..length).step_by(unit as usize).map(Some).collect()
            }
            _ => vec![None],
        }
    }

    /// Asserts, where an access is made, that nothing came between it and the one that is held, which ends.
    fn write_second(
        &mut self,
        asked: &mut Asked,
        noted: &[Noted],
        (index, ends): (usize, Option<Ends>),
        at: &mut LocationId,
    ) {
        let Some((by_reading, by_writing)) = ends else {
            return;
        };
        let pair = asked.pair;
        let (by_reading, by_writing) = (Expr::Variable(by_reading), Expr::Variable(by_writing));
        let pairs = asked.plan.pairs.remove(&index).unwrap_or_default();
        let mut groups: BTreeMap<PropertyId, (BTreeSet<usize>, bool, bool)> = BTreeMap::new();
        for Together { first, writes, text } in pairs {
            let property = self.property_of_pair(asked, &noted[index], text);
            let first_writes = asked.plan.firsts[first].bytes.writes;
            let group = { groups.entry(property) }.or_insert((BTreeSet::new(), first_writes, writes));
            group.0.insert(first);
        }
        let mut fails = Vec::new();
        for (property, (firsts, first_writes, writes)) in groups {
            let ends = if writes { &by_writing } else { &by_reading };
            let came = match first_writes && writes {
                true => pair.reader,
                false => pair.writer,
            };
            let came = not(Pair::is_zero(came));
            let fails_here = and(and(ends.clone(), pair.holds(&firsts)), came);
            let comes_reading = first_writes && writes;
            fails.push((property, fails_here, comes_reading));
        }
        self.write_failures(asked, noted, index, fails, at);
        let forgotten = pair.forgotten().to_vec();
        self.write_if(at, or(by_reading, by_writing), forgotten);
    }

    /// Where something came between, the run tells what, and fails.
    fn write_failures(
        &mut self,
        asked: &Asked,
        noted: &[Noted],
        index: usize,
        fails: Vec<(PropertyId, Expr, bool)>,
        at: &mut LocationId,
    ) {
        let nowhere = Position::default();
        let access = &noted[index];
        for (property, condition, comes_reading) in fails {
            let [tells, next] = [(); 2].map(|()| self.place_in_pair(*at));
            self.way(*at, condition.clone(), Vec::new(), tells, nowhere);
            self.way(*at, not(condition), Vec::new(), next, nowhere);
            *at = next;
            let came = match comes_reading {
                true => asked.pair.reader,
                false => asked.pair.writer,
            };
            let mut last = tells;
            for remote in asked
                .remotes
                .iter()
                .filter(|remote| noted[**remote].thread != access.thread)
            {
                let other = &noted[*remote];
                let meets = |its: &Bytes| {
                    let is_it = its.writes != comes_reading && other.is_remote(its);
                    is_it && access.bytes.iter().any(|own| may_meet(own, its))
                };
                if !other.bytes.iter().any(meets) {
                    continue;
                }
                let does = if comes_reading { "reads" } else { "writes" };
                let does = format!("{does} here in between");
                let teller = self.teller_that((other.thread, other.function), &does, &[]);
                let is_it = binary(Op::Eq, Expr::Variable(came), int(NUMBER, *remote as u128 + 1));
                let next = self.place_in_pair(last);
                self.way(last, is_it.clone(), Vec::new(), next, nowhere);
                self.write_at(last, call(teller), other.position);
                self.way(last, not(is_it), Vec::new(), next, nowhere);
                last = next;
            }
            self.leave(last, Vec::new(), self.function.exit, nowhere);
            let never = StatementKind::Assert {
                condition: truth(false),
                property,
            };
            self.write_at(last, never, access.position);
        }
    }

    fn property_of_pair(&mut self, asked: &mut Asked, access: &Noted, text: String) -> PropertyId {
        let (position, function) = (access.position, access.function);
        let properties = &mut self.target.properties;
        *{ asked.properties.entry((text.clone(), position)) }.or_insert_with(|| {
            properties.push(PropertySite {
                kind: PropertyKind::Atomicity,
                description: text,
                position,
                function,
            })
        })
    }
}

fn moved(pointer: &Expr, distance: Expr) -> Expr {
    match &distance {
        Expr::Int(bits) if bits.is_zero() => pointer.clone(),
        _ => Expr::PointerAdd(Box::new(pointer.clone()), Box::new(distance)),
    }
}
