//! `kripke check` on firmware: bad input, and the same verdicts with and without each abstraction.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{compile, text};

fn kripke(arguments: &[&str], directory: &Path) -> Output {
    common::kripke(&[&["check"], arguments].concat(), directory)
}

fn expect(arguments: &[&str], folder: &Path, code: i32, said: &str) {
    common::expect(&[&["check"], arguments].concat(), folder, code, said);
}

const COUNTER: &str = "
#include <avr/io.h>
#include <stdint.h>
struct entry { uint8_t kind; uint8_t value[3]; };
volatile struct entry table[2];
volatile uint8_t counter;
int main(void) {
    DDRB = 0xFF;
    for (;;) {
        if (PINA & 1) {
            if (counter < 10) counter++;
        } else {
            counter = 0;
        }
        table[1].value[2] = counter;
        PORTB = counter;
    }
}
";

#[test]
fn atoms_over_variables_registers_and_members() {
    let folder = compile(COUNTER, &["-g"]);
    let run = |formula: &str, code, said: &str| {
        expect(&["a.elf", "--invariant", formula], folder.path(), code, said)
    };
    run("{DDRB == 0 || counter <= 10}", 0, "HOLDS");
    run("{DDRB == 0 || counter <= 9}", 1, "PINA");
    run("{DDRB == 0 || table[1].value[2] <= 10}", 0, "HOLDS");
    run("{PORTB <= 10}", 0, "HOLDS");
    run("{PORTB <= 5}", 1, "violated");
    expect(
        &["a.elf", "--ctl", "AG EF {PORTB == 10}"],
        folder.path(),
        0,
        "HOLDS",
    );
    expect(
        &["a.elf", "--ltl", "F {PORTB == 10}"],
        folder.path(),
        1,
        "repeat for ever",
    );
    expect(
        &[
            "a.elf",
            "--constraint",
            "(PINA & 1) == 0",
            "--invariant",
            "{PORTB == 0}",
        ],
        folder.path(),
        0,
        "always",
    );
}

#[test]
fn bad_input_is_refused() {
    let folder = compile(COUNTER, &["-g"]);
    let run = |arguments: &[&str], said: &str| expect(arguments, folder.path(), 3, said);
    run(&["a.elf", "--invariant", "{countr == 1}"], "did you mean counter");
    run(&["a.elf", "--invariant", "{PORTX == 1}"], "did you mean PORT");
    run(&["a.elf", "--invariant", "{UDR == 1}"], "changes at any moment");
    run(&["a.elf", "--invariant", "{counter = 1}"], "must not assign");
    run(&["a.elf", "--invariant", "{table == 1}"], "an array has no value");
    run(
        &["a.elf", "--invariant", "{table[0].len == 1}"],
        "there are kind, value",
    );
    run(
        &["a.elf", "--invariant", "G {counter == 1}"],
        "no temporal operators",
    );
    run(&["a.elf", "--ctl", "G {counter == 1}"], "not a CTL formula");
    run(&["a.elf", "--mcu", "atmega166"], "did you mean 'atmega16'");
    run(&["a.elf", "--never", "INT9"], "has no interrupt");
    run(&["a.elf", "--constraint", "counter == 1"], "is no input");
    run(&["a.elf", "--unwind", "3"], "is for C programs");
    run(&["a.c", "--invariant", "{counter == 1}"], "is for firmware");
    std::fs::write(folder.path().join("no.elf"), "\x7fELF not really").expect("a file");
    run(&["no.elf"], "no.elf");
    std::fs::write(folder.path().join("bad.hex"), ":0000000100\n").expect("a file");
    run(&["bad.hex", "--mcu", "atmega16"], "bad.hex");
    let elf = std::fs::read(folder.path().join("a.elf")).expect("the image");
    std::fs::write(folder.path().join("cut.elf"), &elf[..elf.len() / 2]).expect("a file");
    run(&["cut.elf"], "truncated or corrupt");
}

