//! Violations found by running the program with inputs that evolve.
//!
//! Idea: a parser's error behind ten characters that have to fit is found by a search of all paths after
//! minutes, or not at all; runs whose inputs are like those of runs that came further find it in a second,
//! as each character that fits leads somewhere new. And a loop that goes wrong in its thousandth iteration is
//! just run so long. Nothing can be proved so.
//!
//! Invariant: a violation is told when the interpreter ends in it again, with the inputs written down: what
//! is told is a trace of the program as much as one that a solver found.
//!
//! Source: Zalewski: American fuzzy lop (technical details, 2014); Chowdhury, Medicherla, Venkatesh: VeriFuzz
//! (TACAS 2019) for fuzzing beside a bounded model checker.

pub(crate) mod constants;
mod corpus;
mod coverage;
pub(crate) mod inputs;
pub(crate) mod pace;
mod shorter;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kripke_elts::interpreter::{Contracts, End, RunOptions, Runner};
use kripke_elts::random::Random;
use kripke_elts::{Program, PropertyId};
use kripke_model::Trace;

use self::constants::Constants;
use self::corpus::Corpus;
use self::coverage::Coverage;
use self::inputs::{Given, RandomInputs};
use self::pace::{Pace, Stop};
use crate::limits;
use crate::options::Options;
use crate::replay::{Replay, Script, replay, violates};

/// How many runs have inputs that are like no earlier ones, before there are some to vary.
const FRESH: u64 = 40;
/// How many statements most runs have at most; every fifth of the time goes to runs of each of these lengths.
const LENGTHS: [u64; 5] = [6_000, 24_000, 96_000, 384_000, 1_536_000];
/// How often a run of some length comes for each of the next.
const SHORTER: u64 = 4;
/// How many runs are to contradict what was proved.
const MOST_CONTRADICTIONS: u64 = 200;
/// How many inputs of a run are varied.
const MOST_INPUTS: usize = 4_096;
/// How many bytes of objects may be alive in a run.
const MEMORY: u64 = 1 << 26;

/// Runs the program until it is to stop, and tells each violation of a property of interest once.
pub(crate) fn fuzz(
    program: &Program,
    options: &Options,
    stop: &Stop,
    tell: &mut dyn FnMut(PropertyId, Trace),
) {
    let mut fuzzer = Fuzzer::new(program, options.cancel.clone());
    let mut pace = Pace::new(stop);
    let mut told = BTreeSet::new();
    let mut goes_on = true;
    while goes_on && limits::check(options, false).is_ok() {
        let found = fuzzer.run_once();
        goes_on = pace.goes_on(std::mem::take(&mut fuzzer.came_further));
        if let Some((property, inputs)) = found
            && options.checks(property)
            && told.insert(property)
        {
            let inputs = fuzzer.shortened(property, inputs, options);
            if let Some(trace) = traced(program, property, &inputs) {
                tell(property, trace);
            }
        }
    }
}

/// Runs the program some times, for so long at most; tells what the first violates for which that is said.
/// Whether the search was cancelled does not matter: it may be, as everything was proved.
pub(crate) fn contradicted(
    program: &Program,
    time: Duration,
    is_wrong: impl Fn(PropertyId) -> bool,
) -> Option<(PropertyId, Trace)> {
    let mut fuzzer = Fuzzer::new(program, Arc::default());
    let until = Instant::now() + time;
    while fuzzer.runs < MOST_CONTRADICTIONS && Instant::now() < until {
        if let Some((property, inputs)) = fuzzer.run_once()
            && is_wrong(property)
        {
            return Some((property, traced(program, property, &inputs)?));
        }
    }
    None
}

/// What was run so far.
struct Fuzzer<'p> {
    runner: Runner<'p>,
    constants: Constants,
    coverage: Coverage,
    corpus: Corpus,
    random: Random,
    /// How many runs there were.
    runs: u64,
    /// A run showed what no earlier one did.
    came_further: bool,
}

impl<'p> Fuzzer<'p> {
    fn new(program: &'p Program, cancel: Arc<AtomicBool>) -> Self {
        let run_options = RunOptions {
            max_memory: MEMORY,
            contracts: Contracts::Ignored,
            // As the search assumes, where the size is not constant.
            assumes_room: true,
            ..RunOptions::default()
        };
        Fuzzer {
            runner: Runner::new(program, run_options),
            constants: Constants::of_program(program),
            coverage: Coverage::new(cancel),
            corpus: Corpus::new(),
            random: Random::new(0),
            runs: 0,
            came_further: false,
        }
    }

