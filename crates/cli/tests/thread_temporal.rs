//! Temporal verdicts on random small programs with threads against the graph of all their states.
//!
//! A program is two threads of a few steps, many of which go round for ever, and a main one that starts them.
//! From the same steps come C with POSIX threads for `kripke check`, and a graph: its states are what the
//! variables, the mutex and the threads' counters hold, its edges what one thread does. The truth is found in
//! the graph's product with the automaton of the negated formula: a cycle with an accepting state, and for
//! weak fairness with a step of each thread, or a state in which it cannot go on. A definite verdict must be
//! the truth, under both. Data races are states in which both threads access a variable next.
//!
//! `KRIPKE_THREADS_COUNT` programs are tried (12 unless set), from seed `KRIPKE_THREADS_SEED` on.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use common::{folder, setting};
use kripke_graph::{Edge, components};
use kripke_logic::random::Random;
use kripke_logic::{Buchi, Letter, Options, StateId, translate};

const VARIABLES: [&str; 3] = ["a", "b", "c"];
const ATOMS: [&str; 3] = ["a == 1", "b > a", "c != 0"];
/// States that a program may have.
const MOST_STATES: usize = 4_000;
/// The number of the main thread; the others come before it.
const MAIN: usize = 2;

/// What a thread does.
#[derive(Clone, Debug)]
enum Step {
    Set(usize, u8),
    Copy {
        to: usize,
        from: usize,
    },
    Bump(usize),
    /// Looks again and again.
    Await(usize, u8),
    If(usize, u8, Vec<Step>),
    /// With the mutex.
    Section(Vec<Step>),
}

/// How a thread goes on behind its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finish {
    Ends,
    /// From the start.
    Again,
    /// It goes round and does nothing.
    Spins,
}

/// What happens at once, as others see it.
#[derive(Clone, Copy, Debug)]
enum Instruction {
    Set(usize, u8),
    Read(usize),
    /// What was read, and a number.
    Write(usize, u8),
    /// Where to go on if the variable does not have the value.
    Unless(usize, u8, usize),
    Lock,
    Unlock,
    Goto(usize),
}

fn steps(random: &mut Random, depth: usize, most: usize) -> Vec<Step> {
    let count = 1 + random.below(most);
    let step = |_| {
        let (one, other) = (random.below(3), random.below(3));
        let value = random.below(3) as u8;
        match random.below(if depth == 0 { 8 } else { 12 }) {
            0..=2 => Step::Set(one, value),
            3 => Step::Copy { to: one, from: other },
            4 | 5 => Step::Bump(one),
            6 | 7 => Step::Await(one, value),
            8 | 9 => Step::If(one, value, steps(random, depth - 1, 2)),
            _ => Step::Section(steps(random, 0, 2)),
        }
    };
    (0..count).map(step).collect()
}

fn finish(random: &mut Random) -> Finish {
    match random.below(6) {
        0 | 1 => Finish::Ends,
        2 => Finish::Spins,
        _ => Finish::Again,
    }
}

fn text(steps: &[Step]) -> String {
    let mut all = String::new();
    for step in steps {
        let _ = match step {
            Step::Set(place, value) => writeln!(all, "{} = {value};", VARIABLES[*place]),
            Step::Copy { to, from } => writeln!(all, "{} = {};", VARIABLES[*to], VARIABLES[*from]),
            Step::Bump(place) => {
                let name = VARIABLES[*place];
                writeln!(all, "{name} = ({name} + 1) & 3;")
            }
            Step::Await(place, value) => writeln!(all, "while ({} != {value}) {{}}", VARIABLES[*place]),
            Step::If(place, value, inner) => {
                writeln!(all, "if ({} == {value}) {{\n{}}}", VARIABLES[*place], text(inner))
            }
            Step::Section(inner) => writeln!(
                all,
                "pthread_mutex_lock(&mutex);\n{}pthread_mutex_unlock(&mutex);",
                text(inner)
            ),
        };
    }
    all
}

