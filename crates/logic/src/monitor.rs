//! The four-valued monitor of a formula: reads a trace letter by letter, and knows the formula's value after
//! each.
//!
//! It follows the automata of φ and of ¬φ at once. No state of φ's automaton left: no continuation satisfies
//! φ, ⊥. None of ¬φ's left: none violates it, ⊤. Both are exact, for every automaton state accepts something;
//! judging *sets* of states is sharper than the paper's tables, which look at one state at a time. Otherwise
//! the last letter decides, repeated for ever: ⊤ᵖ when some state of φ's automaton accepts that, else ⊥ᵖ.
//!
//! [`DeterministicMonitor`] is the subset construction, minimised as a Mealy machine whose output is the
//! value after the letter. Two states with the same future outputs that are both reached by a letter a also
//! agree on the value now: a definite value shows in every future, and the presumable one is that of a's
//! repetition, which is in the future too. So a value per state and last letter is well defined after
//! minimisation. [`SetMonitor`] keeps the sets of states, for formulas whose subset construction is too
//! large.

use rustc_hash::FxHashMap;

use crate::atom::Atoms;
use crate::bdd::{Bdd, Bdds};
use crate::buchi::{Buchi, StateId};
use crate::formula::Formula;
use crate::graph::Graph;
use crate::label::{Label, Letter};
use crate::letters::classes_within;
use crate::stutter::stutter_acceptance;
use crate::translate::{Options, TranslateError, translate};
use crate::verdict::FourValued;

/// How large the deterministic monitor may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonitorLimits {
    /// The most states before minimisation.
    pub states: usize,
    /// The most classes of letters that the automata tell apart.
    pub classes: usize,
}

impl Default for MonitorLimits {
    fn default() -> Self {
        MonitorLimits {
            states: 2_000,
            classes: 256,
        }
    }
}

/// The automata of a formula and of its negation, which everything else is computed from.
#[derive(Clone, Debug)]
pub struct AutomatonPair {
    /// The automaton of φ.
    pub positive: Buchi,
    /// The automaton of ¬φ.
    pub negative: Buchi,
    /// The letters that can occur; all when absent.
    pub letters: Option<Label>,
}

impl AutomatonPair {
    /// Translates a formula and its negation.
    pub fn new(formula: &Formula, options: &Options) -> Result<AutomatonPair, TranslateError> {
        Ok(AutomatonPair {
            positive: translate(formula, options)?,
            negative: translate(&formula.negated(), options)?,
            letters: options.letters.clone(),
        })
    }

    /// The graphs, and the set of possible letters.
    pub(crate) fn graphs(&self, bdds: &mut Bdds) -> (Graph, Graph, Bdd) {
        let letters = self
            .letters
            .as_ref()
            .map_or(Bdd::TRUE, |letters| bdds.label(letters));
        let mut graphs = [self.positive.to_graph(bdds), self.negative.to_graph(bdds)];
        for graph in &mut graphs {
            for edge in graph.edges.iter_mut().flatten() {
                edge.label = bdds.and(edge.label, letters);
            }
        }
        let [positive, negative] = graphs;
        (positive, negative, letters)
    }
}

/// A monitor, deterministic where that is small.
#[derive(Clone, Debug)]
pub enum Monitor {
    /// One state at a time.
    Deterministic(DeterministicMonitor),
    /// Sets of automaton states.
    Sets(SetMonitor),
}

impl Monitor {
    /// The monitor of a formula.
    pub fn new(
        formula: &Formula,
        options: &Options,
        limits: &MonitorLimits,
    ) -> Result<Monitor, TranslateError> {
        let pair = AutomatonPair::new(formula, options)?;
        Ok(Monitor::from_pair(pair, limits))
    }

    /// The monitor of automata that are there already.
    pub fn from_pair(pair: AutomatonPair, limits: &MonitorLimits) -> Monitor {
        match DeterministicMonitor::from_pair(&pair, limits) {
            Some(monitor) => Monitor::Deterministic(monitor),
            None => Monitor::Sets(SetMonitor::from_pair(pair)),
        }
    }

