//! Programs compiled with sanitizers and run on random inputs, each run in a process of its own.
#![allow(dead_code, reason = "no test needs all of it")]

#[path = "../../../llvm/tests/compilers/mod.rs"]
mod compilers;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

/// Sanitizers for what Kripke checks by default. Moving a pointer, which `pointer-overflow` and `object-size`
/// are about, is not among it.
const ADDRESS: &[&str] = &[
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize=pointer-overflow,object-size",
    "-fno-sanitize-recover=all",
];
const UNINITIALISED: &[&str] = &["-fsanitize=memory"];

/// How sanitizers behave when the programs run; a run that one stops ends with the driver's exit code.
const ENVIRONMENT: [(&str, &str); 3] = [
    (
        "ASAN_OPTIONS",
        "detect_leaks=0:symbolize=0:detect_stack_use_after_return=1:handle_abort=0:exitcode=99:\
         hard_rss_limit_mb=1024",
    ),
    ("UBSAN_OPTIONS", "exitcode=99:symbolize=0"),
    ("MSAN_OPTIONS", "exitcode=99:symbolize=0"),
];

/// A compiler with its sanitizers.
#[derive(Clone, Copy)]
pub struct Build {
    /// What its files are called.
    pub name: &'static str,
    /// `None`: the oldest clang.
    compiler: Option<&'static str>,
    flags: &'static [&'static str],
}

pub const GCC: Build = Build {
    name: "gcc",
    compiler: Some("gcc"),
    flags: ADDRESS,
};
pub const CLANG: Build = Build {
    name: "clang",
    compiler: None,
    flags: ADDRESS,
};
pub const MEMORY: Build = Build {
    name: "memory",
    compiler: None,
    flags: UNINITIALISED,
};

/// The number that an environment variable gives.
pub fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| {
        text.parse().unwrap_or_else(|_| panic!("{name}={text}"))
    })
}

/// Runs a command to its end, without input and with the sanitizers' options.
pub fn run(command: &mut Command) -> Output {
    command
        .stdin(Stdio::null())
        .envs(ENVIRONMENT)
        .output()
        .unwrap_or_else(|why| panic!("{command:?}: {why}"))
}

/// Compilers know no contracts.
const NO_CONTRACTS: [&str; 10] = [
    "-D__CPROVER_assigns(...)=",
    "-D__CPROVER_ensures(...)=",
    "-D__CPROVER_loop_invariant(...)=",
    "-D__CPROVER_requires(...)=",
    "-D__ESBMC_ensures(...)=",
    "-D__ESBMC_requires(...)=",
    "-D__VERIFIER_ensures(...)=",
    "-D__VERIFIER_requires(...)=",
    "-D__ESBMC_loop_invariant(...)=",
    "-D__VERIFIER_loop_invariant(...)=",
];

/// Compiles, without optimisation; an error is what the compiler said.
pub fn try_compile(build: Build, output: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(build.compiler.unwrap_or_else(compilers::oldest));
    command
        .args(["-w", "-O0"])
        .args(NO_CONTRACTS)
        .args(build.flags)
        .args(arguments);
    let done = run(command.arg("-o").arg(output).arg("-lm"));
    if done.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&done.stderr)))
}

/// Compiles what has to compile.
pub fn compile(build: Build, output: &Path, arguments: &[&str]) {
    try_compile(build, output, arguments).unwrap_or_else(|why| panic!("{why}"));
}

/// What links a program with the driver, whose main runs that of the program.
pub const WITH_DRIVER: &str = "-Wl,--wrap=main";

/// Where a build's driver lies.
pub fn driver(folder: &Path, build: Build) -> PathBuf {
    folder.join(format!("{}.o", build.name))
}

/// Makes the driver of each build.
pub fn make_drivers(folder: &Path, builds: &[Build]) {
    std::fs::create_dir_all(folder).expect("target folder is writable");
    for build in builds {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/native/driver.c");
        // The functions that the driver replaces are not instrumented, nor is the driver itself.
        compile(*build, &driver(folder, *build), &["-c", source]);
    }
}

/// Does the work for each number from `first` on, on two threads.
pub fn for_each_number(first: u64, count: u64, work: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(first);
    let all = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= first + count {
                break;
            }
            work(number);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(all);
        scope.spawn(all);
    });
}
