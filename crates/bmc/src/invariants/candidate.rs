//! A predicate that may hold whenever a loop's iteration starts.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use kripke_smt::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::Engine;
use crate::invariants::columns::Columns;
use crate::invariants::heads::Head;
use crate::invariants::instances::Instances;

/// A predicate at the head of one loop.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Which head of the record.
    pub head: usize,
    /// Over the variables of the head's places.
    pub predicate: TermId,
    /// The variables in what is assumed.
    pub variables: Rc<[TermId]>,
    /// It holds at the start of the arbitrary iteration.
    pub assumption: TermId,
    /// It does not at each of the arrivals,
    pub fails: Rc<[TermId]>,
    /// or at one of them.
    pub broken: TermId,
    /// The same, whether or not the path of a later arrival can be taken; where paths are long. What is not
    /// broken by it is not broken at all.
    pub broken_off_path: Option<TermId>,
    /// Candidates of one chain follow each other, each implied by those before it.
    pub chain: Option<u32>,
    /// It speaks of any index of an array, and is told of some.
    pub speaks_of_any: bool,
    /// Candidates that say one thing at several heads, and are kept or dropped together.
    pub class: Option<TermId>,
}

/// A chain of a head; candidates without one are none's.
pub(crate) type Line = (usize, Option<u32>);

impl Candidate {
    /// What it says, and where.
    pub fn identity(&self) -> (usize, TermId) {
        (self.head, self.predicate)
    }

    /// Is it the same, or one of its chain?
    pub fn is_like(&self, other: &Candidate) -> bool {
        match other.chain {
            Some(_) => self.line() == other.line(),
            None => self.identity() == other.identity(),
        }
    }

    /// The chain that it belongs to.
    pub fn line(&self) -> Line {
        (self.head, self.chain)
    }
}

/// Makes the candidates of one head.
pub(crate) struct Maker {
    index: usize,
    arbitrary: TermId,
    /// The paths of later arrivals are long.
    long: bool,
    /// For each arrival: its path, and the values of the places by their variables.
    arrivals: Vec<(TermId, FxHashMap<TermId, TermId>)>,
    /// The variables of places whose value every arrival tells, of which a predicate may speak,
    told: FxHashSet<TermId>,
    /// those of the other places, of which it may not,
    untold: FxHashSet<TermId>,
    /// and what does not change in the loop, of which it may. What an iteration reads would be a different
    /// value in each.
    stable: Rc<FxHashSet<TermId>>,
    /// What it means to be told of any index.
    instances: Rc<Instances>,
    seen: FxHashSet<TermId>,
    columns: Columns,
    until: Instant,
    cancel: Arc<AtomicBool>,
    /// The chain to which what is added belongs, and how many there are.
    chain: Option<u32>,
    chains: u32,
    pub candidates: Vec<Candidate>,
}

impl Maker {
    /// For a head of the record, by its index.
    pub fn new(engine: &Engine<'_>, index: usize, head: &Head, until: Instant) -> Self {
        let mut told: FxHashSet<TermId> = head.variables().collect();
        let mut untold = FxHashSet::default();
        let arrivals = head
            .arrivals
            .iter()
            .map(|arrival| {
                let mut values = FxHashMap::default();
                for (variable, value) in head.variables().zip(arrival.held()) {
                    match value {
                        Some(value) => drop(values.insert(variable, value)),
                        None => drop(untold.insert(variable)),
                    }
                }
                (arrival.path, values)
            })
            .collect();
        told.retain(|variable| !untold.contains(variable));
        Maker {
            long: head.has_long_path(engine),
            index,
            arbitrary: head.arbitrary,
            arrivals,
            told,
            untold,
            stable: head.stable_variables(engine),
            instances: Rc::default(),
            seen: FxHashSet::default(),
            columns: Columns::new(head.samples.clone()),
            until,
            cancel: engine.options.cancel.clone(),
            chain: None,
            chains: 0,
            candidates: Vec::new(),
        }
    }

    /// Predicates may speak of any index, and are told of these.
    pub fn with_instances(self, instances: Rc<Instances>) -> Self {
        Maker { instances, ..self }
    }

