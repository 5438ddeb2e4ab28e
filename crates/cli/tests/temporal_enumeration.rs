//! Temporal verdicts on random small programs against enumeration by gcc.
//!
//! The same program text is compiled twice: as it is for `kripke check`, and with macros that print a letter
//! after every write to watched memory. Programs that end are run on all their inputs: the value must be the
//! least over all traces. Programs that never end have few states: one iteration is run from every state with
//! every input, and the truth is that of the resulting graph, found by searching its product with the
//! automaton of the negation; a definite verdict must be that truth.
//!
//! `KRIPKE_ENUMERATION_COUNT` programs of each sort are tried (12 unless set), from seed
//! `KRIPKE_ENUMERATION_SEED` on.

mod common;
mod random_programs;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use common::{folder, native, setting};
use kripke_logic::random::Random;
use kripke_logic::{Buchi, Formula, FourValued, Letter, Monitor, MonitorLimits, Options, translate};
use random_programs::{COMMON, PLAIN, STATES, body};
use serde_json::Value;

/// The atoms of every formula.
const ATOMS: [&str; 3] = ["a == 1", "b > a", "t[1] != 0"];

/// For gcc: letters are printed.
const NATIVE: &str = "
#include <stdio.h>
static unsigned in(void);
static void letter(void) { putchar('0' + (a == 1) + 2 * (b > a) + 4 * (t[1] != 0)); }
static void touch(const void *from, unsigned length)
{
    const unsigned char *low = from, *high = low + length;
    if ((low <= &a && &a < high) || (low <= &b && &b < high) || (low <= &t[1] && &t[1] < high)) letter();
}
#define W(place, value) do { (place) = (value) & 3; touch(&(place), 1); } while (0)
#define COPY(x, y) do { unsigned char two[2] = {(x) & 3, (y) & 3}; memcpy(t, two, 2); touch(t, 2); } while (0)
";

/// A random formula, and its text with the C atoms. With `X` it names them all: what it names decides which
/// writes are steps.
fn formula(random: &mut Random, next: bool) -> (Formula, String) {
    loop {
        let (formula, text) = common::formula(random, &ATOMS, next);
        if !next || ATOMS.iter().all(|atom| text.contains(atom)) {
            return (formula, text);
        }
    }
}

fn letters(digits: &str) -> Vec<Letter> {
    digits
        .bytes()
        .map(|digit| Letter(u64::from(digit - b'0')))
        .collect()
}

/// The verdict of `kripke check` on a formula: verdict and value.
fn kripke(folder: &Path, text: &str, formula: &str) -> (String, String) {
    let formula = format!("formula: {formula}");
    let options = ["--check", "none", "--max-unwind", "4", "--ltl", &formula];
    let report = common::report(folder, text, &options);
    let result = &report["results"][0];
    let word = |value: &Value| value.as_str().unwrap_or("none").to_owned();
    (word(&result["verdict"]), word(&result["temporal"]["value"]))
}

fn count() -> u64 {
    setting("KRIPKE_ENUMERATION_COUNT", 12)
}

#[test]
fn programs_that_end() {
    let first = setting("KRIPKE_ENUMERATION_SEED", 1);
    for seed in first..first + count() {
        let (body, mut random) = body(seed, 3, true);
        let (formula, text) = formula(&mut random, true);
        let folder = folder(&format!("ends-{seed}"));
        let runs = native(
            &folder,
            &format!(
                "{COMMON}{NATIVE}static unsigned rest;\nstatic unsigned in(void) {{ unsigned bits = rest & \
                 3; \
                 rest >>= 2; return bits; }}\n\
                 static int run(void) {{ unsigned u = 0; letter();\n{body}return 0; }}\n\
                 int main(void) {{ for (unsigned i = 0; i < 64; i++) {{ a = b = c = t[0] = t[1] = 0; rest = \
                 i; run(); putchar('\\n'); }} return 0; }}\n"
            ),
        );
        let monitor =
            Monitor::new(&formula, &Options::default(), &MonitorLimits::default()).expect("small formula");
        let values = runs
            .iter()
            .map(|run| *monitor.run(&letters(run)).last().expect("the first letter"));
        let expected = values.fold(FourValued::True, FourValued::meet);
        let definite = match expected {
            FourValued::False | FourValued::PresumablyFalse => "violated",
            _ => "holds",
        };
        let program = format!("{COMMON}{PLAIN}int main(void) {{ unsigned u = 0;\n{body}return 0; }}\n");
        let (verdict, value) = kripke(&folder, &program, &text);
        // Letters that cannot occur make the monitor sharper, never the verdict another.
        assert_eq!(
            verdict,
            definite,
            "seed {seed}, {text}: value {value}, expected {}",
            expected.words()
        );
        let sharper = match expected {
            FourValued::False => ["violated", "violated"],
            FourValued::PresumablyFalse => ["violated", "presumably violated"],
            FourValued::PresumablyTrue => ["presumably holds", "holds"],
            FourValued::True => ["holds", "holds"],
        };
        assert!(
            sharper.contains(&value.as_str()),
            "seed {seed}, {text}: {value}, not {}",
            expected.words()
        );
        std::fs::remove_dir_all(&folder).ok();
    }
}

