//! Code with standard headers compiles for targets that have no C library installed, and Kripke's own
//! headers fit the models of the functions that they declare.

mod compilers;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use kripke_elts::interpreter::{self, End, OutputCollector, RunOptions, ZeroInputs};
use kripke_llvm::clang::{Clang, CompileOptions, Source};
use kripke_llvm::loader::{LoadOptions, load};
use kripke_llvm::{library, link, parser};

/// One of each family that the translation knows.
const TARGETS: &[&str] = &[
    "avr",
    "msp430",
    "thumbv6m-none-eabi",
    "thumbv7em-none-eabihf",
    "riscv32-unknown-elf",
    "aarch64-linux-gnu",
    "i386-linux-gnu",
    "mips-linux-gnu",
    "powerpc-linux-gnu",
    "x86_64-linux-gnu",
];

/// Leaves only Kripke's headers and the compiler's, whatever is installed.
const ONLY_OURS: &str = "-nostdlibinc";

struct Bench {
    directory: tempfile::TempDir,
}

impl Bench {
    fn new() -> Bench {
        let directory = tempfile::tempdir().expect("a temporary directory");
        Bench { directory }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.directory.path().join(name);
        let parent = path.parent().expect("a file is in a directory");
        std::fs::create_dir_all(parent).expect("writable");
        std::fs::write(&path, text).expect("writable");
        path
    }
}

fn options(target: &str, arguments: &[&str]) -> CompileOptions {
    CompileOptions {
        target: Some(target.to_owned()),
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        ..CompileOptions::default()
    }
}

fn find(name: &str) -> Clang {
    Clang::find(Some(Path::new(name))).unwrap_or_else(|error| panic!("{error}"))
}

/// The IR of a file that must compile in silence.
fn compile(clang: &Clang, path: &Path, options: &CompileOptions) -> String {
    let compiled = clang.compile(&Source::new(path), options);
    let messages = String::from_utf8_lossy(&compiled.messages).into_owned();
    let target = options.target.clone().unwrap_or_default();
    let text = compiled
        .text
        .unwrap_or_else(|error| panic!("{target}: {error}\n{messages}"));
    assert_eq!(messages, "", "{} for {target}", path.display());
    String::from_utf8_lossy(&text).into_owned()
}

/// Runs the jobs on all cores.
fn for_all<J: Sync>(jobs: &[J], run: impl Fn(&J) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(job);
                }
            });
        }
    });
}

/// The names of Kripke's headers, and those of C11 that come with clang. (Its `tgmath.h` alone warns of
/// itself.)
fn headers() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("headers");
    let mut names = Vec::new();
    for below in ["", "arpa/", "netinet/", "sys/"] {
        let entries = std::fs::read_dir(folder.join(below)).expect("the headers");
        let files = entries.map(|entry| entry.expect("readable").file_name());
        let files = files.map(|name| name.to_string_lossy().into_owned());
        names.extend(
            files
                .filter(|name| name.ends_with(".h"))
                .map(|name| format!("{below}{name}")),
        );
    }
    let of_clang = [
        "float.h",
        "iso646.h",
        "stdalign.h",
        "stdarg.h",
        "stdatomic.h",
        "stdbool.h",
        "stddef.h",
        "stdnoreturn.h",
    ];
    names.extend(of_clang.map(str::to_owned));
    names.sort();
    names
}

fn include_all() -> String {
    let lines = headers().into_iter().map(|name| format!("#include <{name}>\n"));
    lines.collect()
}

#[test]
fn each_header_compiles_alone_and_with_all_others() {
    let bench = Bench::new();
    let mut files: Vec<PathBuf> = headers()
        .iter()
        .map(|name| {
            bench.write(
                &format!("one/{name}.c"),
                &format!("#include <{name}>\nint object;\n"),
            )
        })
        .collect();
    let reversed: String = include_all()
        .lines()
        .rev()
        .map(|line| format!("{line}\n"))
        .collect();
    files.push(bench.write("all.c", &format!("{}int object;\n", include_all())));
    files.push(bench.write("reversed.c", &format!("{reversed}int object;\n")));
    let clangs: Vec<Clang> = compilers::both().iter().map(|name| find(name)).collect();
    let mut jobs = Vec::new();
    for clang in &clangs {
        for target in TARGETS {
            jobs.extend(files.iter().map(|file| (clang, target, file, "-std=gnu17")));
            let all = &files[files.len() - 2];
            jobs.extend(
                ["-std=c99", "-std=c11", "-std=gnu99"].map(|standard| (clang, target, all, standard)),
            );
        }
    }
    for_all(&jobs, |(clang, target, file, standard)| {
        let strict = [ONLY_OURS, "-Wall", "-Wextra", "-Wsystem-headers", standard];
        compile(clang, file, &options(target, &strict));
    });
}

