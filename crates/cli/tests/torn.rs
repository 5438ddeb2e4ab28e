//! `torn-access`: programs that tear an access to shared data, and the usual ways not to, for two chips,
//! optimised and not, with and without each abstraction.

mod common;

use std::path::Path;

use common::{kripke, text};

/// Timer 0 and timer 1 of both chips interrupt; the newer chip's watchdog may be on after a reset. What
/// handlers write has two values only, so that there are few states.
const PRELUDE: &str = "\
#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/cpufunc.h>
#include <avr/wdt.h>
#include <util/atomic.h>
#include <stdint.h>
#ifdef TIMSK0
#define ENABLE_0 TIMSK0
#define TIMER_0 TCCR0B
#define ENABLE_1 TIMSK1
#else
#define ENABLE_0 TIMSK
#define TIMER_0 TCCR0
#define ENABLE_1 TIMSK
#endif
#ifdef WDTCSR
#define CALM() do { MCUSR = 0; wdt_disable(); } while (0)
#else
#define CALM() do { } while (0)
#endif
#define START_0() do { CALM(); TIMER_0 = 1; ENABLE_0 |= 1 << TOIE0; sei(); } while (0)
#define START_1() do { TCCR1B = 1; ENABLE_1 |= 1 << TOIE1; } while (0)
";

