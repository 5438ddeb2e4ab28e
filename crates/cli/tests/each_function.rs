//! `--each-function`: which functions are checked, what their findings are worth, how time is shared.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A folder of its own for the test, with the files given.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

/// Runs `kripke check` in the folder: exit code, and both streams.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .arg("check")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("kripke runs");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    (output.status.code().unwrap_or(-1), text)
}

/// What came of a check, as the JSON report says it: the exit code, a verdict for each function, and each
/// finding as `rank kind@line from start`.
fn outcome(folder: &Path, arguments: &[&str]) -> (i32, BTreeMap<String, String>, Vec<String>) {
    let report = folder.join("report.json");
    let arguments = [arguments, &["--json", "report.json"]].concat();
    let (code, text) = run(folder, &arguments);
    assert!(code < 3, "{text}");
    let report = fs::read_to_string(report).unwrap_or_else(|_| panic!("a report: {text}"));
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let functions = report["functions"].as_array().expect("functions").iter();
    let verdicts = functions.map(|function| (word(&function["name"]), word(&function["verdict"])));
    let findings = report["findings"].as_array().expect("findings").iter();
    let findings = findings.map(|finding| {
        let [rank, kind, start] =
            [&finding["rank"], &finding["property"]["kind"], &finding["start"]].map(word);
        format!("{rank} {kind}@{} from {start}", finding["place"]["line"])
    });
    (code, verdicts.collect(), findings.collect())
}

/// One file: the exit code, the functions that do not hold, and all findings.
fn check(name: &str, text: &str, expected: (i32, &[(&str, &str)], &[&str])) {
    let folder = folder(name, &[("a.c", text)]);
    let (code, verdicts, findings) = outcome(&folder, &["a.c", "--each-function", "--timeout", "60s"]);
    let left: Vec<(&str, &str)> = verdicts
        .iter()
        .filter(|(_, verdict)| *verdict != "holds")
        .map(|(name, verdict)| (name.as_str(), verdict.as_str()))
        .collect();
    assert_eq!((code, &left[..]), (expected.0, expected.1), "{findings:#?}");
    assert_eq!(findings, expected.2);
}

#[test]
fn what_main_does_counts_whatever_else_is_possible() {
    check(
        "each-main",
        "static int divide(int by) { return 100 / by; }\n\
         int main(void) { return divide(0); }\n",
        (
            1,
            &[("divide", "violated")],
            &["nothing division-by-zero@1 from main"],
        ),
    );
}

#[test]
fn what_no_caller_passes_is_no_violation() {
    check(
        "each-excluded",
        "static int divide(int by) { return 100 / by; }\n\
         int main(void) { return divide(4); }\n",
        (0, &[], &["excluded division-by-zero@1 from divide"]),
    );
}

/// One of two entry points passes it.
#[test]
fn every_entry_point_has_to_exclude_it() {
    check(
        "each-two-callers",
        "static int divide(int by) { return 100 / by; }\n\
         int first(void) { return divide(4); }\n\
         int second(int by) { return divide(by); }\n",
        (
            1,
            &[("divide", "violated")],
            &["arguments division-by-zero@1 from second"],
        ),
    );
}

#[test]
fn objects_are_for_their_callers_and_numbers_count() {
    check(
        "each-objects",
        "int first(const int *values, int count) { return 100 / count + values[0]; }\n\
         int second(const int *values) { return 100 / values[0]; }\n\
         int third(const int *values, int count) { return count == 2 ? values[1] & 1 : 0; }\n",
        (
            1,
            &[("first", "violated"), ("second", "unknown"), ("third", "unknown")],
            &[
                "arguments division-by-zero@1 from first",
                "objects overflow@1 from first",
                "objects division-by-zero@2 from second",
                "objects pointer@3 from third",
                "null pointer@1 from first",
                "null pointer@2 from second",
            ],
        ),
    );
}

