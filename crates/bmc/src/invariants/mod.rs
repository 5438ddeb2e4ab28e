//! Loop invariants, found beside k-induction.
//!
//! Idea: an induction fails where the arbitrary state from which its iterations start is none that the
//! program reaches. Predicates over what a loop modifies rule such states out: guessed from templates
//! (bounds, orders, sums, what the program itself compares), all assumed at once, and those dropped that an
//! arrival at the loop's head breaks, until none does. What is left holds at every head of every run,
//! together, and needs no trust in the guess: the arrivals are the same run's that the proof is made of.
//!
//! The templates are asked in tiers of rising cost, each only while properties are open.
//!
//! Source: Flanagan, Leino: Houdini, an annotation assistant for ESC/Java (FME 2001) for the fixpoint; Brain,
//! Joshi, Kroening, Schrammel: Safety verification and refutation by k-invariants and k-induction (SAS 2015)
//! for invariants and k that grow together.

mod affine;
mod atoms;
mod candidate;
mod columns;
mod cone;
mod elements;
pub(crate) mod heads;
mod houdini;
mod implications;
mod memory;
mod prefixes;
mod print;
mod questions;
mod samples;
mod tables;
mod templates;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::time::Instant;

use kripke_elts::{FunctionId, LocationId};
use kripke_model::{LoopInvariant, Reason};
use kripke_smt::{SatResult, TermId};

use crate::decide::Decider;
use crate::engine::Engine;
use crate::invariants::atoms::{Atoms, Mined};
use crate::invariants::candidate::{Candidate, Maker};
use crate::invariants::heads::Head;
use crate::invariants::houdini::Sequence;
use crate::invariants::print::Printer;
use crate::invariants::templates::Tier;
use crate::limits;

pub(crate) use crate::invariants::memory::Memory;

/// The part of the time that is left which a tier gets.
const SHARES: u32 = 2;

/// The places that loops modify and on which a condition depends, as far as C names them: by loop (its place
/// as `file:line`), those first that the condition itself mentions.
pub(crate) fn places_of(engine: &Engine<'_>, condition: TermId) -> Vec<(String, Vec<String>)> {
    let direct = engine.terms.variables_of(&[condition]);
    let mut loops: Vec<(String, Vec<String>)> = Vec::new();
    for head in cone::restricted(engine, condition) {
        let code = &engine.program.functions[head.function];
        let Some(graph) = engine.graphs.known(head.function) else {
            continue;
        };
        let position = code.locations[graph.loops[head.of as usize].head].position;
        let printer = Printer::new(engine, &head);
        let mut places: Vec<_> = head.places.iter().collect();
        places.sort_by_key(|place| !direct.contains(&place.variable));
        let mut names: Vec<String> = Vec::new();
        for name in places.into_iter().filter_map(|place| printer.name(place)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            continue;
        }
        let place = engine.place(position);
        match loops.iter_mut().find(|(known, _)| *known == place) {
            Some((_, known)) => {
                names.retain(|name| !known.contains(name));
                known.extend(names);
            }
            None => loops.push((place, names)),
        }
    }
    loops
}

/// Has no other loop of the function its head on the same line? Else a place does not tell which of them is
/// meant: a `do` loop begins where the first statement of its body does.
fn is_alone(engine: &mut Engine<'_>, function: FunctionId, head: LocationId) -> bool {
    let code = &engine.program.functions[function];
    let position = code.locations[head].position;
    let graph = engine.graphs.get(engine.program, function);
    let loops = graph.loops.iter();
    let mut others = loops.filter(|other| other.head != head);
    others.all(|other| {
        let other = code.locations[other.head].position;
        (other.file, other.line) != (position.file, position.line)
    })
}

