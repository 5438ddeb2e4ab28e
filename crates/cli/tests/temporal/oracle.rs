//! What is true of a machine: by exhaustive search, without symbols.

use std::collections::{HashMap, HashSet};

use kripke_logic::{
    AutomatonPair, Buchi, DeterministicMonitor, Formula, FourValued, Letter, MonitorLimits, Options, StateId,
};

use crate::generator::Atom;
use crate::machine::{Configuration, Machine, Step};

/// One formula over one machine.
pub struct Watcher<'a> {
    machine: &'a Machine,
    atoms: &'a [Atom],
    /// Which variables the formula's atoms read.
    watched: HashSet<usize>,
    used: Vec<usize>,
    monitor: DeterministicMonitor,
    negative: Buchi,
}

impl<'a> Watcher<'a> {
    pub fn new(formula: &Formula, atoms: &'a [Atom], machine: &'a Machine) -> Self {
        let pair = AutomatonPair::new(formula, &Options::default()).expect("small formulas");
        let limits = MonitorLimits {
            states: 100_000,
            classes: 256,
        };
        let printed = kripke_logic::printer::print(formula, kripke_logic::Dialect::Spin);
        let text = printed.expect("LTL").text;
        let used: Vec<usize> = (0..atoms.len())
            .filter(|index| text.contains(&format!("p{index}")))
            .collect();
        Watcher {
            machine,
            atoms,
            watched: used
                .iter()
                .flat_map(|index| atoms[*index].reads.clone())
                .collect(),
            used,
            monitor: DeterministicMonitor::from_pair(&pair, &limits).expect("small formulas"),
            negative: pair.negative,
        }
    }

    fn letter(&self, at: &Configuration) -> Letter {
        let bits = self
            .used
            .iter()
            .filter(|index| (self.atoms[**index].holds)(&at.values));
        Letter(bits.fold(0, |letter, index| letter | 1 << index))
    }

    fn is_seen(&self, written: &[usize]) -> bool {
        written.iter().any(|variable| self.watched.contains(variable))
    }

    /// The least value over all traces that are cut at the bound.
    pub fn value(&self, bound: u32) -> FourValued {
        let start = self.machine.start();
        let first = self.monitor.step(self.monitor.initial, self.letter(&start));
        let mut open = vec![(start, first)];
        let mut known: HashSet<(Configuration, StateId)> = open.iter().cloned().collect();
        let mut least = FourValued::True;
        while let Some((at, state)) = open.pop() {
            for step in self.machine.steps(&at, Some(bound)) {
                let Step::Goes(next, written) = step else {
                    // The letter is that of the last watched write, so that of the values now.
                    least = least.meet(self.monitor.value(state, self.letter(&at)));
                    continue;
                };
                let state = match self.is_seen(&written) {
                    true => self.monitor.step(state, self.letter(&next)),
                    false => state,
                };
                if known.insert((next.clone(), state)) {
                    open.push((next, state));
                }
            }
        }
        least
    }

    /// Does some run, for ever, violate the formula?
    pub fn some_run_violates(&self) -> bool {
        let quiet = self.diverging();
        let start = self.machine.start();
        let mut graph = Graph::default();
        let mut open = Vec::new();
        for state in self
            .negative
            .successors(self.negative.initial, self.letter(&start))
        {
            open.push(graph.node((Place::At(start.clone()), state)).0);
        }
        while let Some(node) = open.pop() {
            let (place, state) = graph.nodes[node].clone();
            let mut targets: Vec<((Place, StateId), bool)> = Vec::new();
            let mut read = |place: Place, letter: Letter| {
                for next in self.negative.successors(state, letter) {
                    targets.push(((place.clone(), next), true));
                }
            };
            match place {
                Place::Stutters(letter) => read(Place::Stutters(letter), letter),
                Place::At(at) => {
                    if quiet.contains(&at) {
                        read(Place::Stutters(self.letter(&at)), self.letter(&at));
                    }
                    let mut silent = Vec::new();
                    for step in self.machine.steps(&at, None) {
                        match step {
                            Step::Goes(next, written) if self.is_seen(&written) => {
                                let letter = self.letter(&next);
                                read(Place::At(next), letter);
                            }
                            Step::Goes(next, _) => silent.push(((Place::At(next), state), false)),
                            Step::Ended | Step::Cut => {
                                let letter = self.letter(&at);
                                read(Place::Stutters(letter), letter);
                            }
                        }
                    }
                    targets.append(&mut silent);
                }
            }
            for (target, letter) in targets {
                let (number, new) = graph.node(target);
                graph.edges[node].push((number, letter));
                if new {
                    open.push(number);
                }
            }
        }
        graph.has_cycle(|(_, state)| self.negative.states[state.index()].accepting)
    }