    /// Forgets what its head's samples say of predicates, which is found again where it is asked.
    pub fn forget_columns(&mut self, head: &Head) {
        self.columns = Columns::new(head.samples.clone());
    }

    /// Adds predicates each of which implies those after it.
    pub fn add_chain(&mut self, engine: &mut Engine<'_>, predicates: impl IntoIterator<Item = TermId>) {
        self.chain = Some(self.chains);
        self.chains += 1;
        for predicate in predicates {
            self.add(engine, predicate);
        }
        self.chain = None;
    }

    /// Is the time for making candidates over?
    pub fn is_late(&self) -> bool {
        Instant::now() > self.until || self.cancel.load(Ordering::Relaxed)
    }

    /// Do all arrivals tell the value of that place?
    pub fn tells(&self, variable: TermId) -> bool {
        let is_stable = |variable| self.stable.contains(&variable) && !self.untold.contains(&variable);
        let is_one_sequence = || {
            let made_of = self.instances.made_of(variable);
            made_of.is_some_and(|made_of| made_of.iter().all(|variable| is_stable(*variable)))
        };
        self.told.contains(&variable)
            || self.instances.is_any(variable)
            || is_stable(variable)
            || is_one_sequence()
    }

    /// What a predicate comes to at an arrival, by its number.
    pub fn at_arrival(&mut self, engine: &mut Engine<'_>, number: usize, predicate: TermId) -> TermId {
        let (_, values) = &mut self.arrivals[number];
        engine.terms.substitute(predicate, values)
    }

    /// Does a run show that the predicate does not always hold?
    pub fn is_refuted(&mut self, engine: &Engine<'_>, predicate: TermId) -> bool {
        self.columns.refute(&engine.terms, predicate)
    }

    /// Adds a predicate, unless constants or runs show at sight that it is no use, or the time is over.
    pub fn add(&mut self, engine: &mut Engine<'_>, predicate: TermId) {
        if self.is_late() {
            return;
        }
        if engine.terms.is_const(predicate) || !self.seen.insert(predicate) {
            return;
        }
        if self.columns.refute(&engine.terms, predicate) {
            return;
        }
        let Some(candidate) = self.make(engine, predicate) else {
            return;
        };
        let never = |term| engine.terms.as_bool(term) == Some(false);
        let broken_at_sight = self.arrivals.iter().any(|(_, values)| {
            let holds = values.get(&predicate);
            holds.is_some_and(|holds| never(*holds))
        });
        if !broken_at_sight && !engine.terms.is_const(candidate.assumption) {
            self.candidates.push(candidate);
        }
    }

    /// The candidate of a predicate; `None` where it speaks of what some arrival does not tell, or of what
    /// may change in the loop.
    pub fn make(&mut self, engine: &mut Engine<'_>, predicate: TermId) -> Option<Candidate> {
        let terms = &mut engine.terms;
        let variables = terms.variables_of(&[predicate]);
        if !variables.iter().all(|variable| self.tells(*variable)) {
            return None;
        }
        let mut broken = terms.false_();
        let mut off_path = self.long.then_some(broken);
        let mut all = Vec::with_capacity(self.arrivals.len());
        for (number, (path, values)) in self.arrivals.iter_mut().enumerate() {
            let holds = terms.substitute(predicate, values);
            let fails = terms.not(holds);
            let fails_there = terms.and(*path, fails);
            broken = terms.or(broken, fails_there);
            all.push(fails_there);
            let fails = if number == 0 { fails_there } else { fails };
            off_path = off_path.map(|off_path| terms.or(off_path, fails));
        }
        let told = self.instances.told(terms, predicate, &variables);
        Some(Candidate {
            head: self.index,
            predicate,
            speaks_of_any: told.is_some(),
            variables: told.map_or(variables, |told| terms.variables_of(&[told])).into(),
            assumption: terms.implies(self.arbitrary, told.unwrap_or(predicate)),
            fails: all.into(),
            broken,
            broken_off_path: off_path,
            chain: self.chain,
            class: None,
        })
    }
}
