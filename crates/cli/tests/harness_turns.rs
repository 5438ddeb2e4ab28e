//! Harnesses of programs in which threads or handlers take turns: compiled by gcc as the harness says at its
//! head, each program fails as its counterexample does, in every run; a program that is mended does not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How often each program is run.
const RUNS: usize = 8;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Copies the headers that stand beside a program, which it may include.
fn copy_headers(program: &Path, folder: &Path) {
    let beside = program
        .parent()
        .expect("a folder")
        .read_dir()
        .expect("a folder that can be read");
    for entry in beside.map(|entry| entry.expect("an entry").path()) {
        if entry.extension().is_some_and(|name| name == "h") {
            fs::copy(&entry, folder.join(entry.file_name().expect("a name"))).expect("the header");
        }
    }
}

/// A program with its harness, in a folder of its own.
struct Harness {
    folder: PathBuf,
    /// How it is compiled.
    command: String,
}

impl Harness {
    /// Checks a file of the repository, which must have a violation.
    fn new(file: &str, arguments: &[&str]) -> Harness {
        let name = format!("{file} {}", arguments.join(" "));
        let name: String = { name.chars() }
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("harness_turns")
            .join(name);
        fs::create_dir_all(&folder).expect("a folder");
        fs::copy(root().join(file), folder.join("program.c")).expect("the program");
        copy_headers(&root().join(file), &folder);
        let kripke = check(&folder, arguments);
        assert_eq!(kripke.status.code(), Some(1), "{file}: {}", said(&kripke));
        let text = fs::read_to_string(folder.join("harness.c")).expect("the harness");
        let head = text.split("*/").next().unwrap_or_default();
        let commands = head.lines().filter_map(|line| line.strip_prefix(" *     cc "));
        let commands = commands.map(|line| format!("gcc -w {}", line.trim_end_matches(" && ./a.out")));
        Harness {
            folder,
            command: commands.collect::<Vec<_>>().join(" && "),
        }
    }

    /// Checks a program that is written for it.
    fn written(name: &str, program: &str, arguments: &str) -> Harness {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("harness_turns");
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join(format!("{name}.c"));
        fs::write(&file, program).expect("the program");
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        Harness::new(&file.display().to_string(), &arguments)
    }

    /// Compiles it and runs it; what it says, and whether it ends well.
    fn run(&self, command: &str) -> Vec<(String, bool)> {
        let compiled = Command::new("sh")
            .args(["-c", command])
            .current_dir(&self.folder)
            .output()
            .expect("gcc runs");
        assert!(compiled.status.success(), "{command}: {}", said(&compiled));
        let run = || {
            let program = Command::new(self.folder.join("a.out"))
                .current_dir(&self.folder)
                .output();
            program.expect("the program runs")
        };
        (0..RUNS)
            .map(|_| run())
            .map(|run| (said(&run), run.status.success()))
            .collect()
    }

    fn fails(&self, expected: &str) {
        for (said, succeeds) in self.run(&self.command) {
            let folder = self.folder.display();
            assert!(!succeeds, "{folder}: the run is fine: {said}");
            assert!(said.contains(expected), "{folder}: no '{expected}' in {said}");
        }
    }

    /// Compiled with other options, it does not fail like that.
    fn is_mended(&self, from: &str, to: &str, unexpected: &str) {
        let command = self.command.replace(from, to);
        assert_ne!(command, self.command);
        for (said, _) in self.run(&command) {
            assert!(!said.contains(unexpected), "{}: {said}", self.folder.display());
        }
    }
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    let own = ["check", "program.c", "--quiet", "--harness", "harness.c"];
    let kripke = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args(own)
        .args(arguments)
        .current_dir(folder)
        .output();
    kripke.expect("kripke runs")
}

/// Filetests, each with what the program says when it fails.
fn filetests(folder: &str, tests: &[(&str, &str)]) {
    for (test, expected) in tests {
        let file = format!("tests/filetests/{folder}/{test}.c");
        let text = fs::read_to_string(root().join(&file)).expect("a filetest");
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("// kripke: check"));
        let arguments: Vec<&str> = line.unwrap_or_default().split_whitespace().collect();
        Harness::new(&file, &arguments).fails(expected);
    }
}

