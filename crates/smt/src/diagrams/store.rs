//! Reduced ordered binary decision diagrams with complement edges.
//!
//! Idea: a truth function of bits is a node that tests one bit and two edges to functions of later bits;
//! equal functions are equal edges. An edge may negate, so that a function and its negation share nodes.
//!
//! Invariant: no two nodes are equal, no node has two equal edges, the edge of a bit that is 1 never
//! negates. Where no step may be done any more, operations fail, and what there is stays right.
//!
//! Source: R. E. Bryant, "Graph-Based Algorithms for Boolean Function Manipulation" (1986); K. S. Brace,
//! R. L. Rudell and R. E. Bryant, "Efficient Implementation of a BDD Package" (DAC 1990).

use super::effort::{Effort, Failed};

/// A function of bits inside its [`Store`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Edge(u32);

impl Edge {
    pub const TRUE: Edge = Edge(0);
    pub const FALSE: Edge = Edge(1);

    pub fn constant(value: bool) -> Edge {
        if value { Edge::TRUE } else { Edge::FALSE }
    }

    pub fn is_constant(self) -> bool {
        self.0 <= 1
    }

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn negates(self) -> bool {
        self.0 & 1 == 1
    }

    fn negated_if(self, negated: bool) -> Edge {
        Edge(self.0 ^ u32::from(negated))
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    level: u32,
    /// Where the bit is 1: never negates.
    high: Edge,
    low: Edge,
}

/// A result that was computed before: of if-then-else, to which all operations are reduced.
#[derive(Clone, Copy)]
struct Cached {
    operands: [Edge; 3],
    result: Edge,
}

/// The level of constants: after all bits.
pub(super) const NO_LEVEL: u32 = u32::MAX;
/// No slot of the table of nodes.
const EMPTY: u32 = 0;
/// Slots for results at first, and at most.
const FIRST_CACHE: usize = 1 << 12;
const LAST_CACHE: usize = 1 << 20;

/// All nodes, and the results of operations on them.
pub(super) struct Store {
    nodes: Vec<Node>,
    /// Nodes by hash, as many slots as a power of two; at most half of them taken.
    table: Vec<u32>,
    cache: Vec<Cached>,
    pub effort: Effort,
}

fn mix(a: u32, b: u32, c: u32) -> usize {
    let first = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let second = (first ^ u64::from(c)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (second ^ second >> 32) as usize
}

impl Store {
    pub fn new() -> Self {
        let terminal = Node {
            level: NO_LEVEL,
            high: Edge::TRUE,
            low: Edge::TRUE,
        };
        let nothing = Cached {
            operands: [Edge::FALSE; 3],
            result: Edge::FALSE,
        };
        Store {
            nodes: vec![terminal],
            table: vec![EMPTY; 2 * FIRST_CACHE],
            cache: vec![nothing; FIRST_CACHE],
            effort: Effort::default(),
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The function that is true where the bit of that level is 1.
    pub fn bit(&mut self, level: u32) -> Edge {
        self.make(level, Edge::TRUE, Edge::FALSE)
    }

    /// Both.
    pub fn and(&mut self, a: Edge, b: Edge) -> Result<Edge, Failed> {
        self.ite(a, b, Edge::FALSE)
    }

    /// Any of both.
    pub fn or(&mut self, a: Edge, b: Edge) -> Result<Edge, Failed> {
        self.ite(a, Edge::TRUE, b)
    }

    /// One of both.
    pub fn xor(&mut self, a: Edge, b: Edge) -> Result<Edge, Failed> {
        self.ite(a, !b, b)
    }

    /// If-then-else.
    pub fn ite(&mut self, condition: Edge, then: Edge, otherwise: Edge) -> Result<Edge, Failed> {
        let (mut f, mut g, mut h) = (condition, then, otherwise);
        if f.is_constant() {
            return Ok(if f == Edge::TRUE { g } else { h });
        }
        g = if g == f {
            Edge::TRUE
        } else if g == !f {
            Edge::FALSE
        } else {
            g
        };
        h = if h == f {
            Edge::FALSE
        } else if h == !f {
            Edge::TRUE
        } else {
            h
        };
        if g == h {
            return Ok(g);
        }
        if g == Edge::TRUE && h == Edge::FALSE {
            return Ok(f);
        }
        if g == Edge::FALSE && h == Edge::TRUE {
            return Ok(!f);
        }
        (f, g, h) = commuted(f, g, h);
        // The condition and the first branch never negate.
        if f.negates() {
            (f, g, h) = (!f, h, g);
        }
        let negated = g.negates();
        (g, h) = (g.negated_if(negated), h.negated_if(negated));
        let slot = mix(f.0, g.0, h.0) & (self.cache.len() - 1);
        let cached = self.cache[slot];
        if cached.operands == [f, g, h] {
            return Ok(cached.result.negated_if(negated));
        }
        let result = self.expand(f, g, h)?;
        let slot = mix(f.0, g.0, h.0) & (self.cache.len() - 1);
        self.cache[slot] = Cached {
            operands: [f, g, h],
            result,
        };
        Ok(result.negated_if(negated))
    }

    /// Case distinction by the first bit that any of the three tests.
    fn expand(&mut self, f: Edge, g: Edge, h: Edge) -> Result<Edge, Failed> {
        self.effort.step()?;
        let level = self.level(f).min(self.level(g)).min(self.level(h));
        let ((f1, f0), (g1, g0)) = (self.cofactors(f, level), self.cofactors(g, level));
        let (h1, h0) = self.cofactors(h, level);
        let high = self.ite(f1, g1, h1)?;
        let low = self.ite(f0, g0, h0)?;
        Ok(self.make(level, high, low))
    }

    /// The level of the first bit tested.
    pub fn level(&self, edge: Edge) -> u32 {
        self.nodes[edge.node()].level
    }

    /// The functions where the bit of a level, not above the first, is 1 and where it is 0.
    pub fn cofactors(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        let node = self.nodes[edge.node()];
        if node.level != level {
            return (edge, edge);
        }
        let negated = edge.negates();
        (node.high.negated_if(negated), node.low.negated_if(negated))
    }

    fn make(&mut self, level: u32, high: Edge, low: Edge) -> Edge {
        if high == low {
            return high;
        }
        let negated = high.negates();
        let node = Node {
            level,
            high: high.negated_if(negated),
            low: low.negated_if(negated),
        };
        let mut slot = mix(node.level, node.high.0, node.low.0) & (self.table.len() - 1);
        loop {
            let found = self.table[slot];
            if found == EMPTY {
                break;
            }
            if self.nodes[found as usize] == node {
                return Edge(found << 1).negated_if(negated);
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
        let index = self.nodes.len() as u32;
        self.nodes.push(node);
        self.table[slot] = index;
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
        Edge(index << 1).negated_if(negated)
    }

    fn grow(&mut self) {
        let slots = self.table.len() * 2;
        self.table.clear();
        self.table.resize(slots, EMPTY);
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            let mut slot = mix(node.level, node.high.0, node.low.0) & (slots - 1);
            while self.table[slot] != EMPTY {
                slot = (slot + 1) & (slots - 1);
            }
            self.table[slot] = index as u32;
        }
        if self.cache.len() < LAST_CACHE && self.cache.len() * 2 <= slots {
            self.grow_cache();
        }
    }

    fn grow_cache(&mut self) {
        let nothing = Cached {
            operands: [Edge::FALSE; 3],
            result: Edge::FALSE,
        };
        let old = std::mem::take(&mut self.cache);
        self.cache = vec![nothing; old.len() * 2];
        for cached in old {
            let [f, g, h] = cached.operands;
            let slot = mix(f.0, g.0, h.0) & (self.cache.len() - 1);
            self.cache[slot] = cached;
        }
    }
}

/// Of the forms that a conjunction, a disjunction or an equality can have, always the same one.
fn commuted(f: Edge, g: Edge, h: Edge) -> (Edge, Edge, Edge) {
    let regular = |edge: Edge| Edge(edge.0 & !1);
    if g == Edge::TRUE && regular(h) < regular(f) {
        (h, g, f)
    } else if h == Edge::FALSE && regular(g) < regular(f) {
        (g, f, h)
    } else if h == Edge::TRUE && regular(g) < regular(f) {
        (!g, !f, h)
    } else if g == Edge::FALSE && regular(h) < regular(f) {
        (!h, g, !f)
    } else if g == !h && regular(g) < regular(f) {
        (g, f, !f)
    } else {
        (f, g, h)
    }
}
