//! The graph of the states of threads, and the runs that go round in it for ever.
//!
//! Idea: a node is a state at the hub all of whose values are constants; an edge is what one thread does up
//! to its next place. Runs that violate a formula for ever stay, from some node on, in nodes to which
//! survivors (see [`super::monitor_code`]) lived since the node before. So they go round in a component of
//! these nodes.
//! With weak fairness, each thread goes on in it somewhere, or cannot at some node of it.
//!
//! Invariant: what the program can do from one node to the next is an edge; some edges may be too many, where
//! paths met whose inputs differ.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use kripke_graph::{Edge, components};
use rustc_hash::FxHashMap;

/// A node and the thread that goes on there; none where it was not chosen yet.
type Origin = (u32, Option<u8>);

/// The graph, and where states came from.
#[derive(Clone, Debug, Default)]
pub struct StateGraph {
    nodes: Vec<Node>,
    /// Threads were chosen in states that are no nodes, so it is not known of edges whose they are.
    pub is_blurred: bool,
    /// From which nodes a state may have come, each set once.
    origins: Vec<BTreeSet<Origin>>,
    known: FxHashMap<BTreeSet<Origin>, u32>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// Survivors lived since the node before.
    survives: bool,
    /// A thread is in an atomic section: the others cannot go on only because they are not seen to.
    is_in_section: bool,
    edges: BTreeSet<(u8, u32)>,
    /// The threads that can go on.
    goes_on: BTreeSet<u8>,
}

/// Which thread goes on, again and again, up to a loop and in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Up to the loop.
    pub stem: Vec<u8>,
    /// In the loop.
    pub cycle: Vec<u8>,
}

impl StateGraph {
    /// How many nodes there are.
    pub fn states(&self) -> u64 {
        self.nodes.len() as u64
    }

    /// Another node.
    pub fn add(&mut self, survives: bool, is_in_section: bool) -> u32 {
        self.nodes.push(Node {
            survives,
            is_in_section,
            ..Node::default()
        });
        (self.nodes.len() - 1) as u32
    }

    /// The origin of what begins at a node.
    pub fn at(&mut self, node: u32) -> u32 {
        self.intern(BTreeSet::from([(node, None)]))
    }

    /// A thread goes on.
    pub fn goes_on(&mut self, came: u32, thread: u8) -> u32 {
        let origins = self.origins_of(came);
        self.intern(
            origins
                .into_iter()
                .map(|(node, _)| (node, Some(thread)))
                .collect(),
        )
    }

    /// Two states met.
    pub fn join(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let mut all = self.origins_of(a);
        all.extend(self.origins_of(b));
        self.intern(all)
    }

    /// A state has come to a node.
    pub fn arrive(&mut self, came: u32, node: u32) {
        for (from, thread) in self.origins_of(came) {
            if let Some(thread) = thread {
                self.nodes[from as usize].edges.insert((thread, node));
                self.nodes[from as usize].goes_on.insert(thread);
            }
        }
    }

    /// A run has come to its end, or is not followed further.
    pub fn end(&mut self, came: u32) {
        for (from, thread) in self.origins_of(came) {
            self.nodes[from as usize].goes_on.extend(thread);
        }
    }

    fn origins_of(&self, came: u32) -> BTreeSet<Origin> {
        let index = (came as usize).checked_sub(1);
        index.map_or_else(BTreeSet::new, |index| self.origins[index].clone())
    }

    fn intern(&mut self, set: BTreeSet<Origin>) -> u32 {
        if set.is_empty() {
            return 0;
        }
        if let Some(known) = self.known.get(&set) {
            return *known;
        }
        self.origins.push(set.clone());
        let number = self.origins.len() as u32;
        self.known.insert(set, number);
        number
    }

    /// A schedule that goes round for ever among the nodes to which survivors lived; only where each thread
    /// goes on again and again, or cannot, if it is to be fair.
    pub fn lasso(&self, is_fair: bool) -> Option<Schedule> {
        let survives = |node: &usize| self.nodes[*node].survives;
        let edge = |node: usize, position: usize| match self.nodes[node].edges.iter().nth(position) {
            None => Edge::End,
            Some((_, to)) if survives(&(*to as usize)) => Edge::To(*to as usize),
            Some(_) => Edge::Skipped,
        };
        let roots = (0..self.nodes.len()).filter(survives);
        let all = components(self.nodes.len(), roots, edge).into_iter();
        let mut found = all
            .map(|members| Component {
                graph: self,
                members: members.into_iter().map(|node| node as u32).collect(),
            })
            .filter(|component| component.goes_round() && (!is_fair || component.is_fair()));
        let component = found.next()?;
        let stem = self.path(0, |node| component.members.contains(&node), |_| true)?;
        let start = stem.last().map_or(0, |(_, node)| *node);
        let cycle = match is_fair {
            true => component.fair_cycle(start),
            false => component.cycle(start),
        }?;
        let threads = |path: Vec<(u8, u32)>| path.into_iter().map(|(thread, _)| thread).collect();
        Some(Schedule {
            stem: threads(stem),
            cycle: threads(cycle),
        })
    }

    /// A shortest path to such a node, through nodes that may be passed.
    fn path(
        &self,
        from: u32,
        is_end: impl Fn(u32) -> bool,
        may_pass: impl Fn(u32) -> bool,
    ) -> Option<Vec<(u8, u32)>> {
        let mut before: BTreeMap<u32, Option<(u32, u8)>> = BTreeMap::from([(from, None)]);
        let mut open = VecDeque::from([from]);
        while let Some(node) = open.pop_front() {
            if is_end(node) {
                let mut path = Vec::new();
                let mut at = node;
                while let Some(Some((from, thread))) = before.get(&at) {
                    path.push((*thread, at));
                    at = *from;
                }
                path.reverse();
                return Some(path);
            }
            for (thread, to) in &self.nodes.get(node as usize)?.edges {
                if may_pass(*to) && !before.contains_key(to) {
                    before.insert(*to, Some((node, *thread)));
                    open.push_back(*to);
                }
            }
        }
        None
    }
}