#[test]
fn handlers_come_where_the_counterexample_says() {
    let tests = [
        ("any_number_of_times", "b - a < 5"),
        ("check_then_act", "count >= 0"),
        ("called_through_a_pointer", "set: Assertion `x == 1'"),
        ("condition_of_a_variable", "t == x"),
        ("condition_that_calls", "x == 0"),
        ("enabled_inside_a_function", "unlock: Assertion `x == 0'"),
        ("enabled_only_in_a_handler", "x == 0"),
        ("exit_of_the_program", "tick: Assertion `at == 0'"),
        ("heap_object_reachable_from_a_global", "b->value == 0"),
        ("higher_priority_interrupts_a_handler", "low: Assertion `x == 1'"),
        ("local_whose_address_escaped", "local == 0"),
        ("lost_update", "x >= came + 1"),
        ("mask_that_a_handler_left_somewhere", "mask == 0"),
    ];
    filetests("interrupts", &tests);
    filetests(
        "interrupts",
        &[
            (
                "handler_that_frees",
                "violation reproduced: access to memory that was freed",
            ),
            (
                "atomicity_read_write_write",
                "violation reproduced: read-write-write",
            ),
            ("atomicity_in_a_handler", "violation reproduced: read-write-write"),
        ],
    );
}

#[test]
fn handlers_of_a_driver() {
    let arguments = "--interrupt uart_receive:1 --interrupt uart_break:2 --interrupt-bound 2 -D WRONG";
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let harness = Harness::new("examples/uart_driver.c", &arguments);
    harness.fails("byte != 0");
    harness.is_mended("-DWRONG", "", "byte != 0");
}

#[test]
fn handlers_do_not_come_while_they_are_disabled() {
    let program = "
#include <assert.h>
static volatile int x;
void lock(void) {}
void unlock(void) {}
void tick(void) { x++; }
int main(void)
{
    unlock();
#ifdef MENDED
    lock();
#endif
    int first = x, second = x;
    assert(first == second);
    unlock();
}";
    let options = "--interrupt tick --interrupt-enable unlock --interrupt-disable lock --check assertion";
    let harness = Harness::written("masked", program, options);
    harness.fails("first == second");
    harness.is_mended(" -c ", " -DMENDED -c ", "first == second");
}

#[test]
fn a_function_disables_interrupts_at_its_end() {
    let program = "
#include <assert.h>
static volatile int masked, x;
void lock(void)
{
    int first = x, second = x;
    assert(first == second);
    masked = 1;
}
void unlock(void) { masked = 0; }
void tick(void) { x = x + 1; }
int main(void)
{
    unlock();
    lock();
    unlock();
}";
    let options = "--interrupt tick --interrupt-enable unlock --interrupt-disable lock --check assertion";
    Harness::written("disables", program, options).fails("first == second");
}

#[test]
fn functions_that_enable_and_disable_are_supplied() {
    let program = "
#include <assert.h>
int input(void);
void lock(void);
void unlock(void);
void tick(void) {}
int main(void)
{
    unlock();
    int y = input();
    assert(y != 3);
    lock();
}";
    let options = "--interrupt tick --interrupt-enable unlock --interrupt-disable lock";
    Harness::written("controls", program, options).fails("y != 3");
    let program = "
#include <assert.h>
int input(void);
void __enable_irq(void);
void __disable_irq(void);
unsigned __get_PRIMASK(void);
void tick(void) {}
int main(void)
{
    unsigned mask = __get_PRIMASK();
    __disable_irq();
    __enable_irq();
    int y = input();
    assert(y != 3);
    return (int)mask;
}";
    Harness::written("primitives", program, "--interrupt tick").fails("y != 3");
    let program = "
#include <assert.h>
unsigned lock(void);
void unlock(unsigned key);
static volatile int x;
void tick(void) { x = x + 1; }
int main(void)
{
    unlock(0);
    unsigned key = lock();
    x = 0;
    unlock(key);
    int first = x, second = x;
    assert(first == second);
}";
    Harness::written("keys", program, options).fails("first == second");
}

