//! Every store gives the verdicts, counts and counterexamples of the plain one, and finds what was stored.
//!
//! `KRIPKE_STORE_COUNT` random states are stored; a million, or a tenth of that without optimisation, unless
//! set.

mod table;
mod toys;

use kripke_explicit::{
    Account, Checkpoint, CtlFormula, Limits, LtlFormula, Order, StateGraph, StateId, StateStore, Store,
    Survey, check_ctl_local, check_invariant, check_ltl, survey_invariants,
};
use kripke_logic::random::Random;
use kripke_logic::{Formula, Formulas, Options, parse};
use kripke_model::{Choice, KripkeStructure, Labels, Reason, Visit};
use table::{random_formula, random_table};
use toys::{Election, Peterson, Philosophers};

fn with(store: Store) -> Limits {
    Limits {
        store,
        ..Limits::default()
    }
}

/// A model whose atoms are bits of a hash of the state, most of them rare.
struct Scattered<M>(M);

fn scattered(state: &[u8]) -> u64 {
    state.iter().fold(7, |hash: u64, &byte| {
        (hash ^ u64::from(byte))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(23)
    })
}

impl<M: KripkeStructure> KripkeStructure for Scattered<M> {
    fn state_size(&self) -> usize {
        self.0.state_size()
    }

    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V) {
        self.0.initial_states(emit);
    }

    fn successors<V: Visit>(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V) {
        self.0.successors(state, emit);
    }

    /// Atom `i` holds in one state of two to the power of `i`, on average.
    fn labels(&mut self, state: &[u8]) -> Labels {
        (1 << (scattered(state).trailing_zeros() + 1)) - 1
    }
}

/// What does not depend on the store.
fn outcome(survey: &Survey) -> (Vec<Option<kripke_explicit::Path>>, u64, u64, u64, bool) {
    let Survey {
        counterexamples,
        exploration,
        stopped,
        depth,
    } = survey;
    let (stored, created) = (exploration.stored, exploration.created);
    (
        counterexamples.clone(),
        stored,
        created,
        *depth,
        stopped.is_some(),
    )
}

/// Searches that see all states, that end when all invariants have failed, and that end at a limit.
fn agree(model: impl KripkeStructure) {
    let mut model = Scattered(model);
    for (count, most) in [(40, None), (6, None), (40, Some(500))] {
        let survey = |model: &mut Scattered<_>, store| {
            let limits = Limits {
                states: most,
                ..with(store)
            };
            survey_invariants(model, count, |labels| labels, &limits)
        };
        let plain = survey(&mut model, Store::Plain);
        for path in plain.counterexamples.iter().flatten() {
            assert!(path.replays(&mut model));
        }
        let tree = survey(&mut model, Store::Tree);
        assert_eq!(outcome(&tree), outcome(&plain));
        // So few states have different hashes.
        let hash = survey(&mut model, Store::Hash);
        if most.is_none() {
            let lengths = |survey: &Survey| -> Vec<Option<usize>> {
                let runs = survey.counterexamples.iter();
                runs.map(|path| path.as_ref().map(|path| path.states.len()))
                    .collect()
            };
            assert_eq!(lengths(&hash), lengths(&plain));
            for path in hash.counterexamples.iter().flatten() {
                assert!(path.replays(&mut model));
            }
            assert_eq!(hash.exploration.stored, plain.exploration.stored);
            assert_eq!(hash.exploration.created, plain.exploration.created);
        }
        // That nothing was found is never said to be certain.
        let is_open = hash.counterexamples.iter().any(Option::is_none);
        assert_eq!(hash.stopped.is_some(), is_open);
        let disk = survey(&mut model, Store::Disk(None));
        if most.is_none() {
            assert_eq!(outcome(&disk), outcome(&plain));
        }
        assert_eq!(
            disk.stopped.map(|stopped| stopped.reason),
            plain.stopped.map(|stopped| stopped.reason)
        );
    }
    for bit in [3, 8, 40] {
        let search = |model: &mut Scattered<_>, store| {
            let holds = |labels: Labels| labels >> bit & 1 == 0;
            check_invariant(model, holds, Order::DepthFirst, &with(store)).expect("there is no limit")
        };
        let (plain, tree) = (search(&mut model, Store::Plain), search(&mut model, Store::Tree));
        assert_eq!(tree.counterexample, plain.counterexample);
        assert_eq!(tree.exploration.created, plain.exploration.created);
    }
}

#[test]
fn searches_of_toys_agree() {
    agree(Peterson { processes: 3 });
    agree(Philosophers { count: 6 });
    agree(Election { nodes: 8 });
}