/// The invariants that hold at the heads of a run's loops, as far as they were found.
pub(crate) struct Invariants<'m> {
    atoms: Atoms,
    heads: Vec<Head>,
    /// What the conditions say of each head, once it was asked for.
    mined: Vec<OnceCell<Mined>>,
    tiers: std::slice::Iter<'static, Tier>,
    memory: &'m mut Memory,
    /// What was found.
    pub found: Vec<Candidate>,
    /// What runs do not refute, and what no tier so far could show.
    lost: Vec<Candidate>,
}

impl<'m> Invariants<'m> {
    /// None yet; `None` where the run has no loop that modifies anything that predicates can speak of and on
    /// which the goal depends: what is to be shown impossible.
    pub fn new(engine: &Engine<'_>, memory: &'m mut Memory, goal: TermId) -> Option<Self> {
        let mut heads = cone::restricted(engine, goal);
        let speakable = |head: &Head| !head.places.is_empty();
        if !heads.iter().any(speakable) {
            return None;
        }
        let atoms = Atoms::new(engine);
        let seen = memory.runs(&heads).unwrap_or_else(|| {
            let seen = samples::of_heads(engine, &heads, &atoms.constants(&engine.terms));
            memory.keep_runs(&heads, &seen);
            seen
        });
        for (head, samples) in heads.iter_mut().zip(seen) {
            head.samples = samples;
        }
        Some(Invariants {
            atoms,
            mined: heads.iter().map(|_| OnceCell::new()).collect(),
            heads,
            tiers: Tier::ALL.iter(),
            memory,
            found: Vec::new(),
            lost: Vec::new(),
        })
    }