#[test]
fn a_masked_handler_that_comes_too_late_is_told() {
    let program = "
void lock(void);
void unlock(void);
static volatile int events;
void tick(void) { events = events + 1; }
int main(void)
{
    lock();
    unlock();
    for (;;) {
#ifdef MENDED
        lock();
#endif
        int left = events;
        events = left + 2;
#ifdef MENDED
        unlock();
#endif
    }
}";
    let options = "--interrupt tick --interrupt-enable unlock --interrupt-disable lock --check atomicity";
    let harness = Harness::written("late", program, options);
    harness.fails("violation reproduced");
    harness.is_mended(" -c ", " -DMENDED -c ", "violation reproduced");
}

#[test]
fn atomic_accesses_do_not_race() {
    let program = "
#include <pthread.h>
#ifdef MENDED
_Atomic
#endif
int x;
void *one(void *none) { x = 1; return none; }
void *two(void *none) { x = 2; return none; }
int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
}";
    let harness = Harness::written("atomic", program, "--check data-race");
    harness.fails("violation reproduced");
    harness.is_mended(" -c ", " -DMENDED -c ", "violation reproduced");
}

#[test]
fn threads_follow_the_schedule() {
    filetests(
        "threads",
        &[
            ("atomic_read_and_write", "Assertion"),
            ("buffer_of_semaphores_with_two_places", "box == 1"),
            ("barrier_after_the_look", "phase == 1"),
            ("condition_without_a_loop", "box == 42"),
            ("counter_of_different_mutexes", "Assertion"),
            ("counter_without_mutex", "counter == 2"),
            ("detached_thread_runs_on", "x == 0"),
            ("endless_counter_past_its_limit", "shown < 4"),
            ("key_that_is_deleted_before_it_is_used", "Assertion"),
            ("lost_update", "Assertion"),
            ("main_ends_before_its_thread", "x == 0"),
            ("peterson_with_the_own_turn", "inside == 1"),
            ("reader_that_writes", "x == y"),
            ("static_local_of_two_threads", "Assertion"),
            ("threads_from_a_table", "Assertion"),
            ("threads_share_the_counter_of_their_loop", "Assertion"),
            ("try_may_fail", "Assertion"),
            ("write_before_an_assumption", "Assertion"),
        ],
    );
}

#[test]
fn handlers_come_between_threads() {
    filetests(
        "threads",
        &[
            ("handler_beside_threads", "now == ticks"),
            ("handler_of_a_number_that_two_threads_change", "before == ticks"),
            (
                "handler_of_higher_priority_beside_threads",
                "low: Assertion `value == 1'",
            ),
            ("handler_posts_any_byte", "byte < 64"),
            ("interrupts_disabled_by_one_thread_only", "count == before"),
            ("condition_of_a_handler_beside_threads", "seen == 0"),
            ("handlers_one_after_the_other_in_another", "after != 2"),
            ("nobody_runs_where_interrupts_are_disabled", "seen != 2"),
            ("race_with_a_handler", "violation reproduced: data race"),
            (
                "update_that_a_handler_loses_beside_threads",
                "violation reproduced: read-write-write",
            ),
            ("updates_beside_a_handler", "updates == 2"),
        ],
    );
}

#[test]
fn wrong_uses_of_threads_and_memory_are_told() {
    filetests(
        "threads",
        &[
            (
                "condition_with_two_mutexes",
                "another thread waits for the condition variable",
            ),
            (
                "destroyed_while_it_is_locked",
                "pthread_mutex_destroy: the mutex is locked",
            ),
            ("joined_twice", "pthread_join"),
            ("null_in_a_thread", "null pointer"),
            ("pointer_to_a_local_of_a_call", "a function that has returned"),
            ("read_lock_of_another_thread", "does not hold the lock"),
            ("use_after_free_by_another_thread", "memory that was freed"),
            (
                "waits_for_itself",
                "pthread_join: the thread is the one that joins",
            ),
        ],
    );
}

