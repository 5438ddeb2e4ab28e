//! The largest part of a set of candidates that is inductive together.
//!
//! Idea: candidates about what is computed simply (counters, states) come first, those about sums of windows
//! later, so that the hard ones cost at most themselves where the time does not suffice. Of each chain of
//! bounds the weakest is asked first: that something has no bound at all is found out in one step, and not
//! constant by constant. What was lost is asked once more at the end, with all that was found by then.

use std::time::Instant;

use kripke_model::Reason;
use kripke_smt::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::decide::Decider;
use crate::engine::Engine;
use crate::invariants::candidate::{Candidate, Line};
use crate::invariants::fixpoint::{Broken, fixpoint, strongest, weakest};
use crate::invariants::questions::Questions;

/// How many groups the candidates are asked in.
const GROUPS: usize = 6;
/// The smallest part of the time that is left which a group gets: one in so many.
const MAX_SHARES: u32 = 5;
/// How many are asked at once where the likely ones come first.
const IN_TURN: usize = 1000;
/// How many that could not be shown are asked again beside what is found later.
const MAX_LOST: usize = 1000;
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

/// Candidates that hold together, given the support: all that do, where the time suffices; and the others, of
/// which some may have been given as lost before.
pub(crate) fn inductive(
    engine: &mut Engine<'_>,
    decider: &mut Decider<'_>,
    support: TermId,
    (candidates, lost, sequence): (Vec<Candidate>, Vec<Candidate>, Sequence),
    until: Instant,
) -> Result<(Vec<Candidate>, Vec<Candidate>), Reason> {
    let mut search = Search {
        engine,
        questions: Questions::new(decider),
        support,
        found: Vec::new(),
        asks_long_paths: sequence == Sequence::Given,
        until,
    };
    let groups = match sequence {
        Sequence::Cost => by_cost(search.engine, candidates),
        Sequence::Given => {
            let parts = in_turn(candidates).into_iter();
            parts.flat_map(|part| by_cost(search.engine, part)).collect()
        }
    };
    let mut lost = lost;
    // Each group is asked twice, what was lost four times.
    let mut shares = 2 * groups.len() as u32 + 4;
    for group in groups {
        lost.extend(search.keep_group(group, shares)?);
        shares -= 2;
    }
    search.keep_lost(&lost)?;
    let found = search.found;
    let shown: FxHashSet<(usize, TermId)> = found.iter().map(Candidate::identity).collect();
    lost.retain(|candidate| !shown.contains(&candidate.identity()));
    lost.truncate(MAX_LOST);
    Ok((found, lost))
}

struct Search<'s, 'e, 'd> {
    engine: &'s mut Engine<'e>,
    questions: Questions<'s, 'd>,
    support: TermId,
    found: Vec<Candidate>,
    /// What needs long paths is asked at the end.
    asks_long_paths: bool,
    until: Instant,
}

impl Search<'_, '_, '_> {
    /// Keeps those of a group that hold together with what is known, within two of so many shares of the time
    /// that is left: the weakest of each chain, then the others of those chains. Returns what has no bound.
    fn keep_group(&mut self, group: Vec<Candidate>, shares: u32) -> Result<Vec<Candidate>, Reason> {
        let loose: Vec<Candidate> = weakest(&group).into_iter().cloned().collect();
        let bounded = self.keep(loose, shares)?;
        let (tight, rest): (Vec<Candidate>, Vec<Candidate>) = group
            .into_iter()
            .partition(|candidate| candidate.chain.is_some() && bounded.contains(&candidate.line()));
        self.keep(tight, shares - 1)?;
        Ok(rest)
    }

    /// Keeps those of what was lost that hold together with what is known: the strongest of each chain, which
    /// may hold where weaker ones do not (a counter that wraps where it is equal to something), then each
    /// chain from its weakest, and where no other search comes after this one, all.
    fn keep_lost(&mut self, lost: &[Candidate]) -> Result<(), Reason> {
        let tight: Vec<Candidate> = strongest(lost).into_iter().cloned().collect();
        self.keep(tight, 4)?;
        self.keep_group(lost.to_vec(), 3)?;
        if self.asks_long_paths {
            self.keep(lost.to_vec(), 1)?;
        }
        Ok(())
    }

    /// Keeps those of the candidates that hold together with what is known, within one of so many shares of
    /// the time that is left; the chains of which one does.
    fn keep(&mut self, candidates: Vec<Candidate>, shares: u32) -> Result<FxHashSet<Line>, Reason> {
        let known: FxHashSet<(usize, TermId)> = self.found.iter().map(Candidate::identity).collect();
        let mut candidates = candidates;
        candidates.retain(|candidate| !known.contains(&candidate.identity()));
        let now = Instant::now();
        let until = now + self.until.saturating_duration_since(now) / shares.min(MAX_SHARES);
        let mut off_path = candidates.iter().map(|candidate| candidate.broken_off_path);
        let are_long = off_path.any(|broken| broken.is_some());
        let last = self.asks_long_paths && shares == 1;
        let mut kept = match (are_long, last) {
            (false, _) => self.keep_until(candidates.clone(), Broken::OnPath, until)?,
            (true, false) => self.keep_until(candidates.clone(), Broken::OffPath, until)?,
            (true, true) => self.keep_until(candidates.clone(), Broken::OffPath, now + (until - now) / 2)?,
        };
        if are_long && last {
            let shown: FxHashSet<(usize, TermId)> = kept.iter().map(Candidate::identity).collect();
            candidates.retain(|candidate| !shown.contains(&candidate.identity()));
            kept.extend(self.keep_until(candidates, Broken::OnPath, until)?);
        }
        let lines = kept.iter().map(Candidate::line).collect();
        self.found.extend(kept);
        Ok(lines)
    }

    fn keep_until(
        &mut self,
        candidates: Vec<Candidate>,
        broken: Broken,
        until: Instant,
    ) -> Result<Vec<Candidate>, Reason> {
        let kept = fixpoint(
            self.engine,
            &mut self.questions,
            self.support,
            (candidates, broken),
            until,
        )?;
        let kept = kept.unwrap_or_default();
        for candidate in &kept {
            self.support = self.engine.terms.and(self.support, candidate.assumption);
        }
        Ok(kept)
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
        let broken = Broken::OffPath.of(candidate);
        let size = || engine.terms.reachable(&[broken]).len();
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
