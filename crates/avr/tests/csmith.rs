//! Random C programs from csmith, compiled by avr-gcc and run by the concrete core: memory holds the checksum
//! that the program compiled by the host's gcc prints.
//!
//! The programs are made independent of the width of int: constants get explicit widths, `uint16_t`, which C
//! promotes to signed int on the host and to unsigned int on the AVR, gives way to another type, and
//! arithmetic goes through wrappers that compute in types of fixed width (`csmith/csmith.h`). What is left is
//! the same program, so each disagreement is somebody's defect. simavr, which knows nothing of us, is the
//! judge: where it does not find the host's checksum either, avr-gcc is to blame, and the program is skipped
//! and counted. Nothing else is skipped but programs that take too long, by the host's or by simavr's
//! judgement.
//!
//! `KRIPKE_AVR_CSMITH_COUNT` programs are tried from seed `KRIPKE_CSMITH_SEED` on, each at two levels of
//! optimisation. A mismatch leaves its program behind under `target/tmp/avr-csmith/`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kripke_avr::core::Core;
use kripke_avr::device::Device;
use kripke_avr::elf;
use kripke_avr::instruction::{Operation, decode};

/// csmith's programs may loop for ever.
const NATIVE_LIMIT: Duration = Duration::from_secs(1);
const MOST_INSTRUCTIONS: u64 = 20_000_000;
const LEVELS: [&str; 5] = ["-O0", "-O1", "-O2", "-O3", "-Os"];
/// Where a type is replaced, a pointer may lead to another type than it says: gcc 14 calls that an error.
const POINTERS_TO_OTHERS: &str = "-Wno-incompatible-pointer-types";
const GENERATOR: [&str; 9] = [
    "--no-argc",
    "--no-bitfields",
    "--concise",
    "--max-funcs",
    "6",
    "--max-block-size",
    "3",
    "--max-array-len-per-dim",
    "6",
];

#[derive(Default, Debug)]
struct Tally {
    agreed: u64,
    /// The host's program does not end in time.
    endless: u64,
    /// More instructions than we want to wait for, says simavr.
    long: u64,
    /// Does not fit into the AVR's memory, or is refused by avr-gcc.
    unbuildable: u64,
    /// simavr does not find the host's checksum either.
    disputed: u64,
    instructions: u64,
    mismatches: Vec<String>,
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| {
        text.parse().unwrap_or_else(|_| panic!("{name}={text}"))
    })
}

/// The program with every constant and type of one width on both sides.
fn of_fixed_width(program: &str, substitute: &str, for_avr: bool) -> String {
    let mut result = String::with_capacity(program.len() * 2);
    let mut rest = program;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        match word {
            "uint16_t" => result.push_str(substitute),
            _ if first.is_ascii_digit() => result.push_str(&constant(word, for_avr)),
            _ => result.push_str(word),
        }
    }
    result
}

/// `L` means 32 bits to csmith: that is long on the AVR and int on the host. So do constants without a
/// suffix.
fn constant(word: &str, for_avr: bool) -> String {
    let digits = word.trim_end_matches(['L', 'U']);
    let suffix = &word[digits.len()..];
    if suffix.contains("LL") {
        return word.to_owned();
    }
    let unsigned = if suffix.contains('U') { "U" } else { "" };
    let long = if for_avr { "L" } else { "" };
    format!("{digits}{unsigned}{long}")
}

/// In a folder of its own, as csmith keeps notes on the machine in the one it runs in.
fn generate(seed: u64, folder: &Path) -> PathBuf {
    let path = folder.join(format!("{seed}.c"));
    let notes = path.with_extension("notes");
    std::fs::create_dir_all(&notes).expect("target folder is writable");
    let status = Command::new("csmith")
        .args(["--seed", &seed.to_string()])
        .args(GENERATOR)
        .arg("--output")
        .arg(&path)
        .current_dir(&notes)
        .stdout(Stdio::null())
        .status()
        .expect("csmith is installed (scripts/install-packages test)");
    std::fs::remove_dir_all(&notes).ok();
    assert!(status.success(), "csmith fails on seed {seed}");
    path
}

fn include() -> String {
    format!("-I{}/tests/csmith", env!("CARGO_MANIFEST_DIR"))
}

