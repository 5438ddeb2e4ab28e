//! Verdicts and invariants of random programs with endless loops against explicit enumeration of their
//! reachable states.
//!
//! gcc's program visits every reachable state of a program (`random_endless`) and tells which predicates
//! fail, and whether an index, a pointer or a divisor is bad. Some predicates become assertions. What Kripke
//! says *holds* must not fail in any run that ends at the first failure; what it says is *violated* must
//! fail. *Unknown* is counted. A proof's invariants are evaluated whenever an iteration starts.
//!
//! `KRIPKE_ENDLESS_COUNT` programs are tried (24 unless set), from seed `KRIPKE_ENDLESS_SEED` on.

mod common;
mod random_endless;
mod witness;

use std::collections::BTreeSet;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{for_each, setting};
use kripke_logic::random::Random;
use random_endless::{Assertion, Endless, Text};
use serde_json::Value;
use witness::{body, invariants};

/// Ways to check, of which each program takes the first and one of the others.
const WAYS: [&[&str]; 9] = [
    &[],
    &["--no-feasibility"],
    &["--no-invariants"],
    &["--no-invariants", "--no-feasibility"],
    &["--max-unwind", "3"],
    &["--merge-all"],
    &["--restart"],
    &["--no-pdr"],
    &["--only-invariants"],
];
/// How long each check may take.
const TIMEOUT: &str = "4s";
/// Programs with fewer states are not tried; another takes their place, so many times.
const LEAST_STATES: usize = 12;
const ATTEMPTS: u64 = 8;
/// So many of a hundred may be unknown.
const TOLERATED: usize = 20;

/// The file in which Kripke leaves its proof.
const WITNESS: &str = "proof.yml";

/// What is true of a program.
#[derive(Debug, Default)]
struct Truth {
    states: usize,
    fails: BTreeSet<Assertion>,
    faults: bool,
    /// The invariants, by number, that hold whenever they are reached, and those that do not.
    kept: Vec<usize>,
    broken: Vec<usize>,
}

/// Runs the explorer with assertions that end a run; nothing where there are too many states.
fn explored(binary: &Path, stops: &[Assertion]) -> Option<Truth> {
    let numbers = stops.iter().flat_map(|stop| [stop.point, stop.predicate]);
    let output = Command::new(binary)
        .args(numbers.map(|number| number.to_string()))
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{}: {:?}",
        binary.display(),
        output.status
    );
    let mut truth = Truth::default();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["exhausted"] => return None,
            ["states", number] => truth.states = number.parse().expect("a number"),
            ["fault"] => truth.faults = true,
            ["kept", number] => truth.kept.push(number.parse().expect("a number")),
            ["broken", number] => truth.broken.push(number.parse().expect("a number")),
            ["fails", point, predicate] => {
                truth.fails.insert(Assertion {
                    point: point.parse().expect("a number"),
                    predicate: predicate.parse().expect("a number"),
                });
            }
            _ => {}
        }
    }
    Some(truth)
}

fn compiled(folder: &Path, text: &str) -> PathBuf {
    let (source, binary) = (folder.join("explorer.c"), folder.join("explorer"));
    std::fs::write(&source, text).expect("the folder is writable");
    let output = Command::new("gcc")
        .args(["-w", "-O1", "-o"])
        .arg(&binary)
        .arg(&source)
        .output()
        .expect("gcc is installed");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {messages}", source.display());
    binary
}

/// One or two predicates that hold, and sometimes one that fails: as a rule those next to each other in a
/// chain, which are the strongest that holds and the weakest that fails.
fn assertions(random: &mut Random, truth: &Truth, program: &Endless) -> Vec<Assertion> {
    let count = program.predicates.len();
    let all = (0..2 * count).map(|number| Assertion {
        point: number / count,
        predicate: number % count,
    });
    let (failing, holding): (Vec<Assertion>, Vec<Assertion>) = all.partition(|one| truth.fails.contains(one));
    let next = |one: &Assertion, by: usize| Assertion {
        predicate: one.predicate + by,
        ..*one
    };
    let is_edge = |one: &&Assertion| {
        let after = next(one, 1);
        let in_chain =
            after.predicate < count && program.chains[one.predicate] == program.chains[after.predicate];
        in_chain && !truth.fails.contains(&after)
    };
    let weakest: Vec<Assertion> = failing.iter().filter(is_edge).copied().collect();
    let strongest: Vec<Assertion> = weakest.iter().map(|one| next(one, 1)).collect();
    let mut pick = |edges: &[Assertion], all: &[Assertion]| match (edges, all) {
        ([], []) => None,
        ([], all) => Some(all[random.below(all.len())]),
        (edges, all) if all.is_empty() || random.below(5) > 0 => Some(edges[random.below(edges.len())]),
        (_, all) => Some(all[random.below(all.len())]),
    };
    let mut chosen: BTreeSet<Assertion> = BTreeSet::new();
    chosen.extend((0..2).filter_map(|_| pick(&strongest, &holding)));
    let fails = pick(&weakest, &failing);
    chosen.extend(fails.filter(|_| random.below(3) == 0));
    chosen.into_iter().collect()
}

