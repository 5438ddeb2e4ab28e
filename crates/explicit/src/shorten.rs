//! A short lasso from what the search for accepting components has seen.
//!
//! Depth-first search finds long runs. When a component with an accepting state is found, breadth-first
//! search through the visited part of the product finds shortest stems to accepting states of that component,
//! and from each of the first few a shortest cycle inside the component; the shortest sum is returned. Only
//! visited states are looked at, so this costs no more than the search did, and nothing new is stored.

use kripke_model::{Choice, KripkeStructure};

use crate::lasso::LassoPath;
use crate::limits::Stopped;
use crate::ltl::{DONE, UNSEEN};
use crate::pieces::Pieces;
use crate::product::{Product, ProductState};

/// How many accepting states are tried as the start of the cycle.
const CANDIDATES: usize = 32;

/// States, each with what leads to it.
type Walk = Vec<(ProductState, Option<Choice>)>;

/// A step of a walk: how it was reached, and from which earlier step.
#[derive(Clone, Copy)]
struct Step {
    at: ProductState,
    parent: usize,
    choice: Option<Choice>,
}

/// Breadth-first steps, with one bit per product state.
struct Layers {
    steps: Vec<Step>,
    seen: Vec<u64>,
    next: usize,
}

impl Layers {
    fn new(size: usize) -> Self {
        Layers {
            steps: Vec::new(),
            seen: vec![0; size.div_ceil(64)],
            next: 0,
        }
    }

    /// Notes a state once.
    fn add(&mut self, index: usize, step: Step) {
        let bit = 1 << (index % 64);
        if self.seen[index / 64] & bit == 0 {
            self.seen[index / 64] |= bit;
            self.steps.push(step);
        }
    }

    /// The walk that leads to a step, without its first state.
    fn walk(&self, mut step: usize) -> Walk {
        let mut walk = Vec::new();
        while self.steps[step].parent != usize::MAX {
            walk.push((self.steps[step].at, self.steps[step].choice));
            step = self.steps[step].parent;
        }
        walk.reverse();
        walk
    }

    fn first(&self, mut step: usize) -> ProductState {
        while self.steps[step].parent != usize::MAX {
            step = self.steps[step].parent;
        }
        self.steps[step].at
    }

    /// Forgets everything; costs what was noted, not the size of the product.
    fn clear(&mut self, index: impl Fn(ProductState) -> usize) {
        for step in &self.steps {
            self.seen[index(step.at) / 64] = 0;
        }
        self.steps.clear();
        self.next = 0;
    }
}

/// A short accepting lasso; `root` is the lowest number of the accepting component.
pub(crate) fn shortest_lasso<M: KripkeStructure>(
    product: &mut Product<'_, M>,
    numbers: &Pieces<u32>,
    initial: &[ProductState],
    root: u32,
) -> Result<LassoPath, Stopped> {
    let mut stems = Layers::new(numbers.len());
    for &at in initial
        .iter()
        .filter(|&&at| numbers.at(product.index(at)) != UNSEEN)
    {
        let start = Step {
            at,
            parent: usize::MAX,
            choice: None,
        };
        stems.add(product.index(at), start);
    }
    let mut cycles = Layers::new(numbers.len());
    let mut best: Option<(usize, Walk)> = None;
    let mut stem_lengths = Vec::new();
    let mut tried = 0;
    while stems.next < stems.steps.len() && tried < CANDIDATES {
        let step = stems.next;
        let Step { at, parent, .. } = stems.steps[step];
        let length = if parent == usize::MAX {
            0
        } else {
            stem_lengths[parent] + 1
        };
        stem_lengths.push(length);
        if best
            .as_ref()
            .is_some_and(|(stem, cycle)| length + 1 >= stem_lengths[*stem] + cycle.len())
        {
            break;
        }
        if product.is_accepting(at) && is_member(numbers.at(product.index(at)), root) {
            tried += 1;
            let cycle = shortest_cycle(product, numbers, &mut cycles, at, root)?;
            if best
                .as_ref()
                .is_none_or(|(stem, shorter)| length + cycle.len() < stem_lengths[*stem] + shorter.len())
            {
                best = Some((step, cycle));
            }
        }
        expand(product, numbers, &mut stems, |number| number != UNSEEN)?;
    }
    let (stem, cycle) = best.expect("the component found has an accepting state");
    let mut walk = stems.walk(stem);
    let loop_start = walk.len();
    walk.extend(cycle);
    let state = |at: ProductState| Box::from(&*product.store.state(at.state));
    let mut states = vec![state(stems.first(stem))];
    states.extend(walk.iter().map(|(at, _)| state(*at)));
    let choices = walk.into_iter().map(|(_, choice)| choice).collect();
    Ok(LassoPath::fold(states, choices, loop_start))
}

/// Whether a number belongs to the accepting component.
fn is_member(number: u32, root: u32) -> bool {
    number >= root && number != DONE
}

/// Notes those successors of the next step whose numbers are admitted.
fn expand<M: KripkeStructure>(
    product: &mut Product<'_, M>,
    numbers: &Pieces<u32>,
    layers: &mut Layers,
    admit: impl Fn(u32) -> bool,
) -> Result<(), Stopped> {
    let parent = layers.next;
    layers.next += 1;
    product.known_successors(layers.steps[parent].at, |index, at, choice| {
        if admit(numbers.at(index)) {
            layers.add(index, Step { at, parent, choice });
        }
    })
}

/// A shortest walk inside the component from a state back to it.
fn shortest_cycle<M: KripkeStructure>(
    product: &mut Product<'_, M>,
    numbers: &Pieces<u32>,
    layers: &mut Layers,
    start: ProductState,
    root: u32,
) -> Result<Walk, Stopped> {
    layers.clear(|at| product.index(at));
    // The start is a step without being noted as seen, so that the walk may come back to it.
    layers.steps.push(Step {
        at: start,
        parent: usize::MAX,
        choice: None,
    });
    loop {
        let before = layers.steps.len();
        assert!(layers.next < before, "states of a component lie on cycles");
        expand(product, numbers, layers, |number| is_member(number, root))?;
        if let Some(found) = (before..layers.steps.len()).find(|&step| layers.steps[step].at == start) {
            return Ok(layers.walk(found));
        }
    }
}
