//! Repeating a letter: which states accept it for ever, and whether a formula notices repetition at all.
//!
//! *Stutter acceptance* (journal paper, table 1): state s accepts aᵂ. For all letters at once this is the
//! nested fixed point of Büchi acceptance, computed on sets of letters.
//!
//! *Stutter invariance*: a formula is invariant when repeating letters, or dropping repetitions, never
//! changes its truth. It is not exactly when some word repeats letters of a word of φ and of a word of ¬φ
//! (Michaud and Duret-Lutz, "Practical stutter-invariance checks for ω-regular languages", SPIN 2015).

use rustc_hash::FxHashMap;

use crate::bdd::{Bdd, Bdds};
use crate::graph::{Edge, Graph};
use crate::letters::classes_within;

/// For each state of a state-based graph, the letters whose endless repetition it accepts.
pub(crate) fn stutter_acceptance(graph: &Graph, bdds: &mut Bdds) -> Vec<Bdd> {
    let mut outer = vec![Bdd::TRUE; graph.len()];
    loop {
        // Reach an accepting state whose next visit is in `outer`, repeating one letter.
        let mut inner = vec![Bdd::FALSE; graph.len()];
        loop {
            let mut changed = false;
            for state in (0..graph.len()).rev() {
                let mut set = inner[state];
                for edge in &graph.edges[state] {
                    let target = edge.target as usize;
                    let goal = if edge.marks & 1 == 1 {
                        outer[target]
                    } else {
                        inner[target]
                    };
                    let reached = bdds.and(edge.label, goal);
                    set = bdds.or(set, reached);
                }
                changed |= set != inner[state];
                inner[state] = set;
            }
            if !changed {
                break;
            }
        }
        if inner == outer {
            return outer;
        }
        outer = inner;
    }
}

const CLASS_LIMIT: usize = 1024;
const STATE_LIMIT: usize = 500_000;

/// Whether the language of the first automaton, whose complement is the second's, is stutter-invariant;
/// `None` when that is too much work.
pub(crate) fn is_stutter_invariant(
    positive: &Graph,
    negative: &Graph,
    letters: Bdd,
    bdds: &mut Bdds,
) -> Option<bool> {
    let labels: Vec<Bdd> = positive
        .edges
        .iter()
        .chain(&negative.edges)
        .flatten()
        .map(|edge| edge.label)
        .collect();
    let classes = classes_within(letters, labels, CLASS_LIMIT, bdds)?;
    let moves = |graph: &Graph, bdds: &mut Bdds| -> Vec<Vec<Vec<u32>>> {
        graph
            .edges
            .iter()
            .map(|edges| {
                let targets = |class: &Bdd| {
                    edges
                        .iter()
                        .filter(|edge| bdds.implies(*class, edge.label))
                        .map(|edge| edge.target)
                        .collect()
                };
                classes.iter().map(targets).collect()
            })
            .collect()
    };
    let (a_moves, b_moves) = (moves(positive, bdds), moves(negative, bdds));
    let product = repetition_product(positive, negative, &a_moves, &b_moves, classes.len())?;
    let live = product.live_states();
    Some(!live[0])
}

/// Both automata read one word, each allowed to overlook repetitions of a letter.
fn repetition_product(
    a: &Graph,
    b: &Graph,
    a_moves: &[Vec<Vec<u32>>],
    b_moves: &[Vec<Vec<u32>>],
    classes: usize,
) -> Option<Graph> {
    const NO_LETTER: u32 = u32::MAX;
    let mut number: FxHashMap<(u32, u32, u32), u32> = FxHashMap::default();
    let mut states = vec![(a.initial, b.initial, NO_LETTER)];
    number.insert(states[0], 0);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < states.len() {
        let (s, t, last) = states[edges.len()];
        let s_mark = u64::from(a.is_accepting(s as usize));
        let t_mark = u64::from(b.is_accepting(t as usize)) << 1;
        let mut out = Vec::new();
        for class in 0..classes {
            let (to_s, to_t) = (&a_moves[s as usize][class], &b_moves[t as usize][class]);
            let both = to_s
                .iter()
                .flat_map(|&x| to_t.iter().map(move |&y| (x, y, s_mark | t_mark)));
            let repeated = last == class as u32;
            let left = to_s.iter().filter(|_| repeated).map(|&x| (x, t, s_mark));
            let right = to_t.iter().filter(|_| repeated).map(|&y| (s, y, t_mark));
            for (x, y, marks) in both.chain(left).chain(right) {
                let key = (x, y, class as u32);
                let target = *number.entry(key).or_insert_with(|| {
                    states.push(key);
                    states.len() as u32 - 1
                });
                out.push(Edge {
                    target,
                    marks,
                    label: Bdd::TRUE,
                });
            }
        }
        out.sort_unstable();
        out.dedup();
        edges.push(out);
        if states.len() > STATE_LIMIT {
            return None;
        }
    }
    Some(Graph {
        edges,
        initial: 0,
        mark_count: 2,
    })
}
