//! Random small firmware: the same verdicts under every abstraction, and verdicts that fit each other.
//!
//! Each program is checked with many properties and for all faults, in every mode. The first mode has no
//! abstraction: inputs have values when they are read, and the stack keeps what was popped. All definite
//! verdicts on a property must be the same. In every mode, formulas that say the same must have the same
//! verdict, and a formula and its negation cannot both hold.
//!
//! `KRIPKE_FIRMWARE_COUNT` programs are tried (2 unless set), from seed `KRIPKE_FIRMWARE_SEED` on. An
//! exploration has up to `KRIPKE_FIRMWARE_STATES` states (3,000 unless set); what has more is not compared.

mod common;
mod random_firmware;

use std::collections::BTreeMap;
use std::path::Path;

use kripke_logic::random::Random;
use random_firmware::{Program, atom, ctl, ltl, program};

/// Options under which verdicts must agree; the first ones add nothing to what the chip does.
const MODES: [&[&str]; 14] = [
    &[
        "--nondeterminism",
        "immediate",
        "--no-lazy-stack",
        "--no-path-reduction",
        "--no-dead-variable-reduction",
        "--threads",
        "1",
    ],
    &[],
    &["--no-path-reduction"],
    &["--no-interrupt-reduction"],
    &["--no-dead-variable-reduction"],
    &["--nondeterminism", "immediate", "--no-lazy-stack"],
    &["--nondeterminism", "immediate"],
    &["--nondeterminism", "delayed"],
    &["--no-lazy-stack"],
    &["--no-abstract-values"],
    &["--no-widening"],
    &["--no-abstract-values", "--no-lazy-stack", "--lazy-interrupts"],
    &["--lazy-interrupts"],
    &[
        "--nondeterminism",
        "delayed",
        "--no-lazy-stack",
        "--lazy-interrupts",
    ],
];

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| {
        text.parse().unwrap_or_else(|_| panic!("{name}={text}"))
    })
}

/// How the verdicts on two properties fit each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Same,
    Opposite,
    NotBothHold,
}

/// Properties with their names, and what is known of their verdicts.
#[derive(Default)]
struct Questions {
    texts: Vec<(&'static str, String)>,
    relations: Vec<(usize, Relation, usize)>,
}

impl Questions {
    fn ask(&mut self, form: &'static str, text: String) -> usize {
        self.texts.push((form, text));
        self.texts.len() - 1
    }

    fn relate(&mut self, first: usize, relation: Relation, second: usize) {
        self.relations.push((first, relation, second));
    }

