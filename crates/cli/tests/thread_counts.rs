//! How many schedules are explored one by one, against numbers that are computed by hand.
//!
//! `main` starts some threads that have nothing to do with each other, and ends by `pthread_exit`, so that
//! the program ends with the last of them. A thread goes on from one place where others may run to the next:
//!
//! - One that does nothing takes 2 steps: from its beginning to the operation that is its end, and that.
//! - One that adds to an atomic variable takes 3: to the addition, from there to its end, and that.
//! - `main` takes 3 steps from the one in which it creates a thread to that in which it creates the next, or
//!   to its end: others may run before the number of the thread is stored, before the next operation of the
//!   library, and before what that one does.

mod common;

use std::path::Path;

use common::{folder, kripke, text};

/// Steps of `main` from the creation of a thread to that of the next one, or to its end.
const BETWEEN: u64 = 3;

/// The numbers of schedules that were explored, and of those that were left at a state seen before.
fn counts(folder: &Path, threads: u64, options: &[&str]) -> (u64, u64) {
    let source = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stddef.h>\n\
        static atomic_int sum;\n\
        static void *run(void *unused)\n{\n#ifdef ADDS\n    sum++;\n#endif\n    return unused;\n}\n\
        int main(void)\n{\n    for (int i = 0; i < THREADS; i++) {\n        pthread_t thread;\n\
        \x20       pthread_create(&thread, NULL, run, NULL);\n    }\n#ifdef RETURNS\n\
        \x20   return 0;\n#endif\n    pthread_exit(NULL);\n}\n";
    std::fs::write(folder.join("program.c"), source).expect("target folder is writable");
    let number = format!("THREADS={threads}");
    let usual = ["--partial-order-reduction", "off", "-D", &number];
    counts_of(folder, &[&usual, options].concat())
}

/// The same of a program that is there.
fn counts_of(folder: &Path, options: &[&str]) -> (u64, u64) {
    let usual = ["check", "program.c", "--explore", "interleavings"];
    let output = kripke(&[&usual, options].concat(), folder);
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let last = said.lines().last().expect("the last line");
    let before = |what: &str| {
        let words = last.split(what).next()?.rsplit([' ', '(']);
        words.into_iter().next()?.parse().ok()
    };
    let found = before(" interleaving").zip(before(" of them left"));
    found.unwrap_or_else(|| panic!("numbers of interleavings: {last}"))
}

fn factorial(number: u64) -> u64 {
    (1..=number).product()
}

/// Threads that are switched only where one ends never run where `main` returns: that ends the program.
#[test]
fn a_program_that_ends_has_one_schedule() {
    let folder = folder("thread-counts-one");
    for hashing in ["on", "off"] {
        let options = [
            "-D",
            "RETURNS",
            "--context-bound",
            "0",
            "--state-hashing",
            hashing,
        ];
        assert_eq!(counts(&folder, 3, &options), (1, 0), "hashing {hashing}");
    }
    std::fs::remove_dir_all(&folder).ok();
}

/// How many orders there are of steps in rows of so many, where each row keeps its own order.
fn orders(rows: &[u64]) -> u64 {
    let all = factorial(rows.iter().sum());
    rows.iter().fold(all, |orders, row| orders / factorial(*row))
}

/// The schedules of `main` and one or two threads of so many steps.
///
/// With one thread, its steps and those that `main` takes after it has created it come in any order. With
/// two, the first one has taken some steps when `main` takes the last of the steps up to the creation of the
/// second: those come in any order with the steps of `main` before that one. What is left of it comes in any
/// order with the steps of the second one and those of `main` up to its end.
fn schedules(threads: u64, steps: u64) -> u64 {
    match threads {
        1 => orders(&[BETWEEN, steps]),
        2 => (0..=steps)
            .map(|early| orders(&[BETWEEN - 1, early]) * orders(&[BETWEEN, steps - early, steps]))
            .sum(),
        _ => unreachable!("one or two threads"),
    }
}

#[test]
fn each_schedule_is_explored_where_none_is_left() {
    let folder = folder("thread-counts-all");
    // 5!/(3! 2!), 6!/(3! 3!), and the sums that are written out: 210 + 180 + 60 and 1680 + 1680 + 840 + 200.
    let expected = [(1, 2, 10), (1, 3, 20), (2, 2, 450), (2, 3, 4400)];
    for (threads, steps, number) in expected {
        assert_eq!(schedules(threads, steps), number);
        let adds: &[&str] = if steps == 3 { &["-D", "ADDS"] } else { &[] };
        let options = [&["--state-hashing", "off"], adds].concat();
        assert_eq!(
            counts(&folder, threads, &options),
            (number, 0),
            "{threads} of {steps}"
        );
    }
    std::fs::remove_dir_all(&folder).ok();
}

/// Where threads are switched only when one ends, `main` goes first, and then each thread runs from its
/// beginning to its end: n! orders. A state says which threads have ended, and which one was the last, as it
/// is counted who is switched. So k threads have ended in k C(n, k) states (one for k = 0), and each of those
/// leads to n - k; what comes to a state beside the first that does is left.
#[test]
fn threads_that_run_to_their_ends_come_in_any_order() {
    let folder = folder("thread-counts-ends");
    // More take too long.
    for threads in 1..=4 {
        for adds in [&[][..], &["-D", "ADDS"]] {
            let common = [&["--context-bound", "0", "--state-hashing"], adds].concat();
            let with = |setting: &str| {
                let mut options: Vec<&str> = common.clone();
                options.insert(3, setting);
                counts(&folder, threads, &options)
            };
            assert_eq!(with("off"), (factorial(threads), 0), "{threads} threads");
            let states = |ended: u64| match ended {
                0 => 1,
                _ => ended * orders(&[ended, threads - ended]),
            };
            let arrivals = (0..threads).map(|ended| states(ended) * (threads - ended));
            let left = arrivals.sum::<u64>() - (1..=threads).map(states).sum::<u64>();
            let ended = states(threads);
            assert_eq!(with("on"), (ended + left, left), "{threads} threads");
        }
    }
    std::fs::remove_dir_all(&folder).ok();
}
