//! Loop invariants, found beside k-induction.
//!
//! Idea: an induction fails where the arbitrary state from which its iterations start is none that the
//! program reaches. Predicates over what a loop modifies rule such states out: guessed from templates
//! (bounds, orders, sums, what the program itself compares), all assumed at once, and those dropped that an
//! arrival at the loop's head breaks, until none does. What is left holds at every head of every run,
//! together, and needs no trust in the guess: the arrivals are the same run's that the proof is made of.
//!
//! The templates are asked in tiers of rising cost, each only while properties are open. The last of them has
//! no templates: it excludes, one after the other, the states from which what is open is reached.
//!
//! Source: Flanagan, Leino: Houdini, an annotation assistant for ESC/Java (FME 2001) for the fixpoint; Brain,
//! Joshi, Kroening, Schrammel: Safety verification and refutation by k-invariants and k-induction (SAS 2015)
//! for invariants and k that grow together.

mod affine;
mod arrivals;
mod atoms;
pub(crate) mod candidate;
mod columns;
mod cone;
mod digits;
mod elements;
mod everywhere;
mod fixpoint;
mod folds;
pub(crate) mod heads;
mod houdini;
mod implications;
mod individuals;
mod instances;
mod inverse;
mod lists;
mod memory;
mod nearby;
mod observed;
mod onward;
mod pointers;
mod prefixes;
mod print;
mod questions;
mod rates;
mod reachability;
mod samples;
mod scans;
mod segments;
mod steps;
mod tables;
mod templates;
pub(crate) mod told;
mod unconstrained;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

use kripke_elts::{FunctionId, LocationId};
use kripke_limits::stretched;
use kripke_model::{LoopInvariant, Reason};
use kripke_smt::TermId;
use rustc_hash::FxHashSet;

use crate::decide::Decider;
use crate::engine::Engine;
use crate::invariants::atoms::{Atoms, Mined};
use crate::invariants::candidate::{Candidate, Maker};
use crate::invariants::fixpoint::{Broken, fixpoint, shrink, strongest};
use crate::invariants::folds::Folds;
use crate::invariants::heads::Head;
use crate::invariants::houdini::Sequence;
use crate::invariants::instances::Instances;
use crate::invariants::print::Printer;
use crate::invariants::questions::Questions;
use crate::invariants::reachability::Suspended;
use crate::invariants::templates::Tier;
use crate::kept::{self, Kept};
use crate::limits;

pub(crate) use crate::invariants::memory::Memory;

/// The part of the time that is left which a tier gets.
const SHARES: u32 = 2;

/// How long like inputs are tried where loops are proved by their invariants alone.
const MUTANTS: Duration = Duration::from_secs(1);

/// At how many heads members of objects are looked for that meet at others.
const MOST_HEADS: usize = 12;

/// How long it may take to leave out those found at one head that follow from others.
const DESCRIPTION: Duration = Duration::from_secs(1);

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
    tiers: std::vec::IntoIter<Tier>,
    /// Loops are entered in arbitrary states only.
    are_alone: bool,
    /// What was asked together, to the end.
    asked: FxHashSet<(usize, TermId)>,
    memory: &'m mut Memory,
    /// What is to be shown impossible, one by one.
    goals: Vec<TermId>,
    /// What it means to be told of any index.
    instances: Rc<Instances>,
    folds: Folds,
    /// How long reachability may take: half of that also where the other tiers leave it less. And how long it
    /// took.
    reserve: Duration,
    pub reachability_took: Duration,
    /// Some of it was proved by an attempt before this one.
    pub has_taken_over: bool,
    /// What was found.
    pub found: Vec<Candidate>,
    /// What runs do not refute, and what no tier so far could show.
    lost: Vec<Candidate>,
}

