//! How far `--unwind N` follows the loops of threads, against sums that are computed by hand.
//!
//! Two threads go round for ever and add three numbers in each round, under a lock; `main` looks at the sum
//! in each of its own rounds. Where each loop is followed N times, 6 N is the largest sum that it sees, and
//! nothing where N is less than the three of the inner loop.

mod common;

use std::path::Path;

use common::{folder, kripke, text};

const PROGRAM: &str = "#include <assert.h>\n#include <pthread.h>\n\
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\
    static int sum;\n\
    static void *adder(void *unused)\n{\n    for (;;) {\n        pthread_mutex_lock(&lock);\n\
    \x20       for (int i = 0; i < 3; i++)\n            sum++;\n\
    \x20       pthread_mutex_unlock(&lock);\n    }\n    return unused;\n}\n\
    int main(void)\n{\n    pthread_t first, second;\n\
    \x20   pthread_create(&first, 0, adder, 0);\n    pthread_create(&second, 0, adder, 0);\n\
    \x20   for (;;) {\n        pthread_mutex_lock(&lock);\n        assert(sum < SUM);\n\
    \x20       pthread_mutex_unlock(&lock);\n    }\n}\n";

/// The exit code, and what was said.
fn checked(folder: &Path, unwind: u32, sum: u32, explore: &str) -> (Option<i32>, String) {
    let (unwind, sum) = (unwind.to_string(), format!("SUM={sum}"));
    let arguments = [
        "check",
        "program.c",
        "-D",
        &sum,
        "--check",
        "assertion",
        "--no-k-induction",
        "--unwind",
        &unwind,
        "--explore",
        explore,
    ];
    let output = kripke(&arguments, folder);
    (output.status.code(), text(&output))
}

#[test]
fn each_loop_of_a_thread_is_followed_as_often_as_is_said() {
    let folder = folder("thread-unwinding");
    std::fs::write(folder.join("program.c"), PROGRAM).expect("target folder is writable");
    for explore in ["merged", "interleavings"] {
        for (unwind, sum, seen) in [(2, 1, false), (3, 18, true), (3, 19, false), (4, 24, true)] {
            let (code, said) = checked(&folder, unwind, sum, explore);
            let expected = if seen { 1 } else { 2 };
            assert_eq!(code, Some(expected), "{sum} within {unwind}, {explore}: {said}");
            let tells = format!("no violation within bound {unwind}, but the loop at program.c:");
            let tells = said.contains(&tells);
            assert_eq!(tells, !seen, "{said}");
        }
    }
    std::fs::remove_dir_all(&folder).ok();
}

/// Threads without loops are followed to their ends, whatever the bound.
#[test]
fn threads_without_loops_have_no_bound() {
    let folder = folder("thread-unwinding-none");
    let program = "#include <assert.h>\n#include <pthread.h>\nstatic int sum;\n\
        static void *adds(void *unused)\n{\n    sum++;\n    sum++;\n    return unused;\n}\n\
        int main(void)\n{\n    pthread_t first, second;\n\
        \x20   pthread_create(&first, 0, adds, 0);\n    pthread_create(&second, 0, adds, 0);\n\
        \x20   pthread_join(first, 0);\n    pthread_join(second, 0);\n\
        \x20   assert(2 <= sum && sum <= MOST);\n}\n";
    std::fs::write(folder.join("program.c"), program).expect("target folder is writable");
    for explore in ["merged", "interleavings"] {
        for (most, expected) in [("MOST=4", 0), ("MOST=3", 1)] {
            let arguments = [
                "check",
                "program.c",
                "-D",
                most,
                "--unwind",
                "1",
                "--explore",
                explore,
            ];
            let output = kripke(&arguments, &folder);
            let said = text(&output);
            assert_eq!(output.status.code(), Some(expected), "{most}, {explore}: {said}");
        }
    }
    std::fs::remove_dir_all(&folder).ok();
}

/// What the bound cuts off is proved as without it, unless that is not wanted.
#[test]
fn what_the_bound_cuts_off_may_be_proved() {
    let folder = folder("thread-unwinding-proof");
    let program = "#include <assert.h>\n#include <pthread.h>\n\
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\
        static unsigned sum, twice;\n\
        static void *adder(void *unused)\n{\n    for (;;) {\n        pthread_mutex_lock(&lock);\n\
        \x20       sum = (sum + 1) % 8;\n        twice = 2 * sum;\n\
        \x20       pthread_mutex_unlock(&lock);\n    }\n    return unused;\n}\n\
        int main(void)\n{\n    pthread_t first, second;\n\
        \x20   pthread_create(&first, 0, adder, 0);\n    pthread_create(&second, 0, adder, 0);\n\
        \x20   for (;;) {\n        pthread_mutex_lock(&lock);\n\
        \x20       assert(sum < MOST && twice == 2 * sum);\n\
        \x20       pthread_mutex_unlock(&lock);\n    }\n}\n";
    std::fs::write(folder.join("program.c"), program).expect("target folder is writable");
    let expectations = [
        ("MOST=8", None, 0),
        ("MOST=8", Some("--no-k-induction"), 2),
        ("MOST=4", None, 1),
    ];
    for (most, option, expected) in expectations {
        let mut arguments = vec!["check", "program.c", "-D", most, "--unwind", "3"];
        arguments.extend(option);
        let output = kripke(&arguments, &folder);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(expected), "{most}, {option:?}: {said}");
    }
    std::fs::remove_dir_all(&folder).ok();
}

/// The counterexample says nothing of loops that are counted.
#[test]
fn counterexamples_do_not_tell_of_counting() {
    let folder = folder("thread-unwinding-trace");
    std::fs::write(folder.join("program.c"), PROGRAM).expect("target folder is writable");
    let (code, said) = checked(&folder, 3, 6, "merged");
    assert_eq!(code, Some(1), "{said}");
    assert!(
        !said.contains("iteration of loop") && !said.contains("leaves loop"),
        "{said}"
    );
    std::fs::remove_dir_all(&folder).ok();
}

/// A handler comes as often as loops are followed.
#[test]
fn handlers_come_as_often_as_is_said() {
    let folder = folder("thread-unwinding-handlers");
    let program = "#include <assert.h>\n#include <pthread.h>\n\
        static volatile unsigned events, seen;\nvoid tick(void) { events++; }\n\
        static void *worker(void *unused)\n{\n    for (;;) {\n        unsigned now = events;\n\
        \x20       seen = now;\n    }\n    return unused;\n}\n\
        int main(void)\n{\n    pthread_t thread;\n    pthread_create(&thread, 0, worker, 0);\n\
        \x20   for (;;)\n        assert(seen < LIMIT);\n}\n";
    std::fs::write(folder.join("program.c"), program).expect("target folder is writable");
    for (limit, expected) in [("LIMIT=2", 1), ("LIMIT=3", 2)] {
        let arguments = [
            "check",
            "program.c",
            "--interrupt",
            "tick",
            "-D",
            limit,
            "--check",
            "assertion",
            "--no-k-induction",
            "--unwind",
            "2",
        ];
        let output = kripke(&arguments, &folder);
        assert_eq!(output.status.code(), Some(expected), "{limit}: {}", text(&output));
    }
    std::fs::remove_dir_all(&folder).ok();
}