#[test]
fn headers_mix_with_those_of_an_installed_library() {
    let bench = Bench::new();
    let all = bench.write(
        "all.c",
        &format!("{}#include <tgmath.h>\nint object;\n", include_all()),
    );
    for name in compilers::both() {
        for target in TARGETS {
            compile(&find(name), &all, &options(target, &["-Wall"]));
        }
    }
}

const PROGRAM: &str = r#"
static_assert(sizeof(uint32_t) == 4, "fixed width");
static jmp_buf place;

int main(void) {
    char text[20];
    snprintf(text, sizeof text, "%" PRIu32 " %" PRIdFAST16, (uint32_t)isdigit('3'), (int_fast16_t)1);
    errno = 0;
    uint8_t *bytes = malloc(3);
    assert(bytes != NULL && strlen(text) < 20);
    free(bytes);
    if (setjmp(place)) longjmp(place, 1);
    fprintf(stderr, "%d", RAND_MAX);
    return (int)sqrt(2.0) + isnan(fabs(NAN)) + errno + abs(-3) + (time(NULL) > 0);
}
"#;

#[test]
fn programs_compile_and_assertions_keep_their_text() {
    let bench = Bench::new();
    let program = bench.write("program.c", &format!("{}{PROGRAM}", include_all()));
    for name in compilers::both() {
        for target in TARGETS {
            for standard in ["-std=c11", "-std=gnu17"] {
                let options = options(target, &["-Wall", "-Wextra", standard, "-DUNUSED"]);
                let text = compile(&find(name), &program, &options);
                assert!(text.contains("@__assert_fail("), "{name} {target}");
            }
        }
    }
}

/// Types that models lay out themselves, and constants that they return.
const LAYOUTS: &str = r#"
#define SAME(header, model) _Static_assert(sizeof(header) == sizeof(model), #header)
typedef struct { int quot, rem; } model_div;
typedef struct { long quot, rem; } model_ldiv;
typedef struct { long long quot, rem; } model_lldiv;
typedef struct { intmax_t quot, rem; } model_imaxdiv;
#ifdef __AVR__
typedef uint32_t model_time;
#else
typedef long model_time;
struct model_date { int parts[9]; long offset; const char *zone; };
SAME(struct tm, struct model_date);
_Static_assert(offsetof(struct tm, tm_isdst) == 8 * sizeof(int), "the order of the members");
#endif
typedef struct { model_time seconds; long fraction; } model_fine_time;
SAME(div_t, model_div);
SAME(ldiv_t, model_ldiv);
SAME(lldiv_t, model_lldiv);
SAME(imaxdiv_t, model_imaxdiv);
SAME(time_t, model_time);
SAME(clock_t, long);
SAME(struct timespec, model_fine_time);
SAME(struct timeval, model_fine_time);
SAME(ssize_t, size_t);
SAME(wchar_t, L'a');
SAME(errno, int);
_Static_assert((time_t)-1 < 0 || sizeof(int) == 2, "signed but on AVR");
_Static_assert(RAND_MAX == INT_MAX && EOF == -1, "what the models return");
_Static_assert(INT_FAST16_MAX >= INT16_MAX && sizeof(int_fast16_t) >= 2, "fast types");
_Static_assert(UINT64_C(1) << 63 == UINT64_MAX / 2 + 1, "constants");
#ifdef __linux__
_Static_assert(sizeof(int_fast16_t) == sizeof(long) && sizeof(int_fast32_t) == sizeof(long), "as glibc");
#endif
int object(void) { return HUGE_VAL > DBL_MAX && INFINITY > FLT_MAX && isnan(NAN) && isfinite(0.0f); }
"#;

#[test]
fn layouts_are_those_of_the_models() {
    let bench = Bench::new();
    let layouts = bench.write("layouts.c", &format!("{}{LAYOUTS}", include_all()));
    for name in compilers::both() {
        for target in TARGETS {
            compile(&find(name), &layouts, &options(target, &[ONLY_OURS]));
        }
    }
}