    /// The name that the property gets in the report.
    fn name(&self, index: usize) -> String {
        let (form, _) = self.texts[index];
        let before = self.texts[..=index].iter().filter(|(other, _)| *other == form);
        format!("{form}.{}", before.count())
    }
}

/// Random properties. `one_initial`: of a formula and its negation one holds.
fn questions(random: &mut Random, program: &Program, one_initial: bool) -> Questions {
    let mut questions = Questions::default();
    let negated = match one_initial {
        true => Relation::Opposite,
        false => Relation::NotBothHold,
    };
    let p = atom(random, program);
    let always = questions.ask("invariant", p.clone());
    let (linear, branching) = (
        questions.ask("ltl", format!("G {p}")),
        questions.ask("ctl", format!("AG {p}")),
    );
    questions.relate(always, Relation::Same, linear);
    questions.relate(always, Relation::Same, branching);
    let some = questions.ask("ctl", format!("EF !{p}"));
    questions.relate(always, negated, some);

    let q = atom(random, program);
    let linear = questions.ask("ltl", format!("F {q}"));
    let branching = questions.ask("ctl", format!("AF {q}"));
    questions.relate(linear, Relation::Same, branching);
    let never = questions.ask("ctl", format!("EG !{q}"));
    questions.relate(branching, negated, never);

    let r = atom(random, program);
    let linear = questions.ask("ltl", format!("G F {r}"));
    let branching = questions.ask("ctl", format!("AG AF {r}"));
    questions.relate(linear, Relation::Same, branching);

    let text = ltl(random, program);
    let linear = questions.ask("ltl", text.clone());
    let opposite = questions.ask("ltl", format!("!({text})"));
    questions.relate(linear, Relation::NotBothHold, opposite);
    for depth in 1..3 {
        let text = ctl(random, program, depth);
        let branching = questions.ask("ctl", text.clone());
        let opposite = questions.ask("ctl", format!("!({text})"));
        questions.relate(branching, negated, opposite);
    }
    let text = format!("{} || {}", atom(random, program), atom(random, program));
    questions.ask("invariant", text);
    questions
}

/// The verdicts of one call, by the names of the properties; it leaves a report of its own in the folder.
fn verdicts(
    folder: &Path,
    report: &str,
    program: &Program,
    options: &[&str],
    questions: &Questions,
) -> Result<BTreeMap<String, String>, String> {
    let mut arguments = vec!["check", "a.elf", "--quiet", "--json", report];
    let states = setting("KRIPKE_FIRMWARE_STATES", 3_000).to_string();
    arguments.extend(["--max-states", &states]);
    arguments.extend(options);
    arguments.extend(program.environment.iter().map(String::as_str));
    let forms = questions.texts.iter().map(|(form, _)| format!("--{form}"));
    let forms: Vec<String> = forms.collect();
    for (form, (_, text)) in forms.iter().zip(&questions.texts) {
        arguments.extend([form.as_str(), text]);
    }
    let output = common::kripke(&arguments, folder);
    if !matches!(output.status.code(), Some(0..=2)) {
        return Err(format!("{:?}: {}", output.status, common::text(&output)));
    }
    let report = std::fs::read_to_string(folder.join(report)).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let results = report["results"].as_array().expect("results");
    let said = |result: &serde_json::Value, field: &str| result[field].as_str().unwrap_or("").to_owned();
    Ok(results
        .iter()
        .map(|result| {
            let limited = result["reason"].to_string().contains("\"states\"");
            let verdict = if limited {
                "too large".to_owned()
            } else {
                said(result, "verdict")
            };
            (said(&result["property"], "id"), verdict)
        })
        .collect())
}

/// What contradicts what, in the verdicts of one mode.
fn contradictions(questions: &Questions, verdicts: &BTreeMap<String, String>) -> Vec<String> {
    let verdict = |index| verdicts.get(&questions.name(index)).map_or("", String::as_str);
    let relations = questions.relations.iter().filter(|(first, relation, second)| {
        let pair = (verdict(*first), verdict(*second));
        match (pair, relation) {
            (("unknown" | "too large", _) | (_, "unknown" | "too large"), _) => false,
            ((a, b), Relation::Same) => a != b,
            ((a, b), Relation::Opposite) => a == b,
            (pair, Relation::NotBothHold) => pair == ("holds", "holds"),
        }
    });
    let text = |index: usize| format!("{} {}", questions.texts[index].1, verdict(index));
    relations
        .map(|(first, _, second)| format!("{}, but {}", text(*first), text(*second)))
        .collect()
}

#[test]
fn modes_agree() {
    let first = setting("KRIPKE_FIRMWARE_SEED", 1);
    let count = setting("KRIPKE_FIRMWARE_COUNT", 2);
    let (mut verdicts_given, mut compared, mut holding) = (0, 0, 0);
    let (mut unknown, mut large) = (0, 0);
    let mut failures = Vec::new();
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let program = program(&mut random);
        let from_reset = random.below(5) == 0;
        let questions = questions(&mut random, &program, !from_reset && !program.has_unwritten);
        let folder = common::compile(&program.source, &["-g", program.level]);
        let from: &[&str] = if from_reset { &["--from", "reset"] } else { &[] };
        let mut truth: BTreeMap<String, (String, usize)> = BTreeMap::new();
        let mut wrong = Vec::new();
        let modes: Vec<(usize, &[&str])> = MODES.into_iter().enumerate().collect();
        let answers = common::for_each(&modes, |(number, mode)| {
            let (report, options) = (format!("report{number}.json"), [mode, from].concat());
            verdicts(folder.path(), &report, &program, &options, &questions)
        });
        for ((number, mode), answer) in modes.into_iter().zip(answers) {
            let found = match answer {
                Ok(found) => found,
                Err(failure) => {
                    wrong.push(format!("{mode:?}: {failure}"));
                    continue;
                }
            };
            let contradictions = contradictions(&questions, &found);
            wrong.extend(contradictions.into_iter().map(|said| format!("{mode:?}: {said}")));
            for (name, verdict) in found {
                match verdict.as_str() {
                    "too large" => large += 1,
                    "unknown" => unknown += 1,
                    _ => verdicts_given += 1,
                }
                if !matches!(verdict.as_str(), "holds" | "violated") {
                    continue;
                }
                holding += u32::from(verdict == "holds");
                let (expected, by) = truth.entry(name.clone()).or_insert((verdict.clone(), number));
                compared += u32::from(*by != number);
                if *expected != verdict {
                    let text = (0..questions.texts.len()).find(|index| questions.name(*index) == name);
                    let text = text.map_or("", |index| &questions.texts[index].1);
                    let other = MODES[*by];
                    wrong.push(format!(
                        "{mode:?}: {name} {text} {verdict}; {other:?}: {expected}"
                    ));
                }
            }
        }
        if !wrong.is_empty() {
            let Program {
                source,
                level,
                environment,
                ..
            } = &program;
            let said = wrong.join("\n");
            failures.push(format!(
                "seed {seed}, {level} {environment:?} {from:?}:\n{said}\n{source}"
            ));
        }
    }
    println!(
        "{count} programs: {verdicts_given} verdicts, of which {holding} hold and {compared} were compared \
         with another mode's; \
         {unknown} unknown, {large} of too many states"
    );
    assert!(
        failures.is_empty(),
        "{} programs fail\n{}",
        failures.len(),
        failures.join("\n\n")
    );
}
