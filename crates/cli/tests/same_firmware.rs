//! The same program checked twice: as C with its handlers of interrupts, and as the firmware that avr-gcc
//! makes of it.
//!
//! The two ways share nothing between the formula and the verdict: clang, symbolic execution, handlers put
//! where they can tell and induction here; avr-gcc, single instructions and explicit states there. So each is
//! an oracle for the other. They are no equals, though: the model of C lets any number of interrupts come
//! between two accesses, also right after `sei`, and tries the bytes of a wide access in two orders, where
//! machine code has one order and at least one instruction between two interrupts. Hence:
//!
//! - What holds as C holds as firmware.
//! - What is violated as C is violated as firmware of the same program with pauses (`WIDE`), in which nearly
//!   all that C allows can happen.
//! - What is violated as firmware is so with pauses, too.
//! - What is torn in the firmware is `torn-access` or `atomicity` in C.
//!
//! `KRIPKE_SAME_COUNT` random programs are tried (8 unless set), from seed `KRIPKE_SAME_SEED` on, with
//! `KRIPKE_SAME_SECONDS` for each check (1 unless set). `KRIPKE_SAME_SHOW` prints them instead.

mod common;
mod random_handlers;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use common::setting;
use kripke_logic::random::Random;
use random_handlers::{Program, atom, program};

/// As C, a register is read as anything, and formulas cannot read it. An output that the firmware alone
/// changes is as good as a variable.
const OUTPUTS: &str = "#include <avr/io.h>
#undef PORTA
#undef PORTB
#undef PORTC
#undef DDRC
volatile unsigned char PORTA, PORTB, PORTC, DDRC;
";

/// What makes firmware of examples that are C only: handlers at vectors, inputs, a failing assertion.
const BOARD: &str = "#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>
volatile uint8_t failed;
void abort(void) { failed = 1; for (;;) { } }
#ifdef __clang__
#define NAKED
#else
#define NAKED __attribute__((naked))
#endif
#define ENABLE NAKED __attribute__((used, section(\".init8\"))) void enable(void)
#ifdef SENSOR
void adc_complete(void);
uint16_t adc_result(void) { return PINB & 1 ? 0x300 : 0x2ff; }
ISR(INT0_vect) { adc_complete(); }
ENABLE { GICR = 1 << INT0; }
#endif
#ifdef UART
void uart_receive(void);
void uart_break(void);
ISR(INT0_vect) { uart_receive(); }
ISR(INT1_vect) { uart_break(); }
ENABLE { GICR = 1 << INT0 | 1 << INT1; sei(); }
#endif
";

/// Options for a program as C.
const AS_C: [&str; 8] = [
    "--target",
    "avr",
    "-D",
    "__AVR_ATmega16__",
    "--include",
    "outputs.h",
    "--std",
    "gnu99",
];

/// The verdicts of a call on formulas and the kinds that its options ask for, by the properties' names.
fn verdicts(folder: &Path, options: &[&str], formulas: &[&str]) -> BTreeMap<String, String> {
    let usual = [
        "check",
        "--quiet",
        "--json",
        "report.json",
        "--memory-limit",
        "3GB",
    ];
    let mut arguments = [&usual, options].concat();
    arguments.extend(formulas.iter().flat_map(|formula| ["--ltl", formula]));
    let output = common::kripke(&arguments, folder);
    common::verdict(&output, folder);
    let report = std::fs::read_to_string(folder.join("report.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let results = report["results"].as_array().expect("results");
    let pair = |result: &serde_json::Value| {
        let text = |value: &serde_json::Value| value.as_str().unwrap_or("").to_owned();
        (text(&result["property"]["id"]), text(&result["verdict"]))
    };
    results.iter().map(pair).collect()
}

/// The verdicts on the formulas, in their order.
fn on_formulas(folder: &Path, options: &[&str], formulas: &[&str]) -> Vec<String> {
    let found = verdicts(folder, options, formulas);
    let names = (1..=formulas.len()).map(|number| format!("ltl.{number}"));
    names
        .map(|name| found.get(&name).cloned().unwrap_or_default())
        .collect()
}

fn is_definite(verdict: &str) -> bool {
    matches!(verdict, "holds" | "violated")
}

/// The verdicts on formulas over a program as C: a small bound leaves time for a proof, a larger one finds
/// what takes longer to happen.
fn as_c(folder: &Path, options: &[&str], formulas: &[&str]) -> Vec<String> {
    let options = [&AS_C, options, &["--check", "none"]].concat();
    let mut found = on_formulas(folder, &[&options[..], &["--unwind", "2"]].concat(), formulas);
    let open: Vec<usize> = (0..formulas.len())
        .filter(|&index| !is_definite(&found[index]))
        .collect();
    if open.is_empty() {
        return found;
    }
    let rest: Vec<&str> = open.iter().map(|&index| formulas[index]).collect();
    let later = on_formulas(folder, &[&options[..], &["--unwind", "6"]].concat(), &rest);
    for (index, verdict) in open.into_iter().zip(later) {
        found[index] = verdict;
    }
    found
}

/// The verdict on all assertions of a program as C.
fn assertions(folder: &Path, options: &[&str]) -> String {
    let found = verdicts(folder, &[&AS_C, options, &["--check", "assertion"]].concat(), &[]);
    let worst = ["violated", "unknown", "holds"];
    let said = worst
        .into_iter()
        .find(|verdict| found.values().any(|found| found == verdict));
    said.unwrap_or("none").to_owned()
}

/// An example in both forms.
struct Example {
    /// Below `examples`.
    source: &'static str,
    /// Macros for both compilers.
    defines: &'static [&'static str],
    /// Formulas with their verdicts as C and as firmware.
    formulas: &'static [(&'static str, &'static str, &'static str)],
}