/// Every modelled function is declared, with the types that its model has.
#[test]
fn declarations_agree_with_the_models() {
    let bench = Bench::new();
    // The kernel's headers come with the kernel.
    let models = library::modelled()
        .into_iter()
        .filter(|(_, file)| *file != "freertos.c");
    let mut names: Vec<String> = models.map(|(name, _)| name).collect();
    names.extend(library::PRIMITIVES.iter().map(|&name| name.to_owned()));
    for suffix in ["", "f", "l"] {
        names.extend(
            library::MATH_PRIMITIVES
                .iter()
                .map(|name| format!("{name}{suffix}")),
        );
    }
    // Reserved names are what other libraries' headers make of these; objects and macros have no address.
    let others = ["errno", "stdin", "stdout", "stderr", "alloca"];
    names.retain(|name| !name.starts_with('_') && !others.contains(&name.as_str()));
    let uses: String = names
        .iter()
        .enumerate()
        .map(|(index, name)| format!("void *use_{index} = (void *)(name){name};\n"))
        .map(|line| line.replace("(name)", ""))
        .collect();
    let text = format!(
        "#define _GNU_SOURCE\n{}#undef isinf\n#undef isnan\n{OBSOLETE}{uses}",
        include_all()
    );
    let program = bench.write("uses.c", &text);
    for target in TARGETS {
        let clang = find("clang-19");
        let options = options(target, &[ONLY_OURS, "-std=gnu99"]);
        let ir = compile(&clang, &program, &options);
        let parse = |text: &[u8], name: &str| {
            parser::parse(text, name).unwrap_or_else(|error| panic!("{target} {name}: {error}"))
        };
        let headers = parse(ir.as_bytes(), "headers");
        let triple = headers.triple.clone();
        let mut modules = vec![headers];
        for model in library::all_models() {
            let text = clang
                .compile_model(model.name, model.text, Some(&triple), &options)
                .unwrap_or_else(|error| panic!("{target}: {error}"));
            let mut module = parse(&text, model.name);
            model.name.clone_into(&mut module.source_filename);
            modules.push(module);
        }
        let warnings = link::check(&modules).unwrap_or_else(|error| panic!("{target}: {error}"));
        assert_eq!(warnings, [""; 0], "{target}");
    }
}

/// What C11 has as macros only, and BSD as functions too.
const OBSOLETE: &str = "int isinf(double); int isinff(float); int isinfl(long double);\n\
                        int isnan(double); int isnanf(float); int isnanl(long double);\n";

const ROUNDING: &str = r#"
#include <fenv.h>
int main(void) {
    int modes[] = {FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD, FE_TONEAREST};
    for (int i = 0; i < 4; i++) {
        if (fesetround(modes[i]) != 0 || fegetround() != modes[i]) return i + 1;
        volatile float one = 1, three = 3;
        if ((one / three > 0.33333332f) != (modes[i] == FE_UPWARD || modes[i] == FE_TONEAREST)) return i + 5;
    }
    return 0;
}
"#;

#[test]
fn rounding_directions_have_the_numbers_of_the_machine() {
    let bench = Bench::new();
    let path = bench.write("rounding.c", ROUNDING);
    for target in TARGETS {
        let load_options = LoadOptions {
            sources: vec![Source::new(&path)],
            compile: options(target, &[ONLY_OURS, "-w"]),
            ..LoadOptions::default()
        };
        let program = load(&load_options)
            .unwrap_or_else(|error| panic!("{target}: {error}"))
            .program;
        let mut output = OutputCollector::default();
        let end = interpreter::run(&program, &mut ZeroInputs, &RunOptions::default(), &mut output);
        assert_eq!(end, End::Exit { code: Some(0) }, "{target}");
    }
}

#[test]
fn a_sysroot_takes_the_place_of_our_headers() {
    let bench = Bench::new();
    let program = bench.write("program.c", "#include <stdio.h>\nint object = FROM_SYSROOT;\n");
    bench.write("bare/include/stdio.h", "#define FROM_SYSROOT 1\n");
    bench.write("hosted/usr/include/stdio.h", "#define FROM_SYSROOT 1\n");
    for name in compilers::both() {
        for (target, sysroot) in [("thumbv6m-none-eabi", "bare"), ("aarch64-linux-gnu", "hosted")] {
            let given = CompileOptions {
                sysroot: Some(bench.directory.path().join(sysroot)),
                ..options(target, &[])
            };
            compile(&find(name), &program, &given);
            let empty = CompileOptions {
                sysroot: Some(bench.directory.path().join("none")),
                ..options(target, &[])
            };
            let refused = find(name).compile(&Source::new(&program), &empty);
            assert!(
                refused.text.is_err(),
                "{name} {target}: an empty sysroot has no stdio.h"
            );
        }
    }
}

#[test]
fn a_target_in_the_arguments_counts_too() {
    let bench = Bench::new();
    let all = bench.write("all.c", &format!("{}int object;\n", include_all()));
    for arguments in [&["-m32"][..], &["-target", "mips-linux-gnu"], &["--target=avr"]] {
        let options = CompileOptions {
            target: None,
            ..options("", arguments)
        };
        compile(&find(compilers::oldest()), &all, &options);
    }
}