    /// The value after each letter of a trace.
    pub fn run(&self, letters: &[Letter]) -> Vec<FourValued> {
        match self {
            Monitor::Deterministic(monitor) => monitor.run(letters),
            Monitor::Sets(monitor) => monitor.run(letters),
        }
    }
}

/// A state of a deterministic monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorState {
    /// Where each letter leads. The labels are disjoint, and contain every letter that can occur.
    pub edges: Vec<(Label, StateId)>,
    /// The value, when it no longer depends on what comes.
    pub definite: Option<bool>,
    /// Otherwise: the last letters after which the value is ⊤ᵖ; after others it is ⊥ᵖ.
    pub presumably_true: Label,
}

/// The deterministic monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeterministicMonitor {
    /// What the bits of letters mean.
    pub atoms: Atoms,
    /// The states.
    pub states: Vec<MonitorState>,
    /// The state before the first letter.
    pub initial: StateId,
    /// Which values some trace has, in the order of [`FourValued::ALL`].
    pub possible: [bool; 4],
}

impl DeterministicMonitor {
    /// The state after a letter.
    pub fn step(&self, state: StateId, letter: Letter) -> StateId {
        let edges = &self.states[state.index()].edges;
        edges
            .iter()
            .find(|(label, _)| label.contains(letter))
            .map_or(state, |(_, target)| *target)
    }

    /// The value in a state that the given letter led to.
    pub fn value(&self, state: StateId, last: Letter) -> FourValued {
        let state = &self.states[state.index()];
        match state.definite {
            Some(truth) => FourValued::definitely(truth),
            None => FourValued::presumably(state.presumably_true.contains(last)),
        }
    }

    /// The value after each letter of a trace.
    pub fn run(&self, letters: &[Letter]) -> Vec<FourValued> {
        let mut state = self.initial;
        letters
            .iter()
            .map(|&letter| {
                state = self.step(state, letter);
                self.value(state, letter)
            })
            .collect()
    }

    /// The subset construction, `None` when it exceeds the limits or no letter can occur.
    pub fn from_pair(pair: &AutomatonPair, limits: &MonitorLimits) -> Option<DeterministicMonitor> {
        let mut bdds = Bdds::new();
        let (positive, negative, letters) = pair.graphs(&mut bdds);
        let labels: Vec<Bdd> = positive
            .edges
            .iter()
            .chain(&negative.edges)
            .flatten()
            .map(|e| e.label)
            .collect();
        let classes = classes_within(letters, labels, limits.classes, &mut bdds)?;
        if classes.is_empty() {
            return None;
        }
        let subsets = Subsets::build(&positive, &negative, &classes, limits.states, &mut bdds)?;
        Some(subsets.minimised(pair.positive.atoms.clone(), &classes, letters, &mut bdds))
    }
}

/// The subset construction, letter class by letter class.
struct Subsets {
    /// Per state and class: the state after it.
    next: Vec<Vec<u32>>,
    /// Per state and class: the value in the state when the class came last.
    value: Vec<Vec<FourValued>>,
    definite: Vec<Option<bool>>,
}

type SubsetPair = (Vec<u32>, Vec<u32>);

