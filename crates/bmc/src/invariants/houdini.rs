//! The largest part of a set of candidates that is inductive together.
//!
//! Idea: candidates about what is computed simply (counters, states) come first, those about sums of windows
//! later, so that the hard ones cost at most themselves where the time does not suffice. Of each chain of
//! bounds the weakest is asked first: that something has no bound at all is found out in one step, and not
//! constant by constant. What was lost is asked once more at the end, with all that was found by then.

use std::time::Instant;

use kripke_model::Reason;
use kripke_smt::{SatResult, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::decide::{Decider, solver_failed};
use crate::engine::Engine;
use crate::invariants::candidate::{Candidate, Line};
use crate::limits;
use crate::replay::Model;

/// How many groups the candidates are asked in.
const GROUPS: usize = 6;
/// The smallest part of the time that is left which a group gets: one in so many.
const MAX_SHARES: u32 = 5;
/// How many are asked at once where the likely ones come first.
const IN_TURN: usize = 1000;
/// Fewer are asked at once.
const SMALL: usize = 40;

/// In which order candidates are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sequence {
    /// Those with the smallest formulas first.
    Cost,
    /// The likely ones first, as they are given; of some hundreds those with the smallest formulas.
    Given,
}

/// Candidates that hold together, given the support: all that do, where the time suffices.
pub(crate) fn inductive(
    engine: &mut Engine<'_>,
    decider: &mut Decider<'_>,
    support: TermId,
    (candidates, sequence): (Vec<Candidate>, Sequence),
    until: Instant,
) -> Result<Vec<Candidate>, Reason> {
    let mut search = Search {
        engine,
        decider,
        support,
        found: Vec::new(),
        until,
    };
    let groups = match sequence {
        Sequence::Cost => by_cost(search.engine, candidates),
        Sequence::Given => {
            let parts = in_turn(candidates).into_iter();
            parts.flat_map(|part| by_cost(search.engine, part)).collect()
        }
    };
    let mut lost: Vec<Candidate> = Vec::new();
    // Each group is asked twice, what was lost once more at the end.
    let mut shares = 2 * groups.len() as u32 + 1;
    for group in groups {
        let loose: Vec<Candidate> = weakest(&group).into_iter().cloned().collect();
        let bounded = search.keep(loose, shares)?;
        let (tight, rest): (Vec<Candidate>, Vec<Candidate>) = group
            .into_iter()
            .partition(|candidate| candidate.chain.is_some() && bounded.contains(&candidate.line()));
        search.keep(tight, shares - 1)?;
        lost.extend(rest);
        shares -= 2;
    }
    search.keep(lost, 1)?;
    Ok(search.found)
}

struct Search<'s, 'e, 'd> {
    engine: &'s mut Engine<'e>,
    decider: &'s mut Decider<'d>,
    support: TermId,
    found: Vec<Candidate>,
    until: Instant,
}

impl Search<'_, '_, '_> {
    /// Keeps those of the candidates that hold together with what is known, within one of so many shares of
    /// the time that is left; the chains of which one does.
    fn keep(&mut self, candidates: Vec<Candidate>, shares: u32) -> Result<FxHashSet<Line>, Reason> {
        let known: FxHashSet<(usize, TermId)> = self.found.iter().map(Candidate::identity).collect();
        let mut candidates = candidates;
        candidates.retain(|candidate| !known.contains(&candidate.identity()));
        let now = Instant::now();
        let until = now + self.until.saturating_duration_since(now) / shares.min(MAX_SHARES);
        let kept = fixpoint(self.engine, self.decider, self.support, candidates, until)?;
        let kept = kept.unwrap_or_default();
        for candidate in &kept {
            self.support = self.engine.terms.and(self.support, candidate.assumption);
        }
        let lines = kept.iter().map(Candidate::line).collect();
        self.found.extend(kept);
        Ok(lines)
    }
}

