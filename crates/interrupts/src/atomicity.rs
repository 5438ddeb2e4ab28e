//! The kind `atomicity`: two accesses of an object, and one of a handler in between that no serial order
//! explains.
//!
//! Idea: for each priority memory of our own holds one access that was chosen, the address of one byte of it,
//! and what handlers have done to this byte since. The next access to the byte at the same priority asserts
//! that they have not done what makes a pattern with both. Any access may be chosen or not, and any of its
//! bytes, so all pairs are looked at, one in each run.
//!
//! A handler that writes the byte before it reads it has read nothing of the first access: it could as well
//! have come before. What a handler chooses is forgotten when it comes again; what is chosen in a pass of a
//! loop, when the pass ends. What was written is forgotten where the program enables interrupts: it is meant
//! to be seen from there on.
//!
//! Invariant: every run goes on as if nobody had asked, as the access that is held is an arbitrary choice.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::interrupts::FLAGS;
use kripke_elts::{
    BinaryOp, Expr, FunctionId, GlobalId, LocationId, Position, Program, PropertyId, Statement,
    StatementKind, Type, VariableId,
};
use kripke_model::PropertyKind;

use crate::effects::{Access, Effects};
use crate::gates::Gate;
use crate::pairs::{Pairs, Single, asks_for_write};
use crate::passes::Passes;
use crate::sites::Site;
use crate::terms::{and, assign, binary, choose, int, load, not, or, select, store, truth};
use crate::torn::{NUMBER, add_empty_property, meets, note};
use crate::writer::Writer;

/// The type of what handlers did: bit 0, they read what the first access left; bit 1, they wrote.
const SEEN: Type = Type::Int(8);
const READ: u128 = 1;
const WRITTEN: u128 = 2;

/// The memory for a priority.
#[derive(Clone, Copy)]
struct Note {
    /// The access, by its number from 1, twice; one more if it writes.
    number: GlobalId,
    address: GlobalId,
    seen: GlobalId,
}

/// All that is asked.
pub struct Atomicity {
    all: Pairs,
    notes: Vec<Note>,
    /// The accesses with which pairs begin.
    firsts: BTreeSet<usize>,
    /// The numbers alone do not say whether two accesses meet.
    needs_addresses: bool,
    /// For each end of a pass, the accesses that may be made in it.
    ends: BTreeMap<(usize, FunctionId, (LocationId, usize)), Vec<usize>>,
}

/// What is to be asked when a statement was written.
#[derive(Default)]
pub struct Asked {
    /// The pairs that an access may end: each property, the variable that says whether it does, and what must
    /// not have come in between.
    seconds: Vec<(PropertyId, VariableId, u128)>,
    /// Says that no access is held any more.
    ends: Vec<VariableId>,
}

impl Atomicity {
    /// Finds what is to be asked, and adds the properties and the memory for it.
    pub fn new(effects: &Effects<'_>, all: &[Site<'_>], program: &mut Program, position: Position) -> Self {
        let all = Pairs::new(effects, all, program);
        let pairs = all.pairs.values().flatten();
        let mut atomicity = Atomicity {
            firsts: pairs.map(|pair| pair.first).collect(),
            notes: Vec::new(),
            needs_addresses: true,
            ends: BTreeMap::new(),
            all,
        };
        let levels = atomicity
            .firsts
            .iter()
            .map(|first| atomicity.all.singles[*first].key.0 + 1);
        let pointer = u64::from(program.data_model.pointer_width / 8);
        for level in 0..levels.max().unwrap_or(0) {
            let mut add = |name: &str, size: u64| {
                program
                    .globals
                    .push(note(&format!("{FLAGS}.{name}.{level}"), size, position))
            };
            atomicity.notes.push(Note {
                number: add("held", 4),
                address: add("held.address", pointer),
                seen: add("held.seen", 1),
            });
        }
        atomicity.find_ends(effects);
        atomicity.needs_addresses = atomicity.are_addresses_needed();
        if atomicity.firsts.is_empty() {
            add_empty_property(program, PropertyKind::Atomicity, "atomicity of any two accesses");
        }
        atomicity
    }

    fn find_ends(&mut self, effects: &Effects<'_>) {
        let functions: BTreeSet<(usize, FunctionId)> = self
            .all
            .singles
            .iter()
            .map(|single| (single.key.0, single.key.1))
            .collect();
        let levels: BTreeSet<usize> = functions.iter().map(|(level, _)| *level).collect();
        for (id, function) in effects.program.functions.enumerate() {
            for (edge, inside) in Passes::new(function).ends() {
                let called = called_inside(effects, id, inside);
                for level in &levels {
                    let is_inside = |first: &&usize| {
                        let (at, of, place) = self.all.singles[**first].key;
                        let is_own = of == id && Passes::is_inside(function, inside, place);
                        at == *level && (is_own || called.contains(&of))
                    };
                    let firsts: Vec<usize> = self.firsts.iter().filter(is_inside).copied().collect();
                    if !firsts.is_empty() {
                        self.ends.insert((*level, id, edge), firsts);
                    }
                }
            }
        }
    }

    /// Does a pair begin with an access that another one may meet?
    fn is_asked(&self, level: usize, access: &Access) -> bool {
        let mut firsts = self.firsts.iter().map(|first| &self.all.singles[*first]);
        firsts.any(|first| first.key.0 == level && first.access.overlaps(access))
    }

    /// What forgets the access that is held at a priority.
    pub fn forget(&self, level: usize) -> Option<StatementKind> {
        let note = self.notes.get(level)?;
        Some(store(note.number, int(32, 0), NUMBER))
    }
}