/// What each violated program says in its message.
const TORN: &[(&str, &str, &[&str])] = &[
    (
        "a read of two bytes",
        "volatile uint16_t ticks;
         ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             uint16_t now = ticks;
             PORTB = now > 200; } }",
        &["'ticks' (2 bytes) is read in main, a.c:", "and written in TIMER0_OVF_vect, a.c:"],
    ),
    (
        "a count of one byte on both sides",
        "volatile uint8_t count;
         ISR(TIMER0_OVF_vect) { count ^= 1; }
         int main(void) { START_0(); for (;;) {
             count ^= 2; } }",
        &["'count' (1 byte) is read and written back in main", "and written in TIMER0_OVF_vect"],
    ),
    (
        "a write of two bytes that the handler reads",
        "volatile uint16_t limit;
         ISR(TIMER0_OVF_vect) { PORTB = limit > 300; }
         int main(void) { DDRB = 1; START_0(); for (;;) {
             limit = 0x0101;
             limit = 0x0202; } }",
        &["'limit' (2 bytes) is written in main", "and read in TIMER0_OVF_vect"],
    ),
    (
        "a member of an element",
        "struct channel { uint8_t kind; volatile uint32_t total; };
         struct channel channels[2];
         ISR(TIMER0_OVF_vect) { channels[1].total ^= 0x01010101; }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             PORTB = channels[1].total == 0x01010101; } }",
        &["'channels[1].total' (4 bytes) is read in main"],
    ),
    (
        "bit-fields in one byte",
        "volatile struct { uint8_t ours : 1; uint8_t theirs : 1; } flags;
         ISR(TIMER0_OVF_vect) { flags.theirs = 1; }
         int main(void) { START_0(); for (;;) {
             flags.ours = 1; } }",
        &["'flags.", "(1 byte) is read and written back in main", "written in TIMER0_OVF_vect"],
    ),
    (
        "a handler that another one interrupts",
        "volatile uint16_t ticks;
         ISR(TIMER1_OVF_vect) { ticks ^= 0x0101; }
         ISR(TIMER0_OVF_vect) { ENABLE_0 &= ~(1 << TOIE0); sei(); PORTB = ticks > 200; cli(); ENABLE_0 |= 1 << TOIE0; }
         int main(void) { DDRB = 0xFF; START_1(); START_0(); for (;;) { } }",
        &["'ticks' (2 bytes) is read in TIMER0_OVF_vect", "and written in TIMER1_OVF_vect"],
    ),
    (
        "a function that the handler calls",
        "volatile uint16_t ticks;
         __attribute__((noinline)) void tick(void) { ticks ^= 0x0101; }
         ISR(TIMER0_OVF_vect) { tick(); }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             PORTB = ticks > 200; } }",
        &["'ticks' (2 bytes) is read in main", "and written in tick, a.c:", "(called by TIMER0_OVF_vect)"],
    ),
    (
        "a port that both sides change",
        "ISR(TIMER0_OVF_vect) { PORTB ^= 0x0C; }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             PORTB ^= 0x03; } }",
        &["'PORTB' (1 byte) is read and written back in main", "written in TIMER0_OVF_vect"],
    ),
    (
        "an access through a pointer",
        "uint16_t ticks;
         __attribute__((noinline)) uint16_t look(volatile uint16_t *at) {
             return *at; }
         ISR(TIMER0_OVF_vect) { *(volatile uint16_t *)&ticks ^= 0x0101; }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) { PORTB = look(&ticks) > 200; } }",
        &["'ticks' (2 bytes) is read in look"],
    ),
    (
        "a call in between that lets interrupts in",
        "volatile uint8_t total;
         __attribute__((noinline)) uint8_t permit(void) { sei(); _NOP(); cli(); return 2; }
         ISR(TIMER0_OVF_vect) { total ^= 1; }
         int main(void) { START_0(); for (;;) { cli();
             { uint8_t now = total; total = now ^ permit(); } } }",
        &["'total' (1 byte) is read and written back in main"],
    ),
    (
        "a static variable of a function",
        "volatile uint16_t *where;
         __attribute__((noinline)) uint16_t next(void) {
             static volatile uint16_t last;
             if (!where) where = &last;
             return last; }
         ISR(TIMER0_OVF_vect) { *where ^= 0x0101; }
         int main(void) { DDRB = 0xFF; next(); START_0(); for (;;) { PORTB = next() > 200; } }",
        &["'last' (2 bytes) is read in next"],
    ),
    (
        "a flag that is turned over",
        "volatile uint8_t flag;
         ISR(TIMER0_OVF_vect) { flag ^= 2; }
         int main(void) { START_0(); for (;;) {
             flag = !flag; } }",
        &["'flag' (1 byte) is read and written back in main"],
    ),
    (
        "a flag that is turned over by two writes",
        "volatile uint8_t flag;
         ISR(TIMER0_OVF_vect) { flag ^= 1; }
         int main(void) { START_0(); for (;;) {
             if (flag) { flag = 0; _NOP(); } else { flag = 1; } } }",
        &["'flag' (1 byte) is read and written back in main"],
    ),
    (
        "a value that goes through a function and memory",
        "volatile uint8_t total; volatile uint8_t scratch;
         __attribute__((noinline)) uint8_t turned(uint8_t value) { scratch = value; return scratch ^ 1; }
         ISR(TIMER0_OVF_vect) { total ^= 2; }
         int main(void) { START_0(); for (;;) {
             total = turned(total); } }",
        &["'total' (1 byte) is read and written back in main"],
    ),
    (
        "a test of both bytes before they are cleared",
        "volatile uint16_t ticks;
         ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; }
         int main(void) { START_0(); for (;;) {
             if (ticks) { ticks = 0; } } }",
        &["'ticks' (2 bytes)"],
    ),
    (
        "the high byte alone is compared when a number is read twice",
        "volatile uint16_t ticks;
         ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             uint16_t a, b;
             do { a = ticks; b = ticks; } while ((a >> 8) != (b >> 8));
             PORTB = a > 200; } }",
        &["'ticks' (2 bytes) is read in main"],
    ),
    (
        "a number that is read twice, but not until both agree",
        "volatile uint16_t ticks;
         ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             uint16_t a, b;
             do { a = ticks; b = ticks; } while (a == b);
             PORTB = a > 200; } }",
        &["'ticks' (2 bytes) is read in main"],
    ),
];