/// Stands for the assertions of a program; the firmware notes in a variable that one fails.
const ASSERTIONS: &str = "G {failed == 0}";

/// Those that take little time in both forms; `docs/same-firmware.md` has more.
const EXAMPLES: [Example; 11] = [
    Example {
        source: "avr/light-switch/light_switch.c",
        defines: &[],
        formulas: &[
            ("G {(PORTB & 0xFE) == 0}", "holds", "holds"),
            ("G({light == 1} -> F {light == 0})", "violated", "violated"),
            ("G {(PORTB & 1) == 0}", "violated", "violated"),
        ],
    },
    Example {
        source: "avr/plant/plant.c",
        defines: &[],
        formulas: &[("F {phase == 2}", "violated", "violated")],
    },
    Example {
        source: "avr/traffic-light/traffic_light.c",
        defines: &[],
        formulas: &[("G({request} -> F {PORTB & 0x20})", "violated", "violated")],
    },
    Example {
        source: "avr/window-lift/window_lift.c",
        defines: &[],
        formulas: &[("G F {PORTB == 0}", "violated", "violated")],
    },
    Example {
        source: "avr/reentrance/reentrance.c",
        defines: &[],
        formulas: &[("G F {PORTB == 0}", "holds", "holds")],
    },
    Example {
        source: "avr/reentrance/reentrance.c",
        defines: &["GUARDED"],
        formulas: &[
            ("G F {PORTB == 0}", "holds", "holds"),
            ("G {PORTB == 0}", "violated", "violated"),
        ],
    },
    Example {
        source: "avr/reentrance/reentrance.c",
        defines: &["DEAF"],
        // Between `sei` and `cli` no interrupt can come on the chip.
        formulas: &[("G {PORTB == 0}", "violated", "holds")],
    },
    Example {
        source: "avr/speed/main_loop.c",
        defines: &["CHANNELS=1"],
        formulas: &[
            ("G {velocity <= 251}", "holds", "holds"),
            ("G {velocity == 0}", "violated", "violated"),
        ],
    },
    Example {
        source: "sensor.c",
        defines: &["SENSOR"],
        formulas: &[(ASSERTIONS, "violated", "violated")],
    },
    Example {
        source: "sensor.c",
        defines: &["SENSOR", "FIXED"],
        formulas: &[(ASSERTIONS, "holds", "holds")],
    },
    Example {
        source: "uart_driver.c",
        defines: &["UART", "WRONG"],
        formulas: &[(ASSERTIONS, "violated", "violated")],
    },
];