/// All that a loop may call.
fn called_inside(
    effects: &Effects<'_>,
    id: FunctionId,
    inside: &BTreeSet<LocationId>,
) -> BTreeSet<FunctionId> {
    let function = &effects.program.functions[id];
    let mut roots = Vec::new();
    for location in inside {
        let ways = function.locations[*location].transitions.iter();
        for way in ways.filter(|way| inside.contains(&way.target)) {
            for statement in &way.statements {
                if let StatementKind::Call { callee, .. } = &statement.kind {
                    roots.extend(effects.points_to.callees(id, callee));
                }
            }
        }
    }
    effects.closure(&roots)
}

/// How an access is held.
fn held(index: usize, single: &Single) -> Expr {
    int(32, 2 * (index as u128 + 1) + u128::from(single.writes()))
}

/// The address and the length of one of the accesses of a statement.
fn range(kind: &StatementKind, number: usize, told: &[Expr]) -> (Expr, Expr) {
    let mut ranges = told.chunks_exact(3);
    let found = match kind {
        // The target is told of first.
        StatementKind::CopyMemory { .. } => ranges.nth(1 - number),
        _ => ranges.nth(number),
    };
    match (found, kind) {
        (Some(found), StatementKind::Output { .. }) => {
            // Up to the end of the object.
            let pointer = Box::new(found[0].clone());
            let size = Expr::ObjectSize(pointer.clone());
            let left = binary(BinaryOp::Sub, size, Expr::PointerOffset(pointer));
            (found[0].clone(), left)
        }
        (Some(found), _) => (found[0].clone(), found[1].clone()),
        (None, _) => (Expr::Null, truth(false)),
    }
}

impl Writer<'_, '_> {
    /// Notes what an access that is about to be made does to those of smaller priorities, and to the one that
    /// is held, or holds it.
    pub fn note_pairs(&mut self, statement: &Statement) -> Asked {
        let mut asked = Asked::default();
        let Some((key, atomicity)) = self.key().zip(self.rewriter.atomicity.clone()) else {
            return asked;
        };
        let Some(indices) = atomicity.all.at.get(&key) else {
            return asked;
        };
        let told = self.bytes_of(&statement.kind);
        for index in indices {
            let single = &atomicity.all.singles[*index];
            let range = range(&statement.kind, single.number, &told);
            let position = statement.position;
            for below in 0..key.0.min(atomicity.notes.len()) {
                if single.is_remote() && atomicity.is_asked(below, &single.access) {
                    self.note_remote(&atomicity, below, single, &range, position);
                }
            }
            if atomicity.is_asked(key.0, &single.access) {
                self.note_local(&atomicity, *index, &range, position, &mut asked);
            }
        }
        asked
    }

    /// Whether the byte that is held at a priority is one of a range.
    fn is_held(
        &mut self,
        (note, known): (Note, Option<Vec<Expr>>),
        (address, length): &(Expr, Expr),
        position: Position,
    ) -> (VariableId, VariableId) {
        let (number, meets_it) = (self.variable(NUMBER), self.variable(Type::BOOL));
        self.emit(load(number, note.number), position);
        let value = match known {
            Some(all) => {
                let one = |value| binary(BinaryOp::Eq, Expr::Variable(number), value);
                all.into_iter().map(one).reduce(or).unwrap_or(truth(false))
            }
            None => {
                let byte = self.variable(Type::Pointer);
                self.emit(load(byte, note.address), position);
                let width = self.rewriter.original.data_model.pointer_width;
                let meets = meets((&Expr::Variable(byte), &int(width, 1)), (address, length));
                and(binary(BinaryOp::Ne, Expr::Variable(number), int(32, 0)), meets)
            }
        };
        self.emit(assign(meets_it, value), position);
        (number, meets_it)
    }

