//! From normal forms to generalised Büchi automata by way of very weak alternating automata.
//!
//! Gastin and Oddoux, "Fast LTL to Büchi automata translation", CAV 2001. The alternating automaton's states
//! are temporal forms; its transition function `delta` gives pairs of a set of letters and a conjunction of
//! states. A state of the generalised automaton is such a conjunction; its edges are the least pairs of the
//! product. For each `f = a U b` there is a mark; an edge to X carries it when f is not in X, or when the
//! letter lets f be left with no more than X promises.
//!
//! Three things differ from the paper. Labels are decision diagrams, so that pairs with the same conjunction
//! are one. A form that another form of the conjunction keeps demanding (`b` beside `G b`) is left out of the
//! state once the marks are known: the edges stay the same. Conjunctions with the same edges are one state
//! from the start.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::bdd::Bdd;
use crate::graph::{Edge, Graph};
use crate::normal_form::{Form, FormNode, Forms};
use crate::translate::{Limits, TooLarge};

/// A conjunction of alternating states, sorted.
type Conjunction = SmallVec<[Form; 4]>;

type Pairs = Vec<(Bdd, Conjunction)>;

/// How `X (a ∨ b)` goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NextStyle {
    /// With a state for each of a and b, as in the paper: smaller as a rule.
    Split,
    /// With one state for the disjunction: more deterministic.
    Whole,
}

pub(crate) struct Alternating<'a> {
    forms: &'a mut Forms,
    style: NextStyle,
    limits: &'a Limits,
    delta: FxHashMap<Form, Pairs>,
    /// The `U` forms met so far; the position is the mark.
    untils: Vec<Form>,
}