/// A null pointer, a number that another function writes, and one that nobody does.
#[test]
fn earlier_calls_may_have_left_anything_in_global_variables() {
    check(
        "each-globals",
        "static int rate = 4, fixed = 5, zero, table[3] = {1, 2, 3};\n\
         static struct { int on; int *place; } state = {0, &rate};\n\
         void set(int to) { rate = to; zero = to; state.on = to; }\n\
         int first(void) { return 100 / rate; }\n\
         int second(unsigned i) { return i < 3 ? table[i] / fixed : 0; }\n\
         int third(void) { return 5 % zero; }\n\
         int fourth(const int *p) { return state.on ? *p & 1 : 0; }\n\
         int fifth(void) { return *state.place & 1; }\n\
         static int sixth(int by) { return 9 % by; }\n\
         int seventh(void) { return sixth(rate | 1) + sixth(state.on); }\n",
        (
            1,
            &[("first", "unknown"), ("sixth", "violated"), ("third", "violated")],
            &[
                "nothing division-by-zero@6 from third",
                "nothing division-by-zero@9 from seventh",
                "objects division-by-zero@4 from first",
                "null pointer@7 from fourth",
            ],
        ),
    );
}

/// What a function requires is no finding, and its callers are asked for it.
#[test]
fn contracts_are_what_callers_have_to_see_to() {
    check(
        "each-contracts",
        "static int divide(int by) __CPROVER_requires(by != 0)\n\
         { return 100 / by; }\n\
         int good(int by) { return divide(by | 1); }\n\
         int bad(int by) { return divide(by); }\n\
         int asked(int by) __CPROVER_requires(by != 0)\n\
         { return 7 % by; }\n",
        (
            1,
            &[("bad", "violated"), ("divide", "violated")],
            &[
                "arguments precondition@4 from bad",
                "arguments division-by-zero@2 from bad",
            ],
        ),
    );
}

/// They are memory, and what is read is what was there.
#[test]
fn volatile_variables_are_no_registers() {
    check(
        "each-volatile",
        "static volatile unsigned char head;\n\
         static unsigned char ring[100], last;\n\
         void put(unsigned char byte) { ring[head] = byte; head = (head + 1) % 100; last = ring[5]; }\n\
         int spare(void) { return 5 / (last + 1 - ring[7]); }\n",
        (
            2,
            &[("put", "unknown"), ("spare", "unknown")],
            &[
                "objects bounds@3 from put",
                "objects division-by-zero@4 from spare",
            ],
        ),
    );
}

