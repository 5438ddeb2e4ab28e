//! Programs mean what a C compiler says they mean: the interpreter's output and exit code are those of the
//! compiled program, for every file in `execution/`, through both ends of the range of clang versions.
//!
//! A first line `// compiler: NAME` names the compiler that the comparison needs instead of gcc; clang
//! versions older than that are left out. `// arguments: …` are passed to every compiler.

mod compilers;

use std::path::{Path, PathBuf};
use std::process::Command;

use kripke_elts::interpreter::{self, End, OutputCollector, RunOptions, ZeroInputs};
use kripke_llvm::clang::{CompileOptions, Source};
use kripke_llvm::loader::{LoadOptions, load};

/// Statements that a program may run.
const STEP_LIMIT: u64 = 50_000_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/execution")
}

/// The words after `// NAME:` in the first lines.
fn directive(text: &str, name: &str) -> Option<String> {
    let start = format!("// {name}:");
    let mut lines = text.lines().take(4);
    lines.find_map(|line| Some(line.strip_prefix(&start)?.trim().to_owned()))
}

/// Output and exit code of the compiled program.
fn run_compiled(file: &Path, compiler: &str, arguments: &[String]) -> (String, i32) {
    let stem = file.file_stem().expect("a file name").to_string_lossy();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("execution-{stem}"));
    let compiled = Command::new(compiler)
        .args(["-w", "-O0", "-ffp-contract=off", "-o"])
        .arg(&program)
        .arg(file)
        .args(arguments)
        .arg("-lm")
        .output()
        .unwrap_or_else(|error| panic!("{compiler} does not start: {error}"));
    assert!(
        compiled.status.success(),
        "{compiler}: {}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let run = Command::new(&program).output().expect("the program starts");
    let code = run.status.code().expect("the program ends by itself");
    (String::from_utf8_lossy(&run.stdout).into_owned(), code)
}

/// Output and exit code as the interpreter computes them.
fn run_interpreted(file: &Path, clang: &str, arguments: &[String]) -> (String, i32) {
    let mut compile = CompileOptions {
        clang: Some(clang.into()),
        ..CompileOptions::default()
    };
    compile.arguments = vec!["-w".to_owned()];
    compile.arguments.extend_from_slice(arguments);
    let options = LoadOptions {
        sources: vec![Source {
            path: file.to_owned(),
            ..Source::default()
        }],
        compile,
        ..LoadOptions::default()
    };
    let program = load(&options)
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
        .program;
    let mut output = OutputCollector::default();
    let limits = RunOptions {
        max_steps: Some(STEP_LIMIT),
        ..RunOptions::default()
    };
    let end = interpreter::run(&program, &mut ZeroInputs, &limits, &mut output);
    let text = String::from_utf8_lossy(&output.text).into_owned();
    match end {
        End::Exit { code } => (text, code.unwrap_or(0) & 0xff),
        other => panic!(
            "{} with {clang} ends in {other:?} after printing\n{text}",
            file.display()
        ),
    }
}

fn check(name: &str) {
    let file = folder().join(name);
    let text = std::fs::read_to_string(&file).expect("the test exists");
    let compiler = directive(&text, "compiler").unwrap_or_else(|| "gcc".to_owned());
    let arguments: Vec<String> = directive(&text, "arguments")
        .map(|arguments| arguments.split_whitespace().map(str::to_owned).collect())
        .unwrap_or_default();
    let expected = run_compiled(&file, &compiler, &arguments);
    for clang in compilers::both() {
        if compiler == "clang-19" && clang == compilers::oldest() {
            continue;
        }
        let actual = run_interpreted(&file, clang, &arguments);
        assert_eq!(actual.0, expected.0, "output of {name} through {clang}");
        assert_eq!(actual.1, expected.1, "exit code of {name} through {clang}");
    }
}

macro_rules! programs {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            check(concat!(stringify!($name), ".c"));
        }
    )*

        #[test]
        fn every_program_is_run() {
            let listed = [$(concat!(stringify!($name), ".c")),*];
            for entry in std::fs::read_dir(folder()).expect("the folder exists") {
                let name = entry.expect("readable").file_name().to_string_lossy().into_owned();
                assert!(listed.contains(&name.as_str()), "{name} is not listed");
            }
        }
    };
}

programs! {
    aggregates
    bit_precise
    control_flow
    extensions
    floating_environment
    numbers
    start_and_end
    syntax
}
