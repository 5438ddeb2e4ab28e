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
use crate::invariants::questions::{Answer, Questions};

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
    search.keep(lost.clone(), 1)?;
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

/// What breaks a candidate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Broken {
    OnPath,
    OffPath,
}

impl Broken {
    fn of(self, candidate: &Candidate) -> TermId {
        match self {
            Broken::OnPath => candidate.broken,
            Broken::OffPath => candidate.broken_off_path.unwrap_or(candidate.broken),
        }
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

/// Drops candidates until no arrival breaks one of those that are left, given them and the support; `None`
/// when that is not decided in time.
fn fixpoint(
    engine: &mut Engine<'_>,
    questions: &mut Questions<'_, '_>,
    support: TermId,
    (mut candidates, broken_by): (Vec<Candidate>, Broken),
    until: Instant,
) -> Result<Option<Vec<Candidate>>, Reason> {
    while !candidates.is_empty() {
        let active = strongest(&candidates);
        let broken = active.iter().map(|candidate| broken_by.of(candidate));
        let broken = engine.terms.or_all(broken);
        if engine.terms.as_bool(broken) == Some(false) {
            break;
        }
        let mut conditions = vec![broken, support, engine.address_facts()];
        conditions.extend(active.iter().map(|candidate| candidate.assumption));
        let about: Vec<TermId> = candidates
            .iter()
            .map(|candidate| broken_by.of(candidate))
            .collect();
        let are_broken = match questions.ask(engine, &conditions, &about, until)? {
            Answer::Impossible => break,
            Answer::Possible(are_broken) => are_broken,
            Answer::Open => return Ok(None),
        };
        let before = candidates.len();
        let mut are_broken = are_broken.into_iter();
        candidates.retain(|_| are_broken.next() != Some(true));
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