    /// Looks for more, with templates of the next tier that finds some; false when there is none.
    pub fn strengthen(
        &mut self,
        engine: &mut Engine<'_>,
        decider: &mut Decider<'_>,
        until: Instant,
    ) -> Result<bool, Reason> {
        while let Some(&tier) = self.tiers.next() {
            let now = Instant::now();
            let until = now + until.saturating_duration_since(now) / SHARES;
            let found = match tier {
                Tier::Equations => self.equations(engine, decider, until)?,
                Tier::Tables => self.tables(engine, decider, until)?,
                _ => {
                    let support = self.assumption(engine);
                    let half = now + until.saturating_duration_since(now) / 2;
                    let candidates = self.candidates(engine, tier, half);
                    let sequence = match tier {
                        Tier::Implications => Sequence::Given,
                        _ => Sequence::Cost,
                    };
                    let lost = std::mem::take(&mut self.lost);
                    let (found, lost) =
                        houdini::inductive(engine, decider, support, (candidates, lost, sequence), until)?;
                    self.lost = lost;
                    found
                }
            };
            if Instant::now() < until {
                self.memory.finish(tier, &self.heads);
            }
            if !found.is_empty() {
                self.memory.keep_found(&self.heads, &found);
                self.found.extend(found);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The candidates of a tier at all heads, and of heads that were asked before what was found there.
    fn candidates(&self, engine: &mut Engine<'_>, tier: Tier, until: Instant) -> Vec<Candidate> {
        let mut all = Vec::new();
        for (index, head) in self.heads.iter().enumerate() {
            if tier == Tier::Known {
                let mut maker = Maker::new(engine, index, head, until);
                for predicate in self.memory.predicates(head) {
                    maker.add(engine, predicate);
                }
                all.extend(maker.candidates);
            } else if !self.memory.is_finished(tier, head) {
                let known = self.found.iter().filter(|candidate| candidate.head == index);
                let known = known.map(|candidate| candidate.predicate).collect();
                let mined = self.mined[index].get_or_init(|| self.atoms.of_head(engine, head));
                all.extend(templates::candidates(
                    engine,
                    mined,
                    tier,
                    (index, head),
                    &known,
                    until,
                ));
            }
        }
        all
    }

    /// Linear equations at all heads, one head after the other.
    fn equations(
        &mut self,
        engine: &mut Engine<'_>,
        decider: &mut Decider<'_>,
        until: Instant,
    ) -> Result<Vec<Candidate>, Reason> {
        let mut all: Vec<Candidate> = Vec::new();
        let mut support = self.assumption(engine);
        for (index, head) in self.heads.iter().enumerate() {
            if self.memory.is_finished(Tier::Equations, head) {
                continue;
            }
            let mut samples = self.memory.samples(head);
            let found = affine::equations(engine, decider, (index, head), support, &mut samples, until)?;
            self.memory.keep_samples(head, samples);
            for candidate in &found {
                support = engine.terms.and(support, candidate.assumption);
            }
            all.extend(found);
        }
        Ok(all)
    }

    /// Tables at all heads, one head after the other.
    fn tables(
        &mut self,
        engine: &mut Engine<'_>,
        decider: &mut Decider<'_>,
        until: Instant,
    ) -> Result<Vec<Candidate>, Reason> {
        let mut all: Vec<Candidate> = Vec::new();
        let mut support = self.assumption(engine);
        for (index, head) in self.heads.iter().enumerate() {
            if self.memory.is_finished(Tier::Tables, head) {
                continue;
            }
            let found = tables::relations(engine, decider, (index, head), support, until)?;
            for candidate in &found {
                support = engine.terms.and(support, candidate.assumption);
            }
            all.extend(found);
        }
        Ok(all)
    }

    /// That they hold at the start of the arbitrary iterations.
    pub fn assumption(&self, engine: &mut Engine<'_>) -> TermId {
        engine
            .terms
            .and_all(self.found.iter().map(|candidate| candidate.assumption))
    }

    /// The invariants as C expressions, by loop: what holds at all of a loop's heads and does not follow from
    /// the others. What is not decided in time is shown.
    pub fn describe(
        &self,
        engine: &mut Engine<'_>,
        decider: &mut Decider<'_>,
        until: Instant,
    ) -> Vec<LoopInvariant> {
        let mut by_loop: BTreeMap<(FunctionId, LocationId), Vec<Vec<String>>> = BTreeMap::new();
        for (index, head) in self.heads.iter().enumerate() {
            let graph = engine.graphs.get(engine.program, head.function);
            let location = graph.loops[head.of as usize].head;
            let predicates = self.independent(index, engine, decider, until);
            let printer = Printer::new(engine, head);
            let texts = predicates
                .iter()
                .filter_map(|predicate| printer.condition(*predicate));
            let known = by_loop.entry((head.function, location)).or_default();
            known.push(texts.collect());
        }
        let mut invariants = Vec::new();
        for ((function, location), heads) in by_loop {
            let (first, others) = heads.split_first().expect("a loop has a head");
            let everywhere = |text: &&String| others.iter().all(|head| head.contains(*text));
            let conditions: Vec<String> = first.iter().filter(everywhere).cloned().collect();
            if !conditions.is_empty() && is_alone(engine, function, location) {
                let code = &engine.program.functions[function];
                let position = code.locations[location].position;
                let place = engine.program.place(position, &code.name);
                invariants.push(LoopInvariant { place, conditions });
            }
        }
        invariants
    }

    /// The predicates found at one head without those that follow from the others.
    fn independent(
        &self,
        index: usize,
        engine: &mut Engine<'_>,
        decider: &mut Decider<'_>,
        until: Instant,
    ) -> Vec<TermId> {
        let found = self.found.iter().filter(|candidate| candidate.head == index);
        // Short ones stay; what is found later of a chain is stronger.
        let mut left: Vec<TermId> = found.rev().map(|candidate| candidate.predicate).collect();
        left.sort_by_key(|predicate| engine.terms.reachable(&[*predicate]).len());
        let limits = limits::of(engine.options).until(until);
        for position in (0..left.len()).rev() {
            let mut conditions = left.clone();
            conditions[position] = engine.terms.not(left[position]);
            if let Ok(SatResult::Unsat) = decider.ask(engine, &conditions, &limits) {
                left.remove(position);
            }
        }
        left
    }
}