impl Subsets {
    fn build(
        positive: &Graph,
        negative: &Graph,
        classes: &[Bdd],
        limit: usize,
        bdds: &mut Bdds,
    ) -> Option<Subsets> {
        let moves = [moves(positive, classes, bdds), moves(negative, classes, bdds)];
        let accepts: Vec<Vec<bool>> = stutter_acceptance(positive, bdds)
            .into_iter()
            .map(|set| classes.iter().map(|&class| bdds.implies(class, set)).collect())
            .collect();
        let start = |graph: &Graph| -> Vec<u32> {
            if graph.edges[graph.initial as usize].is_empty() {
                Vec::new()
            } else {
                vec![graph.initial]
            }
        };
        let mut states: Vec<SubsetPair> = vec![(start(positive), start(negative))];
        let mut number: FxHashMap<SubsetPair, u32> = FxHashMap::default();
        number.insert(states[0].clone(), 0);
        let mut subsets = Subsets {
            next: Vec::new(),
            value: Vec::new(),
            definite: Vec::new(),
        };
        while subsets.next.len() < states.len() {
            let (yes, no) = states[subsets.next.len()].clone();
            let definite = match (yes.is_empty(), no.is_empty()) {
                (true, _) => Some(false),
                (false, true) => Some(true),
                (false, false) => None,
            };
            let value = |class: usize| match definite {
                Some(truth) => FourValued::definitely(truth),
                None => FourValued::presumably(yes.iter().any(|&state| accepts[state as usize][class])),
            };
            subsets.value.push((0..classes.len()).map(value).collect());
            subsets.definite.push(definite);
            let mut row = Vec::with_capacity(classes.len());
            for class in 0..classes.len() {
                let pair = (image(&moves[0], &yes, class), image(&moves[1], &no, class));
                let next = *number.entry(pair).or_insert_with_key(|pair| {
                    states.push(pair.clone());
                    states.len() as u32 - 1
                });
                row.push(next);
            }
            subsets.next.push(row);
            if states.len() > limit {
                return None;
            }
        }
        Some(subsets)
    }

    /// The coarsest partition that agrees on outputs and successors: a block number per state.
    fn partition(&self) -> Vec<u32> {
        let output = |state: usize| -> Vec<FourValued> {
            self.next[state]
                .iter()
                .enumerate()
                .map(|(class, &to)| self.value[to as usize][class])
                .collect()
        };
        let mut block: Vec<u32> = number_by((0..self.next.len()).map(output));
        loop {
            let refined = number_by((0..self.next.len()).map(|state| {
                (
                    block[state],
                    self.next[state]
                        .iter()
                        .map(|&to| block[to as usize])
                        .collect::<Vec<_>>(),
                )
            }));
            if refined.iter().max() == block.iter().max() {
                return refined;
            }
            block = refined;
        }
    }

    fn minimised(
        &self,
        atoms: Atoms,
        classes: &[Bdd],
        letters: Bdd,
        bdds: &mut Bdds,
    ) -> DeterministicMonitor {
        let block = self.partition();
        let count = block.iter().max().map_or(0, |max| *max as usize + 1);
        let impossible = bdds.not(letters);
        let mut states: Vec<Option<MonitorState>> = vec![None; count];
        let mut possible = [false; 4];
        for state in 0..self.next.len() {
            for (class, &to) in self.next[state].iter().enumerate() {
                possible[self.value[to as usize][class] as usize] = true;
            }
            let slot = &mut states[block[state] as usize];
            if slot.is_some() {
                continue;
            }
            let mut targets: Vec<(u32, Bdd)> = Vec::new();
            let mut presumably = Bdd::FALSE;
            for (class, &to) in self.next[state].iter().enumerate() {
                let to = block[to as usize];
                match targets.iter_mut().find(|(target, _)| *target == to) {
                    Some((_, set)) => *set = bdds.or(*set, classes[class]),
                    None => targets.push((to, classes[class])),
                }
                if self.value[state][class] >= FourValued::PresumablyTrue {
                    presumably = bdds.or(presumably, classes[class]);
                }
            }
            // Letters that cannot occur go to the first target, so that the labels stay disjoint.
            if let Some((_, set)) = targets.first_mut() {
                *set = bdds.or(*set, impossible);
            }
            let upper = bdds.or(presumably, impossible);
            *slot = Some(MonitorState {
                edges: targets
                    .iter()
                    .map(|&(to, set)| (bdds.sum(set), StateId::new(to as usize)))
                    .collect(),
                definite: self.definite[state],
                presumably_true: bdds.sum_between(presumably, upper),
            });
        }
        let states = states.into_iter().flatten().collect();
        DeterministicMonitor {
            atoms,
            states,
            initial: StateId::new(block[0] as usize),
            possible,
        }
    }
}