#[test]
fn examples() {
    let mut wrong = Vec::new();
    for example in &EXAMPLES {
        let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let source = source.join(example.source);
        let text = std::fs::read_to_string(&source).expect("an example");
        let mut flags = vec!["-g".to_owned()];
        flags.extend(example.defines.iter().map(|define| format!("-D{define}")));
        let board_folder = tempfile::tempdir().expect("a temporary folder");
        let board = board_folder.path().join("board.c").display().to_string();
        std::fs::write(&board, BOARD).expect("a file");
        let has_handlers = text.contains("avr/io.h");
        let outputs = if has_handlers { OUTPUTS } else { "" };
        if !has_handlers {
            flags.push(board.clone());
        }
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let folder = common::compile(&text, &flags);
        let folder = folder.path();
        std::fs::write(folder.join("outputs.h"), outputs).expect("a file");
        let formulas: Vec<&str> = example.formulas.iter().map(|(formula, ..)| *formula).collect();
        let mut options = vec!["a.c", "--timeout", "60s"];
        options.extend(example.defines.iter().flat_map(|define| ["-D", define]));
        if !has_handlers {
            options.push(&board);
        }
        if !has_handlers || text.contains("ISR(") {
            options.push("--interrupts");
        }
        let c = match formulas[..] {
            [ASSERTIONS] => vec![assertions(folder, &options)],
            _ => as_c(folder, &options, &formulas),
        };
        let firmware = on_formulas(
            folder,
            &["a.elf", "--timeout", "60s", "--check", "none"],
            &formulas,
        );
        for ((formula, expected_c, expected), (c, firmware)) in
            example.formulas.iter().zip(c.into_iter().zip(firmware))
        {
            if (c.as_str(), firmware.as_str()) != (expected_c, expected) {
                let name = example.source;
                let defines = example.defines;
                wrong.push(format!(
                    "{name} {defines:?} {formula}: C {c}, firmware {firmware}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the three forms of a random program say of one formula.
struct Row {
    c: String,
    firmware: String,
    wide: String,
}

impl Row {
    fn is_contradiction(&self) -> bool {
        let (c, firmware, wide) = (self.c.as_str(), self.firmware.as_str(), self.wide.as_str());
        c == "holds" && (firmware == "violated" || wide == "violated")
            || wide == "holds" && (c == "violated" || firmware == "violated")
    }
}

/// Formulas over a program: invariants, and any.
fn formulas(random: &mut Random, program: &Program) -> Vec<String> {
    let atoms: Vec<String> = (0..4).map(|_| atom(random, program)).collect();
    let mut formulas: Vec<String> = atoms[..3].iter().map(|atom| format!("G {{{atom}}}")).collect();
    let names: Vec<&str> = atoms.iter().map(String::as_str).collect();
    for _ in 0..2 {
        formulas.push(common::formula(random, &names[2..], false).1);
    }
    formulas
}

/// The verdicts on a program in its three forms, and what is wrong with accesses that are torn.
fn checked(program: &Program, formulas: &[&str], limit: &str) -> (Vec<Row>, Option<String>) {
    let folder = common::compile(&program.source, &["-g", program.level]);
    let folder = folder.path();
    std::fs::write(folder.join("outputs.h"), OUTPUTS).expect("a file");
    let options = ["a.c", "--interrupts", "--timeout", limit];
    let c = as_c(folder, &options, formulas);
    let kinds = [&AS_C, &options[..], &["--check", "torn-access,atomicity"]].concat();
    let kinds = verdicts(folder, &kinds, &[]);

    let image = ["a.elf", "--timeout", limit];
    let firmware = verdicts(folder, &image, formulas);
    let wide = common::compile(&program.source, &["-g", program.level, "-DWIDE"]);
    let wide = on_formulas(
        wide.path(),
        &[&image[..], &["--check", "none"]].concat(),
        formulas,
    );

    let torn: Vec<&String> = firmware
        .iter()
        .filter(|(name, verdict)| name.starts_with("torn-access") && *verdict == "violated")
        .map(|(name, _)| name)
        .collect();
    let all_hold = kinds.values().all(|verdict| verdict == "holds");
    let wrong = (!torn.is_empty() && all_hold).then(|| format!("{torn:?} of the firmware, not in C"));
    let rows = c.into_iter().zip(wide).enumerate().map(|(index, (c, wide))| Row {
        c,
        firmware: firmware
            .get(&format!("ltl.{}", index + 1))
            .cloned()
            .unwrap_or_default(),
        wide,
    });
    (rows.collect(), wrong)
}

#[test]
fn random_programs() {
    let first = setting("KRIPKE_SAME_SEED", 1);
    let count = setting("KRIPKE_SAME_COUNT", 8);
    let limit = format!("{}s", setting("KRIPKE_SAME_SECONDS", 1));
    let mut table: BTreeMap<[String; 3], u32> = BTreeMap::new();
    let mut failures = Vec::new();
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let program = program(&mut random);
        let formulas = formulas(&mut random, &program);
        let (source, level) = (&program.source, program.level);
        if std::env::var_os("KRIPKE_SAME_SHOW").is_some() {
            println!("{source}\n/* seed {seed}, {level}, {formulas:#?} */");
            continue;
        }
        let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
        let (rows, torn) = checked(&program, &formulas, &limit);
        let mut wrong: Vec<String> = torn.into_iter().collect();
        for (row, formula) in rows.into_iter().zip(formulas) {
            if row.is_contradiction() {
                let Row { c, firmware, wide } = &row;
                wrong.push(format!(
                    "{formula}: C {c}, firmware {firmware}, with pauses {wide}"
                ));
            }
            *table.entry([row.c, row.firmware, row.wide]).or_default() += 1;
        }
        if !wrong.is_empty() {
            let said = format!("seed {seed}, {level}: {}", wrong.join("\n"));
            eprintln!("{said}");
            failures.push(format!("{said}\n{source}"));
        }
    }
    let mut compared = 0;
    for ([c, firmware, wide], number) in &table {
        println!("{number:5} C {c}, firmware {firmware}, with pauses {wide}");
        compared += u32::from(is_definite(c) && is_definite(firmware)) * number;
    }
    println!("{count} programs, {compared} formulas with definite verdicts in both forms");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