#[test]
fn temporal_formulas_agree() {
    let mut random = Random::new(12);
    for _ in 0..300 {
        let mut model = random_table(&mut random);
        let mut formulas = Formulas::default();
        let root = random_formula(&mut random, &mut formulas, 3);
        let formula = Formula {
            store: formulas,
            root,
        };
        let formula = CtlFormula::new(&formula).expect("it is a CTL formula");
        let check = |model: &mut _, store| {
            let result = check_ctl_local(model, &formula, &with(store)).expect("there is no limit");
            (
                result.holds,
                result.exploration.stored,
                result.exploration.created,
            )
        };
        assert_eq!(check(&mut model, Store::Tree), check(&mut model, Store::Plain));
    }
    for text in ["G F {inside}", "F {inside}", "G !{inside}"] {
        let formula = LtlFormula::new(&parse(text).expect("parses").formula, &Options::default());
        let formula = formula.expect("it is small");
        let check = |store| {
            let mut model = Peterson { processes: 3 };
            let result = check_ltl(&mut model, &formula, &with(store)).expect("there is no limit");
            (result.counterexample, result.product_states)
        };
        assert_eq!(check(Store::Tree), check(Store::Plain), "{text}");
    }
}

/// A model that notes something, as firmware does: at the expansion of some states, in an order that counts.
struct Noting<M> {
    model: M,
    notes: Vec<u64>,
    /// Work at each expansion, to make a thread of its own worth while.
    work: u32,
}

impl<M: KripkeStructure + Clone> KripkeStructure for Noting<M> {
    fn state_size(&self) -> usize {
        self.model.state_size()
    }

    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V) {
        self.model.initial_states(emit);
    }

    fn successors<V: Visit>(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V) {
        let note = scattered(state) >> 8;
        if note.is_multiple_of(300) && !self.notes.contains(&(note % 17)) {
            self.notes.push(note % 17);
        }
        for _ in 0..self.work {
            std::hint::black_box(scattered(std::hint::black_box(state)));
        }
        self.model.successors(state, emit);
    }

    fn noted(&self) -> u64 {
        self.notes.len() as u64
    }

    fn labels(&mut self, state: &[u8]) -> Labels {
        (1 << (scattered(state).trailing_zeros() + 1)) - 1
    }

    fn fork(&self) -> Option<Self> {
        Some(Noting {
            model: self.model.clone(),
            notes: self.notes.clone(),
            work: self.work,
        })
    }
}

fn noting<M>(model: M) -> Noting<M> {
    Noting {
        model,
        notes: Vec::new(),
        work: 0,
    }
}

fn in_directory(directory: &std::path::Path, model: &str, states: Option<usize>) -> Limits {
    Limits {
        states,
        checkpoint: Some(Checkpoint::new(directory.to_owned()).of_model(model.to_owned())),
        ..Limits::default()
    }
}

/// A search that is stopped again and again and goes on in another process, as it were.
fn resumes(model: impl KripkeStructure + Copy) {
    for count in [40, 8] {
        let directory = tempfile::tempdir().expect("a directory");
        let mut whole = noting(model);
        let expected = survey_invariants(&mut whole, count, |labels| labels, &Limits::default());
        for most in (1..).map(|part| (part < 9).then_some(part * part * 70)) {
            let limits = in_directory(directory.path(), "toy", most);
            let mut part = noting(model);
            let found = survey_invariants(&mut part, count, |labels| labels, &limits);
            assert_eq!(
                limits.checkpoint.and_then(|checkpoint| checkpoint.problem()),
                None
            );
            if found.stopped.is_none() {
                assert_eq!(outcome(&found), outcome(&expected));
                assert_eq!(part.notes, whole.notes);
                break;
            }
        }
        // Once more, all of it from the files.
        let mut again = noting(model);
        let limits = in_directory(directory.path(), "toy", None);
        let found = survey_invariants(&mut again, count, |labels| labels, &limits);
        assert_eq!(outcome(&found), outcome(&expected));
        assert_eq!(again.notes, whole.notes);
    }
}

/// Searches by one thread and by several, that see all states, that end early, and that end at a limit.
fn threads_agree(model: impl KripkeStructure + Copy) {
    let searches = [(40, None), (6, None), (9, None), (40, Some(700))];
    for ((count, states), store) in searches
        .into_iter()
        .zip([Store::Tree, Store::Plain].into_iter().cycle())
    {
        let survey = |helpers| {
            let mut model = Noting {
                work: 100,
                ..noting(model)
            };
            let limits = Limits {
                helpers,
                states,
                ..with(store.clone())
            };
            let survey = survey_invariants(&mut model, count, |labels| labels, &limits);
            (outcome(&survey), model.notes)
        };
        let alone = survey(0);
        for helpers in [1, 4] {
            assert_eq!(survey(helpers), alone, "{count} invariants, {helpers} helpers");
        }
    }
}

#[test]
fn any_number_of_threads_finds_the_same_in_the_same_order() {
    threads_agree(Peterson { processes: 3 });
    threads_agree(Philosophers { count: 7 });
    threads_agree(Election { nodes: 10 });
}

/// A model whose states have many successors, which it counts as it makes them or is told of them.
#[derive(Clone, Copy, Default)]
struct Fan {
    counted: u64,
}