#[test]
fn faults_are_found_without_being_asked_for() {
    let handler = "#include <avr/io.h>\n#include <avr/interrupt.h>\nint main(void) { GICR = 1 << INT0; \
        sei(); \
        for (;;); }";
    let cases = [
        (handler, "missing-handler"),
        (
            "#include <avr/io.h>\n__attribute__((noinline)) int f(int n) { volatile int a[8]; a[n & 7] = n; \
             return f(n + 1) + a[1]; }\nint main(void) { return f(0); }",
            "stack-overflow",
        ),
        (
            "int main(void) { ((void (*)(void))0x1000)(); return 0; }",
            "outside-program",
        ),
        (
            "int main(void) { __asm__(\".word 0xFFFF\"); return 0; }",
            "undefined-instruction",
        ),
        (
            "#include <avr/io.h>\nint main(void) { GIFR = 1; return 0; }",
            "reserved-write",
        ),
        (
            "int main(void) { return *(volatile int *)0x200; }",
            "uninitialised-read",
        ),
    ];
    for (source, fault) in cases {
        let folder = compile(source, &[]);
        expect(&["a.elf", "--timeout", "60s"], folder.path(), 1, fault);
    }
}

/// Every abstraction only adds runs, and what it adds changes no verdict here.
#[test]
fn abstractions_do_not_change_verdicts() {
    let programs = [
        (
            "traffic-light/traffic_light.c",
            "{(PORTB & 0x24) != 0x24}",
            "{(PORTB & 0x20) == 0}",
        ),
        ("plant/plant.c", "{(PORTB & 5) != 5}", "{(PORTB & 4) == 0}"),
        (
            "light-switch/light_switch.c",
            "{(PORTB & 0xFE) == 0}",
            "{(PORTB & 1) == 0}",
        ),
        (
            "reentrance/reentrance.c",
            "{DDRB == 0 || i <= 31}",
            "{DDRB == 0 || i <= 30}",
        ),
    ];
    let examples: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/avr");
    for (program, holds, violated) in programs {
        let source = std::fs::read_to_string(examples.join(program)).expect("the example");
        let folder = compile(&source, &["-g"]);
        // That one tears its counts.
        let faults: &[&str] = if program.starts_with("reentrance") {
            &["--check", "none"]
        } else {
            &[]
        };
        for options in [
            &[][..],
            &["--no-lazy-stack"],
            &["--nondeterminism", "immediate"],
            &["--nondeterminism", "delayed", "--lazy-interrupts"],
            &["--nondeterminism", "immediate", "--no-lazy-stack"],
        ] {
            let arguments = [&["a.elf", "--invariant", holds][..], faults, options].concat();
            expect(&arguments, folder.path(), 0, "HOLDS");
            let arguments = [&["a.elf", "--invariant", violated][..], faults, options].concat();
            expect(&arguments, folder.path(), 1, "violated");
        }
    }
}

#[test]
fn limits_end_in_an_unknown_verdict() {
    let folder = compile(COUNTER, &["-g"]);
    expect(&["a.elf", "--max-states", "5"], folder.path(), 2, "5");
}

#[test]
fn what_is_not_modelled_leaves_the_verdict_open() {
    let usb = "#include <avr/io.h>\nint main(void) { UDCON = 1 << RSTCPU; for (;;); }";
    let folder = compile(usb, &["-mmcu=atmega32u4"]);
    let invariant = ["a.elf", "--invariant", "{PORTB == 0}"];
    expect(&invariant, folder.path(), 2, "hardware do what is not modelled");
}

#[test]
fn disassembly_shows_symbols_and_lines() {
    let folder = compile(COUNTER, &["-g"]);
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
            .arg("disasm")
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .expect("kripke runs");
        (output.status.code(), text(&output))
    };
    let (code, listing) = run(&["a.elf", "--function", "main"]);
    assert_eq!(code, Some(0), "{listing}");
    assert!(
        listing.contains("main:\n") && listing.contains("a.c:8") && listing.contains("out 0x17, r24"),
        "{listing}"
    );
    let (code, listing) = run(&["a.elf", "--function", "mian"]);
    assert!(
        code == Some(3) && listing.contains("did you mean 'main'"),
        "{listing}"
    );
}

