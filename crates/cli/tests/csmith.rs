//! Random C programs from csmith: the checksum that our interpreter computes is the one that
//! gcc's program prints, and the symbolic engine proves exactly that checksum.
//!
//! csmith's programs read no input and have no undefined behaviour, so every disagreement is a
//! defect of the front end, the interpreter or the engine. `KRIPKE_CSMITH_COUNT` programs are
//! tried (28 unless set), from seed `KRIPKE_CSMITH_SEED` (1) on; programs that gcc's
//! binary does not finish in time are skipped and counted. A mismatch leaves its program
//! behind under `target/csmith/`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Seconds that gcc's program may run; csmith's programs may loop for ever.
const NATIVE_LIMIT: Duration = Duration::from_secs(2);
/// Seconds for ours; far more than any program that ends natively in time has needed.
const OURS_LIMIT: Duration = Duration::from_secs(60);
/// How the programs for the symbolic engine are kept small enough to unwind.
const SMALL: &[&str] = &[
    "--max-funcs",
    "3",
    "--max-block-size",
    "2",
    "--max-block-depth",
    "2",
    "--max-expr-complexity",
    "4",
    "--max-array-len-per-dim",
    "4",
    "--max-struct-fields",
    "4",
];

#[derive(Default)]
struct Tally {
    agreed: u64,
    skipped: u64,
    mismatches: Vec<String>,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} agreed, {} skipped, {} mismatches",
            self.agreed,
            self.skipped,
            self.mismatches.len()
        )
    }
}

enum Comparison {
    Agree,
    Skip,
    Mismatch(String),
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| {
        text.parse().unwrap_or_else(|_| panic!("{name}={text}"))
    })
}

/// Runs a command with a time limit; `None` when it was exceeded.
fn output_within(command: &mut Command, limit: Duration, capture: &Path) -> Option<(Option<i32>, String)> {
    let file = std::fs::File::create(capture).expect("capture file");
    let errors = file.try_clone().expect("second handle");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors)
        .spawn()
        .expect("command starts");
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("child is ours") {
            let bytes = std::fs::read(capture).expect("captured output");
            return Some((status.code(), String::from_utf8_lossy(&bytes).into_owned()));
        }
        if start.elapsed() > limit {
            child.kill().ok();
            child.wait().ok();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// In a folder of its own, as csmith keeps notes on the machine in the one it runs in.
fn generate(seed: u64, options: &[&str], path: &Path) {
    let folder = path.with_extension("notes");
    std::fs::create_dir_all(&folder).expect("target folder is writable");
    let status = Command::new("csmith")
        .args(["--seed", &seed.to_string(), "--no-argc"])
        .args(options)
        .arg("--output")
        .arg(path)
        .current_dir(&folder)
        .stdout(Stdio::null())
        .status()
        .expect("csmith is installed");
    std::fs::remove_dir_all(&folder).ok();
    assert!(status.success(), "csmith fails on seed {seed}");
}

/// The checksum that the program compiled by gcc prints.
fn native_checksum(program: &Path) -> Option<String> {
    let binary = program.with_extension("native");
    let status = Command::new("gcc")
        .args(["-w", "-O0", "-I/usr/include/csmith", "-o"])
        .arg(&binary)
        .arg(program)
        .status()
        .expect("gcc is installed");
    assert!(status.success(), "gcc refuses {}", program.display());
    let result = output_within(
        &mut Command::new(&binary),
        NATIVE_LIMIT,
        &program.with_extension("native.txt"),
    );
    std::fs::remove_file(&binary).ok();
    let (code, text) = result?;
    (code == Some(0)).then(|| text.trim().to_owned())
}

fn kripke(
    subcommand: &str,
    program: &Path,
    options: &[&str],
    capture: &str,
) -> Option<(Option<i32>, String)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kripke"));
    command
        .arg(subcommand)
        .arg(program)
        .args(["-I", "/usr/include/csmith"])
        .args(options)
        .args(["--", "-w"]);
    output_within(&mut command, OURS_LIMIT, &program.with_extension(capture))
}

