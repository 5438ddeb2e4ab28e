//! Which two accesses of a thread, and which of others, may make one of the four patterns of `atomicity`.
//!
//! Idea: the accesses of a thread are followed along its graph, from each to the next ones that may meet it.
//! What a thread means to be atomic ends with the pass of a loop in which it began, where the thread waits
//! for what others do, and, if it began with a write, where the thread publishes what it wrote: where it
//! unlocks a lock, signals, starts a thread, or writes by an atomic operation.
//!
//! Invariant: two accesses are a pair if some run comes from one to the other without any of these, and
//! without an access to the same bytes in between. There may be more pairs, which no run completes.
//!
//! Source: Lu, Tucek, Qin, Zhou: AVIO: Detecting atomicity violations via access interleaving invariants
//! (2006), table 1.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{Expr, FunctionId, GlobalId, LocationId, Position};
use kripke_interrupts::terms::truth;
use kripke_interrupts::{COMPARES, KEEPS_NEIGHBOURS, UNUSED};

use crate::passes::{Passes, next};
use crate::races::{Bytes, TOLD, overlap};
use crate::weaver::Weaver;

/// What comes at a location of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The access of that number.
    Begins(usize),
    /// What the thread wrote is meant to be seen.
    Publishes,
    /// The thread waits for what others do, or ends.
    Waits,
}

/// What becomes of what an access reads, and of what it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Unused,
    Used,
    KeepsNeighbours,
    Compares,
}

/// An access of a thread.
pub struct Noted {
    pub thread: usize,
    how: How,
    /// Its address and its length are multiples of that.
    pub unit: u64,
    pub is_atomic: bool,
    pub bytes: Vec<Bytes>,
    pub begins: LocationId,
    /// Where it is made; at its beginning where none.
    pub ends: Option<Ending>,
    /// The function of the program, and where in it.
    pub function: FunctionId,
    pub position: Position,
}

/// Where an access is made.
#[derive(Clone)]
pub struct Ending {
    pub at: LocationId,
    /// Others may run before.
    pub in_pieces: bool,
    /// It has written where it writes.
    pub wrote: Expr,
}

impl Noted {
    /// The access that a mark tells of, with its number.
    pub fn new(
        thread: usize,
        arguments: &[Expr],
        begins: LocationId,
        (function, position): (FunctionId, Position),
    ) -> Option<(u64, Noted)> {
        let [
            Expr::Int(number),
            Expr::Int(how),
            Expr::Int(unit),
            is_atomic,
            told @ ..,
        ] = arguments
        else {
            return None;
        };
        let how = match how.to_u64().map(u128::from) {
            Some(UNUSED) => How::Unused,
            Some(KEEPS_NEIGHBOURS) => How::KeepsNeighbours,
            Some(COMPARES) => How::Compares,
            _ => How::Used,
        };
        let noted = Noted {
            thread,
            how,
            unit: unit.to_u64().unwrap_or(1),
            is_atomic: *is_atomic == truth(true),
            bytes: bytes_of(told),
            begins,
            ends: None,
            function,
            position,
        };
        Some((number.to_u64()?, noted))
    }

    /// What the thread library accesses for its caller, at once.
    pub fn of_library(
        thread: usize,
        told: &[Expr],
        begins: LocationId,
        (function, position): (FunctionId, Position),
    ) -> Noted {
        Noted {
            thread,
            how: How::Used,
            unit: 1,
            is_atomic: false,
            bytes: bytes_of(told),
            begins,
            ends: None,
            function,
            position,
        }
    }

    /// Does it read something, or write it only if that is as expected?
    pub fn compares(&self) -> bool {
        self.how == How::Compares
    }

    pub fn keeps_neighbours(&self) -> bool {
        self.how == How::KeepsNeighbours
    }

    /// Is what it reads used for anything?
    fn is_used(&self) -> bool {
        self.how != How::Unused
    }

    /// Can such bytes of it make a pattern with two accesses of another thread?
    pub fn is_remote(&self, bytes: &Bytes) -> bool {
        bytes.writes || self.is_used() && !self.keeps_neighbours()
    }

