//! Which branches decide whether a transition is taken.
//!
//! Idea: a place depends on a branch if one way from there leads to it for sure and another may miss it.
//! Where all ways from a branch meet again, it does not matter any more: that is the branch's nearest
//! postdominator. Where a function may go on for ever, it may return there, too: all places have
//! postdominators then, and a way that does not end is none around what follows in the callers.
//!
//! Source: Cooper, Harvey, Kennedy: A simple, fast dominance algorithm (2001), on the reversed graph.

use kripke_elts::{Function, Id, LocationId, StatementKind};

/// The control dependences of a function.
pub(crate) struct Control {
    /// For each location the branches that decide whether it is reached, then for each transition.
    depends_on: Vec<Vec<LocationId>>,
    /// Where the transitions of each location begin among these.
    first: Vec<usize>,
    meets: Vec<Meeting>,
}

/// Where all ways from a location meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// At another location.
    At(LocationId),
    /// On one of its own transitions: all others lead back.
    On(usize),
    /// Nowhere: on some the run ends.
    Nowhere,
}

impl Control {
    pub fn of(function: &Function) -> Self {
        let graph = Graph::of(function);
        let nearest = graph.postdominators();
        let count = function.locations.len();
        let mut depends_on = vec![Vec::new(); graph.ways.len()];
        for from in 0..count {
            if graph.ways[from].len() < 2 {
                continue;
            }
            for to in &graph.ways[from] {
                let mut at = *to;
                while at != nearest[from] {
                    depends_on[at].push(LocationId::new(from));
                    at = nearest[at];
                }
            }
        }
        let meets = (0..count)
            .map(|from| match nearest[from] {
                at if at < count => Meeting::At(LocationId::new(at)),
                at if at == graph.end() => Meeting::Nowhere,
                at => Meeting::On(at - graph.first[from]),
            })
            .collect();
        Control {
            depends_on,
            first: graph.first,
            meets,
        }
    }

    /// The branches that decide whether a location is reached.
    pub fn of_location(&self, location: LocationId) -> &[LocationId] {
        &self.depends_on[location.index()]
    }

    /// The branches that decide whether a transition is taken.
    pub fn of_transition(&self, location: LocationId, transition: usize) -> &[LocationId] {
        &self.depends_on[self.first[location.index()] + transition]
    }

    /// Where all ways from a location meet.
    pub fn meeting(&self, location: LocationId) -> Meeting {
        self.meets[location.index()]
    }
}

/// Locations, then transitions, then the end.
struct Graph {
    first: Vec<usize>,
    ways: Vec<Vec<usize>>,
}

impl Graph {
    fn of(function: &Function) -> Self {
        let mut first = Vec::new();
        let mut next = function.locations.len();
        for location in function.locations.iter() {
            first.push(next);
            next += location.transitions.len();
        }
        let end = next;
        let mut graph = Graph {
            ways: vec![Vec::new(); end + 1],
            first,
        };
        for (id, location) in function.locations.enumerate() {
            if id == function.exit {
                graph.ways[id.index()].push(end);
            }
            for (index, transition) in location.transitions.iter().enumerate() {
                let node = graph.first[id.index()] + index;
                graph.ways[id.index()].push(node);
                let mut statements = transition.statements.iter();
                let stops = statements.any(|statement| matches!(statement.kind, StatementKind::Stop { .. }));
                graph.ways[node].push(if stops { end } else { transition.target.index() });
            }
        }
        graph.leave_what_is_not_left(function);
        graph
    }

    fn end(&self) -> usize {
        self.ways.len() - 1
    }

    /// From wherever the end cannot be reached there is a way to the function's exit then: who calls it goes
    /// on there.
    fn leave_what_is_not_left(&mut self, function: &Function) {
        loop {
            let ends = self.reaching_end();
            let order = function.reverse_postorder();
            let others = function.locations.ids().filter(|id| !order.contains(id));
            let mut all = order.iter().copied().chain(others);
            let Some(without) = all.find(|id| !ends[id.index()]) else {
                return;
            };
            self.ways[without.index()].push(function.exit.index());
        }
    }

    fn reversed(&self) -> Vec<Vec<usize>> {
        let mut back = vec![Vec::new(); self.ways.len()];
        for (from, ways) in self.ways.iter().enumerate() {
            ways.iter().for_each(|to| back[*to].push(from));
        }
        back
    }

    fn reaching_end(&self) -> Vec<bool> {
        let back = self.reversed();
        let mut seen = vec![false; self.ways.len()];
        let mut open = vec![self.end()];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(&back[node]);
            }
        }
        seen
    }

    /// For each node the nearest that is on all its ways to the end; that of the end is itself.
    fn postdominators(&self) -> Vec<usize> {
        let back = self.reversed();
        let order = postorder(&back, self.end());
        let mut number = vec![0; self.ways.len()];
        for (position, node) in order.iter().enumerate() {
            number[*node] = position;
        }
        let unknown = usize::MAX;
        let mut nearest = vec![unknown; self.ways.len()];
        nearest[self.end()] = self.end();
        let mut changed = true;
        while changed {
            changed = false;
            for node in order.iter().rev().filter(|node| **node != self.end()) {
                let known = self.ways[*node].iter().filter(|to| nearest[**to] != unknown);
                let met = known.copied().reduce(|a, b| meet(&nearest, &number, a, b));
                let met = met.unwrap_or(self.end());
                changed |= nearest[*node] != met;
                nearest[*node] = met;
            }
        }
        nearest
    }
}

fn meet(nearest: &[usize], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] < number[b] {
            a = nearest[a];
        }
        while number[b] < number[a] {
            b = nearest[b];
        }
    }
    a
}

/// The nodes that can be reached, each behind all that are reached through it first.
fn postorder(ways: &[Vec<usize>], from: usize) -> Vec<usize> {
    let mut seen = vec![false; ways.len()];
    let mut order = Vec::new();
    let mut open = vec![(from, 0)];
    seen[from] = true;
    while let Some((node, next)) = open.pop() {
        match ways[node].get(next) {
            Some(to) => {
                open.push((node, next + 1));
                if !std::mem::replace(&mut seen[*to], true) {
                    open.push((*to, 0));
                }
            }
            None => order.push(node),
        }
    }
    order
}