/// Only what the violation needs is shown of what was before the call.
#[test]
fn what_does_not_matter_is_not_shown() {
    let text = "static int rate = 4, size = 9;\n\
                void set(int to) { rate = size = to; }\n\
                int get(int x) { return (x & 255) / rate; }\n";
    let folder = folder("each-contents", &[("a.c", text)]);
    let (code, text) = run(&folder, &["a.c", "--each-function"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains(": get(x = 0) with rate = 0\n"), "{text}");
}

#[test]
fn callbacks_get_arguments_from_somebody_who_is_not_known() {
    check(
        "each-callbacks",
        "extern void install(int (*)(int));\n\
         static int divide(int by) { return 100 / by; }\n\
         static int zero;\n\
         static void tick(void) { zero = 1 / zero; }\n\
         void (*const vectors[])(void) = { tick };\n\
         int main(void) { install(divide); return divide(2); }\n",
        (
            1,
            &[("divide", "unknown"), ("tick", "violated")],
            &[
                "nothing division-by-zero@4 from tick",
                "callers division-by-zero@2 from divide",
            ],
        ),
    );
}

/// A handler that is passed is code that nobody knows; what is no function at all is an error.
#[test]
fn calls_of_what_callers_pass_are_open() {
    check(
        "each-handlers",
        "typedef int (*handler)(int);\n\
         struct device { handler start; };\n\
         int apply(handler h, int x) { return h(x); }\n\
         int guarded(handler h, int x) { return h ? h(x) : 0; }\n\
         int member(struct device *d) { return d->start(3); }\n\
         int none(handler h, int x) { int (*p)(int) = 0; return h == 0 ? 0 : p(x); }\n",
        (
            1,
            &[
                ("apply", "unknown"),
                ("guarded", "unknown"),
                ("member", "unknown"),
                ("none", "violated"),
            ],
            &[
                "arguments function-pointer@6 from none",
                "objects function-pointer@3 from apply",
                "objects function-pointer@4 from guarded",
                "objects function-pointer@5 from member",
                "null pointer@5 from member",
            ],
        ),
    );
}

/// Nobody calls them from outside of the circle.
#[test]
fn functions_that_only_call_each_other_have_an_entry_point() {
    check(
        "each-circle",
        "int odd(int n);\n\
         int even(int n) { return n == 0 ? 1 / n : odd(0); }\n\
         int odd(int n) { return n == 1 ? even(1) : 2; }\n\
         int main(void) { return 0; }\n",
        (
            1,
            &[("even", "violated")],
            &["arguments division-by-zero@2 from even"],
        ),
    );
}

#[test]
fn what_cannot_be_started_in_is_open_and_the_others_go_on() {
    let text = "#include <stdarg.h>\n\
         int sum(int count, ...) {\n\
             va_list list; va_start(list, count);\n\
             int first = va_arg(list, int); va_end(list); return first & count;\n\
         }\n\
         int half(int x) { return x / 2; }\n";
    let folder = folder("each-refused", &[("a.c", text)]);
    let (code, text) = run(&folder, &["a.c", "--each-function"]);
    assert_eq!(code, 2, "{text}");
    assert!(
        text.contains("cannot be checked by itself: it takes variable arguments"),
        "{text}"
    );
    assert!(text.contains("half      holds"), "{text}");
}

/// What follows something that is not modelled is not in the model: anything may be called there.
#[test]
fn what_is_behind_something_unsupported_is_not_excluded() {
    check(
        "each-unsupported",
        "#include <setjmp.h>\n\
         static jmp_buf place;\n\
         static int divide(int by) { return 5 / by; }\n\
         int hidden(void) { return setjmp(place) ? divide(0) : 1; }\n\
         int seen(void) { return divide(2); }\n",
        (
            2,
            &[("divide", "unknown"), ("hidden", "unknown")],
            &["callers division-by-zero@3 from divide"],
        ),
    );
}

/// The arguments of the one caller are not known.
#[test]
fn what_a_caller_does_that_cannot_be_started_in_is_open() {
    check(
        "each-hidden-caller",
        "static int divide(int by) { return 5 / by; }\n\
         int hidden(int count, ...) { return divide(count & 0); }\n\
         int seen(void) { return divide(2); }\n",
        (
            2,
            &[("divide", "unknown"), ("hidden", "unknown")],
            &["callers division-by-zero@1 from divide"],
        ),
    );
}

/// Static functions of one name, a header of theirs, and one that is made into two functions by macros.
#[test]
fn functions_of_one_name_are_told_apart() {
    let header = "static int half(int x) { return x / DIVISOR; }\n";
    let one = "#define DIVISOR 2\n#include \"half.h\"\n\
               static int init(int x) { return x / 3; }\nint one(int x) { return init(half(x)); }\n";
    let two = "#define DIVISOR (x - 7)\n#include \"half.h\"\n\
               static int init(int x) { return 1 / x; }\nint two(int x) { return init(5) + half(x & 3); }\n";
    let folder = folder(
        "each-names",
        &[("half.h", header), ("one.c", one), ("two.c", two)],
    );
    let files = ["one.c", "two.c", "--each-function"];
    let (code, verdicts, findings) = outcome(&folder, &files);
    let names: Vec<&str> = verdicts.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "one",
            "one.c:half",
            "one.c:init",
            "two",
            "two.c:half",
            "two.c:init"
        ]
    );
    assert_eq!(code, 0, "{findings:#?}");
    assert_eq!(
        findings,
        [
            "excluded division-by-zero@1 from two.c:half",
            "excluded overflow@1 from two.c:half",
            "excluded division-by-zero@3 from two.c:init",
        ]
    );
    let (code, text) = run(&folder, &["one.c", "two.c", "--entry", "two.c:init"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("two.c:3:"), "{text}");
    let (code, text) = run(&folder, &["one.c", "two.c", "--entry", "one.c:init"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn static_functions_of_other_folders_are_only_followed() {
    let library = "static inline int third(int x) { return x / 3; }\n";
    let main = "#include <third.h>\n#include \"own.h\"\nint f(int x) { return third(x) + own(x); }\n";
    let own = "static inline int own(int x) { return x / 4; }\n";
    let files = [("sdk/third.h", library), ("src/a.c", main), ("src/own.h", own)];
    let folder = folder("each-folders", &files);
    let (code, verdicts, _) = outcome(&folder, &["src/a.c", "-Isdk", "--each-function"]);
    let names: Vec<&str> = verdicts.keys().map(String::as_str).collect();
    assert_eq!((code, &names[..]), (0, &["f", "own"][..]));
}

/// What library functions want is found at the call.
#[test]
fn contracts_of_the_library_are_those_of_the_call() {
    check(
        "each-library",
        "#include <string.h>\n\
         static char buffer[4];\n\
         static void fill(unsigned long n) { memset(buffer, 1, n); }\n\
         void clear(void) { memset(buffer, 0, 4); }\n\
         void some(unsigned long n) { fill(n < 5 ? n : 4); }\n",
        (0, &[], &["excluded pointer@3 from fill"]),
    );
}

#[test]
fn a_pattern_takes_some_functions() {
    let text = "static int divide(int by) { return 100 / by; }\n\
                int ring_put(int x) { return divide(x | 1); }\n\
                int other(int x) { return divide(x); }\n";
    let folder = folder("each-pattern", &[("a.c", text)]);
    let (code, verdicts, findings) = outcome(&folder, &["a.c", "--each-function=ring_*"]);
    assert_eq!((code, verdicts.len(), findings.len()), (0, 1, 0));
    let (code, verdicts, findings) = outcome(&folder, &["a.c", "--each-function=divide"]);
    assert_eq!((code, verdicts.len()), (1, 1));
    assert_eq!(findings, ["arguments division-by-zero@1 from other"]);
    let (code, text) = run(&folder, &["a.c", "--each-function=ring_putt"]);
    assert_eq!(code, 3);
    assert!(text.contains("did you mean 'ring_put'?"), "{text}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = folder("each-refusals", &[("a.c", "int f(void) { return 0; }\n")]);
    for (options, message) in [
        (
            &["--ltl", "G {1}"][..],
            "formulas are about the runs of a whole program",
        ),
        (&["--harness", "h.c"], "a harness is made for one function"),
        (&["--entry", "f"], "cannot be used with"),
        (&["--list-loops"], "cannot be used with"),
    ] {
        let (code, text) = run(&folder, &[&["a.c", "--each-function"], options].concat());
        assert_eq!(code, 3, "{text}");
        assert!(text.contains(message), "{text}");
    }
    fs::write(folder.join("a.elf"), "\x7fELF").expect("a file");
    let (code, text) = run(&folder, &["a.elf", "--each-function"]);
    assert_eq!(code, 3, "{text}");
    assert!(
        text.contains("--each-function is for C programs, not for firmware"),
        "{text}"
    );
}

/// One function that takes for ever leaves the others their time, and the limit holds.
#[test]
fn time_is_shared() {
    let text = "#include <assert.h>\n\
                #define M 1000003ull\n\
                void hard(unsigned a, unsigned b) {\n\
                    assert((a % M) * (b % M) % M == (unsigned long long)a * b % M);\n\
                }\n\
                int zero(int x) { return 1 / x; }\n\
                int half(int x) { return x / 2; }\n";
    let folder = folder("each-time", &[("a.c", text)]);
    let started = Instant::now();
    let (code, verdicts, _) = outcome(&folder, &["a.c", "--each-function", "--timeout", "4s"]);
    assert!(
        started.elapsed() < Duration::from_secs(8),
        "{:?}",
        started.elapsed()
    );
    let verdicts: Vec<&str> = verdicts.values().map(String::as_str).collect();
    assert_eq!((code, &verdicts[..]), (1, &["holds", "unknown", "violated"][..]));
}

#[test]
fn a_project_file_asks_for_all_functions() {
    let project =
        "[[program]]\nname = 'driver'\nsources = ['a.c']\nfunctions = 'all'\nexpected = 'violated'\n";
    let text = "int f(int x) { return 1 / x; }\nint g(int x) { return x / 2; }\n";
    let folder = folder("each-project", &[("a.c", text), ("kripke.toml", project)]);
    let (code, text) = run(&folder, &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("2 safety properties of 2 functions"), "{text}");
}

/// A variable that is not static can be written by whoever can call the functions of a library.
#[test]
fn that_others_write_to_no_variable_is_listed() {
    let limit = "int limit = 4;\nconst int fixed = 3;\nstatic int own = 2;\n\
                 int share(int of) { return of / limit + fixed / own; }\n";
    let main = "int share(int);\nint main(void) { return share(8); }\n";
    let folder = folder("others_write", &[("a.c", limit), ("main.c", main)]);
    let line = "nobody outside of the program writes to `limit`\n";
    let (code, said) = run(&folder, &["a.c", "--each-function"]);
    assert!(code == 0 && said.contains(line), "{said}");
    let (code, said) = run(&folder, &["a.c", "main.c", "--each-function"]);
    assert!(code == 0 && !said.contains("nobody outside"), "{said}");
}