/// The interpreter prints what gcc's program prints.
fn compare_interpreter(program: &Path) -> Comparison {
    let Some(expected) = native_checksum(program) else {
        return Comparison::Skip;
    };
    match kripke("run", program, &["--check", "none"], "run.txt") {
        Some((Some(0), text)) if text.trim() == expected => Comparison::Agree,
        Some((code, text)) => {
            Comparison::Mismatch(format!("gcc: {expected}; run: exit {code:?}, {}", tail(&text)))
        }
        None => Comparison::Mismatch(format!("gcc: {expected}; run: not done in {OURS_LIMIT:?}")),
    }
}

/// The engine proves the true checksum, and refutes a wrong one.
fn compare_engine(program: &Path) -> Comparison {
    let Some(expected) = native_checksum(program) else {
        return Comparison::Skip;
    };
    let Some(checksum) = expected.strip_prefix("checksum = ") else {
        return Comparison::Skip;
    };
    let text = std::fs::read_to_string(program).expect("csmith wrote it");
    let wrong = u32::from_str_radix(checksum, 16).expect("hexadecimal") ^ 1;
    for (value, exit) in [(checksum.to_owned(), 0), (format!("{wrong:X}"), 1)] {
        let asserted = text.replace(
            "platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);",
            &format!("__VERIFIER_assert((unsigned)(crc32_context ^ 0xFFFFFFFFUL) == 0x{value}U);"),
        );
        assert_ne!(asserted, text, "csmith's last statement has changed");
        let asserted = format!("void __VERIFIER_assert(int);\n{asserted}");
        let variant = program.with_extension(format!("{exit}.c"));
        std::fs::write(&variant, asserted).expect("target folder is writable");
        match kripke(
            "check",
            &variant,
            &["--check", "assertion", "--quiet"],
            "check.txt",
        ) {
            Some((Some(code), _)) if code == exit => {}
            Some((code, text)) => {
                return Comparison::Mismatch(format!("0x{value}: exit {code:?} not {exit}, {}", tail(&text)));
            }
            None => return Comparison::Mismatch(format!("0x{value}: not done in {OURS_LIMIT:?}")),
        }
    }
    Comparison::Agree
}

fn tail(text: &str) -> &str {
    let start = text.char_indices().rev().nth(300).map_or(0, |(index, _)| index);
    text[start..].trim()
}

/// Tries `count` programs on two threads.
fn campaign(name: &str, options: &[&str], count: u64, compare: fn(&Path) -> Comparison) -> Tally {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("csmith")
        .join(name);
    std::fs::create_dir_all(&folder).expect("target folder is writable");
    let first = setting("KRIPKE_CSMITH_SEED", 1);
    let next = AtomicU64::new(0);
    let tally = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let seed = first + index;
                    let program = folder.join(format!("{seed}.c"));
                    generate(seed, options, &program);
                    let comparison = compare(&program);
                    let mut tally = tally.lock().expect("no thread panics while it counts");
                    match comparison {
                        Comparison::Agree => tally.agreed += 1,
                        Comparison::Skip => tally.skipped += 1,
                        Comparison::Mismatch(why) => {
                            println!("seed {seed}: {why}");
                            tally.mismatches.push(format!("seed {seed}: {why}"));
                            continue;
                        }
                    }
                    for entry in folder.read_dir().expect("our folder").flatten() {
                        if entry
                            .file_name()
                            .to_string_lossy()
                            .starts_with(&format!("{seed}."))
                        {
                            std::fs::remove_file(entry.path()).ok();
                        }
                    }
                }
            });
        }
    });
    tally.into_inner().expect("threads have ended")
}

fn check(name: &str, options: &[&str], count: u64, compare: fn(&Path) -> Comparison) {
    let tally = campaign(name, options, count, compare);
    println!("csmith, {name}: {tally}");
    assert!(
        tally.mismatches.is_empty(),
        "csmith, {name}: {tally}\n{}",
        tally.mismatches.join("\n")
    );
    assert!(
        tally.agreed * 2 >= count,
        "csmith, {name}: most programs were skipped: {tally}"
    );
}

#[test]
fn interpreter_computes_the_checksums_of_gcc() {
    check(
        "interpreter",
        &[],
        setting("KRIPKE_CSMITH_COUNT", 28),
        compare_interpreter,
    );
}

#[test]
fn engine_proves_the_checksums_of_gcc() {
    check(
        "engine",
        SMALL,
        setting("KRIPKE_CSMITH_COUNT", 28) / 4,
        compare_engine,
    );
}
