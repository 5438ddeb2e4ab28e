//! `kripke states`: numbers and drawings of the same state space.

mod common;

use common::{compile, expect, kripke, text};

const SWITCH: &str = "
#include <avr/io.h>
int main(void) {
    DDRB = 1;
    for (;;) PORTB = PINA & 1;
}
";

#[test]
fn drawings_have_every_state_and_what_the_environment_does() {
    let folder = compile(SWITCH, &["-g"]);
    let run = |arguments: &[&str]| {
        let output = kripke(&[&["states", "a.elf"], arguments].concat(), folder.path());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        text(&output)
    };
    let whole = ["--no-path-reduction", "--no-dead-variable-reduction"];
    let numbers = run(&[&["--nondeterminism", "immediate"], &whole[..]].concat());
    let count = |what: &str| -> usize {
        let line = numbers.lines().find(|line| line.contains(what)).expect(what);
        line.split(' ')
            .next()
            .and_then(|word| word.parse().ok())
            .expect("a number")
    };
    let (states, transitions) = (count("states"), count("transitions"));
    let whole = run(&["--nondeterminism", "immediate", "--dot", "--all"]);
    let lines = |text: &str, edges: bool| {
        let nodes = text
            .lines()
            .filter(|line| line.starts_with("  n") && line.contains("[label="));
        nodes.filter(|line| line.contains("->") == edges).count()
    };
    assert_eq!(
        (lines(&whole, false), lines(&whole, true)),
        (states, transitions),
        "{numbers}{whole}"
    );
    let folded = run(&["--dot", "--watch", "PORTB"]);
    assert!(lines(&folded, false) < states, "{folded}");
    for part in ["digraph states", "a.c:5", "PORTB = 0", "PORTB = 1", "steps)"] {
        assert!(folded.contains(part), "{part}: {folded}");
    }
    for part in ["PINA: bit 0 is read as 0", "PINA: bit 0 is read as 1"] {
        let all = run(&[
            "--dot",
            "--nondeterminism",
            "immediate",
            "--constraint",
            "PINA < 2",
        ]);
        assert!(all.contains(part) || folded.contains(part), "{part}: {all}");
    }
}

#[test]
fn limits_and_mistakes() {
    let folder = compile(SWITCH, &["-g"]);
    expect(
        &["states", "a.elf", "--max-states", "3", "--no-path-reduction"],
        folder.path(),
        2,
        "stopped after",
    );
    for (limit, least, reached) in [
        ("--timeout", "1ms", "the time limit was reached"),
        ("--memory-limit", "1M", "the memory limit was reached"),
    ] {
        let all = ["states", "a.elf", "--no-path-reduction", limit, least];
        expect(&all, folder.path(), 2, reached);
    }
    expect(
        &["states", "a.elf", "--watch", "PORTX"],
        folder.path(),
        3,
        "PORTX",
    );
    expect(
        &["states", "a.elf", "--constraint", "PINA & 3 == 1"],
        folder.path(),
        3,
        "as in C, `PINA & 3 == 1` means",
    );
    expect(
        &["states", "missing.elf"],
        folder.path(),
        3,
        "cannot read missing.elf",
    );
}
