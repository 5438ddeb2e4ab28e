//! Which two accesses of a context, and which of handlers, may make one of the four patterns of `atomicity`.
//!
//! Idea: all accesses that may meet are listed, and of two of the same priority it is known by whether they
//! read or write what must come between them. A value that is read and not used makes no pattern: who
//! overwrites or ignores it cannot tell. Neither does the read of what is beside a bit-field, but with the
//! write that follows.
//!
//! Source: Lu, Tucek, Qin, Zhou: AVIO: Detecting atomicity violations via access interleaving invariants
//! (2006), table 1.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{FunctionId, Position, Program, PropertyId, PropertySite, StatementKind};
use kripke_model::PropertyKind;

use crate::effects::{Access, Effects};
use crate::passes::Passes;
use crate::sites::{self, Key, Site};
use crate::uses;

/// One access of a statement.
pub struct Single {
    pub key: Key,
    /// Its number among those of the statement.
    pub number: usize,
    pub access: Access,
    /// The bytes that it accesses at the most, where that is known.
    pub length: Option<u64>,
    pub position: Position,
    /// The value that is read is used. So is what is written.
    pub is_used: bool,
    /// It reads what is beside a bit-field, to write it back.
    pub keeps_neighbours: bool,
}

impl Single {
    pub fn writes(&self) -> bool {
        self.access.writes()
    }

    fn verb(&self) -> &'static str {
        if self.writes() { "write" } else { "read" }
    }

    /// Can a handler's access make a pattern?
    pub fn is_remote(&self) -> bool {
        self.is_used && !self.keeps_neighbours
    }
}

/// Two accesses that nothing may come between.
pub struct Pair {
    pub first: usize,
    pub property: PropertyId,
}

/// What must not come between two accesses: a write, or a read of what the first one wrote.
pub fn asks_for_write(first: &Single, second: &Single) -> bool {
    !(first.writes() && second.writes())
}

fn pattern(first: &Single, second: &Single) -> &'static str {
    match (first.writes(), second.writes()) {
        (false, false) => "read-write-read",
        (true, false) => "write-write-read",
        (false, true) => "read-write-write",
        (true, true) => "write-read-write",
    }
}

/// All accesses, and the pairs of them.
pub struct Pairs {
    pub singles: Vec<Single>,
    pub at: BTreeMap<Key, Vec<usize>>,
    /// By the second one.
    pub pairs: BTreeMap<usize, Vec<Pair>>,
}