    fn note_remote(
        &mut self,
        atomicity: &Atomicity,
        level: usize,
        single: &Single,
        range: &(Expr, Expr),
        position: Position,
    ) {
        let note = atomicity.notes[level];
        let known = atomicity.known(level, &single.access);
        let (_, met) = self.is_held((note, known), range, position);
        let seen = self.variable(SEEN);
        self.emit(load(seen, note.seen), position);
        let before = Expr::Variable(seen);
        let after = match single.writes() {
            true => binary(BinaryOp::Or, before.clone(), int(8, WRITTEN)),
            false => {
                let nothing = binary(BinaryOp::Eq, before.clone(), int(8, 0));
                select(nothing, int(8, READ), before.clone())
            }
        };
        let value = select(Expr::Variable(met), after, before);
        self.emit(store(note.seen, value, SEEN), position);
    }

    fn note_local(
        &mut self,
        atomicity: &Atomicity,
        index: usize,
        range: &(Expr, Expr),
        position: Position,
        asked: &mut Asked,
    ) {
        let single = &atomicity.all.singles[index];
        let note = atomicity.notes[single.key.0];
        if !single.keeps_neighbours {
            let known = atomicity.known(single.key.0, &single.access);
            let (number, ends) = self.is_held((note, known), range, position);
            for pair in atomicity.all.pairs.get(&index).into_iter().flatten() {
                let first = &atomicity.all.singles[pair.first];
                let same = binary(BinaryOp::Eq, Expr::Variable(number), held(pair.first, first));
                let is_second = self.variable(Type::BOOL);
                self.emit(assign(is_second, and(Expr::Variable(ends), same)), position);
                let mask = if asks_for_write(first, single) {
                    WRITTEN
                } else {
                    READ
                };
                asked.seconds.push((pair.property, is_second, mask));
            }
            asked.ends.push(ends);
        }
        if atomicity.firsts.contains(&index) {
            self.hold(atomicity, index, range, position);
        }
    }

    /// An access may be held from now on, if none is.
    fn hold(&mut self, atomicity: &Atomicity, index: usize, (address, _): &(Expr, Expr), position: Position) {
        let single = &atomicity.all.singles[index];
        let note = atomicity.notes[single.key.0];
        let (number, chosen) = (self.variable(NUMBER), self.variable(Type::BOOL));
        self.emit(load(number, note.number), position);
        self.emit(choose(chosen), position);
        let none = binary(BinaryOp::Eq, Expr::Variable(number), int(32, 0));
        let begins = self.variable(Type::BOOL);
        self.emit(assign(begins, and(none, Expr::Variable(chosen))), position);
        let either = |new: Expr, old: Expr| select(Expr::Variable(begins), new, old);
        let value = either(held(index, single), Expr::Variable(number));
        self.emit(store(note.number, value, NUMBER), position);
        let seen = self.variable(SEEN);
        self.emit(load(seen, note.seen), position);
        let value = either(int(8, 0), Expr::Variable(seen));
        self.emit(store(note.seen, value, SEEN), position);
        if !atomicity.needs_addresses {
            return;
        }
        let before = self.variable(Type::Pointer);
        self.emit(load(before, note.address), position);
        let byte = self.byte_of(atomicity, single, address, position);
        let value = either(byte, Expr::Variable(before));
        self.emit(store(note.address, value, Type::Pointer), position);
    }

    /// The address of some byte of an access.
    fn byte_of(
        &mut self,
        atomicity: &Atomicity,
        single: &Single,
        address: &Expr,
        position: Position,
    ) -> Expr {
        let length = single.length.unwrap_or(1);
        if length <= 1 || atomicity.are_alike(single) {
            return address.clone();
        }
        let width = self.rewriter.original.data_model.pointer_width;
        let chosen = self.variable(Type::Int(width));
        self.emit(choose(chosen), position);
        let distance = Expr::Variable(chosen);
        let within = binary(BinaryOp::ULt, distance.clone(), int(width, u128::from(length)));
        let distance = select(within, distance, int(width, 0));
        Expr::PointerAdd(Box::new(address.clone()), Box::new(distance))
    }