impl<'m> Invariants<'m> {
    /// None yet; `None` where the run has no loop that modifies anything that predicates can speak of and on
    /// which the goals depend: what is to be shown impossible, the first of them in any case.
    /// Reachability may take that long, and half of that whatever the other tiers leave.
    pub fn new(
        engine: &mut Engine<'_>,
        memory: &'m mut Memory,
        goals: Vec<TermId>,
        reserve: Duration,
    ) -> Option<Self> {
        let goal = engine.terms.or_all(goals.iter().copied());
        let mut heads = cone::restricted(engine, goal);
        if !heads.iter().any(Head::is_speakable) {
            return None;
        }
        let atoms = Atoms::new(engine);
        let are_alone = engine
            .run
            .induction
            .as_ref()
            .is_some_and(|induction| induction.k == 0);
        let mutants = if are_alone {
            stretched(MUTANTS)
        } else {
            Duration::ZERO
        };
        let seen = memory.runs(&heads).unwrap_or_else(|| {
            let seen = samples::of_heads(engine, &heads, &atoms.constants(&engine.terms), mutants);
            memory.keep_runs(&heads, &seen);
            seen
        });
        for (head, samples) in heads.iter_mut().zip(seen) {
            head.samples = samples;
        }
        let folds = Folds::of(engine, &heads);
        let instances = Rc::new(Instances::of(engine, &heads, (&goals, &folds)));
        let mut found = folds.in_loops(&mut engine.terms);
        // Those of heads that do not matter any more are missing in what is to be checked.
        let proved = match engine.options.obligations {
            true => Vec::new(),
            false => memory.proved(&heads),
        };
        let has_taken_over = !proved.is_empty();
        found.extend(proved);
        Some(Invariants {
            atoms,
            instances,
            mined: heads.iter().map(|_| OnceCell::new()).collect(),
            heads,
            tiers: Tier::in_order(are_alone).into_iter(),
            are_alone,
            asked: FxHashSet::default(),
            memory,
            goals,
            reserve,
            reachability_took: Duration::ZERO,
            has_taken_over,
            found,
            folds,
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
        while let Some(tier) = self.tiers.next() {
            limits::check(engine.options, true)?;
            let now = Instant::now();
            let share = until.saturating_duration_since(now) / SHARES;
            let is_last = engine.options.deadline.is_some_and(|deadline| deadline <= until);
            let broken = self.memory.broken_together();
            let until = match tier {
                Tier::Reachability => {
                    let share = share.clamp(self.reserve / 2, self.reserve);
                    let until = now + share;
                    engine
                        .options
                        .deadline
                        .map_or(until, |deadline| until.min(deadline))
                }
                // Few questions, each about all heads.
                Tier::Everywhere if !self.are_alone => now + share * 3 / 2,
                // What has grown from below says nothing before it is at its end.
                Tier::Tables if self.are_alone => now + share * 3 / 2,
                // What others find without it settles little.
                Tier::Together => until - share / 5,
                _ => now + share,
            };
            let found = match tier {
                Tier::Equations => {
                    self.head_by_head(engine, (tier, until), |engine, memory, head, support| {
                        let mut samples = memory.samples(head.1);
                        let found = affine::equations(engine, decider, head, support, &mut samples, until)?;
                        memory.keep_samples(head.1, samples);
                        Ok(found)
                    })?
                }
                Tier::Tables => self.head_by_head(engine, (tier, until), |engine, _, head, support| {
                    tables::relations(engine, decider, head, support, until)
                })?,
                Tier::Reachability => self.excluding(engine, decider, until)?,
                Tier::Everywhere if self.are_alone => self.bounds_together(engine, decider, until)?,
                Tier::Everywhere => {
                    let candidates = match self.speakable().count() {
                        everywhere::MANY_HEADS.. => self.candidates(engine, (tier, false), until),
                        _ => Vec::new(),
                    };
                    let support = self.assumption(engine);
                    everywhere::inductive(engine, decider, (&self.heads, support), candidates, until)?
                }
                Tier::Together => self.together(engine, decider, until)?,
                _ => {
                    let support = self.assumption(engine);
                    let half = now + until.saturating_duration_since(now) / 2;
                    let mut candidates = self.candidates(engine, (tier, false), half);
                    candidates.retain(|candidate| !self.asked.contains(&candidate.identity()));
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
            if Instant::now() < until && tier != Tier::Reachability {
                self.memory.finish(tier, &self.heads);
            }
            let may_go_on = tier == Tier::Together && self.memory.unfinished.is_some() && !is_last;
            if may_go_on && self.memory.broken_together() > broken {
                return Ok(false);
            }
            if !found.is_empty() {
                self.memory.keep_found(&self.heads, &found);
                self.found.extend(found);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The candidates of several tiers at once, where loops are proved by their invariants alone: that an
    /// index is below a count may need that all indices in an array are, and the other way round.
    fn together(
        &mut self,
        engine: &mut Engine<'_>,
        decider: &mut Decider<'_>,
        until: Instant,
    ) -> Result<Vec<Candidate>, Reason> {
        if !self.are_alone {
            return Ok(Vec::new());
        }
        self.share_meetings(engine);
        let all = self.candidates_of(engine, &Tier::TOGETHER, until);
        let mut left = Vec::with_capacity(all.len());
        let broken: Vec<_> = self.heads.iter().map(|head| self.memory.broken(head)).collect();
        let is_broken = |candidate: &Candidate| {
            broken[candidate.head].is_some_and(|broken| broken.contains(&candidate.predicate))
        };
        left.extend(all.iter().filter(|candidate| !is_broken(candidate)).cloned());
        let support = self.assumption(engine);
        let kept = self.memory.unfinished.take().unwrap_or_default();
        let mut questions = Questions::with(decider, kept);
        let of = (&mut left, Broken::OnPath);
        let is_done = shrink(engine, &mut questions, support, of, until)?;
        if !is_done {
            self.memory.unfinished = Some(questions.into_kept());
        }
        let kept: FxHashSet<(usize, TermId)> = left.iter().map(Candidate::identity).collect();
        let broken = all
            .iter()
            .filter(|candidate| !kept.contains(&candidate.identity()));
        self.memory.keep_broken(&self.heads, broken);
        if !is_done {
            return Ok(Vec::new());
        }
        self.asked = all.iter().map(Candidate::identity).collect();
        Ok(strongest(&left).into_iter().cloned().collect())
    }

    /// Bounds alone at many heads, where loops are proved by their invariants alone: some properties need no
    /// more, and where they are known the others are asked about less.
    fn bounds_together(
        &mut self,
        engine: &mut Engine<'_>,
        decider: &mut Decider<'_>,
        until: Instant,
    ) -> Result<Vec<Candidate>, Reason> {
        let is_finished = |head| self.memory.is_finished(Tier::Everywhere, head);
        if self.speakable().count() < everywhere::MANY_HEADS || self.heads.iter().all(is_finished) {
            return Ok(Vec::new());
        }
        let mut left = self.candidates_of(engine, &[Tier::Bounds], until);
        let support = self.assumption(engine);
        let kept = self.memory.unfinished.take().unwrap_or_default();
        let mut questions = Questions::with(decider, kept);
        let of = (&mut left, Broken::OnPath);
        let is_done = shrink(engine, &mut questions, support, of, until)?;
        self.memory.unfinished = Some(questions.into_kept());
        Ok(match is_done {
            true => strongest(&left).into_iter().cloned().collect(),
            false => Vec::new(),
        })
    }

    /// The candidates of several tiers at all heads.
    fn candidates_of(&self, engine: &mut Engine<'_>, tiers: &[Tier], until: Instant) -> Vec<Candidate> {
        let now = Instant::now();
        let quarter = now + until.saturating_duration_since(now) / 4;
        let mut all = Vec::new();
        for (number, tier) in (0u32..).zip(tiers) {
            for mut candidate in self.candidates(engine, (*tier, true), quarter) {
                // Chains of one tier are no chains of another.
                candidate.chain = candidate.chain.map(|chain| chain * tiers.len() as u32 + number);
                all.push(candidate);
            }
        }
        all
    }

    /// Members of an object that meet at the head of one loop do so at those of all that modify them.
    /// Of very many heads (handlers between any two accesses) that would take a long time.
    fn share_meetings(&mut self, engine: &Engine<'_>) {
        if self.speakable().count() > MOST_HEADS {
            return;
        }
        let mut all = BTreeSet::new();
        for (head, mined) in self.heads.iter().zip(&self.mined) {
            if head.is_speakable() {
                let mined = mined.get_or_init(|| self.atoms.of_head(engine, head));
                all.extend(mined.meetings(head));
            }
        }
        for (head, mined) in self.heads.iter().zip(&mut self.mined) {
            if let Some(mined) = mined.get_mut() {
                mined.note_meetings(head, &all);
            }
        }
    }

    /// What excludes the states from which a goal is reached, as far as it is inductive.
    fn excluding(
        &mut self,
        engine: &mut Engine<'_>,
        decider: &mut Decider<'_>,
        until: Instant,
    ) -> Result<Vec<Candidate>, Reason> {
        if !engine.options.reachability || self.reserve.is_zero() {
            return Ok(Vec::new());
        }
        let goals = self.goals.len();
        let suspended = self.memory.suspended.take();
        let suspended = suspended.filter(|suspended| suspended.is_of(&self.heads, goals));
        let (now, is_new) = (Instant::now(), suspended.is_none());
        let Some(search) = suspended.or_else(|| self.new_search(engine, until)) else {
            return Ok(Vec::new());
        };
        let most = now + until.saturating_duration_since(now) * 3 / 4;
        let before = search.progress();
        let found = reachability::lemmas(engine, decider, search, most);
        // One that goes on and comes no further is given up.
        let is_worth_it = |search: &Suspended| is_new || search.progress() != before;
        self.memory.suspended = found.suspended.filter(is_worth_it);
        let lemmas = self.made(engine, &found.lemmas);
        let support = self.assumption(engine);
        let mut questions = Questions::new(decider);
        let kept = fixpoint(engine, &mut questions, support, (lemmas, Broken::OnPath), until);
        self.reachability_took += now.elapsed();
        if is_new && self.memory.suspended.is_none() && Instant::now() < until {
            self.memory.finish(Tier::Reachability, &self.heads);
        }
        Ok(kept?.unwrap_or_default())
    }

    /// A search for that, where it was not done.
    fn new_search(&self, engine: &mut Engine<'_>, until: Instant) -> Option<Suspended> {
        let is_finished = |head| self.memory.is_finished(Tier::Reachability, head);
        if self.heads.iter().all(is_finished) {
            return None;
        }
        for (index, head) in self.heads.iter().enumerate() {
            if Instant::now() > until {
                return None;
            }
            self.mined[index].get_or_init(|| self.atoms.of_head(engine, head));
        }
        let task = reachability::Task {
            heads: &self.heads,
            mined: self.mined.iter().filter_map(OnceCell::get).collect(),
            goals: &self.goals,
            support: self.assumption(engine),
        };
        Some(Suspended::new(engine, &task))
    }

    /// The candidates that say this of heads of these names, without those that were found.
    fn made(&self, engine: &mut Engine<'_>, predicates: &[(Vec<u32>, TermId)]) -> Vec<Candidate> {
        let known: FxHashSet<(usize, TermId)> = self.found.iter().map(Candidate::identity).collect();
        let mut made = Vec::new();
        for (index, head) in self.heads.iter().enumerate() {
            let of_head = predicates.iter().filter(|(key, _)| *key == head.key);
            let mut new = of_head.filter(|(_, predicate)| !known.contains(&(index, *predicate)));
            if let Some(first) = new.next() {
                let mut maker = Maker::new(engine, index, head, Instant::now());
                let all = std::iter::once(first).chain(new);
                made.extend(all.filter_map(|(_, predicate)| maker.make(engine, *predicate)));
            }
        }
        made
    }

    /// The heads of which something can be said, with their indexes.
    fn speakable(&self) -> impl Iterator<Item = (usize, &Head)> {
        let heads = self.heads.iter().enumerate();
        heads.filter(|(_, head)| head.is_speakable())
    }

    /// The candidates of a tier at all heads, and of heads that were asked before what was found there.
    fn candidates(
        &self,
        engine: &mut Engine<'_>,
        (tier, together): (Tier, bool),
        until: Instant,
    ) -> Vec<Candidate> {
        let mut all = Vec::new();
        for (index, head) in self.speakable() {
            if Instant::now() > until || limits::check(engine.options, false).is_err() {
                break;
            }
            let known = self.found.iter().filter(|candidate| candidate.head == index);
            let known = known.map(|candidate| candidate.predicate).collect();
            let given = match tier {
                Tier::Known => self.memory.predicates(head, &known),
                Tier::Segments => self.folds.guesses(&mut engine.terms, index),
                _ => Vec::new(),
            };
            if !given.is_empty() {
                let mut maker = Maker::new(engine, index, head, until).with_instances(self.instances.clone());
                for predicate in given {
                    maker.add(engine, predicate);
                }
                all.extend(maker.candidates);
            }
            if tier != Tier::Known && !self.memory.is_finished(tier, head) {
                let mined = self.mined[index].get_or_init(|| self.atoms.of_head(engine, head));
                all.extend(templates::candidates(
                    engine,
                    mined,
                    (tier, together),
                    (index, head),
                    (&known, &self.instances),
                    until,
                ));
            }
        }
        all
    }

    /// What a search of a single head finds at all heads, one after the other, each given what was found
    /// before.
    fn head_by_head(
        &mut self,
        engine: &mut Engine<'_>,
        (tier, until): (Tier, Instant),
        mut search: impl FnMut(
            &mut Engine<'_>,
            &mut Memory,
            (usize, &Head),
            TermId,
        ) -> Result<Vec<Candidate>, Reason>,
    ) -> Result<Vec<Candidate>, Reason> {
        let mut all: Vec<Candidate> = Vec::new();
        let mut support = self.assumption(engine);
        let heads = self.heads.iter().enumerate();
        for (index, head) in heads.filter(|(_, head)| head.is_speakable()) {
            if Instant::now() > until {
                break;
            }
            if self.memory.is_finished(tier, head) {
                continue;
            }
            let found = search(engine, self.memory, (index, head), support)?;
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

    /// What is known where a proof is looked for, and all of it as one.
    pub fn given(&self, engine: &mut Engine<'_>) -> (TermId, Vec<Candidate>) {
        let mut given = self.folds.behind(&mut engine.terms);
        given.extend(self.found.iter().cloned());
        let all = engine
            .terms
            .and_all(given.iter().map(|candidate| candidate.assumption));
        (all, given)
    }

    /// Looks at what was found in random runs, in builds with debug assertions.
    pub fn assert_in_runs(&self, engine: &Engine<'_>) {
        if cfg!(debug_assertions) {
            let constants = self.atoms.constants(&engine.terms);
            let contradicted = observed::contradicted(engine, &self.heads, &self.found, &constants);
            assert!(
                contradicted.is_none(),
                "a run breaks an invariant: {contradicted:?}"
            );
        }
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
        let until = until.min(Instant::now() + stretched(DESCRIPTION));
        let (mut kept, began) = (Kept::default(), Instant::now());
        for position in (0..left.len()).rev() {
            let mut conditions = left.clone();
            conditions[position] = engine.terms.not(left[position]);
            decider.queries += 1;
            let answer = kept.ask(&engine.terms, engine.options, &conditions, until);
            if matches!(answer, kept::Answer::Impossible) {
                left.remove(position);
            }
        }
        decider.time += began.elapsed();
        left
    }
}

#[cfg(test)]
mod tests {
    use kripke_elts::{FunctionId, Id};
    use kripke_smt::{SolverChoice, create_solver};

    use crate::decide::Decider;
    use crate::engine::Engine;
    use crate::options::Options;

    /// The engine after an induction over so many loops of the first function, as often as it says.
    pub(super) fn after_induction(
        program: &str,
        (k, loops): (u32, u32),
        work: impl FnOnce(&mut Engine<'_>, &mut Decider<'_>),
    ) {
        let program = kripke_elts::text::parse(program).unwrap_or_else(|error| panic!("{error}"));
        let options = Options::default();
        let mut engine = Engine::new(&program, &options);
        let all = (0..loops).map(|number| (FunctionId::new(0), number)).collect();
        assert_eq!(engine.run_induction(1, k, &all), Ok(true));
        assert_eq!(engine.run.record.heads.len(), loops as usize);
        let solver = create_solver(&SolverChoice::Default).expect("the embedded solver");
        work(&mut engine, &mut Decider::new(solver, &options));
    }
}
