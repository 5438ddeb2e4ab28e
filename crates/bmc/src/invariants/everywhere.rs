//! Predicates that hold at the heads of many loops.
//!
//! Idea: handlers come between any two accesses, each time in a loop of its own, at whose heads the same is
//! true of what they share. What can be said of one place at many heads is asked as one: it holds at all of
//! them, or is dropped, which needs as many questions as there are predicates and not as there are heads.
//! What comes to a head is often what left the one before, so the paths must not be left out of a question.
//! Each chain of bounds is asked by itself, its weakest first.

use std::time::Instant;

use kripke_model::Reason;
use kripke_smt::TermId;
use rustc_hash::FxHashMap;

use crate::decide::Decider;
use crate::engine::Engine;
use crate::invariants::candidate::{Candidate, Line};
use crate::invariants::fixpoint::{Broken, fixpoint};
use crate::invariants::heads::{Head, Location};
use crate::invariants::questions::Questions;

/// At so many heads a predicate is asked as one.
pub(super) const MANY_HEADS: usize = 8;

/// Those of the candidates that hold wherever they are candidates, given the support.
pub(super) fn inductive(
    engine: &mut Engine<'_>,
    decider: &mut Decider<'_>,
    (heads, support): (&[Head], TermId),
    candidates: Vec<Candidate>,
    until: Instant,
) -> Result<Vec<Candidate>, Reason> {
    let chains = by_chain(engine, heads, &candidates);
    let (mut support, mut found) = (support, Vec::new());
    let mut questions = Questions::new(decider);
    for classes in chains {
        if Instant::now() > until {
            break;
        }
        let (weakest, stronger) = classes.split_last().expect("a chain has a class");
        for group in [weakest.clone(), stronger.concat()] {
            let kept = fixpoint(engine, &mut questions, support, (group, Broken::OnPath), until)?;
            let kept = kept.unwrap_or_default();
            if kept.is_empty() {
                break;
            }
            for candidate in &kept {
                support = engine.terms.and(support, candidate.assumption);
            }
            found.extend(kept);
        }
    }
    Ok(found)
}

/// The candidates of many heads: for each chain its classes, those that imply others before them.
fn by_chain(engine: &mut Engine<'_>, heads: &[Head], candidates: &[Candidate]) -> Vec<Vec<Vec<Candidate>>> {
    let mut classes: Vec<Vec<Candidate>> = Vec::new();
    let mut numbers: FxHashMap<TermId, usize> = FxHashMap::default();
    for candidate in candidates {
        let Some(class) = class_of(engine, &heads[candidate.head], candidate.predicate) else {
            continue;
        };
        let number = *numbers.entry(class).or_insert(classes.len());
        if number == classes.len() {
            classes.push(Vec::new());
        }
        let class = Some(class);
        classes[number].push(Candidate {
            class,
            ..candidate.clone()
        });
    }
    classes.retain(|class| class.len() >= MANY_HEADS);
    let mut chains: Vec<Vec<Vec<Candidate>>> = Vec::new();
    let mut last: Option<Line> = None;
    for class in classes {
        let line = class[0].line();
        match chains.last_mut() {
            Some(chain) if line.1.is_some() && last == Some(line) => chain.push(class),
            _ => chains.push(vec![class]),
        }
        last = Some(line);
    }
    chains
}

/// The predicate with variables that are named after the places, which it has in common with those of other
/// heads; nothing where it speaks of more than places.
fn class_of(engine: &mut Engine<'_>, head: &Head, predicate: TermId) -> Option<TermId> {
    let mut named = FxHashMap::default();
    for variable in engine.terms.variables_of(&[predicate]) {
        let place = head.places.iter().find(|place| place.variable == variable)?;
        let function = match place.location {
            Location::Variable(_) => Some(head.function),
            Location::Cell { .. } => None,
        };
        let sort = engine.terms.sort(variable);
        let name = format!("{function:?} {:?} {:?} {sort:?}", place.location, place.part);
        named.insert(variable, engine.terms.variable(&name, sort));
    }
    Some(engine.terms.substitute(predicate, &mut named))
}