fn union(a: &Conjunction, b: &Conjunction) -> Conjunction {
    let mut all: Conjunction = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// One bit per form, modulo 64: a subset's bits are a subset.
fn signature(conjunction: &Conjunction) -> u64 {
    conjunction
        .iter()
        .fold(0, |bits, form| bits | 1 << (form.index() % 64))
}

fn includes(big: &Conjunction, small: &Conjunction) -> bool {
    small.len() <= big.len() && small.iter().all(|form| big.binary_search(form).is_ok())
}

/// The edges of a conjunction before states have numbers.
type RawEdges = Vec<(Conjunction, u64, Bdd)>;

impl<'a> Alternating<'a> {
    pub(crate) fn new(forms: &'a mut Forms, style: NextStyle, limits: &'a Limits) -> Self {
        Alternating {
            forms,
            style,
            limits,
            delta: FxHashMap::default(),
            untils: Vec::new(),
        }
    }

    /// The generalised automaton of a form.
    pub(crate) fn build(mut self, root: Form) -> Result<Graph, TooLarge> {
        let mut states: Vec<RawEdges> = Vec::new();
        let mut number: FxHashMap<Conjunction, u32> = FxHashMap::default();
        let mut same_edges: FxHashMap<RawEdges, u32> = FxHashMap::default();
        let mut pending: Vec<Conjunction> = Vec::new();
        let starts = self.start(root)?;
        let initial = if let [only] = starts.as_slice() {
            let edges = self.edges(only)?;
            number.insert(only.clone(), 0);
            edges
        } else {
            let mut pairs = Vec::new();
            for start in &starts {
                pairs.extend(self.product(start)?);
            }
            let pairs = self.merged(pairs);
            self.mark(&Conjunction::new(), pairs)?
        };
        pending.extend(initial.iter().map(|(target, ..)| target.clone()));
        same_edges.insert(initial.clone(), 0);
        states.push(initial);
        while let Some(conjunction) = pending.pop() {
            if number.contains_key(&conjunction) {
                continue;
            }
            let edges = self.edges(&conjunction)?;
            if let Some(&same) = same_edges.get(&edges) {
                number.insert(conjunction, same);
                continue;
            }
            let state = states.len() as u32;
            if states.len() >= self.limits.states {
                return Err(TooLarge {
                    states: self.limits.states,
                });
            }
            number.insert(conjunction, state);
            pending.extend(edges.iter().map(|(target, ..)| target.clone()));
            same_edges.insert(edges.clone(), state);
            states.push(edges);
        }
        let numbered = |edges: RawEdges| -> Vec<Edge> {
            edges
                .into_iter()
                .map(|(target, marks, label)| Edge {
                    target: number[&target],
                    marks,
                    label,
                })
                .collect()
        };
        let mut graph = Graph {
            edges: states.into_iter().map(numbered).collect(),
            initial: 0,
            mark_count: self.untils.len() as u32,
        };
        let all = graph.all_marks();
        for edge in graph.edges.iter_mut().flatten() {
            // An edge carries the marks of all `U` forms that its target lacks, also of those met later.
            edge.marks &= all;
        }
        graph.merge_parallel(&mut self.forms.bdds);
        Ok(graph)
    }

    /// The conjunctions of temporal states that the form is a disjunction of.
    fn start(&mut self, form: Form) -> Result<Vec<Conjunction>, TooLarge> {
        Ok(match self.forms.node(form).clone() {
            FormNode::And(list) if self.forms.letters(form).is_none() => {
                let mut result = vec![Conjunction::new()];
                for operand in list {
                    let parts = self.start(operand)?;
                    let products = result.iter().flat_map(|a| parts.iter().map(move |b| union(a, b)));
                    result = products.collect();
                    result.sort();
                    result.dedup();
                    self.check_pairs(result.len())?;
                }
                result
            }
            FormNode::Or(list) if self.style == NextStyle::Split && self.forms.letters(form).is_none() => {
                let mut result = Vec::new();
                for operand in list {
                    result.extend(self.start(operand)?);
                    self.check_pairs(result.len())?;
                }
                result
            }
            FormNode::Constant(true) => vec![Conjunction::new()],
            FormNode::Constant(false) => Vec::new(),
            _ => vec![Conjunction::from_elem(form, 1)],
        })
    }

    fn check_pairs(&self, count: usize) -> Result<(), TooLarge> {
        if count > self.limits.edges {
            Err(TooLarge {
                states: self.limits.states,
            })
        } else {
            Ok(())
        }
    }

    fn delta(&mut self, form: Form) -> Result<Pairs, TooLarge> {
        if let Some(known) = self.delta.get(&form) {
            return Ok(known.clone());
        }
        let pairs = match (self.forms.letters(form), self.forms.node(form).clone()) {
            (Some(letters), _) => vec![(letters, Conjunction::new())],
            (None, FormNode::And(list)) => {
                let mut result = vec![(Bdd::TRUE, Conjunction::new())];
                for operand in list {
                    let pairs = self.delta(operand)?;
                    result = self.times(&result, &pairs)?;
                }
                result
            }
            (None, FormNode::Or(list)) => {
                let mut result = Vec::new();
                for operand in list {
                    result.extend(self.delta(operand)?);
                }
                self.least(result)?
            }
            (None, FormNode::Next(a)) => self
                .start(a)?
                .into_iter()
                .map(|conjunction| (Bdd::TRUE, conjunction))
                .collect(),
            (None, FormNode::Until(a, b)) => {
                let (stay, mut leave) = (self.delta(a)?, self.delta(b)?);
                leave.extend(self.times(&stay, &vec![(Bdd::TRUE, Conjunction::from_elem(form, 1))])?);
                self.least(leave)?
            }
            (None, FormNode::Release(a, b)) => {
                let (mut leave, hold) = (self.delta(a)?, self.delta(b)?);
                leave.push((Bdd::TRUE, Conjunction::from_elem(form, 1)));
                self.times(&hold, &leave)?
            }
            (None, FormNode::Constant(_) | FormNode::Literal(..)) => Vec::new(),
        };
        self.delta.insert(form, pairs.clone());
        Ok(pairs)
    }

    fn times(&mut self, a: &Pairs, b: &Pairs) -> Result<Pairs, TooLarge> {
        let pairs = self.times_all(a, b)?;
        self.least(pairs)
    }

    fn times_all(&mut self, a: &Pairs, b: &Pairs) -> Result<Pairs, TooLarge> {
        self.check_pairs(a.len().saturating_mul(b.len()))?;
        let mut result = Vec::with_capacity(a.len() * b.len());
        for (x, to_x) in a {
            for (y, to_y) in b {
                let label = self.forms.bdds.and(*x, *y);
                if label != Bdd::FALSE {
                    result.push((label, union(to_x, to_y)));
                }
            }
        }
        Ok(self.merged(result))
    }

    /// One pair per conjunction.
    fn merged(&mut self, mut pairs: Pairs) -> Pairs {
        pairs.sort_unstable_by(|(x, a), (y, b)| a.cmp(b).then(x.cmp(y)));
        let mut merged: Pairs = Vec::with_capacity(pairs.len());
        for (label, conjunction) in pairs {
            match merged.last_mut() {
                Some((last, same)) if *same == conjunction => *last = self.forms.bdds.or(*last, label),
                _ => merged.push((label, conjunction)),
            }
        }
        merged
    }

    /// One pair per conjunction, without pairs that promise more for no more letters than another.
    fn least(&mut self, pairs: Pairs) -> Result<Pairs, TooLarge> {
        let merged = self.merged(pairs);
        let signatures: Vec<u64> = merged
            .iter()
            .map(|(_, conjunction)| signature(conjunction))
            .collect();
        let mut kept = Pairs::with_capacity(merged.len());
        for (at, (label, conjunction)) in merged.iter().enumerate() {
            let redundant = merged.iter().enumerate().any(|(other, (wider, smaller))| {
                signatures[other] & !signatures[at] == 0
                    && other != at
                    && includes(conjunction, smaller)
                    && self.forms.bdds.implies(*label, *wider)
            });
            if !redundant {
                kept.push((*label, conjunction.clone()));
            }
        }
        self.check_pairs(kept.len())?;
        Ok(kept)
    }

    /// All pairs of a conjunction: which of them are redundant is known only with their marks.
    fn product(&mut self, conjunction: &Conjunction) -> Result<Pairs, TooLarge> {
        let mut result = vec![(Bdd::TRUE, Conjunction::new())];
        for &form in conjunction {
            let pairs = self.delta(form)?;
            result = self.times_all(&result, &pairs)?;
        }
        Ok(result)
    }

    fn edges(&mut self, conjunction: &Conjunction) -> Result<RawEdges, TooLarge> {
        let pairs = self.product(conjunction)?;
        self.mark(conjunction, pairs)
    }

    /// Splits pairs by the marks they deserve, and drops what another edge does better.
    fn mark(&mut self, source: &Conjunction, pairs: Pairs) -> Result<RawEdges, TooLarge> {
        let mut edges: RawEdges = Vec::new();
        for form in pairs.iter().flat_map(|(_, conjunction)| conjunction) {
            if matches!(self.forms.node(*form), FormNode::Until(..)) && !self.untils.contains(form) {
                self.untils.push(*form);
            }
        }
        if self.untils.len() > 63 {
            return Err(TooLarge {
                states: self.limits.states,
            });
        }
        for (label, conjunction) in pairs {
            let inside: Vec<(usize, Form)> = (0..self.untils.len())
                .map(|m| (m, self.untils[m]))
                .filter(|(_, f)| conjunction.contains(f))
                .collect();
            let mut parts = vec![(
                label,
                inside
                    .iter()
                    .fold(u64::MAX >> 1, |marks, (m, _)| marks & !(1 << m)),
            )];
            for (mark, until) in inside {
                // A promise made on this very edge cannot be kept by it.
                if !source.contains(&until) && !source.iter().any(|&holder| self.demands(holder, until)) {
                    continue;
                }
                let region = self.left_region(until, &conjunction)?;
                let mut split = Vec::with_capacity(parts.len());
                for (part, marks) in parts {
                    let left = self.forms.bdds.and(part, region);
                    let stays = self.forms.bdds.difference(part, region);
                    split.extend([(left, marks | 1 << mark), (stays, marks)]);
                }
                split.retain(|(part, _)| *part != Bdd::FALSE);
                parts = split;
                self.check_pairs(parts.len())?;
            }
            edges.extend(
                parts
                    .into_iter()
                    .map(|(part, marks)| (conjunction.clone(), marks, part)),
            );
        }
        self.check_pairs(edges.len())?;
        let signatures: Vec<u64> = edges.iter().map(|(target, ..)| signature(target)).collect();
        let mut kept: RawEdges = Vec::with_capacity(edges.len());
        for (at, (target, marks, label)) in edges.iter().enumerate() {
            let mut label = *label;
            for (other, (smaller, more, wider)) in edges.iter().enumerate() {
                let better = signatures[other] & !signatures[at] == 0
                    && marks & !more == 0
                    && other != at
                    && includes(target, smaller)
                    && (marks, target) != (more, smaller);
                if better {
                    label = self.forms.bdds.difference(label, *wider);
                    if label == Bdd::FALSE {
                        break;
                    }
                }
            }
            if label != Bdd::FALSE {
                kept.push((self.without_implied(target.clone()), *marks, label));
            }
        }
        kept.sort_unstable();
        Ok(kept)
    }

    /// The letters by which `until` can be left with no more promises than the conjunction makes.
    fn left_region(&mut self, until: Form, conjunction: &Conjunction) -> Result<Bdd, TooLarge> {
        let mut region = Bdd::FALSE;
        for (label, to) in self.delta(until)? {
            if !to.contains(&until) && includes(conjunction, &to) {
                region = self.forms.bdds.or(region, label);
            }
        }
        Ok(region)
    }

    /// Whether `holder` is some `a R d` that demands the form as long as it stays.
    fn demands(&self, holder: Form, form: Form) -> bool {
        match self.forms.node(holder) {
            FormNode::Release(_, d) => {
                *d == form || matches!(self.forms.node(*d), FormNode::And(list) if list.contains(&form))
            }
            _ => false,
        }
    }

    /// Drops forms that some `a R d` of the conjunction demands anyway, as long as it stays.
    fn without_implied(&self, conjunction: Conjunction) -> Conjunction {
        conjunction
            .iter()
            .copied()
            .filter(|&form| !conjunction.iter().any(|&holder| self.demands(holder, form)))
            .collect()
    }
}