    fn writes(&self) -> bool {
        self.bytes.iter().any(|bytes| bytes.writes)
    }

    /// What it writes everybody may see at once.
    fn publishes(&self) -> bool {
        self.is_atomic && self.writes()
    }

    /// Of an update that reads first, what it writes is no second access.
    fn is_second(&self, bytes: &Bytes) -> bool {
        let reads_first = self.is_atomic && bytes.writes && self.bytes.iter().any(|other| !other.writes);
        !self.keeps_neighbours() && !self.compares() && !reads_first
    }

    /// What the bytes are to a user.
    pub fn noun(&self, bytes: &Bytes) -> &'static str {
        match (self.is_atomic && self.writes(), bytes.writes) {
            (true, false) => "update",
            (_, true) => "write",
            (_, false) => "read",
        }
    }
}

fn bytes_of(told: &[Expr]) -> Vec<Bytes> {
    let ranges = told.chunks_exact(TOLD).map(|told| Bytes {
        address: told[0].clone(),
        length: told[1].clone(),
        writes: told[2] == truth(true),
    });
    ranges.collect()
}

/// An access with which pairs begin: one of the ranges of bytes of one.
pub struct First {
    pub access: usize,
    pub bytes: Bytes,
}

/// Two accesses between which nothing may come that makes a pattern.
pub struct Together {
    /// The first one, by its number.
    pub first: usize,
    /// The second one writes.
    pub writes: bool,
    pub text: String,
}

/// What is asked.
pub struct Plan {
    /// Those with which pairs begin, by thread, and those that read before those that write.
    pub firsts: Vec<First>,
    /// By the second access.
    pub pairs: BTreeMap<usize, Vec<Together>>,
    /// What is no violation, as a value is not used.
    pub benign: BTreeSet<String>,
    /// The loops of each thread.
    pub passes: Vec<Passes>,
}

pub fn pattern(first_writes: bool, second_writes: bool) -> &'static str {
    match (first_writes, second_writes) {
        (false, false) => "read-write-read",
        (true, false) => "write-write-read",
        (false, true) => "read-write-write",
        (true, true) => "write-read-write",
    }
}

