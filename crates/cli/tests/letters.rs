//! The runs that reductions leave are those that were there: the sequences of an atom's values, without
//! stuttering, are the same.
//!
//! Idea: `kripke states` draws a state space with what is watched in each state. That is an automaton over
//! these values; two of them are compared by the sets of states that a sequence of values leads to, with
//! states of one value between which the run stutters put together. In both, the same values may follow, and
//! a run may stay with its value for ever.
//!
//! `KRIPKE_LETTERS_COUNT` programs are compared (6 unless set), from seed `KRIPKE_LETTERS_SEED` (1) on.

mod common;
// The formulas are for other tests.
#[allow(dead_code)]
mod random_firmware;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use common::{compile, kripke, setting, text};
use kripke_logic::random::Random;
use random_firmware::{atom, program};

const PLAIN: &[&str] = &[
    "--nondeterminism",
    "immediate",
    "--no-lazy-stack",
    "--no-path-reduction",
    "--no-dead-variable-reduction",
    "--no-interrupt-reduction",
];
/// What adds no runs: values are known as soon as they are read.
const REDUCED: [&[&str]; 3] = [
    &["--nondeterminism", "immediate"],
    &["--nondeterminism", "immediate", "--no-interrupt-reduction"],
    &["--nondeterminism", "immediate", "--no-path-reduction"],
];

/// A state space: the values of what is watched, and where steps lead.
#[derive(Default)]
struct Graph {
    letters: Vec<String>,
    successors: Vec<Vec<usize>>,
    initial: Vec<usize>,
}

type Set = BTreeSet<usize>;

impl Graph {
    /// Reads a drawing.
    fn read(drawing: &str) -> Graph {
        let mut graph = Graph::default();
        for line in drawing.lines().filter_map(|line| line.strip_prefix("  n")) {
            let (name, label) = line.split_once(" [").expect("an attribute");
            let number = |text: &str| -> usize { text.trim_start_matches('n').parse().expect("a number") };
            match name.split_once(" -> ") {
                Some((from, to)) => graph.successors[number(from)].push(number(to)),
                None if name.chars().all(|c| c.is_ascii_digit()) => {
                    let value = label.rsplit(" = ").next().expect("a value");
                    let value = value.split("\\l").next().expect("a value").to_owned();
                    if label.contains("penwidth=2") {
                        graph.initial.push(graph.letters.len());
                    }
                    graph.letters.push(value);
                    graph.successors.push(Vec::new());
                }
                None => {}
            }
        }
        graph
    }

    /// The states that a run comes to from these without another value.
    fn stuttering(&self, from: impl IntoIterator<Item = usize>) -> Set {
        let mut open: Vec<usize> = from.into_iter().collect();
        let mut all: Set = open.iter().copied().collect();
        while let Some(state) = open.pop() {
            for &next in &self.successors[state] {
                if self.letters[next] == self.letters[state] && all.insert(next) {
                    open.push(next);
                }
            }
        }
        all
    }

    /// The sets of states that the first values lead to.
    fn start(&self) -> BTreeMap<&str, Set> {
        let mut sets: BTreeMap<&str, Set> = BTreeMap::new();
        for &state in &self.initial {
            sets.entry(&self.letters[state]).or_default().insert(state);
        }
        let closed = sets
            .into_iter()
            .map(|(letter, set)| (letter, self.stuttering(set)));
        closed.collect()
    }

    /// The sets of states that the next values lead to.
    fn follow(&self, set: &Set) -> BTreeMap<&str, Set> {
        let mut sets: BTreeMap<&str, Set> = BTreeMap::new();
        for &state in set {
            for &next in &self.successors[state] {
                if self.letters[next] != self.letters[state] {
                    sets.entry(&self.letters[next]).or_default().insert(next);
                }
            }
        }
        let closed = sets
            .into_iter()
            .map(|(letter, set)| (letter, self.stuttering(set)));
        closed.collect()
    }

    /// May a run stay in these states for ever, or end there?
    fn may_stay(&self, set: &Set) -> bool {
        let stays = |state: usize| {
            let next = self.successors[state].iter().copied();
            next.filter(|next| set.contains(next))
        };
        // Those from which every way leaves the set are taken away until none is left to take.
        let mut left: BTreeMap<usize, usize> =
            set.iter().map(|&state| (state, stays(state).count())).collect();
        if set.iter().any(|&state| self.successors[state].is_empty()) {
            return true;
        }
        let mut before: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &state in set {
            for next in stays(state) {
                before.entry(next).or_default().push(state);
            }
        }
        let mut gone: Vec<usize> = left
            .iter()
            .filter(|(_, count)| **count == 0)
            .map(|(state, _)| *state)
            .collect();
        let mut remaining = set.len();
        while let Some(state) = gone.pop() {
            remaining -= 1;
            for &earlier in before.get(&state).map_or(&[][..], Vec::as_slice) {
                let count = left.get_mut(&earlier).expect("a state of the set");
                *count -= 1;
                if *count == 0 {
                    gone.push(earlier);
                }
            }
        }
        remaining > 0
    }
}