/// Nodes from each of which all others are reached.
struct Component<'g> {
    graph: &'g StateGraph,
    members: BTreeSet<u32>,
}

impl Component<'_> {
    fn edges(&self) -> impl Iterator<Item = (u32, u8, u32)> + '_ {
        let of = |node: &u32| self.graph.nodes[*node as usize].edges.iter();
        let all = self
            .members
            .iter()
            .flat_map(move |node| of(node).map(|(thread, to)| (*node, *thread, *to)));
        all.filter(|(_, _, to)| self.members.contains(to))
    }

    fn goes_round(&self) -> bool {
        self.edges().next().is_some()
    }

    fn threads(&self) -> BTreeSet<u8> {
        let nodes = self.graph.nodes.iter();
        nodes.flat_map(|node| node.goes_on.iter().copied()).collect()
    }

    /// Where a thread goes on inside, or cannot.
    fn visit(&self, thread: u8) -> Option<(u32, Option<u32>)> {
        let mut moves = self.edges().filter(|(_, of, _)| *of == thread);
        if let Some((from, _, to)) = moves.next() {
            return Some((from, Some(to)));
        }
        let cannot = |node: &&u32| {
            let node = &self.graph.nodes[**node as usize];
            !node.is_in_section && !node.goes_on.contains(&thread)
        };
        let node = self.members.iter().find(cannot);
        node.map(|node| (*node, None))
    }

    fn is_fair(&self) -> bool {
        self.threads()
            .into_iter()
            .all(|thread| self.visit(thread).is_some())
    }

    fn inside(&self, from: u32, to: u32) -> Option<Vec<(u8, u32)>> {
        let members = &self.members;
        self.graph
            .path(from, |node| node == to, |node| members.contains(&node))
    }

    /// Round from a node and back.
    fn cycle(&self, start: u32) -> Option<Vec<(u8, u32)>> {
        let first = self.edges().filter(|(from, _, _)| *from == start);
        let cycles = first.filter_map(|(_, thread, to)| {
            let mut cycle = vec![(thread, to)];
            cycle.extend(self.inside(to, start)?);
            Some(cycle)
        });
        cycles.min_by_key(Vec::len)
    }

    /// The same past all that fairness asks for.
    fn fair_cycle(&self, start: u32) -> Option<Vec<(u8, u32)>> {
        let mut cycle = Vec::new();
        let mut at = start;
        for thread in self.threads() {
            let (from, to) = self.visit(thread)?;
            cycle.extend(self.inside(at, from)?);
            at = from;
            if let Some(to) = to {
                cycle.push((thread, to));
                at = to;
            }
        }
        match cycle.is_empty() {
            true => self.cycle(start),
            false => {
                cycle.extend(self.inside(at, start)?);
                Some(cycle)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Schedule, StateGraph};

    /// Two threads; edges are (from, thread, to); the nodes that survivors do not live to.
    fn graph(count: usize, edges: &[(u32, u8, u32)], dead: &[u32]) -> StateGraph {
        let mut graph = StateGraph::default();
        for node in 0..count as u32 {
            graph.add(!dead.contains(&node), false);
        }
        for (from, thread, to) in edges {
            let start = graph.at(*from);
            let came = graph.goes_on(start, *thread);
            graph.arrive(came, *to);
        }
        graph
    }

    fn schedule(stem: &[u8], cycle: &[u8]) -> Option<Schedule> {
        Some(Schedule {
            stem: stem.to_vec(),
            cycle: cycle.to_vec(),
        })
    }

    #[test]
    fn a_thread_alone_is_not_fair() {
        let spin = graph(3, &[(0, 0, 1), (1, 0, 1), (1, 1, 2)], &[]);
        assert_eq!(spin.lasso(false), schedule(&[0], &[0]));
        assert_eq!(spin.lasso(true), None);
    }

    #[test]
    fn a_thread_that_cannot_go_on_is_treated_fairly() {
        let waits = graph(2, &[(0, 1, 1), (1, 0, 1)], &[]);
        assert_eq!(waits.lasso(true), schedule(&[1], &[0]));
    }

    #[test]
    fn a_fair_cycle_passes_both_threads() {
        let both = graph(3, &[(0, 0, 1), (1, 0, 1), (1, 1, 2), (2, 1, 1), (2, 0, 2)], &[]);
        assert_eq!(both.lasso(true), schedule(&[0], &[0, 1, 1]));
    }

    #[test]
    fn a_run_that_ends_could_go_on() {
        let mut ends = graph(2, &[(0, 0, 1), (1, 0, 1)], &[]);
        assert_eq!(ends.lasso(true), schedule(&[0], &[0]));
        let start = ends.at(1);
        let came = ends.goes_on(start, 1);
        ends.end(came);
        assert_eq!(ends.lasso(true), None);
    }

    #[test]
    fn survivors_have_to_live() {
        let round = [(0, 0, 1), (1, 0, 2), (2, 0, 1)];
        assert_eq!(graph(3, &round, &[2]).lasso(false), None);
        assert_eq!(graph(3, &round, &[]).lasso(false), schedule(&[0], &[0, 0]));
    }
}