/// The checksum that the program compiled by the host's gcc prints, if it ends in time.
fn native(source: &Path) -> Option<u32> {
    let binary = source.with_extension("native");
    let status = Command::new("gcc")
        .args([
            "-w",
            POINTERS_TO_OTHERS,
            "-O1",
            "-fwrapv",
            "-fno-strict-aliasing",
            "-fpack-struct",
            &include(),
            "-o",
        ])
        .args([&binary, source])
        .status()
        .expect("gcc is installed");
    assert!(status.success(), "gcc refuses {}", source.display());
    let mut child = Command::new(&binary)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    while child.try_wait().expect("child is ours").is_none() {
        if start.elapsed() > NATIVE_LIMIT {
            child.kill().ok();
            child.wait().ok();
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().expect("child is ours");
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// Compiles for an ATmega128 with external memory, as the programs' arrays are large.
fn compile(source: &Path, level: &str) -> Option<PathBuf> {
    let program = source.with_extension(format!("{}.elf", &level[1..]));
    let status = Command::new("avr-gcc")
        .args([
            "-mmcu=atmega128",
            "-w",
            POINTERS_TO_OTHERS,
            "-std=gnu99",
            "-fwrapv",
            "-fno-strict-aliasing",
            "-fpack-struct",
        ])
        .args(["-Wl,--defsym=__stack=0xFFFF", level, &include(), "-o"])
        .args([&program, source])
        .stderr(Stdio::null())
        .status()
        .expect("avr-gcc is installed (scripts/install-packages test)");
    status.success().then_some(program)
}

enum Run {
    Done { checksum: u32, instructions: u64 },
    Long,
    Lost(String),
}

fn run(program: &Path) -> (Run, u16) {
    let image = elf::read(&std::fs::read(program).expect("avr-gcc wrote it")).expect("an ELF of avr-gcc");
    let at = image.symbol("checksum").expect("csmith.h defines it").address as u16;
    let mut core = Core::new(&image, &Device::built_in("atmega128").unwrap());
    let instructions = core.run(MOST_INSTRUCTIONS);
    let bytes = [0, 1, 2, 3].map(|offset| core.data(at + offset));
    let before = 2 * core.pc.wrapping_sub(1);
    let word = u16::from_le_bytes([core.flash_byte(before), core.flash_byte(before.wrapping_add(1))]);
    let run = match decode(word, 0).operation {
        _ if instructions == MOST_INSTRUCTIONS => Run::Long,
        Operation::Break => Run::Done {
            checksum: u32::from_le_bytes(bytes),
            instructions,
        },
        _ => Run::Lost(format!("stopped at {:#x} after {instructions}", core.pc * 2)),
    };
    (run, at)
}

/// The checksum that simavr finds; none if the program is too long for it as well.
fn simavr(harness: &Path, program: &Path, at: u16) -> Option<u32> {
    let output = Command::new(harness)
        .arg(program)
        .args(["atmega128", &MOST_INSTRUCTIONS.to_string(), &at.to_string()])
        .output()
        .expect("the harness starts");
    let text = String::from_utf8_lossy(&output.stdout);
    text.split_whitespace().nth(1)?.parse().ok()
}

fn build_harness(folder: &Path) -> PathBuf {
    let program = folder.join("run");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simavr/run.c");
    let output = Command::new("cc")
        .args(["-O2", "-o"])
        .args([&program, &source])
        .args(["-lsimavr", "-lm"])
        .output()
        .expect("a C compiler is installed (scripts/install-packages test)");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    program
}

/// One program at two levels; true if nothing has to be looked at afterwards.
fn compare(seed: u64, folder: &Path, harness: &Path, tally: &Mutex<Tally>) -> bool {
    let path = generate(seed, folder);
    let text = std::fs::read_to_string(&path).expect("csmith wrote it");
    let substitute = if seed.is_multiple_of(4) {
        "uint32_t"
    } else {
        "int16_t"
    };
    let variant = |name: &str, for_avr| {
        let path = folder.join(format!("{seed}.{name}.c"));
        std::fs::write(&path, of_fixed_width(&text, substitute, for_avr)).expect("target folder is writable");
        path
    };
    let Some(expected) = native(&variant("host", false)) else {
        tally.lock().unwrap().endless += 1;
        return true;
    };
    let source = variant("avr", true);
    let first = (seed % 5) as usize;
    for level in [LEVELS[first], LEVELS[(first + 1 + (seed / 5 % 4) as usize) % 5]] {
        let Some(program) = compile(&source, level) else {
            tally.lock().unwrap().unbuildable += 1;
            continue;
        };
        let (ours, at) = run(&program);
        if let Run::Done {
            checksum,
            instructions,
        } = ours
            && checksum == expected
        {
            let mut tally = tally.lock().unwrap();
            tally.agreed += 1;
            tally.instructions += instructions;
            continue;
        }
        let theirs = simavr(harness, &program, at);
        let mut tally = tally.lock().unwrap();
        match (ours, theirs) {
            (Run::Long, None) => tally.long += 1,
            (_, Some(theirs)) if theirs != expected => {
                println!("seed {seed} {level}: simavr {theirs:#x}, host {expected:#x}");
                tally.disputed += 1;
            }
            (ours, theirs) => {
                let ours = match ours {
                    Run::Done { checksum, .. } => format!("{checksum:#x}"),
                    Run::Long => "no end".to_owned(),
                    Run::Lost(text) => text,
                };
                let why = format!("seed {seed} {level}: ours {ours}, simavr {theirs:x?}, host {expected:#x}");
                println!("{why}");
                tally.mismatches.push(why);
                return false;
            }
        }
    }
    true
}

#[test]
fn firmware_computes_the_checksums_of_the_host() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("avr-csmith");
    std::fs::create_dir_all(&folder).expect("target folder is writable");
    let harness = build_harness(&folder);
    let (count, first) = (
        setting("KRIPKE_AVR_CSMITH_COUNT", 80),
        setting("KRIPKE_CSMITH_SEED", 1),
    );
    let (next, tally) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let seed = first + index;
                    if !compare(seed, &folder, &harness, &tally) {
                        continue;
                    }
                    for entry in folder.read_dir().expect("our folder").flatten() {
                        let name = entry.file_name();
                        if name.to_string_lossy().starts_with(&format!("{seed}.")) {
                            std::fs::remove_file(entry.path()).ok();
                        }
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    println!("csmith for the AVR: {tally:?}");
    assert!(tally.mismatches.is_empty(), "{tally:?}");
    assert!(tally.agreed >= count, "most programs were skipped: {tally:?}");
}