/// The first sequence of values after which two state spaces differ.
fn difference(a: &Graph, b: &Graph) -> Option<Vec<String>> {
    let mut seen: HashSet<(Set, Set)> = HashSet::new();
    let mut open: Vec<(Vec<String>, Set, Set)> = Vec::new();
    let mut pair = |path: &[String], of_a: BTreeMap<&str, Set>, of_b: BTreeMap<&str, Set>| {
        if of_a.keys().ne(of_b.keys()) {
            return Err(path.to_vec());
        }
        let mut found = Vec::new();
        for ((letter, a), (_, b)) in of_a.into_iter().zip(of_b) {
            if seen.insert((a.clone(), b.clone())) {
                found.push(([path, &[letter.to_owned()]].concat(), a, b));
            }
        }
        Ok(found)
    };
    match pair(&[], a.start(), b.start()) {
        Ok(found) => open.extend(found),
        Err(path) => return Some(path),
    }
    while let Some((path, of_a, of_b)) = open.pop() {
        if a.may_stay(&of_a) != b.may_stay(&of_b) {
            return Some([&path[..], &["for ever".to_owned()]].concat());
        }
        match pair(&path, a.follow(&of_a), b.follow(&of_b)) {
            Ok(found) => open.extend(found),
            Err(path) => return Some(path),
        }
    }
    None
}

/// The state space of the program in a folder; none where it is too large.
fn drawn(folder: &Path, environment: &[String], watched: &str, options: &[&str]) -> Option<Graph> {
    let mut arguments = vec!["states", "a.elf", "--dot", "--watch", watched];
    arguments.extend(["--max-states", "20000", "--timeout", "20s"]);
    arguments.extend(environment.iter().map(String::as_str));
    arguments.extend(options);
    let output = kripke(&arguments, folder);
    match output.status.code() {
        Some(0) => Some(Graph::read(&String::from_utf8_lossy(&output.stdout))),
        Some(2) => None,
        _ => panic!("{arguments:?}: {}", text(&output)),
    }
}

#[test]
fn sequences_of_values_are_the_same() {
    let first = setting("KRIPKE_LETTERS_SEED", 1);
    let count = setting("KRIPKE_LETTERS_COUNT", 6);
    let (mut seed, mut compared, mut changing) = (first, 0, 0);
    while compared < count {
        let mut random = Random::new(seed);
        let program = program(&mut random);
        let folder = compile(&program.source, &["-g", program.level]);
        let watched = atom(&mut random, &program);
        let watched = watched.trim_matches(['{', '}']);
        seed += 1;
        let graph = |options: &[&str]| drawn(folder.path(), &program.environment, watched, options);
        let Some(plain) = graph(PLAIN) else { continue };
        for options in REDUCED {
            let reduced = graph(options).expect("no more states than without reductions");
            if let Some(path) = difference(&plain, &reduced) {
                panic!(
                    "seed {}, {options:?}: {watched}: not the same after {path:?}\n{}",
                    seed - 1,
                    program.source
                );
            }
        }
        let letters: BTreeSet<&String> = plain.letters.iter().collect();
        changing += u64::from(letters.len() > 1);
        compared += 1;
    }
    println!(
        "{compared} programs, {changing} of them with several values, up to seed {}",
        seed - 1
    );
    assert!(changing * 3 >= compared, "nothing changes in most programs");
}

/// Reductions that leave something out, or add something, are noticed.
#[test]
fn what_differs_is_found() {
    let graph = |edges: &[(usize, usize)], letters: &[&str]| {
        let mut drawing = String::new();
        for (number, letter) in letters.iter().enumerate() {
            let initial = if number == 0 { ", penwidth=2" } else { "" };
            drawing += &format!("  n{number} [label=\"x = {letter}\\l\"{initial}];\n");
        }
        for (from, to) in edges {
            drawing += &format!("  n{from} -> n{to} [label=\"\"];\n");
        }
        Graph::read(&drawing)
    };
    let whole = graph(&[(0, 1), (1, 2), (2, 0), (1, 1)], &["0", "0", "1"]);
    let same = graph(&[(0, 0), (0, 1), (1, 0)], &["0", "1"]);
    assert_eq!(difference(&whole, &same), None);
    let never_stays = graph(&[(0, 1), (1, 0)], &["0", "1"]);
    assert_eq!(
        difference(&whole, &never_stays),
        Some(vec!["0".into(), "for ever".into()])
    );
    let never_comes = graph(&[(0, 0)], &["0"]);
    assert_eq!(difference(&whole, &never_comes), Some(vec!["0".into()]));
}