/// Numbers equal keys alike, in the order of their first occurrence.
fn number_by<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = K>) -> Vec<u32> {
    let mut seen: FxHashMap<K, u32> = FxHashMap::default();
    keys.map(|key| {
        let next = seen.len() as u32;
        *seen.entry(key).or_insert(next)
    })
    .collect()
}

/// Per state and class: the successors.
fn moves(graph: &Graph, classes: &[Bdd], bdds: &mut Bdds) -> Vec<Vec<Vec<u32>>> {
    let mut result = Vec::with_capacity(graph.len());
    for edges in &graph.edges {
        let mut row = Vec::with_capacity(classes.len());
        for &class in classes {
            row.push(
                edges
                    .iter()
                    .filter(|edge| bdds.implies(class, edge.label))
                    .map(|edge| edge.target)
                    .collect(),
            );
        }
        result.push(row);
    }
    result
}

fn image(moves: &[Vec<Vec<u32>>], set: &[u32], class: usize) -> Vec<u32> {
    let mut image: Vec<u32> = set
        .iter()
        .flat_map(|&state| moves[state as usize][class].iter().copied())
        .collect();
    image.sort_unstable();
    image.dedup();
    image
}

/// The monitor that keeps the sets of automaton states.
#[derive(Clone, Debug)]
pub struct SetMonitor {
    /// The automata.
    pub pair: AutomatonPair,
    /// For each state of φ's automaton, the letters whose endless repetition it accepts.
    pub stutter: Vec<Label>,
}

/// Where the automata can be after a trace; sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SetState {
    /// States of φ's automaton.
    pub positive: Vec<StateId>,
    /// States of ¬φ's automaton.
    pub negative: Vec<StateId>,
}

impl SetMonitor {
    /// The monitor of a pair of automata.
    pub fn from_pair(pair: AutomatonPair) -> SetMonitor {
        let mut bdds = Bdds::new();
        let graph = pair.positive.to_graph(&mut bdds);
        let sets = stutter_acceptance(&graph, &mut bdds);
        let stutter = sets.into_iter().map(|set| bdds.sum(set)).collect();
        SetMonitor { pair, stutter }
    }

    /// The sets before the first letter.
    pub fn initial(&self) -> SetState {
        let start = |automaton: &Buchi| -> Vec<StateId> {
            let dead = automaton.states[automaton.initial.index()].edges.is_empty();
            if dead { Vec::new() } else { vec![automaton.initial] }
        };
        SetState {
            positive: start(&self.pair.positive),
            negative: start(&self.pair.negative),
        }
    }

    /// The sets after a letter.
    pub fn step(&self, state: &SetState, letter: Letter) -> SetState {
        let step = |automaton: &Buchi, set: &[StateId]| -> Vec<StateId> {
            let mut next: Vec<StateId> = set
                .iter()
                .flat_map(|&state| automaton.successors(state, letter))
                .collect();
            next.sort_unstable();
            next.dedup();
            next
        };
        SetState {
            positive: step(&self.pair.positive, &state.positive),
            negative: step(&self.pair.negative, &state.negative),
        }
    }

    /// The value in sets that the given letter led to.
    pub fn value(&self, state: &SetState, last: Letter) -> FourValued {
        if state.positive.is_empty() {
            FourValued::False
        } else if state.negative.is_empty() {
            FourValued::True
        } else {
            FourValued::presumably(
                state
                    .positive
                    .iter()
                    .any(|s| self.stutter[s.index()].contains(last)),
            )
        }
    }

    /// The value after each letter of a trace.
    pub fn run(&self, letters: &[Letter]) -> Vec<FourValued> {
        let mut state = self.initial();
        letters
            .iter()
            .map(|&letter| {
                state = self.step(&state, letter);
                self.value(&state, letter)
            })
            .collect()
    }
}