    /// Asserts, once an access is made, that nothing came between it and the one that is held.
    pub fn assert_atomic(&mut self, asked: Asked, position: Position) {
        let Some((level, atomicity)) = self.level().zip(self.rewriter.atomicity.clone()) else {
            return;
        };
        let Some(note) = atomicity.notes.get(level).filter(|_| !asked.ends.is_empty()) else {
            return;
        };
        if !asked.seconds.is_empty() {
            let seen = self.variable(SEEN);
            self.emit(load(seen, note.seen), position);
            for (property, is_second, mask) in asked.seconds {
                let bits = binary(BinaryOp::And, Expr::Variable(seen), int(8, mask));
                let came = binary(BinaryOp::Ne, bits, int(8, 0));
                let condition = not(and(Expr::Variable(is_second), came));
                self.emit(StatementKind::Assert { condition, property }, position);
            }
        }
        let ends = asked.ends.into_iter().map(Expr::Variable).reduce(or);
        let number = self.variable(NUMBER);
        self.emit(load(number, note.number), position);
        let left = select(ends.unwrap_or(truth(false)), int(32, 0), Expr::Variable(number));
        self.emit(store(note.number, left, NUMBER), position);
    }

    /// A pass of a loop ends: pairs do not reach from one to the next.
    pub fn end_pass(&mut self, edge: (LocationId, usize), position: Position) {
        let Some((level, atomicity)) = self.level().zip(self.rewriter.atomicity.clone()) else {
            return;
        };
        let Some(inside) = atomicity.ends.get(&(level, self.id, edge)) else {
            return;
        };
        let note = atomicity.notes[level];
        let number = self.variable(NUMBER);
        self.emit(load(number, note.number), position);
        let is = |index: &usize| {
            let value = held(*index, &atomicity.all.singles[*index]);
            binary(BinaryOp::Eq, Expr::Variable(number), value)
        };
        let any = inside.iter().map(is).reduce(or).unwrap_or(truth(false));
        let left = select(any, int(32, 0), Expr::Variable(number));
        self.emit(store(note.number, left, NUMBER), position);
    }

    /// The program enables interrupts: what it wrote until then is meant to be seen.
    pub fn publish(&mut self, position: Position) {
        self.publish_where(truth(true), position);
    }

    /// The conditions of handlers that a statement may make true, each with whether it is so before.
    pub fn conditions_before(&mut self, statement: &Statement) -> Vec<(Gate, Expr)> {
        let (effects, reads) = (&self.rewriter.effects, &self.rewriter.read_by_conditions);
        let Some(level) = self
            .level()
            .filter(|_| reads.depends(effects, self.id, statement))
        else {
            return Vec::new();
        };
        let gates = self.rewriter.conditions_above(level).into_iter();
        gates
            .map(|gate| (gate, self.is_open(gate, statement.position)))
            .collect()
    }

    /// The program enables a handler where a condition becomes true.
    pub fn publish_by_conditions(&mut self, before: Vec<(Gate, Expr)>, position: Position) {
        let opens = { before.into_iter() }
            .map(|(gate, was_open)| and(not(was_open), self.is_open(gate, position)))
            .reduce(or);
        if let Some(opens) = opens {
            self.publish_where(opens, position);
        }
    }

    /// The same, if it enables any.
    pub fn publish_where(&mut self, enables: Expr, position: Position) {
        let Some((level, atomicity)) = self.level().zip(self.rewriter.atomicity.clone()) else {
            return;
        };
        let Some(note) = atomicity.notes.get(level) else {
            return;
        };
        let enabled = and(enables, self.may_be_interrupted(level, position));
        let number = self.variable(NUMBER);
        self.emit(load(number, note.number), position);
        let writes = Expr::Extract {
            high: 0,
            low: 0,
            value: Box::new(Expr::Variable(number)),
        };
        let left = select(and(enabled, writes), int(32, 0), Expr::Variable(number));
        self.emit(store(note.number, left, NUMBER), position);
    }
}

impl Atomicity {
    /// The accesses of which one is held if the byte is one of the range, where that says enough.
    fn known(&self, level: usize, access: &Access) -> Option<Vec<Expr>> {
        let mut all = Vec::new();
        for first in &self.firsts {
            let single = &self.all.singles[*first];
            if single.key.0 != level || !single.access.overlaps(access) {
                continue;
            }
            if !access.covers(&single.access) {
                return None;
            }
            all.push(held(*first, single));
        }
        Some(all)
    }

    fn are_addresses_needed(&self) -> bool {
        let mut singles = self.all.singles.iter();
        singles.any(|single| {
            let mut levels = 0..=single.key.0;
            levels.any(|level| self.known(level, &single.access).is_none())
        })
    }

    /// Do all accesses that an access may meet have the same bytes?
    fn are_alike(&self, single: &Single) -> bool {
        let mut meeting = self
            .all
            .singles
            .iter()
            .filter(|other| other.access.overlaps(&single.access));
        meeting.all(|other| other.access.covers(&single.access))
    }
}