    /// One more run; the property that it violates, with its inputs.
    fn run_once(&mut self) -> Option<(PropertyId, Given)> {
        let number = self.runs;
        self.runs += 1;
        let mut inputs = RandomInputs::new(number, &self.constants);
        let replaced = match number % 2 {
            0 => self.corpus.next_replacement(&self.constants),
            _ => None,
        };
        if let Some(replaced) = replaced {
            inputs.follow(replaced);
        } else if number >= FRESH && !self.corpus.is_empty() {
            let first = self.corpus.pick(&mut self.random);
            let second = self.corpus.pick(&mut self.random);
            inputs.vary_two(first, second);
        }
        let length = LENGTHS[longer(number, LENGTHS.len() - 1)];
        let (end, steps) = self.runner.run(length, &mut inputs, &mut self.coverage);
        let features = self.coverage.end_run();
        let found = match end {
            End::Violation { property, .. } => Some((property, inputs.given.clone())),
            _ => None,
        };
        inputs.given.values.truncate(MOST_INPUTS);
        self.came_further |= self.corpus.keep(features, steps, inputs.given.values);
        found
    }
}

/// Which of the lengths the run of a number has.
fn longer(number: u64, most: usize) -> usize {
    let mut rest = number + 1;
    let mut longer = 0;
    while rest.is_multiple_of(SHORTER) && longer < most {
        rest /= SHORTER;
        longer += 1;
    }
    longer
}

/// The trace of a run that ends in the violation; none where it does not do so again.
fn traced(program: &Program, property: PropertyId, given: &Given) -> Option<Trace> {
    let (outcome, mut trace) = replay(program, property, &mut Script::of(given));
    debug_assert_eq!(outcome, Replay::Confirmed, "the run is the one that was seen");
    // A run that compares addresses may go wrong only because of where its objects lie.
    let elsewhere = Script::of(given).downwards(program.data_model.pointer_width);
    trace.depends_on_addresses = !violates(program, property, elsewhere);
    (outcome == Replay::Confirmed).then_some(trace)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters are read until one is wrong; then, or after the last, the loop begins again. The assertion
    /// fails after all of them.
    fn expects(text: &str, assertion: &str) -> Program {
        let mut program = String::from(
            "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\nfile0 \"test.c\"\n\
             p0 assertion \"one\" in main @1:1\n\
             function main() -> () entry l0 exit l1 @1:1 {\nlocal i8 letter;\nlocal i32 steps;\n\
             l0 \"\": when true { steps = 0i32; } goto l2;\nl1 \"\":\n",
        );
        let mut next = 2;
        for letter in text.bytes() {
            let (read, known) = (next, next + 1);
            next += 2;
            program += &format!(
                "l{read} \"\": when true {{ letter = nondet input \"letter\"; steps = steps + 1i32; }} \
                 goto l{known};\n\
                 l{known} \"\": when letter == {letter}i8 {{}} goto l{next};\n\
                 when !(letter == {letter}i8) {{}} goto l2;\n"
            );
        }
        program += &format!("l{next} \"\": when true {{ assert({assertion}) p0; }} goto l2;\n}}\n");
        kripke_elts::text::parse(&program).unwrap_or_else(|error| panic!("{error}\n{program}"))
    }

    fn found(program: &Program, runs: u64) -> Option<(u64, Given)> {
        let mut fuzzer = Fuzzer::new(program, Arc::default());
        let mut found = None;
        while found.is_none() && fuzzer.runs < runs {
            found = fuzzer.run_once();
        }
        let (property, given) = found?;
        Some((
            fuzzer.runs,
            fuzzer.shortened(property, given, &Options::default()),
        ))
    }

    fn letters(given: &Given) -> String {
        let values = given.values.iter().filter_map(|value| value.as_int());
        values
            .map(|bits| bits.to_u64().unwrap_or(0) as u8 as char)
            .collect()
    }

    #[test]
    fn a_word_is_found_letter_by_letter_and_nothing_else_is_left_of_the_inputs() {
        let (runs, given) = found(&expects("$GPR", "false"), 100_000).expect("a violation");
        assert!(runs > 40, "{runs} runs");
        assert_eq!(letters(&given), "$GPR");
    }

    #[test]
    fn a_counter_that_is_too_large_late_is_found_by_a_long_run() {
        assert!(found(&expects("a", "steps <u 9000i32"), 4_000).is_some());
    }

    #[test]
    fn what_holds_is_violated_by_no_run() {
        assert!(found(&expects("ab", "letter == 98i8"), 20_000).is_none());
    }

    #[test]
    fn a_run_of_every_length_comes_again_and_again() {
        let lengths: Vec<usize> = (0..16).map(|number| longer(number, 4)).collect();
        assert_eq!(lengths, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
    }

    #[test]
    fn what_a_run_violates_is_told_while_the_search_goes_on() {
        let program = expects("$GPRMC,", "steps <u 20i32");
        let options = Options {
            deadline: Some(Instant::now() + Duration::from_secs(60)),
            // The search knows nothing of it in this time: it follows the loop once more and once more.
            invariants: false,
            ..Options::default()
        };
        let report = crate::check(&program, &options, &mut crate::Silent).expect("a report");
        let kripke_model::Verdict::Violated { trace } = &report.results[0].verdict else {
            panic!("{:?}", report.results[0].verdict);
        };
        assert!(!trace.depends_on_addresses);
    }
}