/// What a never written variable holds is decided once, at reset, and not anew whenever a formula asks for
/// it.
#[test]
fn unwritten_memory_has_one_value() {
    let source = "
        #include <avr/io.h>
        #include <stdint.h>
        volatile uint8_t x __attribute__((section(\".noinit\")));
        int main(void) { __asm__ volatile(\"\" :: \"r\"(&x)); DDRB = 1; for (;;); }
    ";
    let folder = compile(source, &["-g"]);
    let run = |arguments: &[&str], code, said: &str| {
        let arguments = [&["a.elf", "--check", "none"][..], arguments].concat();
        expect(&arguments, folder.path(), code, said);
    };
    run(&["--ctl", "AG EF {x == 5}"], 1, "VIOLATED");
    run(&["--ctl", "AG({x == 5} -> EF {x == 6})"], 1, "VIOLATED");
    run(&["--invariant", "!({x > 5} && {x < 3})"], 0, "HOLDS");
    run(&["--invariant", "{x == 5}"], 1, "VIOLATED");
    run(&["--ltl", "G({x == 5} -> G {x == 5})"], 0, "HOLDS");
}

/// Branching on what was never written: the program takes one branch or the other, and that is decided at
/// reset.
#[test]
fn a_branch_on_unwritten_memory_proves_no_existence() {
    let source = "
        #include <avr/io.h>
        #include <stdint.h>
        volatile uint8_t x __attribute__((section(\".noinit\")));
        int main(void) { DDRB = 3; if (x & 1) { PORTB = 1; } else { PORTB = 2; } for (;;); }
    ";
    let folder = compile(source, &["-g"]);
    // On a chip with an even x no run from reset on reaches it, so the formula is false of some initial
    // state.
    let arguments = [
        "a.elf",
        "--check",
        "none",
        "--ctl",
        "{DDRB == 0} -> EF {PORTB == 1}",
    ];
    let output = kripke(&arguments, folder.path());
    assert_ne!(output.status.code(), Some(0), "{}", text(&output));
}

/// The chip takes the permission to disable the watchdog back after four cycles.
#[test]
fn a_late_write_does_not_disable_the_watchdog() {
    let program = |between: &str| {
        format!(
            "#include <avr/io.h>\nint main(void) {{
                WDTCR = 0x08; DDRB = 1;
                WDTCR = 0x18; {between} WDTCR = 0;
                PORTB = 1; for (;;); }}"
        )
    };
    let stays = [
        "a.elf",
        "--check",
        "none",
        "--ltl",
        "G({PORTB == 1} -> G {PORTB == 1})",
    ];
    let early = compile(&program(""), &["-g"]);
    expect(&stays, early.path(), 0, "HOLDS");
    let late = compile(
        &program("__asm__ volatile(\"nop\\nnop\\nnop\\nnop\\nnop\\nnop\");"),
        &["-g"],
    );
    expect(&stays, late.path(), 1, "VIOLATED");
}

/// Interrupts that may come early are a means to have fewer states, not a reason for an alarm.
#[test]
fn lazy_interrupts_raise_no_alarm() {
    let examples: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/avr");
    let source = std::fs::read_to_string(examples.join("reentrance/reentrance.c")).expect("the example");
    let folder = compile(&source, &["-g", "-DDEAF"]);
    let run = |arguments: &[&str], code, said: &str| {
        expect(
            &[&["a.elf", "--lazy-interrupts"], arguments].concat(),
            folder.path(),
            code,
            said,
        );
    };
    run(&["--invariant", "{PORTB == 0 || (SREG & 0x80)}"], 0, "HOLDS");
    run(&["--ctl", "EF {PORTB == 1}"], 1, "VIOLATED");
}

/// What is shown of a run is what the run did, whenever inputs get their values.
#[test]
fn counterexamples_tell_the_same_inputs_in_every_mode() {
    let source = "
        #include <avr/io.h>
        int main(void) { DDRB = 1; for (;;) if ((PINA & 0x81) == 0x80) PORTB = 1; }
    ";
    let folder = compile(source, &["-g"]);
    for mode in ["delayed", "immediate"] {
        let arguments = ["a.elf", "--invariant", "{PORTB == 0}", "--nondeterminism", mode];
        let output = kripke(&arguments, folder.path());
        let shown = text(&output);
        assert_eq!(output.status.code(), Some(1), "{shown}");
        let read = shown.contains("bit 7 is read as 1, bit 0 is read as 0")
            || shown.contains("PINA is read as 0x80");
        assert!(read, "{mode}: {shown}");
    }
}

#[test]
fn devices_that_are_too_large_are_refused() {
    let folder = compile(COUNTER, &[]);
    let devices = Path::new(env!("CARGO_MANIFEST_DIR")).join("../avr/devices/atmega16.toml");
    let device = std::fs::read_to_string(devices).expect("the device file");
    let large = device.replace(
        "flash = { start = 0x0, size = 0x4000 }",
        "flash = { start = 0x0, size = 0x80000 }",
    );
    assert_ne!(large, device);
    let large = large.replace("pc_bytes = 2", "pc_bytes = 3");
    std::fs::write(folder.path().join("large.toml"), large).expect("a file");
    expect(&["a.elf", "--device", "large.toml"], folder.path(), 3, "256 KiB");
}

/// A run is shown with whole variables, and the atoms and ports that change.
#[test]
fn counterexamples_show_variables_atoms_and_ports() {
    let source = "
        #include <avr/io.h>
        #include <stdint.h>
        enum mode { IDLE, BUSY };
        struct { uint8_t pad; enum mode mode; int16_t level[2]; } state;
        int main(void) {
            DDRB = 0x0F;
            state.mode = BUSY;
            state.level[1] = -300;
            if (PIND & 4) PORTB = 5;
            for (;;);
        }
    ";
    let folder = compile(source, &["-g"]);
    let arguments = [
        "a.elf",
        "--check",
        "none",
        "--invariant",
        "{PORTB < 5}",
        "--vcd",
        "run.vcd",
    ];
    let output = kripke(&arguments, folder.path());
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    for part in [
        "state.mode = BUSY",
        "state.level[1] = -300 (0xfed4)",
        "{PORTB < 5} = false",
        "bit 2 is read as 1",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let waveform = std::fs::read_to_string(folder.path().join("run.vcd")).expect("a waveform");
    for part in [
        "$timescale 1 us $end",
        "PORTB $end",
        "b00001111 ",
        "b00000101 ",
        "bxxxxx1xx ",
    ] {
        assert!(waveform.contains(part), "{part}: {waveform}");
    }
    expect(
        &["a.elf", "--invariant", "{PORTB < 6}", "--vcd", "none.vcd"],
        folder.path(),
        0,
        "no run to show",
    );
}

/// A CTL formula that fails for two reasons at once needs two runs, which are drawn.
#[test]
fn evidence_for_a_ctl_formula_is_a_graph() {
    let source = "
        #include <avr/io.h>
        int main(void) { DDRB = 3; if (PINA & 1) PORTB = 1; else PORTB = 2; for (;;); }
    ";
    let folder = compile(source, &["-g"]);
    let both = [
        "a.elf",
        "--check",
        "none",
        "--ctl",
        "AF {PORTB == 1} || AF {PORTB == 2}",
        "--evidence",
        "why.dot",
    ];
    expect(&both, folder.path(), 1, "more than one run");
    let graph = std::fs::read_to_string(folder.path().join("why.dot")).expect("a graph");
    for part in [
        "digraph evidence",
        "- AF {PORTB == 1}",
        "- AF {PORTB == 2}",
        "main",
        "PINA is read as 0x01",
    ] {
        assert!(graph.contains(part), "{part}: {graph}");
    }
    let holds = [
        "a.elf",
        "--check",
        "none",
        "--ctl",
        "EF {PORTB == 1} && EF {PORTB == 2}",
        "--evidence",
        "witness.dot",
    ];
    expect(&holds, folder.path(), 0, "HOLDS");
    let graph = std::fs::read_to_string(folder.path().join("witness.dot")).expect("a graph");
    assert!(
        graph.contains("+ EF {PORTB == 1}") && graph.contains("+ {PORTB == 2}"),
        "{graph}"
    );
    expect(
        &["a.elf", "--evidence", "none.dot"],
        folder.path(),
        0,
        "no CTL formula",
    );
}

/// Variables have their values when main is reached; at reset they have any.
#[test]
fn formulas_begin_at_main() {
    let source = "
        #include <avr/io.h>
        #include <stdint.h>
        volatile uint8_t level = 7;
        __attribute__((noinline)) void work(void) { level = 8; PORTB = 1; }
        int main(void) { DDRB = 1; for (;;) work(); }
    ";
    let folder = compile(source, &["-g"]);
    let run = |arguments: &[&str], code, said: &str| {
        expect(&[&["a.elf"], arguments].concat(), folder.path(), code, said)
    };
    for nondeterminism in ["auto", "immediate"] {
        let mode = ["--nondeterminism", nondeterminism];
        run(
            &[&mode[..], &["--invariant", "{level == 7 || level == 8}"]].concat(),
            0,
            "<main> is first reached",
        );
        run(
            &[&mode[..], &["--invariant", "{level == 7}", "--from", "reset"]].concat(),
            1,
            "at reset level is",
        );
        run(
            &[&mode[..], &["--invariant", "{level == 8}", "--from", "work"]].concat(),
            1,
            "VIOLATED",
        );
        run(
            &[&mode[..], &["--invariant", "{DDRB == 1}", "--from", "work"]].concat(),
            0,
            "HOLDS",
        );
        run(
            &[
                &mode[..],
                &["--ltl", "F {level == 8}", "--ctl", "AG EF {PORTB == 1}"],
            ]
            .concat(),
            0,
            "HOLDS",
        );
        // The run is shown from reset on, and runs on the concrete core.
        run(
            &[&mode[..], &["--ltl", "G {level == 7}"]].concat(),
            1,
            "instructions of start-up code",
        );
    }
    run(&["--from", "wrok"], 3, "did you mean 'work'?");
    let never = compile("void never(void) {} int main(void) { for (;;); }", &["-g", "-O0"]);
    expect(
        &["a.elf", "--from", "never", "--invariant", "{SP > 0}"],
        never.path(),
        2,
        "never reached",
    );
}

/// The high bytes of a timer's registers go through one register: a handler that uses it disturbs the
/// interrupted access.
#[test]
fn high_bytes_of_timer_registers_are_shared() {
    let program = |before: &str, after: &str| {
        format!(
            "#include <avr/io.h>
            #include <avr/interrupt.h>
            ISR(INT0_vect) {{ OCR1B = 0xAB00; }}
            int main(void) {{
                GICR = 1 << INT0;
                sei();
                for (;;) {{ {before} OCR1A = 0x1234; {after} }}
            }}"
        )
    };
    let property = [
        "a.elf",
        "--check",
        "none",
        "--invariant",
        "{OCR1A == 0 || OCR1A == 0x1234}",
    ];
    let disturbed = compile(&program("", ""), &["-g"]);
    expect(&property, disturbed.path(), 1, "VIOLATED");
    let guarded = compile(&program("cli();", "sei();"), &["-g"]);
    expect(&property, guarded.path(), 0, "HOLDS");
}

/// What a stopped timer shows stays the same: two reads agree.
#[test]
fn a_stopped_counter_keeps_its_value() {
    let source = "
        #include <avr/io.h>
        int main(void) {
            uint8_t first, second;
            DDRB = 3;
            TCCR0 = 1;
            TCCR0 = 0;
            first = TCNT0;
            second = TCNT0;
            if (first != second) PORTB = 1;
            if (first == 77) PORTB = 3;
            for (;;);
        }
    ";
    let folder = compile(source, &["-g"]);
    for mode in ["auto", "immediate"] {
        let run = |invariant: &str, code, said: &str| {
            let arguments = [
                "a.elf",
                "--check",
                "none",
                "--nondeterminism",
                mode,
                "--invariant",
                invariant,
            ];
            expect(&arguments, folder.path(), code, said);
        };
        run("{PORTB != 1}", 0, "HOLDS");
        run("{PORTB != 3}", 1, "TCNT0");
    }
}

/// A page that the program writes is read back, and runs on the concrete core do the same.
#[test]
fn self_programming_changes_flash() {
    let source = "
        #include <avr/io.h>
        #include <avr/boot.h>
        #include <avr/pgmspace.h>
        #define PAGE 0x1000
        int main(void) {
            uint8_t offset;
            DDRB = 3;
            boot_page_erase(PAGE);
            boot_spm_busy_wait();
            for (offset = 0; offset < 8; offset += 2) boot_page_fill(PAGE + offset, 0x1200 + offset);
            boot_page_write(PAGE);
            boot_spm_busy_wait();
            boot_rww_enable();
            PORTB = pgm_read_word(PAGE + 6) == 0x1206 && pgm_read_word(PAGE + 8) == 0xFFFF ? 1 : 2;
            for (;;);
        }
    ";
    // SPM works in the boot section only.
    for (device, start) in [("atmega16", "0x3800"), ("atmega128", "0x1e000")] {
        let place = format!("-Wl,--section-start=.text={start}");
        let folder = compile(source, &["-g", &format!("-mmcu={device}"), &place]);
        let run = |arguments: &[&str], code, said: &str| {
            let arguments = [
                &["a.elf", "--check", "none", "--max-states", "300000"][..],
                arguments,
            ]
            .concat();
            expect(&arguments, folder.path(), code, said);
        };
        run(
            &["--invariant", "{PORTB != 2}", "--ctl", "AG EF {PORTB == 1}"],
            0,
            "HOLDS",
        );
        run(&["--invariant", "{PORTB != 1}"], 1, "spm");
    }
}

/// What holds holds of runs that do not end; where some do, that is said. (What follows is looked at in
/// `unchecked_faults.rs`.)
#[test]
fn runs_that_end_are_mentioned() {
    let folder = compile(
        "#include <avr/io.h>\nint main(void) { DDRB = 1; __asm__(\".word 0xFFFF\"); for (;;); }",
        &["-g"],
    );
    expect(&["a.elf"], folder.path(), 1, "some run ends");
    expect(
        &["a.elf", "--check", "none", "--ctl", "AG {DDRB < 2}"],
        folder.path(),
        2,
        "some run ends",
    );
    let output = kripke(
        &["a.elf", "--check", "none", "--invariant", "{DDRB < 2}"],
        compile(COUNTER, &["-g"]).path(),
    );
    assert!(!text(&output).contains("some run ends"), "{}", text(&output));
}

/// A reset's cause is cleared by writing 0; a written 1 changes nothing.
#[test]
fn causes_of_reset_cannot_be_set() {
    let source = "
        #include <avr/io.h>
        int main(void) {
            DDRB = 3;
            MCUCSR = 0;
            MCUCSR = 0x1F;
            if (MCUCSR & 0x1F) PORTB = 1;
            for (;;);
        }
    ";
    let folder = compile(source, &["-g"]);
    expect(
        &["a.elf", "--invariant", "{PORTB == 0}"],
        folder.path(),
        0,
        "HOLDS",
    );
}

/// What is popped as an address is one, even if the lazy stack has given it up or it was computed from an
/// input.
#[test]
fn programs_return_to_what_they_pushed_themselves() {
    let again = "
        #include <avr/io.h>
        __attribute__((naked, noinline)) void f(void) {
            __asm__ volatile(\"pop r24\\n pop r25\\n in r24, 0x3d\\n in r25, 0x3e\\n sbiw r24, 2\\n\"
                             \"out 0x3e, r25\\n out 0x3d, r24\\n ret\");
        }
        int main(void) { DDRB = 1; f(); PORTB = 1; for (;;); }
    ";
    let computed = "
        #include <avr/io.h>
        __attribute__((noinline, used)) void g(void) { PORTB = 1; for (;;); }
        __attribute__((naked, noinline)) void f(void) {
            __asm__ volatile(\"in r24, 0x19\\n push r24\\n clr r24\\n push r24\\n ret\");
        }
        int main(void) { DDRB = 1; f(); for (;;); }
    ";
    for source in [again, computed] {
        let folder = compile(source, &["-g"]);
        for mode in [&[][..], &["--nondeterminism", "immediate"], &["--no-lazy-stack"]] {
            let arguments = [
                &["a.elf", "--check", "none", "--invariant", "{PORTB == 0}"][..],
                mode,
            ];
            expect(&arguments.concat(), folder.path(), 1, "VIOLATED");
        }
    }
}

/// avr-gcc changes the stack pointer in two steps and enables interrupts before the second one, by writing
/// SREG.
#[test]
fn no_interrupt_comes_while_the_stack_pointer_changes() {
    let source = "
        #include <avr/io.h>
        #include <avr/interrupt.h>
        #include <stdint.h>
        ISR(INT0_vect) { PORTC = 1; }
        __attribute__((noinline)) void f(void) { volatile uint8_t big[100]; big[0] = 1; }
        int main(void) { GICR = 0x40; MCUCR = 2; sei(); for (;;) f(); }
    ";
    expect(&["a.elf"], compile(source, &["-g"]).path(), 0, "HOLDS");
}

/// Many values at reset, of variables that have others when main is reached, cost nothing.
#[test]
fn variables_that_start_up_code_sets_are_not_decided_at_reset() {
    let source = "
        #include <avr/io.h>
        #include <stdint.h>
        volatile uint8_t a, b, c, n __attribute__((section(\".noinit\")));
        int main(void) { for (;;) { a = PINA & 1; b = a + 1; c = n & 1; } }
    ";
    let folder = compile(source, &["-g"]);
    let formula = "AG EF {a == 1 && b == 2} && ({n == 7} -> AG EF {c == 1})";
    let arguments = [
        "a.elf",
        "--check",
        "none",
        "--constraint",
        "PINA < 2",
        "--ctl",
        formula,
    ];
    expect(&arguments, folder.path(), 0, "HOLDS");
}

/// INTF0 is 0 while the low level is selected, and so it may be afterwards.
#[test]
fn a_level_interrupt_has_no_flag() {
    let source = "
        #include <avr/io.h>
        #include <stdint.h>
        volatile uint8_t x = 1;
        int main(void) { MCUCR = 2; while (!(GIFR & 0x40)); MCUCR = 0; x = GIFR & 0x40; DDRB = 1; for (;;); }
    ";
    let folder = compile(source, &["-g"]);
    let zero = ["a.elf", "--check", "none", "--invariant", "{DDRB == 0 || x == 0}"];
    expect(&zero, folder.path(), 0, "HOLDS");
}

/// An output is sampled before edges are detected: instructions may be executed before the interrupt.
#[test]
fn an_interrupt_by_an_output_may_come_late() {
    let source = "
        #include <avr/io.h>
        #include <avr/interrupt.h>
        #include <stdint.h>
        volatile uint8_t x, seen;
        ISR(INT0_vect) { seen = x; DDRB = 1; }
        int main(void) {
            DDRD = 4; PORTD = 4; MCUCR = 2; GIFR = 0x40; GICR = 0x40; sei();
            PORTD = 0; __asm__ volatile(\"\"); x = 1; for (;;);
        }
    ";
    let folder = compile(source, &["-g"]);
    let early = [
        "a.elf",
        "--check",
        "none",
        "--invariant",
        "{DDRB == 0 || seen == 0}",
    ];
    expect(&early, folder.path(), 1, "VIOLATED");
    let late = [
        "a.elf",
        "--check",
        "none",
        "--invariant",
        "{DDRB == 0 || seen == 1}",
    ];
    expect(&late, folder.path(), 1, "VIOLATED");
}

/// While a byte is written to the EEPROM, it cannot be read, and its address does not change.
#[test]
fn a_busy_eeprom_is_not_accessed() {
    let program = |wait: &str| {
        format!(
            "#include <avr/io.h>\n#include <stdint.h>\nvolatile uint8_t x;
            int main(void) {{
                while (EECR & 2); EEAR = 0; EEDR = 5; EECR = 4; EECR = 6; {wait}
                EEAR = 1; EECR |= 1; x = EEDR; DDRC = 1; for (;;); }}"
        )
    };
    let reads = [
        "a.elf",
        "--check",
        "none",
        "--eeprom",
        "image",
        "--invariant",
        "{DDRC == 0 || x == 255}",
    ];
    let waits = compile(&program("while (EECR & 2);"), &["-g"]);
    expect(&reads, waits.path(), 0, "HOLDS");
    expect(&reads, compile(&program(""), &["-g"]).path(), 1, "VIOLATED");
}

/// Lazy interrupts may come early, and need not: between two handlers the main program goes on.
#[test]
fn lazy_interrupts_let_the_main_program_go_on() {
    let source = "
        #include <avr/io.h>
        #include <avr/interrupt.h>
        ISR(INT0_vect) { PORTC = 1; }
        int main(void) { DDRB = 1; GICR = 0x40; sei(); for (;;) { PORTB = 0; PORTB = 1; } }
    ";
    let folder = compile(source, &["-g"]);
    for mode in [&[][..], &["--lazy-interrupts"]] {
        let arguments = [
            &["a.elf", "--check", "none", "--constraint", "(PIND & 4) == 0"][..],
            &["--invariant", "{PORTB == 0}"],
            mode,
        ];
        expect(&arguments.concat(), folder.path(), 1, "VIOLATED");
    }
}

/// Right after a write to a port its pins are read as they were, one instruction later as they are.
#[test]
fn pins_settle_after_an_instruction() {
    let program = |between: &str| {
        format!(
            "#include <avr/io.h>
            int main(void) {{
                uint8_t seen;
                DDRB = 1; DDRC = 3;
                PORTB = 1; {between} seen = PINB & 1;
                PORTC = seen ? 1 : 2;
                for (;;); }}"
        )
    };
    let property = ["a.elf", "--invariant", "{PORTC != 2}"];
    let at_once = compile(&program(""), &["-g"]);
    expect(&property, at_once.path(), 1, "PINB");
    let later = compile(&program("__asm__ volatile(\"nop\");"), &["-g"]);
    expect(&property, later.path(), 0, "HOLDS");
}

/// Only pins that the last instruction changed settle, and inputs keep to the constraint meanwhile.
#[test]
fn other_pins_do_not_settle() {
    let program = |read: &str| {
        format!(
            "#include <avr/io.h>
            int main(void) {{
                DDRB = 3; DDRC = 7; DDRD = 1;
                PORTB = 2; __asm__ volatile(\"nop\");
                {read}
                for (;;); }}"
        )
    };
    let holds = |read: &str, constraint: &str| {
        let folder = compile(&program(read), &["-g"]);
        let arguments = ["a.elf", "--invariant", "{PORTC != 4}", "--constraint", constraint];
        expect(&arguments, folder.path(), 0, "HOLDS");
    };
    // Another bit of the port, the same value, another port.
    holds("PORTB |= 1; if (!(PINB & 2)) PORTC = 4;", "PINA < 256");
    holds("PORTB = 2; if (!(PINB & 2)) PORTC = 4;", "PINA < 256");
    holds("PORTD = 1; if (!(PINB & 2)) PORTC = 4;", "PINA < 256");
    holds(
        "uint8_t seen; PORTD = 1; seen = PIND & 0xFE; if (seen != 2 && seen != 4) PORTC = 4;",
        "PIND == 2 || PIND == 4 || PIND == 3 || PIND == 5",
    );
}
