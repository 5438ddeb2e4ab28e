//! What the placing of invariants needs to know of a function's control flow: dominance and loops.
//!
//! Source: Aho, Lam, Sethi, Ullman: Compilers (2nd edition), section 9.6, for natural loops.

use crate::ir::Function;
use crate::translate::cfg::Cfg;

/// A natural loop.
#[derive(Debug)]
pub(super) struct Loop {
    pub head: usize,
    /// The blocks from which control goes back to the head.
    pub latches: Vec<usize>,
    pub members: Vec<bool>,
}

/// The control flow of a function.
#[derive(Debug)]
pub(super) struct Flow {
    pub successors: Vec<Vec<usize>>,
    pub predecessors: Vec<Vec<usize>>,
    pub loops: Vec<Loop>,
}

impl Flow {
    pub fn new(function: &Function) -> Flow {
        let cfg = Cfg::new(function);
        let successors = cfg.successors;
        let mut predecessors = vec![Vec::new(); successors.len()];
        // What nothing reaches comes from nowhere.
        for &block in &cfg.order {
            for &target in &successors[block] {
                predecessors[target].push(block);
            }
        }
        let mut flow = Flow {
            successors,
            predecessors,
            loops: Vec::new(),
        };
        for &head in &cfg.order {
            let returns = |from: &usize| cfg.rank[*from] >= cfg.rank[head];
            if flow.predecessors[head].iter().any(returns)
                && let Some(found) = flow.natural_loop(head)
            {
                flow.loops.push(found);
            }
        }
        flow
    }

    /// The loop of a head, where it is one.
    fn natural_loop(&self, head: usize) -> Option<Loop> {
        let outside = self.reached_without(head);
        let latches = self.predecessors[head].iter().copied();
        let latches: Vec<usize> = latches.filter(|from| !outside[*from]).collect();
        if latches.is_empty() {
            return None;
        }
        let mut members = vec![false; self.successors.len()];
        members[head] = true;
        let mut work = latches.clone();
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut members[block], true) {
                work.extend(&self.predecessors[block]);
            }
        }
        Some(Loop {
            head,
            latches,
            members,
        })
    }

    /// The blocks that the entry reaches by ways that avoid a block.
    fn reached_without(&self, avoided: usize) -> Vec<bool> {
        let mut reached = vec![false; self.successors.len()];
        let mut work = vec![0];
        while let Some(block) = work.pop() {
            if block != avoided && !std::mem::replace(&mut reached[block], true) {
                work.extend(&self.successors[block]);
            }
        }
        reached
    }

    /// Does every way to `block` come through `by`?
    pub fn dominates(&self, by: usize, block: usize) -> bool {
        !self.reached_without(by)[block]
    }

    /// Can control come back to a block without passing others?
    pub fn repeats_without(&self, block: usize, avoided: &[usize]) -> bool {
        let mut reached = vec![false; self.successors.len()];
        let mut work = self.successors[block].clone();
        while let Some(next) = work.pop() {
            if !avoided.contains(&next) && !std::mem::replace(&mut reached[next], true) {
                work.extend(&self.successors[next]);
            }
        }
        reached[block]
    }

    /// The smallest loop around a block that has a property.
    pub fn innermost(&self, block: usize, wanted: impl Fn(&Loop) -> bool) -> Option<&Loop> {
        let size = |found: &&Loop| found.members.iter().filter(|member| **member).count();
        let around = self
            .loops
            .iter()
            .filter(|found| found.members[block] && wanted(found));
        around.min_by_key(size)
    }
}