fn compile(steps: &[Step], code: &mut Vec<Instruction>) {
    for step in steps {
        match step {
            Step::Set(place, value) => code.push(Instruction::Set(*place, *value)),
            Step::Copy { to, from } => code.extend([Instruction::Read(*from), Instruction::Write(*to, 0)]),
            Step::Bump(place) => code.extend([Instruction::Read(*place), Instruction::Write(*place, 1)]),
            Step::Await(place, value) => code.push(Instruction::Unless(*place, *value, code.len())),
            Step::If(place, value, inner) => {
                let test = code.len();
                code.push(Instruction::Goto(0));
                compile(inner, code);
                code[test] = Instruction::Unless(*place, *value, code.len());
            }
            Step::Section(inner) => {
                code.push(Instruction::Lock);
                compile(inner, code);
                code.push(Instruction::Unlock);
            }
        }
    }
}

struct Program {
    threads: Vec<(Vec<Step>, Finish)>,
    joins: bool,
}

impl Program {
    fn new(random: &mut Random) -> Program {
        let threads = (0..2).map(|_| (steps(random, 1, 3), finish(random)));
        Program {
            threads: threads.collect(),
            joins: random.below(4) > 0,
        }
    }

    fn c(&self) -> String {
        let mut all = String::from(
            "#include <pthread.h>\nvolatile unsigned char a, b, c;\n\
             static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n",
        );
        for (number, (steps, finish)) in self.threads.iter().enumerate() {
            let body = text(steps);
            let body = match finish {
                Finish::Ends => body,
                Finish::Again => format!("for (;;) {{\n{body}}}\n"),
                Finish::Spins => format!("{body}for (;;) {{}}\n"),
            };
            let _ = writeln!(
                all,
                "static void *t{number}(void *unused)\n{{\n{body}return unused;\n}}"
            );
        }
        let joins = match self.joins {
            true => "pthread_join(t[0], 0);\npthread_join(t[1], 0);\n",
            false => "",
        };
        all + &format!(
            "int main(void)\n{{\npthread_t t[2];\npthread_create(&t[0], 0, t0, 0);\n\
             pthread_create(&t[1], 0, t1, 0);\n{joins}return 0;\n}}\n"
        )
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    variables: [u8; 3],
    owner: Option<usize>,
    counters: [usize; 3],
    /// What was read last.
    read: [u8; 2],
}

struct Graph {
    /// Two threads access a variable next, and one of them writes it.
    races: bool,
    letters: Vec<Letter>,
    /// By state: who goes on, and to where.
    edges: Vec<Vec<(usize, usize)>>,
}

impl Graph {
    /// All states of a program; none where there are too many.
    fn new(program: &Program) -> Option<Graph> {
        let code: Vec<Vec<Instruction>> = { program.threads.iter() }
            .map(|(steps, finish)| {
                let mut code = Vec::new();
                compile(steps, &mut code);
                let end = code.len();
                match finish {
                    Finish::Ends => {}
                    Finish::Again => code.push(Instruction::Goto(0)),
                    Finish::Spins => code.push(Instruction::Goto(end)),
                }
                code
            })
            .collect();
        let first = State {
            variables: [0; 3],
            owner: None,
            counters: [0; 3],
            read: [0; 2],
        };
        let mut numbers = BTreeMap::from([(first.clone(), 0)]);
        let mut states = vec![first];
        let mut edges: Vec<Vec<(usize, usize)>> = Vec::new();
        while edges.len() < states.len() {
            let state = states[edges.len()].clone();
            let mut own = Vec::new();
            for thread in 0..3 {
                let Some(next) = step(program, &code, &state, thread) else {
                    continue;
                };
                let number = *numbers.entry(next.clone()).or_insert(states.len());
                if number == states.len() {
                    states.push(next);
                }
                own.push((thread, number));
            }
            edges.push(own);
            if states.len() > MOST_STATES {
                return None;
            }
        }
        let letter = |state: &State| {
            let [a, b, c] = state.variables;
            Letter(u64::from(a == 1) | u64::from(b > a) << 1 | u64::from(c != 0) << 2)
        };
        Some(Graph {
            races: states.iter().any(|state| races(program, &code, state)),
            letters: states.iter().map(letter).collect(),
            edges,
        })
    }
}

/// Do the two threads race?
fn races(program: &Program, code: &[Vec<Instruction>], state: &State) -> bool {
    let next = |thread: usize| {
        step(program, code, state, thread)?;
        match code[thread][state.counters[thread]] {
            Instruction::Set(place, _) | Instruction::Write(place, _) => Some((place, true)),
            Instruction::Read(place) | Instruction::Unless(place, ..) => Some((place, false)),
            Instruction::Lock | Instruction::Unlock | Instruction::Goto(_) => None,
        }
    };
    let (one, other) = (next(0), next(1));
    one.zip(other)
        .is_some_and(|((one, writes), (other, also))| one == other && (writes || also))
}

/// What a thread does next, if it can.
fn step(program: &Program, code: &[Vec<Instruction>], state: &State, thread: usize) -> Option<State> {
    let main = state.counters[MAIN];
    let ended = |thread: usize| main > thread && state.counters[thread] == code[thread].len();
    let over = if program.joins { 4 } else { 3 };
    let mut next = state.clone();
    if main == over {
        return None;
    }
    if thread == MAIN {
        let goes = main < 2 || !program.joins || ended(main - 2);
        next.counters[MAIN] += 1;
        return goes.then_some(next);
    }
    if main <= thread || ended(thread) {
        return None;
    }
    let at = state.counters[thread];
    next.counters[thread] = at + 1;
    match code[thread][at] {
        Instruction::Set(place, value) => next.variables[place] = value,
        Instruction::Read(place) => next.read[thread] = state.variables[place],
        Instruction::Write(place, more) => {
            next.variables[place] = (state.read[thread] + more) & 3;
            next.read[thread] = 0;
        }
        Instruction::Unless(place, value, target) => {
            if state.variables[place] != value {
                next.counters[thread] = target;
            }
        }
        Instruction::Lock if state.owner.is_some() => return None,
        Instruction::Lock => next.owner = Some(thread),
        Instruction::Unlock => next.owner = None,
        Instruction::Goto(target) => next.counters[thread] = target,
    }
    Some(next)
}

/// Does some run satisfy the automaton, with weak fairness where it is asked for?
fn accepts(graph: &Graph, automaton: &Buchi, is_fair: bool) -> bool {
    let after = |from: usize, state: usize| {
        let successors = automaton.successors(StateId::new(from), graph.letters[state]);
        successors.map(|next| next.index()).collect::<Vec<_>>()
    };
    let mut numbers = BTreeMap::new();
    let mut nodes = Vec::new();
    let mut number = |nodes: &mut Vec<(usize, usize)>, node: (usize, usize)| {
        *numbers.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() - 1
        })
    };
    for state in after(automaton.initial.index(), 0) {
        number(&mut nodes, (0, state));
    }
    let roots = nodes.len();
    let mut edges: Vec<Vec<(Option<usize>, usize)>> = Vec::new();
    while edges.len() < nodes.len() {
        let (state, at) = nodes[edges.len()];
        // Where nobody goes on, nothing changes for ever.
        let moves: Vec<(Option<usize>, usize)> = match &graph.edges[state][..] {
            [] => vec![(None, state)],
            own => own.iter().map(|(thread, to)| (Some(*thread), *to)).collect(),
        };
        let mut own = Vec::new();
        for (thread, to) in moves {
            for next in after(at, to) {
                own.push((thread, number(&mut nodes, (to, next))));
            }
        }
        edges.push(own);
    }
    let edge = |node: usize, position: usize| {
        edges[node]
            .get(position)
            .map_or(Edge::End, |(_, to)| Edge::To(*to))
    };
    components(nodes.len(), 0..roots, edge)
        .into_iter()
        .any(|members| {
            let inside: BTreeSet<usize> = members.iter().copied().collect();
            let own = || {
                members
                    .iter()
                    .flat_map(|node| &edges[*node])
                    .filter(|(_, to)| inside.contains(to))
            };
            let accepting = members
                .iter()
                .any(|node| automaton.states[nodes[*node].1].accepting);
            let fairly = |thread: usize| {
                let cannot = |node: &usize| graph.edges[nodes[*node].0].iter().all(|(of, _)| *of != thread);
                own().any(|(of, _)| *of == Some(thread)) || members.iter().any(cannot)
            };
            accepting && own().next().is_some() && (!is_fair || (0..3).all(fairly))
        })
}