const WHOLE: &[(&str, &str)] = &[
    (
        "guarded by cli and sei",
        "volatile uint16_t ticks;
         ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             cli();
             uint16_t now = ticks;
             sei();
             PORTB = now >> 8; } }",
    ),
    (
        "an atomic block",
        "volatile uint16_t ticks;
         ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             uint16_t now;
             ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now = ticks; }
             PORTB = now >> 8; } }",
    ),
    (
        "the status register kept and restored",
        "volatile uint8_t count;
         ISR(TIMER0_OVF_vect) { count ^= 1; }
         int main(void) { START_0(); for (;;) {
             uint8_t status = SREG;
             cli();
             count ^= 2;
             SREG = status; } }",
    ),
    (
        "a loop on one line",
        "volatile uint16_t ticks;
         ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; }
         int main(void) { DDRB = 0xFF; START_0();
             for (;;) { cli(); PORTB = ticks >> 8; sei(); _NOP(); } }",
    ),
    (
        "a variable of the handler alone",
        "volatile uint16_t ticks;
         ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; }
         int main(void) { START_0(); for (;;) { } }",
    ),
    (
        "a variable of the main program alone",
        "volatile uint32_t mine;
         volatile uint8_t seen;
         ISR(TIMER0_OVF_vect) { seen = 1; }
         int main(void) { START_0(); for (;;) { mine ^= 0x01010101; } }",
    ),
    (
        "a flag of one byte, read and cleared",
        "volatile uint8_t ready;
         ISR(TIMER0_OVF_vect) { ready = 1; }
         int main(void) { DDRB = 1; START_0(); for (;;) {
             while (!ready) { }
             ready = 0;
             PORTB ^= 1; } }",
    ),
    (
        "the interrupt's own enable bit cleared",
        "volatile uint16_t ticks;
         ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             ENABLE_0 &= ~(1 << TOIE0);
             uint16_t now = ticks;
             ENABLE_0 |= 1 << TOIE0;
             PORTB = now >> 8; } }",
    ),
    (
        "a number that the handler only reads, as the main program does",
        "volatile uint16_t limit;
         ISR(TIMER0_OVF_vect) { PORTB = limit > 300; }
         int main(void) { DDRB = 1; limit = 0x0102; START_0(); for (;;) {
             DDRC = limit >> 8; } }",
    ),
    (
        "different elements",
        "volatile uint16_t both[2];
         ISR(TIMER0_OVF_vect) { both[0] ^= 0x0101; }
         int main(void) { START_0(); for (;;) { both[1] ^= 0x0101; } }",
    ),
    (
        "a ring buffer with one reader and one writer",
        "volatile uint8_t buffer[4];
         volatile uint8_t head, tail;
         ISR(TIMER0_OVF_vect) { uint8_t next = (head + 1) & 3; if (next != tail) { buffer[head] = TIFR1_OR_TIFR; head = next; } }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             if (head != tail) {
                 PORTB = buffer[tail];
                 tail = (tail + 1) & 3; } } }",
    ),
    (
        "one byte looked at twice",
        "volatile uint8_t phase;
         ISR(TIMER0_OVF_vect) { phase ^= 3; }
         int main(void) { DDRB = 1; START_0(); for (;;) {
             if (phase == 1 || phase == 2) PORTB = 1; } }",
    ),
    (
        "single bits of a port, each set and cleared by one instruction",
        "#define DO(what, bit) __asm__ volatile(what \" %0, \" #bit :: \"I\"(_SFR_IO_ADDR(PORTB)))
         ISR(TIMER0_OVF_vect) { DO(\"sbi\", 1); DO(\"cbi\", 1); }
         int main(void) { DDRB = 3; START_0(); for (;;) { DO(\"sbi\", 0); DO(\"cbi\", 0); } }",
    ),
    (
        "a flag that is tested and cleared on one line",
        "volatile uint8_t tick;
         ISR(TIMER0_OVF_vect) { tick = 1; }
         int main(void) { DDRB = 1; START_0(); for (;;) {
             if (tick) { tick = 0; PORTB ^= 1; } } }",
    ),
    (
        "a flag that is tested and set to another value on one line",
        "volatile uint8_t phase;
         ISR(TIMER0_OVF_vect) { phase = 1; }
         int main(void) { START_0(); for (;;) {
             if (phase == 1) { phase = 2; } } }",
    ),
    (
        "a number that is read until two reads agree",
        "volatile uint16_t ticks;
         ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             uint16_t a, b;
             do { a = ticks; b = ticks; } while (a != b);
             PORTB = a > 200; } }",
    ),
    (
        "a number that is read until two reads agree, on several lines",
        "volatile uint16_t ticks;
         ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             uint16_t a, b;
             do {
                 a = ticks;
                 b = ticks;
             } while (a != b);
             PORTB = a > 200; } }",
    ),
    (
        "one byte of a number",
        "volatile uint16_t ticks;
         ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; }
         int main(void) { DDRB = 0xFF; START_0(); for (;;) {
             PORTB = (uint8_t)ticks; } }",
    ),
    (
        "one half of a number, which the handler alone changes",
        "volatile union { uint16_t whole; uint8_t half[2]; } number;
         ISR(TIMER0_OVF_vect) { number.half[0] ^= 1; }
         int main(void) { DDRB = 1; START_0(); for (;;) {
             PORTB = number.whole > 300; } }",
    ),
];