/// What Kripke says of a program: of each property its line, whether it is an assertion, and the verdict.
fn verdicts(folder: &Path, text: &str, way: &[&str]) -> Vec<(u32, bool, String)> {
    let (source, report) = (folder.join("program.c"), folder.join("report.json"));
    std::fs::write(&source, text).expect("the folder is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .arg("check")
        .arg(&source)
        .args(["--all", "--timeout", TIMEOUT, "--memory-limit", "2G", "--json"])
        .arg(&report)
        .arg("--certificate")
        .arg(folder.join(WITNESS))
        .args(way)
        .output()
        .expect("kripke runs");
    assert!(
        matches!(output.status.code(), Some(0..=2)),
        "{} {way:?}: {:?}\n{}{}",
        source.display(),
        output.status.code(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let json = std::fs::read_to_string(&report).expect("a report");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let results = json["results"].as_array().expect("results");
    let told = results.iter().map(|result| {
        let property = &result["property"];
        let line = property["place"]["line"].as_u64().unwrap_or(0) as u32;
        let verdict = result["verdict"].as_str().unwrap_or("none").to_owned();
        (line, property["kind"] == "assertion", verdict)
    });
    told.collect()
}

/// How many properties got which verdict.
#[derive(Debug, Default)]
struct Tally {
    programs: usize,
    left_out: usize,
    holds: usize,
    violated: usize,
    unknown: usize,
    /// Loops whose invariants were evaluated.
    invariants: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.programs += other.programs;
        self.left_out += other.left_out;
        self.holds += other.holds;
        self.violated += other.violated;
        self.unknown += other.unknown;
        self.invariants += other.invariants;
    }
}

/// A program as Kripke gets it, and what is true of it.
struct Case {
    seed: u64,
    program: Endless,
    text: Text,
    assertions: Vec<Assertion>,
    /// Where runs go on after an assertion that fails, and where they end.
    going_on: Truth,
    stopping: Truth,
}

impl Case {
    /// The program of a seed; none where it has too many states to enumerate, or so few that it is none to
    /// prove anything of.
    fn new(seed: u64, folder: &Path) -> Option<Case> {
        let (program, mut random) = Endless::new(seed);
        let marked = program.text(None).text;
        let binary = compiled(folder, &program.explorer(&marked, ""));
        let going_on = explored(&binary, &[]).filter(|truth| truth.states >= LEAST_STATES)?;
        let assertions = assertions(&mut random, &going_on, &program);
        let stopping = explored(&binary, &assertions)?;
        let text = program.text(Some(&assertions));
        Some(Case {
            seed,
            program,
            text,
            assertions,
            going_on,
            stopping,
        })
    }

    /// What is wrong with the verdicts.
    fn compare(&self, verdicts: &[(u32, bool, String)], tally: &mut Tally) -> Result<(), String> {
        let mut may_fault = false;
        for (line, is_assertion, verdict) in verdicts {
            match verdict.as_str() {
                "holds" => tally.holds += 1,
                "violated" => tally.violated += 1,
                _ => tally.unknown += 1,
            }
            if !is_assertion {
                may_fault |= verdict != "holds";
                if verdict == "violated" && !self.going_on.faults {
                    return Err(format!("line {line}: violated is wrong"));
                }
                continue;
            }
            let at = self.text.lines.iter().position(|own| own == line);
            let assertion = self.assertions[at.ok_or("an assertion that is not there")?];
            if verdict == "holds" && self.stopping.fails.contains(&assertion) {
                return Err(format!("line {line}: holds is wrong"));
            }
            if verdict == "violated" && !self.going_on.fails.contains(&assertion) {
                return Err(format!("line {line}: violated is wrong"));
            }
        }
        match self.stopping.faults && !may_fault {
            true => Err("holds is wrong of a bad index, pointer or divisor".to_owned()),
            false => Ok(()),
        }
    }
}

impl Case {
    /// The invariants that a witness has, evaluated in all states: how many hold, and what is wrong.
    fn invariants_hold(&self, folder: &Path, witness: &str) -> Result<usize, String> {
        let mut found = invariants(witness);
        // What is put into the text does not move what stands before it.
        found.sort_by_key(|one| (one.line, one.column));
        let (mut text, mut notes) = (self.text.text.clone(), String::new());
        for (number, one) in found.iter().enumerate().rev() {
            let check = format!("invariant({number}, {})", one.condition);
            let is_endless = [0, 1]
                .map(|before| self.text.loop_line() - before)
                .contains(&one.line);
            match body(&text, one) {
                _ if is_endless => notes += &format!("{check};\n"),
                Some(at) => text.insert_str(at, &format!("if ({check}, 0) {{}} else ")),
                None => return Err(format!("{one:?} is of no loop")),
            }
        }
        let binary = compiled(folder, &self.program.explorer(&text, &notes));
        let truth = explored(&binary, &[]).ok_or("more states than before")?;
        match truth.broken.first() {
            Some(number) => Err(format!("{:?} does not hold", found[*number])),
            None => Ok(truth.kept.len()),
        }
    }
}

/// Checks a program in one way.
fn check(case: &Case, folder: &Path, way: &[&str], tally: &mut Tally) -> Result<(), String> {
    let witness = folder.join(WITNESS);
    std::fs::remove_file(&witness).ok();
    tally.programs += 1;
    case.compare(&verdicts(folder, &case.text.text, way), tally)?;
    if let Ok(witness) = std::fs::read_to_string(&witness) {
        tally.invariants += case.invariants_hold(folder, &witness)?;
    }
    Ok(())
}

/// Tries the program of a seed in two ways: of each way its number and what came out, and what is wrong.
fn tried(seed: u64) -> (Vec<(usize, Tally)>, Vec<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let other = 1 + (seed as usize) % (WAYS.len() - 1);
    // Seeds of programs that take the place of others are far from all others.
    let mut attempts = (0..ATTEMPTS).map(|attempt| seed + (attempt << 32));
    let Some(case) = attempts.find_map(|seed| Case::new(seed, folder.path())) else {
        let left_out = Tally {
            left_out: 1,
            ..Tally::default()
        };
        return (vec![(0, left_out)], Vec::new());
    };
    let (mut tallies, mut wrong) = (Vec::new(), Vec::new());
    for way in [0, other] {
        let mut tally = Tally::default();
        if let Err(why) = check(&case, folder.path(), WAYS[way], &mut tally) {
            wrong.push(format!(
                "seed {}, {:?}: {why}\n{}",
                case.seed, WAYS[way], case.text.text
            ));
        }
        tallies.push((way, tally));
    }
    (tallies, wrong)
}

#[test]
fn verdicts_and_invariants_are_those_of_enumeration() {
    let first = setting("KRIPKE_ENDLESS_SEED", 1);
    let count = setting("KRIPKE_ENDLESS_COUNT", 24);
    let mut tallies: Vec<Tally> = WAYS.iter().map(|_| Tally::default()).collect();
    let seeds: Vec<u64> = (first..first + count).collect();
    let mut wrong = Vec::new();
    for (counted, said) in for_each(&seeds, |seed| tried(*seed)) {
        for (way, tally) in counted {
            tallies[way] += tally;
        }
        wrong.extend(said);
    }
    for (way, tally) in WAYS.iter().zip(&tallies) {
        println!("{way:?}: {tally:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all = &tallies[0];
    let properties = all.holds + all.violated + all.unknown;
    assert!(
        all.unknown * 100 <= properties * TOLERATED,
        "{} of {properties} are unknown",
        all.unknown
    );
    assert!(
        all.left_out as u64 * 4 <= count,
        "{} programs have too few or too many states",
        all.left_out
    );
    let evaluated: usize = tallies.iter().map(|tally| tally.invariants).sum();
    assert!(evaluated > 0 || count < 24, "no proof had invariants");
}

/// A witness that says of the endless loop what fails in some state is refused.
#[test]
fn an_invariant_that_does_not_hold_is_noticed() {
    let mut noticed = 0;
    for seed in 1..=4 {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let Some(case) = Case::new(seed, folder.path()) else {
            continue;
        };
        let line = case.text.loop_line();
        let fails = case.stopping.fails.iter();
        let at_the_end = fails.filter(|one| one.point == 0 && !case.assertions.contains(one));
        for one in at_the_end.take(3) {
            let condition = &case.program.predicates[one.predicate];
            let witness = format!("line: {line}\ncolumn: 1\nvalue: '{condition}'\n");
            let told = case.invariants_hold(folder.path(), &witness);
            assert!(
                told.is_err(),
                "{condition} was taken for an invariant of\n{}",
                case.text.text
            );
            noticed += 1;
        }
    }
    assert!(noticed > 0, "no program had a predicate that fails");
}