/// The verdict of `kripke check` on a formula.
fn verdict(folder: &Path, program: &str, formula: &str, fair: &str) -> String {
    let formula = format!("formula: {formula}");
    let report = common::report(
        folder,
        program,
        &["--check", "none", "--fair", fair, "--ltl", &formula],
    );
    report["results"][0]["verdict"]
        .as_str()
        .unwrap_or("none")
        .to_owned()
}

#[test]
fn formulas_over_threads() {
    let first = setting("KRIPKE_THREADS_SEED", 1);
    let count = setting("KRIPKE_THREADS_COUNT", 12);
    let (mut definite, mut holding, mut differing) = (0, 0, 0);
    let (mut seed, mut tried) = (first, 0);
    while tried < count {
        let mut random = Random::new(seed);
        let program = Program::new(&mut random);
        let (formula, text) = common::formula(&mut random, &ATOMS, false);
        let Some(graph) = Graph::new(&program) else {
            seed += 1;
            continue;
        };
        let negative = translate(&formula.negated(), &Options::default()).expect("small formula");
        let folder = folder(&format!("thread-formulas-{seed}"));
        let truths = [("none", false), ("weak", true)].map(|(fair, is_fair)| {
            let holds = !accepts(&graph, &negative, is_fair);
            let verdict = verdict(&folder, &program.c(), &text, fair);
            let what = format!("seed {seed}, {text}, --fair {fair}: {verdict} was claimed");
            match verdict.as_str() {
                "holds" => assert!(holds, "{what}"),
                "violated" => assert!(!holds, "{what}"),
                _ => println!("{what}, and holds is {holds}:\n{}", program.c()),
            }
            definite += u64::from(matches!(verdict.as_str(), "holds" | "violated"));
            holding += u64::from(holds);
            holds
        });
        differing += u64::from(truths[0] != truths[1]);
        std::fs::remove_dir_all(&folder).ok();
        (seed, tried) = (seed + 1, tried + 1);
    }
    println!(
        "{definite} of {} settled, {holding} hold, fairness matters to {differing}",
        2 * tried
    );
    assert!(
        definite * 10 >= tried * 2 * 8,
        "only {definite} of {} were settled",
        2 * tried
    );
}

#[test]
fn data_races() {
    let first = setting("KRIPKE_THREADS_SEED", 1);
    let count = setting("KRIPKE_THREADS_COUNT", 12);
    let (mut racing, mut tried, mut seed) = (0, 0, first);
    while tried < count {
        let program = Program::new(&mut Random::new(seed));
        let Some(graph) = Graph::new(&program) else {
            seed += 1;
            continue;
        };
        let folder = folder(&format!("thread-races-{seed}"));
        let report = common::report(&folder, &program.c(), &["--check", "data-race"]);
        let results = report["results"].as_array().expect("results");
        let is = |verdict: &str| results.iter().any(|result| result["verdict"] == verdict);
        let text = program.c();
        assert_eq!(is("violated"), graph.races, "seed {seed}\n{text}");
        assert!(is("violated") || !is("unknown"), "seed {seed} is open\n{text}");
        racing += u64::from(graph.races);
        std::fs::remove_dir_all(&folder).ok();
        (seed, tried) = (seed + 1, tried + 1);
    }
    println!("{racing} of {tried} race");
    assert!(0 < racing && racing < tried, "the programs are all alike");
}