impl KripkeStructure for Fan {
    fn state_size(&self) -> usize {
        2
    }

    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V) {
        emit(&[0, 0]);
    }

    fn successors<V: Visit>(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V) {
        let number = u32::from(u16::from_le_bytes([state[0], state[1]]));
        for _ in 0..200 {
            std::hint::black_box(scattered(std::hint::black_box(state)));
        }
        for choice in 0..20 {
            emit(choice, &((number * 20 + choice) % 9001).to_le_bytes()[..2]);
        }
        self.note_successors(state, 20);
    }

    fn note_successors(&mut self, state: &[u8], count: u64) {
        self.counted = self.counted.wrapping_add(scattered(state) ^ count);
    }

    fn labels(&mut self, _: &[u8]) -> Labels {
        0
    }

    fn fork(&self) -> Option<Self> {
        Some(*self)
    }
}

#[test]
fn models_are_told_of_many_successors_by_whatever_thread() {
    let counted = |helpers| {
        let limits = Limits {
            helpers,
            ..Limits::default()
        };
        let (mut searched, mut drawn) = (Fan::default(), Fan::default());
        let survey = survey_invariants(&mut searched, 1, |_| 0, &limits);
        assert_eq!(survey.exploration.stored, 9001);
        StateGraph::explore(&mut drawn, &limits).expect("there is no limit");
        assert_eq!(searched.counted, drawn.counted);
        searched.counted
    };
    assert_eq!(counted(2), counted(0));
}

#[test]
fn graphs_are_the_same_for_any_number_of_threads() {
    let graph = |helpers| {
        let mut model = Noting {
            work: 100,
            ..noting(Philosophers { count: 7 })
        };
        let limits = Limits {
            helpers,
            ..Limits::default()
        };
        let graph = StateGraph::explore(&mut model, &limits).expect("there is no limit");
        let edges: Vec<_> = (0..graph.len())
            .flat_map(|state| graph.successors(StateId::new(state)))
            .collect();
        let labels: Vec<Labels> = graph.labels().collect();
        (edges, labels, graph.created, model.notes)
    };
    let alone = graph(0);
    assert!(graph(1) == alone && graph(3) == alone);
}

#[test]
fn searches_go_on_from_checkpoints() {
    resumes(Peterson { processes: 3 });
    resumes(Philosophers { count: 6 });
    resumes(Election { nodes: 8 });
}

#[test]
fn damaged_checkpoints_are_refused() {
    let search = |directory: &std::path::Path, model: &str| {
        let limits = in_directory(directory, model, Some(500));
        let found = survey_invariants(&mut Peterson { processes: 3 }, 1, |_| 0, &limits);
        (
            found,
            limits.checkpoint.and_then(|checkpoint| checkpoint.problem()),
        )
    };
    for (extension, place) in [("states", 100), ("progress", 60), ("progress", 20)] {
        let directory = tempfile::tempdir().expect("a directory");
        assert_eq!(search(directory.path(), "one").1, None);
        // A search of another model is another one.
        let (found, problem) = search(directory.path(), "two");
        assert!(found.exploration.stored > 500 && problem.is_none());
        for file in std::fs::read_dir(directory.path()).expect("it is there") {
            let path = file.expect("it is there").path();
            if path.extension().is_some_and(|found| found == extension) {
                let mut bytes = std::fs::read(&path).expect("it is read");
                bytes[place] ^= 1;
                std::fs::write(path, bytes).expect("it is written");
            }
        }
        let (found, problem) = search(directory.path(), "one");
        assert!(problem.is_some(), "{extension} {place}");
        assert!(matches!(
            found.stopped.map(|stopped| stopped.reason),
            Some(Reason::Disk { .. })
        ));
        // Nothing is searched then.
        assert!(found.exploration.created <= 1);
    }
}

fn count() -> u64 {
    let usual = if cfg!(debug_assertions) {
        100_000
    } else {
        1_000_000
    };
    std::env::var("KRIPKE_STORE_COUNT").map_or(usual, |text| text.parse().expect("a number"))
}

/// State `n` of some: two parts that are rarely new, and one that tells all states apart.
fn nth(n: u64) -> [u8; 23] {
    let mut state = [0; 23];
    state[..8].copy_from_slice(&(scattered(&n.to_le_bytes()) % 1_000).to_le_bytes());
    state[8..16].copy_from_slice(&scattered(&(n / 3).to_le_bytes()).to_le_bytes());
    state[8..12].fill(0);
    state[16..].copy_from_slice(&n.wrapping_mul(0x00D3_2A1F).to_le_bytes()[..7]);
    state
}

#[test]
fn every_random_state_is_found_again() {
    for store in [Store::Plain, Store::Tree] {
        let limits = with(store);
        let mut states = StateStore::new(23, &limits, &Account::new(&limits));
        for n in 0..count() {
            let stored = states.insert(&nth(n)).expect("there is no limit");
            assert_eq!(stored, (StateId::new(n as usize), true));
        }
        for n in 0..count() {
            let id = StateId::new(n as usize);
            assert_eq!(states.find(&nth(n)), Some(id));
            assert_eq!(states.insert(&nth(n)), Ok((id, false)));
            assert_eq!(*states.state(id), nth(n));
        }
        assert_eq!(states.find(&nth(count())), None);
        let bytes = states.memory() as f64 / count() as f64;
        println!("{:?}: {bytes:.1} bytes a state", limits.store);
    }
}