impl Pairs {
    pub fn new(effects: &Effects<'_>, all: &[Site<'_>], program: &mut Program) -> Pairs {
        let singles: Vec<Single> = all.iter().flat_map(|site| singles_of(effects, site)).collect();
        let mut at: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        for (index, single) in singles.iter().enumerate() {
            at.entry(single.key).or_default().push(index);
        }
        let mut pairs = Pairs {
            singles,
            at,
            pairs: BTreeMap::new(),
        };
        let found = pairs.find(effects);
        pairs.add_properties(found, program);
        pairs
    }

    /// The pairs between which something may come.
    fn find(&self, effects: &Effects<'_>) -> Vec<(usize, usize)> {
        let mut passes: BTreeMap<FunctionId, Passes> = BTreeMap::new();
        let called = called(effects);
        let mut found = Vec::new();
        for (first, one) in self.singles.iter().enumerate() {
            for (second, other) in self.singles.iter().enumerate() {
                if one.key.0 != other.key.0 || !one.access.overlaps(&other.access) {
                    continue;
                }
                if other.keeps_neighbours || !self.may_come(one, other) {
                    continue;
                }
                if one.key.1 == other.key.1 && !called.contains(&one.key.1) {
                    let function = &effects.program.functions[one.key.1];
                    let passes = { passes.entry(one.key.1) }.or_insert_with(|| Passes::new(function));
                    if !passes.leads(function, one.key.2, other.key.2) {
                        continue;
                    }
                }
                found.push((first, second));
            }
        }
        found
    }

    /// May a handler come between that makes the pattern?
    fn may_come(&self, first: &Single, second: &Single) -> bool {
        let asks_for_write = asks_for_write(first, second);
        let mut above = self.singles.iter().filter(|single| single.key.0 > first.key.0);
        above.any(|remote| {
            let is_it = remote.writes() == asks_for_write && remote.is_remote();
            is_it && remote.access.overlaps(&first.access) && remote.access.overlaps(&second.access)
        })
    }

    fn add_properties(&mut self, found: Vec<(usize, usize)>, program: &mut Program) {
        let (kept, benign): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|(first, second)| self.singles[*first].is_used && self.singles[*second].is_used);
        self.tell_benign(benign, program);
        let order = |pair: &(usize, usize)| {
            let (first, second) = (&self.singles[pair.0], &self.singles[pair.1]);
            (second.position, first.position, *pair)
        };
        let mut kept = kept;
        kept.sort_by_key(order);
        let mut known: BTreeMap<(String, Position), PropertyId> = BTreeMap::new();
        for (first, second) in kept {
            let (one, other) = (&self.singles[first], &self.singles[second]);
            let place = program.place(one.position, "");
            let comes = if asks_for_write(one, other) {
                "writes"
            } else {
                "reads"
            };
            let description = format!(
                "{}: a handler {comes} between the {} at {}:{} and this {}",
                pattern(one, other),
                one.verb(),
                place.file,
                place.line,
                other.verb()
            );
            let position = other.position;
            let property = *known.entry((description.clone(), position)).or_insert_with(|| {
                program.properties.push(PropertySite {
                    kind: PropertyKind::Atomicity,
                    description,
                    position,
                    function: other.key.1,
                })
            });
            self.pairs
                .entry(second)
                .or_default()
                .push(Pair { first, property });
        }
    }

    /// Lists what is no violation as a value is not used.
    fn tell_benign(&self, benign: Vec<(usize, usize)>, program: &mut Program) {
        let mut told = BTreeSet::new();
        for (first, second) in benign {
            let (one, other) = (&self.singles[first], &self.singles[second]);
            let unused = if one.is_used { other } else { one };
            let of = |single: &Single| {
                let place = program.place(single.position, "");
                format!("{}:{}", place.file, place.line)
            };
            told.insert(format!(
                "{} of {} and {} is benign: the value that is read at {} is not used",
                pattern(one, other),
                of(one),
                of(other),
                of(unused)
            ));
        }
        program.assumptions.extend(told);
    }
}

/// The functions that some function calls.
fn called(effects: &Effects<'_>) -> BTreeSet<FunctionId> {
    let callers = effects.program.functions.enumerate();
    let calls = callers.flat_map(|(caller, function)| {
        let callees = function.callees();
        callees.flat_map(move |callee| effects.points_to.callees(caller, callee))
    });
    calls.collect()
}

fn singles_of(effects: &Effects<'_>, site: &Site<'_>) -> Vec<Single> {
    let program = effects.program;
    let function = &program.functions[site.function];
    let model = &program.data_model;
    let kind = &site.statement.kind;
    let length = match kind {
        StatementKind::Load { target, .. } => Some(function.variables[*target].ty.bytes(model)),
        StatementKind::Store { ty, .. } => Some(ty.bytes(model)),
        StatementKind::CopyMemory { length, .. } | StatementKind::SetMemory { length, .. } => {
            crate::effects::constant(length)
        }
        _ => None,
    };
    let keeps_neighbours = sites::store_of_bit_field(program, site).is_some();
    let all = effects.accesses_of(site.function, kind).into_iter().enumerate();
    let shared = all.filter(|(_, access)| access.is_shared());
    let singles = shared.map(|(number, access)| Single {
        key: site.key(),
        number,
        is_used: access.writes() || uses::is_used(effects, site.function, site.place),
        access,
        length,
        position: site.position(),
        keeps_neighbours,
    });
    singles.collect()
}
