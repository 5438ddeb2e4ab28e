//! From marks on edges to accepting states.
//!
//! Gastin and Oddoux, section 5: copy the automaton once per mark; an edge leads from the copy that waits for
//! a mark past all the marks it carries, in a fixed order; the copy that waits for none is accepting, and
//! starts again. Counting begins anew where a component is entered, and does not happen at all where no run
//! can stay. The order of the marks matters for the size, so several are tried.

use rustc_hash::FxHashMap;

use crate::graph::{Edge, Graph};
use crate::translate::TooLarge;

/// The orders of `count` marks worth trying.
pub(crate) fn orders(count: u32) -> Vec<Vec<u32>> {
    let forward: Vec<u32> = (0..count).collect();
    match count {
        0 | 1 => vec![forward],
        2 => vec![vec![0, 1], vec![1, 0]],
        3 => vec![
            vec![0, 1, 2],
            vec![0, 2, 1],
            vec![1, 0, 2],
            vec![1, 2, 0],
            vec![2, 0, 1],
            vec![2, 1, 0],
        ],
        _ => vec![forward.clone(), forward.into_iter().rev().collect()],
    }
}

impl Graph {
    /// The state-based graph of the same language.
    pub(crate) fn degeneralise(&self, order: &[u32], limit: usize) -> Result<Graph, TooLarge> {
        let components = self.components();
        let cycle_marks = self.cycle_marks(&components);
        let all = self.all_marks();
        let last = order.len();
        let level_after = |source: u32, level: usize, edge: &Edge| {
            let component = components.of[edge.target as usize];
            if component != components.of[source as usize] || cycle_marks[component as usize] != Some(all) {
                return 0;
            }
            let waiting = if level == last { 0 } else { level };
            (waiting..last)
                .find(|&at| edge.marks >> order[at] & 1 == 0)
                .unwrap_or(last)
        };
        let mut number: FxHashMap<(u32, usize), u32> = FxHashMap::default();
        let mut states = vec![(self.initial, 0usize)];
        number.insert(states[0], 0);
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        while edges.len() < states.len() {
            let (state, level) = states[edges.len()];
            let accepting = level == last && cycle_marks[components.of[state as usize] as usize] == Some(all);
            let mut out = Vec::new();
            for edge in &self.edges[state as usize] {
                let key = (edge.target, level_after(state, level, edge));
                let target = *number.entry(key).or_insert_with(|| {
                    states.push(key);
                    states.len() as u32 - 1
                });
                out.push(Edge {
                    target,
                    marks: u64::from(accepting),
                    label: edge.label,
                });
            }
            edges.push(out);
            if states.len() > limit {
                return Err(TooLarge { states: limit });
            }
        }
        Ok(Graph {
            edges,
            initial: 0,
            mark_count: 1,
        })
    }
}