/// The candidates in groups of rising size of their formulas, chains in one piece.
fn by_cost(engine: &Engine<'_>, candidates: Vec<Candidate>) -> Vec<Vec<Candidate>> {
    if candidates.len() < SMALL {
        return vec![candidates];
    }
    let mut sizes: FxHashMap<(usize, u32), usize> = FxHashMap::default();
    let mut costs = Vec::with_capacity(candidates.len());
    for candidate in &candidates {
        let size = || engine.terms.reachable(&[candidate.broken]).len();
        costs.push(match candidate.chain {
            Some(chain) => *sizes.entry((candidate.head, chain)).or_insert_with(size),
            None => size(),
        });
    }
    let mut sorted = costs.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let limits: Vec<usize> = (1..=GROUPS)
        .map(|group| sorted[(sorted.len() * group).div_ceil(GROUPS) - 1])
        .collect();
    let mut groups: Vec<Vec<Candidate>> = vec![Vec::new(); GROUPS];
    for (candidate, cost) in candidates.into_iter().zip(costs) {
        let group = limits.partition_point(|limit| *limit < cost);
        groups[group].push(candidate);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// The candidates in groups as they are given, chains in one piece.
fn in_turn(candidates: Vec<Candidate>) -> Vec<Vec<Candidate>> {
    let mut groups: Vec<Vec<Candidate>> = vec![Vec::new()];
    let mut last: Option<Line> = None;
    for candidate in candidates {
        let in_chain = candidate.chain.is_some() && last == Some(candidate.line());
        last = Some(candidate.line());
        if groups[groups.len() - 1].len() >= IN_TURN && !in_chain {
            groups.push(Vec::new());
        }
        let current = groups.len() - 1;
        groups[current].push(candidate);
    }
    groups
}

/// Drops candidates until no arrival breaks one of those that are left, given them and the support; `None`
/// when that is not decided in time.
fn fixpoint(
    engine: &mut Engine<'_>,
    decider: &mut Decider<'_>,
    support: TermId,
    mut candidates: Vec<Candidate>,
    until: Instant,
) -> Result<Option<Vec<Candidate>>, Reason> {
    let limits = limits::of(engine.options).until(until);
    while !candidates.is_empty() {
        let active = strongest(&candidates);
        let broken = active.iter().map(|candidate| candidate.broken);
        let broken = engine.terms.or_all(broken);
        if engine.terms.as_bool(broken) == Some(false) {
            break;
        }
        let mut conditions = vec![broken, support, engine.address_facts()];
        conditions.extend(active.iter().map(|candidate| candidate.assumption));
        match decider.ask(engine, &conditions, &limits) {
            Ok(SatResult::Unsat) => break,
            Ok(SatResult::Sat) => {}
            Ok(SatResult::Unknown(_)) | Err(Reason::Time) => return Ok(None),
            Err(reason) => return Err(reason),
        }
        let model = Model::new(decider.solver.as_mut());
        let asked: Vec<TermId> = candidates.iter().map(|candidate| candidate.broken).collect();
        let values = model
            .evaluate(engine, &asked)
            .map_err(|error| solver_failed(&error))?;
        let before = candidates.len();
        let mut values = values.into_iter();
        candidates.retain(|_| values.next().and_then(|value| value.as_bool()) != Some(true));
        if candidates.len() == before {
            return Ok(None);
        }
    }
    Ok(Some(strongest(&candidates).into_iter().cloned().collect()))
}

/// The first candidate of each chain, which implies the others of it.
fn strongest(candidates: &[Candidate]) -> Vec<&Candidate> {
    firsts(candidates.iter())
}

/// The last candidate of each chain, which the others of it imply.
fn weakest(candidates: &[Candidate]) -> Vec<&Candidate> {
    firsts(candidates.iter().rev())
}

fn firsts<'c>(candidates: impl Iterator<Item = &'c Candidate>) -> Vec<&'c Candidate> {
    let mut lines = FxHashSet::default();
    candidates
        .filter(|candidate| candidate.chain.is_none() || lines.insert(candidate.line()))
        .collect()
}