impl Weaver<'_> {
    /// All that is to be asked of accesses of one thread.
    pub fn plan_pairs(&self) -> Plan {
        let passes: Vec<Passes> = (0..self.threads.len())
            .map(|thread| Passes::of(self, thread))
            .collect();
        let mut plan = Plan {
            firsts: Vec::new(),
            pairs: BTreeMap::new(),
            benign: BTreeSet::new(),
            passes,
        };
        let mut order: Vec<(usize, bool, usize, usize)> = Vec::new();
        for (index, access) in self.noted.iter().enumerate() {
            let ranges = access.bytes.iter().enumerate();
            let ranges = ranges.filter(|_| !access.publishes());
            order.extend(ranges.map(|(range, bytes)| (access.thread, bytes.writes, index, range)));
        }
        order.sort();
        for (_, _, index, range) in order {
            let bytes = self.noted[index].bytes[range].clone();
            let seconds = self.seconds(&plan.passes, index, &bytes);
            let first = First { access: index, bytes };
            let number = plan.firsts.len();
            let mut is_first = false;
            for (second, range) in seconds {
                is_first |= self.add_pair(&mut plan, (number, &first), (second, range));
            }
            if is_first {
                plan.firsts.push(first);
            }
        }
        plan
    }

    /// Adds a pair if something may come between; false if not.
    fn add_pair(
        &self,
        plan: &mut Plan,
        (number, first): (usize, &First),
        (second, range): (usize, usize),
    ) -> bool {
        let (one, other) = (&self.noted[first.access], &self.noted[second]);
        let bytes = &other.bytes[range];
        let (first_writes, writes) = (first.bytes.writes, bytes.writes);
        let asks_for_write = !(first_writes && writes);
        let mut others = { self.noted.iter() }.filter(|remote| remote.thread != one.thread);
        let may_come = others.any(|remote| {
            let mut ranges = { remote.bytes.iter() }.filter(|its| its.writes == asks_for_write);
            ranges.any(|its| remote.is_remote(its) && may_meet(its, &first.bytes) && may_meet(its, bytes))
        });
        if !may_come {
            return false;
        }
        let place = |access: &Noted| {
            let place = self.program.place(access.position, "");
            format!("{}:{}", place.file, place.line)
        };
        let pattern = pattern(first_writes, writes);
        let first_is_used = first_writes || one.is_used();
        if !first_is_used || !writes && !other.is_used() {
            let unused = if first_is_used { other } else { one };
            plan.benign.insert(format!(
                "{pattern} of {} and {} is benign: the value that is read at {} is not used",
                place(one),
                place(other),
                place(unused)
            ));
            return false;
        }
        let comes = if asks_for_write { "writes" } else { "reads" };
        let text = format!(
            "{pattern}: another thread {comes} between the {} at {} and this {}",
            one.noun(&first.bytes),
            place(one),
            other.noun(bytes)
        );
        let first = number;
        let together = Together { first, writes, text };
        plan.pairs.entry(second).or_default().push(together);
        true
    }

    /// The accesses that may be the next ones of a thread to some bytes of one, each with the range of bytes.
    fn seconds(&self, passes: &[Passes], first: usize, bytes: &Bytes) -> BTreeSet<(usize, usize)> {
        let one = &self.noted[first];
        let passes = &passes[one.thread];
        let start = one.ends.as_ref().map_or(one.begins, |ends| ends.at);
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        while let Some(location) = open.pop() {
            let event = self
                .events
                .get(&location)
                .filter(|_| location != start || seen.contains(&start));
            let goes_on = match event {
                Some(Event::Waits) => false,
                Some(Event::Publishes) => !bytes.writes,
                Some(Event::Begins(second)) => {
                    let other = &self.noted[*second];
                    let ranges = other.bytes.iter().enumerate();
                    let met = ranges.filter(|(_, its)| other.is_second(its) && may_meet(bytes, its));
                    found.extend(met.map(|(range, _)| (*second, range)));
                    let ends = other.bytes.iter().any(|its| covers(its, bytes)) && !other.keeps_neighbours();
                    !(ends || bytes.writes && other.publishes())
                }
                None => true,
            };
            if !goes_on {
                continue;
            }
            for (number, target) in next(self, one.thread, location) {
                let is_over = passes.ends_pass_of((location, number), one.begins);
                if !is_over && seen.insert(target) {
                    open.push(target);
                }
            }
        }
        found
    }
}

/// May two ranges of bytes have one in common?
pub fn may_meet(a: &Bytes, b: &Bytes) -> bool {
    match (exact(a), exact(b)) {
        (Some((one, from, to)), Some((other, low, high))) => one == other && from < high && low < to,
        _ => overlap(a, b).is_some(),
    }
}

/// Are all of the second bytes among the first, for sure?
fn covers(a: &Bytes, b: &Bytes) -> bool {
    match (exact(a), exact(b)) {
        (Some((one, from, to)), Some((other, low, high))) => one == other && from <= low && high <= to,
        _ => false,
    }
}

/// The global that bytes are of, the first one and one past the last, where that is known.
pub fn exact(bytes: &Bytes) -> Option<(GlobalId, u64, u64)> {
    let Expr::Int(length) = &bytes.length else {
        return None;
    };
    let (global, offset) = place_in_global(&bytes.address)?;
    Some((global, offset, offset.checked_add(length.to_u64()?)?))
}

fn place_in_global(pointer: &Expr) -> Option<(GlobalId, u64)> {
    match pointer {
        Expr::GlobalAddress(global) => Some((*global, 0)),
        Expr::PointerAdd(pointer, distance) => {
            let (global, offset) = place_in_global(pointer)?;
            let Expr::Int(distance) = &**distance else {
                return None;
            };
            let distance = i64::try_from(distance.to_i128()?).ok()?;
            Some((global, offset.checked_add_signed(distance)?))
        }
        _ => None,
    }
}
