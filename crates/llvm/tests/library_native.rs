//! The library models against the system's C library: compiled natively under other names, on random
//! arguments. Exact models must agree, bounded ones allow what the real function did
//! (`KRIPKE_LIBRARY_CALLS` calls, 2,000 when it is not set). Also that they compile for every kind of target, and that the table of functions is right.

mod compilers;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use kripke_llvm::library;

/// Runs a command; its output when it succeeds, else a panic with everything it said.
fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?}\n{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

fn write(directory: &Path, name: &str, text: &str) -> PathBuf {
    let path = directory.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Compiles every model; the object files with the models' names.
fn compile(directory: &Path, compiler: &str, arguments: &[&str]) -> Vec<(&'static str, PathBuf)> {
    let mut objects = Vec::new();
    for (index, model) in library::all_models().into_iter().enumerate() {
        let source = write(directory, &format!("{index}.c"), model.text);
        let object = directory.join(format!("{index}.o"));
        let flags = ["-std=gnu17", "-ffreestanding", "-fno-builtin", "-w", "-O1", "-c"];
        run(Command::new(compiler)
            .args(flags)
            .args(arguments)
            .arg(source)
            .arg("-o")
            .arg(&object));
        objects.push((model.name, object));
    }
    objects
}

/// The parts of the native comparison that are compiled once.
const PARTS: [&str; 4] = ["runtime", "text", "numbers", "oracle"];

#[test]
fn models_agree_with_the_system_library() {
    let directory = tempfile::tempdir().unwrap();
    let renames: String = library::modelled()
        .iter()
        .filter(|(name, _)| !name.starts_with("__kripke_"))
        .map(|(name, _)| format!("#define {name} kripke_model_{name}\n"))
        .collect();
    let renames = write(directory.path(), "renames.h", &renames);
    let objects = compile(directory.path(), "gcc", &["-include", renames.to_str().unwrap()]);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library_native");
    let mut link = Command::new("gcc");
    for name in PARTS {
        let object = directory.path().join(format!("{name}.o"));
        let source = sources.join(format!("{name}.c"));
        run(Command::new("gcc")
            .args(["-std=gnu17", "-w", "-O1", "-fno-builtin", "-c"])
            .arg(source)
            .arg("-o")
            .arg(&object));
        link.arg(object);
    }
    let formats = [
        ("double", "", "double", "1024"),
        ("float", "f", "float", "128"),
        ("long double", "l", "long_double", "16384"),
    ];
    for (real, suffix, name, max_exponent) in formats {
        let object = directory.path().join(format!("math_{name}.o"));
        let defines = [
            format!("-DREAL={real}"),
            format!("-DSUFFIX={suffix}"),
            format!("-DTYPE_NAME=\"{real}\""),
            format!("-DMAX_EXPONENT={max_exponent}"),
            format!("-DTRUTH=true_{name}"),
            format!("-DTEST=test_math_{name}"),
        ];
        let mut command = Command::new("gcc");
        command
            .args(["-std=gnu17", "-w", "-O1", "-fno-builtin", "-c"])
            .args(defines);
        run(command.arg(sources.join("math.c")).arg("-o").arg(&object));
        link.arg(object);
    }
    let program = directory.path().join("compare");
    run(link
        .args(objects.iter().map(|(_, object)| object))
        .arg("-lm")
        .arg("-o")
        .arg(&program));
    run(&mut Command::new(program));
}

#[test]
fn every_model_is_compared() {
    let directory = tempfile::tempdir().unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library_native");
    let mut compared = BTreeSet::new();
    let mut add = |name: &str, defines: &[&str]| {
        let object = directory.path().join("part.o");
        let mut command = Command::new("gcc");
        command
            .args(["-std=gnu17", "-w", "-O0", "-fno-builtin", "-c"])
            .args(defines);
        run(command
            .arg(sources.join(format!("{name}.c")))
            .arg("-o")
            .arg(&object));
        let symbols = run(Command::new("nm").arg("--undefined-only").arg(object));
        let names = symbols.lines().filter_map(|line| line.split_whitespace().last());
        compared.extend(names.map(|name| name.strip_prefix("kripke_model_").unwrap_or(name).to_owned()));
    };
    PARTS.iter().for_each(|name| add(name, &[]));
    for (real, suffix) in [("double", ""), ("float", "f"), ("long double", "l")] {
        let defines = [
            format!("-DREAL={real}"),
            format!("-DSUFFIX={suffix}"),
            format!("-DTYPE_NAME=\"{real}\""),
            "-DMAX_EXPONENT=128".to_owned(),
            "-DTRUTH=true_double".to_owned(),
            "-DTEST=test".to_owned(),
        ];
        add("math", &defines.iter().map(String::as_str).collect::<Vec<_>>());
    }
    // The strings that printing reads are compared by the engine's tests alone.
    let without_result = ["__kripke_read_text", "__kripke_read_wide_text"];
    // What threads do is compared with an enumeration of their schedules (`thread_enumeration`); the system
    // has no kernel of tasks.
    let missing: Vec<_> = library::modelled()
        .into_iter()
        .filter(|(_, file)| !file.starts_with("thread") && *file != "freertos.c")
        .map(|(name, _)| name)
        .filter(|name| !compared.contains(name) && !without_result.contains(&name.as_str()))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn the_table_names_what_the_files_define() {
    let directory = tempfile::tempdir().unwrap();
    let modelled = library::modelled();
    for (file, object) in compile(directory.path(), "gcc", &[]) {
        let symbols = run(Command::new("nm")
            .arg("--defined-only")
            .arg("--extern-only")
            .arg(object));
        let defined: BTreeSet<&str> = symbols
            .lines()
            .filter_map(|line| line.split_whitespace().last())
            .collect();
        let defined: BTreeSet<&str> = defined
            .into_iter()
            .filter(|name| {
                let own = ["__kripke_at_", "__kripke_thread_", "__kripke_lock_order_"];
                own.iter().all(|prefix| !name.starts_with(prefix))
            })
            .collect();
        let listed: BTreeSet<&str> = modelled
            .iter()
            .filter(|(_, of)| *of == file)
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(defined, listed, "{file}");
    }
}

#[test]
fn the_models_compile_for_every_kind_of_target() {
    let clang = compilers::oldest();
    let targets = [
        "i386-linux-gnu",
        "avr",
        "msp430",
        "thumbv6m-none-eabi",
        "aarch64-linux-gnu",
        "riscv32-unknown-elf",
        "powerpc64-linux-gnu",
    ];
    for target in targets {
        for model in library::all_models() {
            let directory = tempfile::tempdir().unwrap();
            let source = write(directory.path(), "model.c", model.text);
            let mut command = Command::new(clang);
            command.arg(format!("--target={target}")).args([
                "-std=gnu17",
                "-ffreestanding",
                "-fno-builtin",
                "-w",
            ]);
            run(command.args(["-S", "-emit-llvm", "-o", "/dev/null"]).arg(source));
        }
    }
}
