//! Memory objects: globals, stack objects, heap objects, and what is known of each.
//!
//! An object is created once per symbolic run and place of creation (with its call and loop
//! context); what changes along a path (its contents, whether it was freed) is in the state.

use std::ops::{Index, IndexMut};

use kripke_elts::{GlobalId, Id, ObjectSiteId};
use kripke_smt::TermId;
use rustc_hash::FxHashMap;

use crate::value::Target;

/// An object of a symbolic run; globals come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// The object of a global.
    pub fn global(id: GlobalId) -> Self {
        ObjectId(id.index() as u32)
    }

    /// Its key in the memory of a state.
    pub fn key(self) -> u64 {
        u64::from(self.0)
    }

    /// The object of a key in the memory of a state.
    pub fn of_key(key: u64) -> Self {
        ObjectId(key as u32)
    }
}

/// Where an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObjectKind {
    /// For the whole run.
    Global(GlobalId),
    /// Until its function returns.
    Stack(ObjectSiteId),
    /// Until it is freed.
    Heap(ObjectSiteId),
}

/// What the bytes that were never written hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Zero.
    Zero,
    /// Any value.
    Nondet,
    /// Any value, and reading it is an error where that is checked.
    Uninitialised,
}

/// An object begins its life, or ends it.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// On each path they are in this order, those of all objects together.
    pub time: u64,
    /// It begins.
    pub begins: bool,
    /// The path on which that is.
    pub guard: TermId,
}

/// What never changes about an object along a path.
#[derive(Clone, Debug)]
pub struct ObjectInfo {
    /// Where it lives.
    pub kind: ObjectKind,
    /// Names it in variables, the same at every bound.
    pub name: u32,
    /// Size in bytes, of pointer width.
    pub size: TermId,
    /// The size where it is constant.
    pub constant_size: Option<u64>,
    /// Alignment in bytes.
    pub align: u32,
    /// Writing is an error.
    pub constant: bool,
    /// What the bytes hold at first.
    pub rest: Rest,
    /// The path on which it is created.
    pub created: TermId,
    /// The variable that stands for its address, once a program observed it.
    pub base: Option<TermId>,
    /// The width in bytes of the elements of the array variable that stands for its initial contents.
    pub origin_bytes: Option<u32>,
    /// On some path it dies before its function returns: a state that does not know it may be one where it
    /// is dead.
    pub dies_early: bool,
}

impl ObjectInfo {
    /// Was it made with that size, contents and alignment?
    pub fn is_made_like(&self, (size, rest): (TermId, Rest), align: u32) -> bool {
        self.size == size && self.rest == rest && self.align == align
    }
}

/// What is known of the lives of two objects, as far as their turns were looked at.
#[derive(Clone, Copy)]
pub struct Lives {
    /// How many turns of each were.
    pub seen: [usize; 2],
    /// Whether the life of each is over.
    pub over: [TermId; 2],
    /// Whether the last life of one was over when that of the other one began.
    pub apart: TermId,
}

/// The objects of one run, and what it learned of where they lie.
#[derive(Default)]
pub struct Objects {
    known: Vec<ObjectInfo>,
    by_kind: FxHashMap<ObjectKind, Vec<ObjectId>>,
    /// Those whose addresses the program looked at, in that order.
    pub observed: Vec<ObjectId>,
    /// Addresses that the program names as numbers, memory-mapped registers: no object lies there.
    pub named: Vec<TermId>,
    /// Of those whose addresses were compared, how their lives follow each other.
    pub lives: FxHashMap<(ObjectId, ObjectId), Lives>,
    /// Where the lives of each begin and end, in the order of time; nothing for globals.
    turns: Vec<Vec<Turn>>,
    /// What fields of summaries may point to, numbered.
    targets: Vec<Target>,
    /// How many of these there are.
    time: u64,
    /// A path was said to be possible with the addresses that were named until then.
    pub relied_on: bool,
}

impl Objects {
    /// How many addresses are told apart.
    pub fn addresses(&self) -> usize {
        self.observed.len() + self.named.len()
    }

    /// The life of an object begins, or ends.
    pub fn note_turn(&mut self, object: ObjectId, begins: bool, guard: TermId) {
        self.time += 1;
        let turn = Turn {
            time: self.time,
            begins,
            guard,
        };
        self.turns[object.0 as usize].push(turn);
    }

    /// A turn of an object, by its number.
    pub fn turn(&self, object: ObjectId, number: usize) -> Option<Turn> {
        self.turns[object.0 as usize].get(number).copied()
    }

    /// The number of a target of fields of summaries.
    pub fn code_of(&mut self, target: Target) -> u32 {
        let known = self.targets.iter().position(|other| *other == target);
        known.unwrap_or_else(|| {
            self.targets.push(target);
            self.targets.len() - 1
        }) as u32
    }

    /// The target of a number.
    pub fn target_of(&self, code: u32) -> Target {
        self.targets[code as usize]
    }

    /// How many were created so far.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// All, in the order of their creation.
    pub fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.known.len() as u32).map(ObjectId)
    }

    /// All of a kind.
    pub fn of_kind(&self, kind: ObjectKind) -> &[ObjectId] {
        self.by_kind.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// A new one.
    pub fn add(&mut self, info: ObjectInfo) -> ObjectId {
        let id = ObjectId(self.known.len() as u32);
        self.by_kind.entry(info.kind).or_default().push(id);
        self.known.push(info);
        self.turns.push(Vec::new());
        id
    }
}

impl Index<ObjectId> for Objects {
    type Output = ObjectInfo;

    fn index(&self, id: ObjectId) -> &ObjectInfo {
        &self.known[id.0 as usize]
    }
}

impl IndexMut<ObjectId> for Objects {
    fn index_mut(&mut self, id: ObjectId) -> &mut ObjectInfo {
        &mut self.known[id.0 as usize]
    }
}