/// A state of the program and one of the automaton.
type Node = (usize, usize);

/// One iteration from each state with each input: the letters and the state after it.
fn iterations(lines: &[String]) -> Vec<Vec<(Vec<Letter>, usize)>> {
    let parse = |line: &String| {
        let (digits, state) = line.split_once(' ').expect("letters and a state");
        (letters(digits), state.trim().parse().expect("a number"))
    };
    lines
        .chunks(4)
        .map(|inputs| inputs.iter().map(parse).collect())
        .collect()
}

/// Does some infinite run satisfy the automaton?
fn accepts_some_run(graph: &[Vec<(Vec<Letter>, usize)>], first: Letter, automaton: &Buchi) -> bool {
    // Nodes are (state, automaton state); an edge says whether an accepting state is visited on the way.
    let after = |from: usize, word: &[Letter]| {
        let mut now: BTreeSet<(usize, bool)> = BTreeSet::from([(from, false)]);
        for letter in word {
            now = now
                .iter()
                .flat_map(|(state, seen)| {
                    let successors = automaton.successors(kripke_logic::StateId::new(*state), *letter);
                    successors.map(|next| (next.index(), *seen || automaton.states[next.index()].accepting))
                })
                .collect();
        }
        now
    };
    let mut edges: BTreeMap<Node, Vec<(Node, bool)>> = BTreeMap::new();
    let start: Vec<(usize, usize)> = after(automaton.initial.index(), &[first])
        .into_iter()
        .map(|(state, _)| (0, state))
        .collect();
    let mut open = start;
    while let Some(node) = open.pop() {
        if edges.contains_key(&node) {
            continue;
        }
        let mut own = Vec::new();
        for (word, target) in &graph[node.0] {
            for (state, seen) in after(node.1, word) {
                own.push(((*target, state), seen));
                open.push((*target, state));
            }
        }
        edges.insert(node, own);
    }
    // Some accepting edge lies on a cycle.
    edges.iter().any(|(from, own)| {
        own.iter().any(|(to, seen)| {
            let mut known = BTreeSet::new();
            let mut open = if *seen { vec![*to] } else { Vec::new() };
            while let Some(node) = open.pop() {
                if node == *from {
                    return true;
                }
                if known.insert(node) {
                    open.extend(edges[&node].iter().map(|(next, _)| *next));
                }
            }
            false
        })
    })
}

#[test]
fn programs_that_never_end() {
    let first = setting("KRIPKE_ENUMERATION_SEED", 1);
    let mut definite = 0;
    for seed in first..first + count() {
        let (body, mut random) = body(seed + 1_000_000, 1, false);
        let (formula, text) = formula(&mut random, false);
        let folder = folder(&format!("loops-{seed}"));
        let lines = native(
            &folder,
            &format!(
                "{COMMON}{NATIVE}static unsigned input;\nstatic unsigned in(void) {{ return input; }}\n\
                 int main(void) {{ for (unsigned s = 0; s < {STATES}; s++) for (input = 0; input < 4; \
                 input++) {{\n\
                 a = s & 3; b = s >> 2 & 3; c = s >> 4 & 3; t[0] = s >> 6 & 3; t[1] = s >> 8 & 3;\n\
                 {{ unsigned u = 0;\n{body} }}\n\
                 letter(); printf(\" %u\\n\", a | b << 2 | c << 4 | t[0] << 6 | t[1] << 8); }}\n return 0; \
                 }}\n"
            ),
        );
        // The letter at the end of each iteration repeats the last one, which no formula without X notices.
        let graph = iterations(&lines);
        let negative = translate(&formula.negated(), &Options::default()).expect("small formula");
        let holds = !accepts_some_run(&graph, Letter(0), &negative);
        let program = format!("{COMMON}{PLAIN}int main(void) {{ for (;;) {{ unsigned u = 0;\n{body}}} }}\n");
        let (verdict, value) = kripke(&folder, &program, &text);
        match verdict.as_str() {
            "holds" => assert!(holds, "seed {seed}, {text}: holds was claimed ({value})"),
            "violated" => assert!(!holds, "seed {seed}, {text}: violated was claimed ({value})"),
            _ => {}
        }
        definite += u64::from(matches!(verdict.as_str(), "holds" | "violated"));
        std::fs::remove_dir_all(&folder).ok();
    }
    println!("{definite} of {} endless programs were settled", count());
    assert!(
        definite * 2 >= count(),
        "only {definite} of {} endless programs were settled",
        count()
    );
}