#[test]
fn threads_that_wait_for_each_other() {
    let expected = "threads wait for each other, and none can go on";
    let tests = [
        "barrier_for_one_too_many",
        "deadlock_with_itself",
        "endless_deadlock_of_two_while_main_goes_on",
        "lock_of_a_thread_that_has_ended",
        "lock_that_a_join_needs",
        "endless_locks_in_two_orders",
        "locks_in_two_orders",
        "normal_mutex_locked_twice",
        "signal_for_two",
        "signal_that_nobody_waits_for",
    ];
    filetests("threads", &tests.map(|test| (test, expected)));
    let arguments = ["-D", "LEFT_FIRST"];
    let harness = Harness::new("examples/threads/philosophers.c", &arguments);
    harness.fails(expected);
    harness.is_mended("-DLEFT_FIRST", "", expected);
}

#[test]
fn threads_come_between_two_accesses() {
    let tests = [
        ("atomicity_check_and_act_in_two_sections", "read-write-write"),
        ("atomicity_reading_twice_in_a_pass", "read-write-read"),
        ("atomicity_write_read_write", "write-read-write"),
        ("atomicity_write_write_read", "write-write-read"),
        ("atomicity_on_the_heap", "read-write-write"),
    ];
    let reproduced = tests.map(|(test, pattern)| (test, format!("violation reproduced: {pattern}")));
    let reproduced: Vec<_> = reproduced
        .iter()
        .map(|(test, text)| (*test, text.as_str()))
        .collect();
    filetests("threads", &reproduced);
}

#[test]
fn threads_wait_for_others_of_lower_priority() {
    let expected = "violation reproduced: a thread waits here for one of lower priority";
    let tests = [
        "priority_inversion",
        "priority_inversion_of_a_priority_that_is_changed",
    ];
    filetests("threads", &tests.map(|test| (test, expected)));
}

#[test]
fn threads_stand_before_racing_accesses() {
    let expected = "data race: both threads access the same bytes next";
    let tests = [
        "race_of_an_atomic_and_another_access",
        "race_of_elements",
        "race_of_two_writes",
        "race_through_pointers",
        "race_with_a_value_that_a_function_stores",
    ];
    filetests("threads", &tests.map(|test| (test, expected)));
    let harness = Harness::new("examples/lost_update.c", &["--check", "data-race"]);
    harness.fails(expected);
    harness.is_mended(" -c ", " -DLOCKED -c ", expected);
}

#[test]
fn mended_threads_do_not_fail() {
    let lost = Harness::new("examples/lost_update.c", &[]);
    lost.fails("packets == 2");
    lost.is_mended(" -c ", " -DLOCKED -c ", "packets == 2");
    let counter = Harness::new("examples/event_counter.c", &["-D", "UNLOCKED"]);
    counter.fails("count == 0");
    counter.is_mended("-DUNLOCKED", "", "count == 0");
}

#[test]
fn what_does_not_run_here_is_refused() {
    let refused = |file: &str, arguments: &str, expected: &str| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("harness_turns/refused");
        fs::create_dir_all(&folder).expect("a folder");
        fs::copy(root().join(file), folder.join("program.c")).expect("the program");
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let output = check(&folder, &arguments);
        assert_eq!(output.status.code(), Some(3), "{file}: {}", said(&output));
        assert!(said(&output).contains(expected), "{file}: {}", said(&output));
    };
    let sensor = "examples/sensor.c";
    refused(
        sensor,
        "--target avr --interrupt adc_complete",
        "compile for this machine",
    );
    refused(sensor, "--interrupt adc_complete", "inline assembly");
    refused(
        "examples/lost_update.c",
        "--target thumbv7m-none-eabi",
        "a machine of 32 bits",
    );
    let formula = "--check none --ltl G{packets<2}";
    refused("examples/lost_update.c", formula, "shows no formula");
    let folder = root().join("examples/freertos");
    let headers = format!("-I {}", folder.display());
    refused(
        "examples/freertos/report.c",
        &headers,
        "whose kernel a C file does not bring",
    );
}
