//! Strongly connected components.
//!
//! Idea: one depth-first search numbers the nodes; the lowest number that is reached from a node tells
//! whether it is the first of its component. With a stack of its own, as graphs may be deep.
//!
//! Invariant: a component comes after all components that its edges lead to.
//!
//! Source: Tarjan 1972.

/// What stands at a position in the list of a node's edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// An edge to this node.
    To(usize),
    /// An edge that does not count.
    Skipped,
    /// The list ends before.
    End,
}

/// A node on the path of the search.
struct Visited {
    node: usize,
    position: usize,
}

const UNSEEN: usize = usize::MAX;

struct Search {
    numbers: Vec<usize>,
    lowest: Vec<usize>,
    is_open: Vec<bool>,
    open: Vec<usize>,
    path: Vec<Visited>,
    next: usize,
}

impl Search {
    fn enter(&mut self, node: usize) {
        self.numbers[node] = self.next;
        self.lowest[node] = self.next;
        self.next += 1;
        self.is_open[node] = true;
        self.open.push(node);
        self.path.push(Visited { node, position: 0 });
    }

    /// Ends the last node of the path; its component, where it is the first node of one.
    fn leave(&mut self, node: usize) -> Option<Vec<usize>> {
        self.path.pop();
        if let Some(before) = self.path.last() {
            self.lowest[before.node] = self.lowest[before.node].min(self.lowest[node]);
        }
        if self.lowest[node] != self.numbers[node] {
            return None;
        }
        let start = self.open.iter().rposition(|open| *open == node)?;
        let members = self.open.split_off(start);
        for member in &members {
            self.is_open[*member] = false;
        }
        Some(members)
    }
}

/// The components of the part of a graph of `count` nodes that is reached from these roots, each in the order
/// in which its nodes were found. `edge` is what stands at a position in a node's list of edges.
pub fn components(
    count: usize,
    roots: impl IntoIterator<Item = usize>,
    edge: impl Fn(usize, usize) -> Edge,
) -> Vec<Vec<usize>> {
    let mut search = Search {
        numbers: vec![UNSEEN; count],
        lowest: vec![UNSEEN; count],
        is_open: vec![false; count],
        open: Vec::new(),
        path: Vec::new(),
        next: 0,
    };
    let mut found = Vec::new();
    for root in roots {
        if search.numbers[root] == UNSEEN {
            search.enter(root);
        }
        while let Some(Visited { node, position }) = search.path.last_mut() {
            let node = *node;
            *position += 1;
            match edge(node, *position - 1) {
                Edge::Skipped => {}
                Edge::To(to) if search.numbers[to] == UNSEEN => search.enter(to),
                Edge::To(to) if search.is_open[to] => {
                    search.lowest[node] = search.lowest[node].min(search.numbers[to]);
                }
                Edge::To(_) => {}
                Edge::End => found.extend(search.leave(node)),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(edges: &[&[usize]], expected: &[&[usize]]) {
        let edge =
            |node: usize, position: usize| edges[node].get(position).map_or(Edge::End, |to| Edge::To(*to));
        let found = components(edges.len(), 0..edges.len(), edge);
        assert_eq!(found, expected);
    }

    #[test]
    fn components_come_after_those_they_lead_to() {
        check(&[], &[]);
        check(&[&[]], &[&[0]]);
        check(&[&[1], &[2], &[1]], &[&[1, 2], &[0]]);
        check(&[&[1, 3], &[2], &[0], &[4], &[3]], &[&[3, 4], &[0, 1, 2]]);
        check(&[&[2], &[0, 0], &[0]], &[&[0, 2], &[1]]);
    }

    #[test]
    fn only_what_the_roots_reach_counts() {
        let edge = |node: usize, position: usize| match (node, position) {
            (0, 0) => Edge::Skipped,
            (0, 1) => Edge::To(2),
            _ => Edge::End,
        };
        assert_eq!(components(3, [0], edge), [vec![2], vec![0]]);
    }
}
