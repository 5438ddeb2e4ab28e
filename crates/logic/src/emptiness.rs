//! Products of automata, and words they accept.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::bdd::{Bdd, Bdds};
use crate::graph::{Components, Edge, Graph};
use crate::label::Letter;
use crate::trace::Lasso;

/// The automaton of the words that both accept: pairs of states, the marks of both side by side.
pub(crate) fn product(a: &Graph, b: &Graph, bdds: &mut Bdds) -> Graph {
    let mut number: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut pairs = vec![(a.initial, b.initial)];
    number.insert(pairs[0], 0);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < pairs.len() {
        let (s, t) = pairs[edges.len()];
        let mut out = Vec::new();
        for x in &a.edges[s as usize] {
            for y in &b.edges[t as usize] {
                let label = bdds.and(x.label, y.label);
                if label == Bdd::FALSE {
                    continue;
                }
                let pair = (x.target, y.target);
                let target = *number.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() as u32 - 1
                });
                out.push(Edge {
                    target,
                    marks: x.marks | y.marks << a.mark_count,
                    label,
                });
            }
        }
        edges.push(out);
    }
    Graph {
        edges,
        initial: 0,
        mark_count: a.mark_count + b.mark_count,
    }
}

/// Some word the graph accepts.
pub(crate) fn find_word(graph: &Graph, bdds: &Bdds) -> Option<Lasso> {
    let components = graph.components();
    let cycle_marks = graph.cycle_marks(&components);
    let all = graph.all_marks();
    let accepting = |state: usize| cycle_marks[components.of[state] as usize] == Some(all);
    let (mut stem, entry) = path(graph, bdds, graph.initial as usize, &|_, _| true, &accepting)?;
    let cycle = cycle_through(graph, bdds, &components, entry, all)?;
    // A stem that ends as the cycle does can be shorter.
    let mut cycle = VecDeque::from(cycle);
    while !stem.is_empty() && stem.last() == cycle.back() {
        stem.pop();
        cycle.rotate_right(1);
    }
    Some(Lasso {
        stem,
        cycle: cycle.into(),
    })
}

/// A cycle from the entry to itself, inside its component, that meets every mark.
fn cycle_through(
    graph: &Graph,
    bdds: &Bdds,
    components: &Components,
    entry: usize,
    all: u64,
) -> Option<Vec<Letter>> {
    let inside = |state: usize, edge: &Edge| components.of[state] == components.of[edge.target as usize];
    let (mut word, mut at, mut missing) = (Vec::new(), entry, all);
    while missing != 0 {
        let useful = |state: usize| {
            graph.edges[state]
                .iter()
                .any(|e| inside(state, e) && e.marks & missing != 0)
        };
        let (letters, source) = path(graph, bdds, at, &inside, &useful)?;
        word.extend(letters);
        let edge = graph.edges[source]
            .iter()
            .find(|e| inside(source, e) && e.marks & missing != 0)?;
        word.push(bdds.pick(edge.label)?);
        missing &= !edge.marks;
        at = edge.target as usize;
    }
    if at == entry && !word.is_empty() {
        return Some(word);
    }
    if at == entry {
        let edge = graph.edges[at].iter().find(|e| inside(at, e))?;
        word.push(bdds.pick(edge.label)?);
        at = edge.target as usize;
    }
    let (letters, _) = path(graph, bdds, at, &inside, &|state| state == entry)?;
    word.extend(letters);
    Some(word)
}

/// A shortest path to a state of some kind: its letters and its end.
fn path(
    graph: &Graph,
    bdds: &Bdds,
    from: usize,
    follow: &dyn Fn(usize, &Edge) -> bool,
    goal: &dyn Fn(usize) -> bool,
) -> Option<(Vec<Letter>, usize)> {
    let mut came: Vec<Option<(usize, Bdd)>> = vec![None; graph.len()];
    let mut seen = vec![false; graph.len()];
    let mut queue = VecDeque::from([from]);
    seen[from] = true;
    while let Some(state) = queue.pop_front() {
        if goal(state) {
            let (mut letters, mut at) = (Vec::new(), state);
            while let Some((before, label)) = came[at] {
                letters.push(bdds.pick(label)?);
                at = before;
            }
            letters.reverse();
            return Some((letters, state));
        }
        for edge in graph.edges[state].iter().filter(|edge| follow(state, edge)) {
            let target = edge.target as usize;
            if !seen[target] {
                seen[target] = true;
                came[target] = Some((state, edge.label));
                queue.push_back(target);
            }
        }
    }
    None
}
