//! Runs fuzz targets: `kripke-fuzz TARGET FILE...` on these inputs, for one that failed; or, as the tests
//! call it, `kripke-fuzz TARGET --seeds FOLDER --cases SEED FROM MILLISECONDS --progress FILE` on mutants.
//!
//! Invariant: the number of the case under way stands in the file of progress before the case begins, so that
//! whoever watches can tell which one overflowed the stack, ran out of memory, or hangs.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use kripke_fuzz::mutate::{self, Seed};
use kripke_fuzz::{Random, Target, target_named};

/// The least stack that a reader has: that of a thread that Rust starts.
const STACK: usize = 2 << 20;

/// No input may take longer.
const LONGEST: Duration = Duration::from_secs(10);

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let worker = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || run(&arguments));
    let worker = worker.map_err(|error| error.to_string())?;
    worker.join().unwrap_or_else(|_| Err("a defect".to_owned()))
}

fn run(arguments: &[String]) -> Result<(), String> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (name, rest) = arguments.split_first().ok_or("name a target")?;
    let target = target_named(name).ok_or_else(|| format!("there is no target {name}"))?;
    match rest {
        [
            "--seeds",
            folder,
            "--cases",
            seed,
            from,
            time,
            "--progress",
            progress,
        ] => {
            let number = |text: &str| text.parse::<u64>().map_err(|error| format!("{text}: {error}"));
            let seeds = seeds(Path::new(folder), target)?;
            let end = Instant::now() + Duration::from_millis(number(time)?);
            let progress = File::create(progress).map_err(|error| error.to_string())?;
            cases(target, &seeds, number(seed)?, number(from)?, end, &progress)
        }
        files => files.iter().try_for_each(|file| {
            let bytes = fs::read(file).map_err(|error| format!("{file}: {error}"))?;
            timed(target, &bytes);
            Ok(())
        }),
    }
}

fn seeds(folder: &Path, target: Target) -> Result<Vec<Seed>, String> {
    kripke_fuzz::seed_files(folder)
        .into_iter()
        .map(|file| match fs::read(&file) {
            Ok(bytes) => Ok(Seed::new(bytes, target.form)),
            Err(error) => Err(format!("{}: {error}", file.display())),
        })
        .collect()
}

fn cases(
    target: Target,
    seeds: &[Seed],
    seed: u64,
    from: u64,
    end: Instant,
    progress: &File,
) -> Result<(), String> {
    for case in from.. {
        progress
            .write_all_at(&case.to_le_bytes(), 0)
            .map_err(|error| error.to_string())?;
        if Instant::now() >= end {
            break;
        }
        timed(
            target,
            &mutate::mutant(seeds, target.form, &mut Random::of(seed, case)),
        );
    }
    Ok(())
}

fn timed(target: Target, bytes: &[u8]) {
    let begin = Instant::now();
    (target.run)(bytes);
    let taken = begin.elapsed();
    assert!(taken < LONGEST, "took {taken:?} for {} bytes", bytes.len());
}