    /// The configurations that a run can go round in without a letter.
    fn diverging(&self) -> HashSet<Configuration> {
        let mut graph: Graph<Configuration> = Graph::default();
        let mut open = vec![graph.node(self.machine.start()).0];
        while let Some(node) = open.pop() {
            for step in self.machine.steps(&graph.nodes[node].clone(), None) {
                let Step::Goes(next, written) = step else { continue };
                let (number, new) = graph.node(next);
                if !self.is_seen(&written) {
                    graph.edges[node].push((number, true));
                }
                if new {
                    open.push(number);
                }
            }
        }
        let component = graph.components();
        let cyclic = |node: usize| {
            graph.edges[node]
                .iter()
                .any(|(to, _)| component[*to] == component[node])
        };
        let nodes = (0..graph.nodes.len()).filter(|node| cyclic(*node));
        nodes.map(|node| graph.nodes[node].clone()).collect()
    }
}

/// A place of the product.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Place {
    At(Configuration),
    /// The last letter repeats for ever.
    Stutters(Letter),
}

struct Graph<N> {
    nodes: Vec<N>,
    numbers: HashMap<N, usize>,
    /// Target, and whether a letter is read.
    edges: Vec<Vec<(usize, bool)>>,
}

impl<N> Default for Graph<N> {
    fn default() -> Self {
        Graph {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            edges: Vec::new(),
        }
    }
}

impl<N: Clone + Eq + std::hash::Hash> Graph<N> {
    fn node(&mut self, node: N) -> (usize, bool) {
        if let Some(number) = self.numbers.get(&node) {
            return (*number, false);
        }
        self.numbers.insert(node.clone(), self.nodes.len());
        self.nodes.push(node);
        self.edges.push(Vec::new());
        (self.nodes.len() - 1, true)
    }

    /// A component with an accepting node and, inside, an edge with a letter.
    fn has_cycle(&self, accepting: impl Fn(&N) -> bool) -> bool {
        let component = self.components();
        let lively: HashSet<usize> = (0..self.nodes.len())
            .filter(|node| {
                let mut edges = self.edges[*node].iter();
                edges.any(|(to, letter)| *letter && component[*to] == component[*node])
            })
            .map(|node| component[node])
            .collect();
        (0..self.nodes.len()).any(|node| lively.contains(&component[node]) && accepting(&self.nodes[node]))
    }

    /// Strongly connected components, by Kosaraju's two searches.
    fn components(&self) -> Vec<usize> {
        let count = self.nodes.len();
        let mut reversed = vec![Vec::new(); count];
        for (from, edges) in self.edges.iter().enumerate() {
            edges.iter().for_each(|(to, _)| reversed[*to].push(from));
        }
        let (mut seen, mut order) = (vec![false; count], Vec::new());
        for root in 0..count {
            let mut stack = vec![(root, 0)];
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            while let Some((node, next)) = stack.pop() {
                match self.edges[node].get(next) {
                    None => order.push(node),
                    Some((to, _)) => {
                        stack.push((node, next + 1));
                        if !std::mem::replace(&mut seen[*to], true) {
                            stack.push((*to, 0));
                        }
                    }
                }
            }
        }
        let mut component = vec![usize::MAX; count];
        for root in order.into_iter().rev() {
            let mut open = vec![root];
            while let Some(node) = open.pop() {
                if component[node] == usize::MAX {
                    component[node] = root;
                    let before = |from: &&usize| component[**from] == usize::MAX;
                    open.extend(reversed[node].iter().filter(before));
                }
            }
        }
        component
    }
}