const BUILDS: [(&str, &str); 4] = [
    ("atmega16", "-Os"),
    ("atmega16", "-O0"),
    ("atmega328p", "-Os"),
    ("atmega328p", "-O0"),
];

const ABSTRACTIONS: [&[&str]; 4] = [
    &[],
    &["--no-lazy-stack"],
    &["--nondeterminism", "immediate"],
    &["--lazy-interrupts"],
];

fn compile(source: &str, flags: &[&str]) -> tempfile::TempDir {
    let program = PRELUDE.to_owned() + &source.replace("TIFR1_OR_TIFR", "1");
    common::compile(&program, &[&["-w", "-DF_CPU=1000000"], flags].concat())
}

fn check(folder: &Path, options: &[&str]) -> (Option<i32>, String) {
    let output = kripke(
        &[&["check", "a.elf", "--timeout", "100s"], options].concat(),
        folder,
    );
    (output.status.code(), text(&output))
}

/// Judges a program in all builds.
fn in_all_builds(name: &str, source: &str, judge: impl Fn(&str, Option<i32>, &str)) {
    for (mcu, optimisation) in BUILDS {
        let folder = compile(source, &[&format!("-mmcu={mcu}"), optimisation, "-g"]);
        // Without optimisation all is on the stack, and the exact state spaces are large.
        let exact = if optimisation == "-Os" {
            ABSTRACTIONS.len()
        } else {
            1
        };
        for options in &ABSTRACTIONS[..exact] {
            let (code, said) = check(folder.path(), options);
            judge(&format!("{name}, {mcu} {optimisation} {options:?}"), code, &said);
        }
    }
}

#[test]
fn torn_accesses_are_found_and_both_sides_named() {
    for (name, source, message) in TORN {
        in_all_builds(name, source, |case, code, said| {
            assert_eq!(code, Some(1), "{case}: {said}");
            for part in *message {
                assert!(said.contains(part), "{case}: expected `{part}` in\n{said}");
            }
            assert!(said.contains("violated, 9 hold"), "{case}: {said}");
        });
    }
}

#[test]
fn the_usual_ways_to_share_raise_no_alarm() {
    for (name, source) in WHOLE {
        in_all_builds(name, source, |case, code, said| {
            assert_eq!(code, Some(0), "{case}: {said}");
            assert!(said.contains("10 properties: 10 hold"), "{case}: {said}");
        });
    }
}

/// Instructions that belong to no line are not passed over in silence.
#[test]
fn what_is_not_looked_at_is_said() {
    let (_, clock, _) = TORN[0];
    let folder = compile(clock, &["-mmcu=atmega16", "-Os"]);
    let (code, said) = check(folder.path(), &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("torn accesses are not looked for") && said.contains("9 properties"),
        "{said}"
    );
    let copied = "
        #include <string.h>
        struct pair { uint16_t a, b; } shared, seen;
        ISR(TIMER0_OVF_vect) { shared.a ^= 0x0101; }
        int main(void) { DDRB = 0xFF; START_0(); for (;;) { memcpy(&seen, &shared, sizeof shared + (PINA & 0)); } }";
    let folder = compile(copied, &["-mmcu=atmega16", "-Os", "-g", "-fno-builtin"]);
    let (code, said) = check(folder.path(), &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("memcpy accesses data that handlers share"),
        "{said}"
    );
}

#[test]
fn faults_can_be_left_out_and_limits_leave_the_verdict_open() {
    let (_, clock, _) = TORN[0];
    let folder = compile(clock, &["-mmcu=atmega16", "-Os", "-g"]);
    let (_, said) = check(
        folder.path(),
        &["--check", "none", "--invariant", "{DDRB == 0 || DDRB == 0xFF}"],
    );
    assert!(!said.contains("torn"), "{said}");
    let (_, clock) = WHOLE[0];
    let folder = compile(clock, &["-mmcu=atmega16", "-Os", "-g"]);
    // Enough states for the first exploration, not for the second.
    let (code, said) = check(folder.path(), &["--max-states", "16"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("9 hold") && said.contains("1 unknown"), "{said}");
}

/// Each line of source that is torn has a result with a run of its own, and they stand in the JSON report.
#[test]
fn every_torn_line_is_reported() {
    let source = "
        volatile uint16_t ticks;
        volatile uint8_t count;
        volatile uint16_t calm;
        ISR(TIMER0_OVF_vect) { ticks ^= 0x0101; count ^= 1; calm ^= 0x0101; }
        int main(void) { DDRB = 0xFF; START_0(); for (;;) {
            PORTB = ticks > 200;
            count ^= 2;
            cli();
            PORTB = calm > 200;
            sei(); } }";
    let folder = compile(source, &["-mmcu=atmega16", "-Os", "-g"]);
    for options in ABSTRACTIONS {
        let (code, said) = check(folder.path(), &[options, &["--json", "report.json"]].concat());
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("11 properties: 2 violated, 9 hold"), "{said}");
        let json = std::fs::read_to_string(folder.path().join("report.json")).expect("the report");
        let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let results = report["results"].as_array().expect("results");
        let message = |id: &str| {
            let result = results.iter().find(|result| result["property"]["id"] == id);
            let result = result.unwrap_or_else(|| panic!("no {id} in {json}"));
            result["property"]["description"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let both = [message("torn-access"), message("torn-access.2")];
        assert!(
            both.iter()
                .any(|text| text.contains("'ticks' (2 bytes) is read in main")),
            "{both:?}"
        );
        assert!(
            both.iter()
                .any(|text| text.contains("'count' (1 byte) is read and written back")),
            "{both:?}"
        );
    }
}

/// Reads, writes and counts of one and two bytes on both sides: which are torn is known beforehand.
#[test]
fn every_pair_of_accesses() {
    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Read,
        Write,
        Change,
    }
    use Kind::{Change, Read, Write};
    let kinds = [Read, Write, Change];
    let text = |kind: Kind| match kind {
        Read => "PORTB = x > 200;",
        Write => "x = (type)0x0101;",
        Change => "x ^= (type)0x0101;",
    };
    for bytes in [1, 2] {
        for (ours, theirs) in kinds
            .into_iter()
            .flat_map(|ours| kinds.map(|theirs| (ours, theirs)))
        {
            let torn = match (bytes, ours, theirs) {
                (_, Read, Read) => false,
                (1, _, _) => ours == Change && theirs != Read,
                _ => true,
            };
            for guarded in [false, true] {
                let (before, after) = if guarded { ("cli();", "sei();") } else { ("", "") };
                let source = format!(
                    "typedef uint{}_t type; volatile type x;
                     ISR(TIMER0_OVF_vect) {{ {} }}
                     int main(void) {{ DDRB = 0xFF; START_0(); for (;;) {{
                         {before}
                         {}
                         {after} }} }}",
                    8 * bytes,
                    text(theirs),
                    text(ours)
                );
                let folder = compile(&source, &["-mmcu=atmega16", "-Os", "-g"]);
                let (code, said) = check(folder.path(), &[]);
                let expected = if torn && !guarded { 1 } else { 0 };
                assert_eq!(code, Some(expected), "{source}\n{said}");
            }
        }
    }
}
