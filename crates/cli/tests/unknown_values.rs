//! `kripke check` on firmware whose values are unknown or take very many: what holds is found in few states,
//! and what is violated has a run.

mod common;

use std::path::Path;

use common::{compile, text};

/// The verdict, and the largest number of states that one of the properties needed.
fn check(folder: &Path, options: &[&str]) -> (Option<i32>, u64, String) {
    let arguments = [&["check", "a.elf", "--timeout", "60s"], options].concat();
    let output = common::kripke(&arguments, folder);
    let said = text(&output);
    let counts = said.split("all ").filter_map(|rest| {
        let (count, rest) = rest.split_once(' ')?;
        rest.starts_with("reachable states").then(|| count.parse().ok())?
    });
    (output.status.code(), counts.max().unwrap_or(0), said)
}

/// All faults are excluded in so many states at the most; without the abstraction there are more than
/// `without`.
fn holds_in(source: &str, most: u64, off: &str, without: &str) {
    let folder = compile(source, &["-g", "-Os"]);
    let (code, states, said) = check(folder.path(), &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(states <= most, "{states} states: {said}");
    let (code, _, said) = check(folder.path(), &[off, "--max-states", without]);
    assert_eq!(code, Some(2), "{said}");
}

#[test]
fn counters_that_run_freely() {
    let counter = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <stdint.h>
volatile uint32_t t;
volatile uint16_t events;
volatile struct { uint8_t a, b; } p;
ISR(TIMER0_OVF_vect) { t++; p.b++; }
ISR(INT0_vect) { events++; }
int main(void) {
    DDRB = 1; TCCR0 = 5; TIMSK = 1; MCUCR = 2; GICR = 0x40;
    sei();
    for (;;) { if (PINA & 1) PORTB = 1; else PORTB = 0; }
}";
    holds_in(counter, 20_000, "--no-widening", "100000");
}

const MILLIS: &str = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <stdint.h>
volatile unsigned long count, milliseconds;
static unsigned char fraction;
ISR(TIMER0_OVF_vect) {
    unsigned long m = milliseconds;
    unsigned char f = fraction;
    m += 1;
    f += 3;
    if (f >= 125) { f -= 125; m += 1; }
    fraction = f;
    milliseconds = m;
    count++;
}
static unsigned long millis(void) {
    uint8_t before = SREG;
    cli();
    unsigned long m = milliseconds;
    SREG = before;
    return m;
}
static unsigned long last;
uint8_t led;
int main(void) {
    DDRB = 0x20; TCCR0 = 3; TIMSK = 1;
    sei();
    for (;;) {
        unsigned long now = millis();
        if (now - last >= 1000) {
            last = now;
            led = !led;
            if (led) PORTB |= 0x20; else PORTB &= ~0x20;
        }
    }
}";

#[test]
fn a_clock_in_milliseconds() {
    holds_in(MILLIS, 50_000, "--no-widening", "100000");
    let folder = compile(MILLIS, &["-g", "-Os"]);
    let (code, _, said) = check(folder.path(), &["--invariant", "{led <= 1}", "--verbose"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("taken as any value: count"), "{said}");
}

#[test]
fn what_is_received_and_put_out() {
    let echo = "
#include <avr/io.h>
#include <stdint.h>
int main(void) {
    DDRB = 0xFF; UCSRB = 0x18; UBRRL = 12;
    for (;;) {
        while (!(UCSRA & 0x80));
        uint8_t c = UDR;
        PORTB = c;
        while (!(UCSRA & 0x20));
        UDR = c;
        OCR1A = c * 3;
    }
}";
    holds_in(echo, 100, "--no-abstract-values", "2000");
}

#[test]
fn conversions_are_compared() {
    let conversions = "
#include <avr/io.h>
#include <stdint.h>
uint16_t sum, threshold = 600;
uint8_t on;
static uint16_t convert(void) {
    ADCSRA |= 1 << ADSC;
    while (ADCSRA & (1 << ADSC));
    return ADC;
}
int main(void) {
    DDRB = 1; ADMUX = 0x40; ADCSRA = 0x87;
    for (;;) {
        uint16_t a = convert(), b = convert();
        sum = a + b;
        if (sum > threshold) { on = 1; PORTB = 1; } else if (a < 100) { on = 0; PORTB = 0; }
        OCR1A = a;
    }
}";
    holds_in(conversions, 1_000, "--no-abstract-values", "50000");
    let folder = compile(conversions, &["-g", "-Os"]);
    let (code, _, said) = check(folder.path(), &["--invariant", "{on == 0}"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("ADCL") && said.contains("ADCH"), "{said}");
    let (code, _, said) = check(folder.path(), &["--invariant", "{on <= 1}"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn bytes_of_the_eeprom_are_added() {
    let settings = "
#include <avr/io.h>
#include <avr/eeprom.h>
#include <stdint.h>
uint8_t settings[3];
int main(void) {
    uint8_t check = 0;
    for (uint8_t i = 0; i < 3; i++) {
        settings[i] = eeprom_read_byte((uint8_t *)(uint16_t)i);
        check += settings[i];
    }
    if (check != 0x55) for (uint8_t i = 0; i < 3; i++) settings[i] = i;
    DDRB = 0xFF;
    for (;;) PORTB = settings[0] + settings[1];
}";
    holds_in(settings, 1_000, "--no-abstract-values", "20000");
}

/// The length of what comes is compared before it is used.
#[test]
fn what_bounds_a_loop_through_memory_is_known() {
    let telegram = "
#include <avr/io.h>
#include <stdint.h>
uint8_t data[6], n;
static uint8_t get(void) { while (!(UCSRA & 0x80)); return UDR; }
int main(void) {
    UCSRB = 0x18; DDRB = 0xFF;
    for (;;) {
        n = get();
        if (n > LIMIT) continue;
        for (uint8_t i = 0; i < n; i++) data[i] = get();
        uint8_t s = 0;
        for (uint8_t i = 0; i < n; i++) s += data[i];
        PORTB = s;
    }
}";
    let run = |limit: &str| {
        let folder = compile(telegram, &["-g", "-Os", limit]);
        check(
            folder.path(),
            &["--invariant", "{n <= 7 || DDRB == 0}", "--from", "reset"],
        )
    };
    let (code, states, said) = run("-DLIMIT=6");
    assert_eq!((code, states < 200_000), (Some(1), true), "{said}");
    assert!(said.contains("UDR"), "{said}");
}

/// A value that one comparison makes known is known to the next, and a run has it.
/// Text that comes from outside is echoed, kept, and written out: where it ends is asked of each character,
/// and not what the character is.
#[test]
fn ends_of_strings_are_looked_for() {
    let echo = "
#include <avr/io.h>
#include <stdint.h>
static char line[10];
uint8_t printed;
static uint8_t receive(void) { while (!(UCSRA & 1 << RXC)); return UDR; }
static void transmit(uint8_t byte) { while (!(UCSRA & 1 << UDRE)); UDR = byte; }
__attribute__((noinline)) static void print(const char *text) {
    uint8_t at = 0;
    for (; text[at]; at++)
        transmit(text[at]);
    printed = at;
}
__attribute__((noinline)) static void get(char *text, uint8_t most) {
    uint8_t at = 0;
    while (at < most - 1) {
        uint8_t byte = receive();
        transmit(byte);
        if (byte == '\\r')
            break;
        text[at++] = byte;
    }
    text[at] = 0;
}
int main(void) {
    UCSRB = 1 << RXEN | 1 << TXEN;
    for (;;) {
        get(line, 8);
        print(line);
    }
}";
    holds_in(echo, 5_000, "--no-abstract-values", "50000");
    let folder = compile(echo, &["-g", "-Os"]);
    let (code, _, said) = check(folder.path(), &["--invariant", "printed <= 7"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, _, said) = check(folder.path(), &["--invariant", "printed < 7"]);
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn comparisons_narrow_what_they_compare() {
    let commands = "
#include <avr/io.h>
#include <stdint.h>
uint8_t wrong, seen;
static uint8_t get(void) { while (!(UCSRA & 0x80)); return UDR; }
int main(void) {
    UCSRB = 0x18; DDRB = 0xFF;
    for (;;) {
        uint8_t c = get();
        if (c == 'x') { seen = 1; if (c != 120) wrong = 1; }
        else if (c < 16) { if (c & 0x80) wrong = 1; seen = 0; }
        uint8_t d = c + 1;
        if (d == 0 && c != 255) wrong = 1;
    }
}";
    let folder = compile(commands, &["-g", "-O1"]);
    let (code, states, said) = check(folder.path(), &["--invariant", "{wrong == 0}"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(states < 2_000, "{states}");
    let (code, _, said) = check(folder.path(), &["--invariant", "{seen == 0}"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("UDR is read as 0x78"), "{said}");
}

/// That a variable is taken as unknown is no reason for a violation, nor for its absence.
#[test]
fn counters_on_which_something_depends() {
    let program = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <stdint.h>
volatile uint16_t t;
volatile uint8_t other, late, never;
ISR(TIMER0_OVF_vect) { t++; other++; }
int main(void) {
    TCCR0 = 5; TIMSK = 1;
    sei();
    for (;;) {
        cli();
        if (t == 300) late = 1;
        if (t > 300) t = 0;
        if (t > 400) never = 1;
        sei();
        __asm__ volatile(\"nop\");
    }
}";
    let folder = compile(program, &["-g", "-Os"]);
    let (code, _, said) = check(folder.path(), &["--invariant", "{late == 0}", "--check", "none"]);
    assert_eq!(code, Some(1), "{said}");
    let (code, _, said) = check(folder.path(), &["--invariant", "{never == 0}", "--check", "none"]);
    assert_eq!(code, Some(0), "{said}");
}

/// Faults that depend on an unknown value.
#[test]
fn faults_that_a_value_decides() {
    let reserved = "
#include <avr/io.h>
#include <stdint.h>
int main(void) {
    UCSR0B = 0x18; DDRC = 0x0F;
    for (;;) {
        while (!(UCSR0A & 0x80));
        uint8_t c = UDR0;
        PORTC = c MASK;
    }
}";
    let run = |mask: &str| {
        let folder = compile(reserved, &["-g", "-Os", "-mmcu=atmega328p", mask]);
        check(folder.path(), &["--property", "reserved-write"])
    };
    let (code, _, said) = run("-DMASK=");
    assert_eq!(code, Some(1), "{said}");
    let (code, states, said) = run("-DMASK=&0x7F");
    assert_eq!(code, Some(0), "{said}");
    assert!(states < 100, "{states}");
}

/// A write to PIN inverts bits of PORT that are unknown.
#[test]
fn outputs_that_are_inverted() {
    let program = "
#include <avr/io.h>
#include <stdint.h>
uint8_t wrong;
int main(void) {
    UCSR0B = 0x18; DDRB = 0xFF;
    for (;;) {
        while (!(UCSR0A & 0x80));
        PORTB = UDR0;
        uint8_t before = PORTB;
        PINB = 3;
        uint8_t after = PORTB;
        if (before == 0xF0 && after != 0xF3) wrong = 1;
        if (before == 0xF1 && after == 0xF2) wrong = WRONG;
    }
}";
    let run = |wrong: &str| {
        let folder = compile(program, &["-g", "-Os", "-mmcu=atmega328p", wrong]);
        check(folder.path(), &["--invariant", "{wrong == 0}", "--check", "none"])
    };
    let (code, _, said) = run("-DWRONG=0");
    assert_eq!(code, Some(0), "{said}");
    let (code, _, said) = run("-DWRONG=1");
    assert_eq!(code, Some(1), "{said}");
}

/// Flags of what is interrupted survive a handler that computes with unknown bits.
#[test]
fn handlers_keep_flags_that_are_unknown() {
    let program = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <stdint.h>
volatile uint8_t level, wrong;
ISR(INT0_vect) { level = PINA + 3; }
int main(void) {
    MCUCR = 2; GICR = 0x40;
    sei();
    for (;;) {
        uint8_t c = PINC;
        uint8_t small = c < 100;
        uint8_t again = c < 100;
        __asm__ volatile(\"\" : \"+r\"(small), \"+r\"(again), \"+r\"(c));
        if (small && c >= 128) wrong = 1;
    }
}";
    let folder = compile(program, &["-g", "-Os"]);
    for options in [&[][..], &["--no-abstract-values"]] {
        let arguments = [&["--invariant", "{wrong == 0}"][..], options].concat();
        let (code, _, said) = check(folder.path(), &arguments);
        assert_eq!(code, Some(0), "{said}");
        let arguments = [&["--ltl", "G {wrong == 0}"][..], options].concat();
        let (code, _, said) = check(folder.path(), &arguments);
        assert_eq!(code, Some(0), "{said}");
    }
}

/// A clock that is waited for with a counter in registers, as `delay()` of Arduino does.
#[test]
fn counters_in_registers() {
    let waiting = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <stdint.h>
volatile uint32_t overflows;
ISR(TIMER0_OVF_vect) { overflows++; }
static uint32_t now(void) {
    uint8_t before = SREG;
    cli();
    uint32_t m = overflows;
    SREG = before;
    return m << 8 | TCNT0;
}
int main(void) {
    DDRB = 1; TCCR0 = 3; TIMSK = 1;
    sei();
    for (;;) {
        uint32_t start = now();
        for (uint16_t left = 20000; left > 0;)
            if (now() - start >= 1000) { left--; start += 1000; }
        PORTB ^= 1;
    }
}";
    // Short searches have a quarter of the states.
    let folder = compile(waiting, &["-g", "-Os"]);
    let (code, states, said) = check(folder.path(), &["--max-states", "16000"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(states <= 2_000, "{states} states: {said}");
    let (code, _, said) = check(folder.path(), &["--no-widening", "--max-states", "2100"]);
    assert_eq!(code, Some(2), "{said}");
}

/// What depends on a counter in registers is not said wrongly: neither excluded nor reported.
#[test]
fn counters_in_registers_that_matter() {
    let counting = |test: &str| {
        format!(
            "
#include <avr/io.h>
#include <stdint.h>
int main(void) {{
    DDRB = 1;
    for (;;) {{
        uint16_t i = 0;
        do {{ if (PINA & 1) PORTB = 1; else PORTB = 0; i++; }} while (i < 1500);
        if ({test}) *(volatile uint8_t *)0x2000 = 1;
    }}
}}"
        )
    };
    for (test, expected) in [("i != 1500", 0), ("i == 1500", 1)] {
        // What is known at compile time would be left out.
        let source = counting(test).replace("i++;", "__asm__ volatile(\"\" : \"+r\"(i)); i++;");
        let folder = compile(&source, &["-g", "-Os"]);
        let few = [
            "--property",
            "outside-memory",
            "--max-states",
            "8000",
            "--verbose",
        ];
        let (code, _, said) = check(folder.path(), &few);
        assert_eq!(code, Some(expected), "{test}: {said}");
        assert!(
            said.contains("taken as any value: what is computed at a.c:"),
            "{said}"
        );
    }
}

#[test]
fn rings_of_bytes_that_are_received() {
    let ring = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <stdint.h>
#define SIZE 32
static volatile uint8_t received[SIZE];
volatile uint8_t guard;
static volatile uint8_t head, tail, length;
ISR(USART_RXC_vect) {
    uint8_t c = UDR, next = (head + 1) & (SIZE - 1);
    if (next != tail) { received[head] = c; head = next; }
}
static uint8_t take(void) {
    while (tail == head);
    uint8_t c = received[tail];
    tail = (tail + 1) & (SIZE - 1);
    return c;
}
int main(void) {
    UBRRL = 12; UCSRB = 0x98;
    sei();
    for (;;) {
        uint8_t c = take();
        if (c == '\\n') length = 0;
        else length++;
        while (!(UCSRA & 0x20));
        UDR = c;
    }
}";
    holds_in(ring, 2_000, "--no-widening", "100000");
    let folder = compile(ring, &["-g", "-Os"]);
    let (code, _, said) = check(folder.path(), &["--invariant", "{guard == 0}"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn rings_of_bytes_that_are_sent() {
    let ring = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <stdint.h>
#define SIZE 64
static volatile uint8_t waiting[SIZE];
static volatile uint8_t head, tail;
ISR(USART_UDRE_vect) {
    UDR = waiting[tail];
    tail = (tail + 1) & (SIZE - 1);
    if (tail == head) UCSRB &= ~(1 << UDRIE);
}
static void put(uint8_t c) {
    uint8_t next = (head + 1) & (SIZE - 1);
    while (next == tail);
    waiting[head] = c;
    head = next;
    UCSRB |= 1 << UDRIE;
}
static const char text[] = \"the quick brown fox jumps over the lazy dog\\n\";
int main(void) {
    UBRRL = 12; UCSRB = 0x08;
    sei();
    for (;;) {
        for (const char *p = text; *p; p++) put(*p);
        put(PINA);
    }
}";
    holds_in(ring, 5_000, "--no-widening", "100000");
    let folder = compile(ring, &["-g", "-Os"]);
    let (_, _, said) = check(folder.path(), &["--verbose"]);
    assert!(said.contains("waiting[63]"), "{said}");
}

/// The byte behind it is a variable.
#[test]
fn rings_that_are_too_short() {
    let ring = "
#include <avr/io.h>
#include <stdint.h>
static volatile uint8_t bytes[32];
volatile uint8_t guard;
static volatile uint8_t head;
int main(void) {
    UCSRB = 0x10; UBRRL = 12;
    for (;;) {
        while (!(UCSRA & 0x80));
        bytes[head] = UDR;
        head = head == 32 ? 0 : head + 1;
    }
}";
    let folder = compile(ring, &["-g", "-Os"]);
    let (code, _, said) = check(folder.path(), &["--invariant", "{guard == 0}"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("violated[invariant]: {guard == 0}"), "{said}");
}

/// What is left out between an unknown index and the access there may be left out for some values only.
#[test]
fn indices_that_are_changed_under_a_condition() {
    let folder = compile(
        "
#include <avr/io.h>
#include <stdint.h>
static volatile uint8_t bytes[5] = { 7, 2, 2, 2, 2 }, mode;
int main(void) {
    for (;;) {
        if (PIND & 4) mode = 1; else mode = 0;
        uint8_t is_odd = mode, index = PINA & 3;
        if (is_odd) index |= 1;
        if (bytes[index] == 7) *(volatile uint8_t *)0xFFF0 = 1;
    }
}",
        &["-g", "-Os"],
    );
    for options in [&[][..], &["--no-abstract-values"]] {
        let (code, _, said) = check(folder.path(), options);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("an access lies outside static memory"), "{said}");
    }
}

/// A run to a fault leads through stores at unknown indices, of which one has to be known.
#[test]
fn what_was_stored_at_an_unknown_index() {
    let folder = compile(
        "
#include <avr/io.h>
#include <stdint.h>
static volatile uint8_t buf[32];
volatile uint32_t total;
int main(void) {
  uint8_t n = 0;
  UCSRB = 0x10; UBRRL = 12;
  for (;;) {
    uint8_t i = PINA & 31;
    uint8_t v = PINC;
    uint8_t *p;
    p = (uint8_t *)buf + i;
    *(volatile uint8_t *)p = v;
    total += v;
    if (PIND == 0x5A) n++; else n = 0;
    if (n == 6) { if (buf[3] == 0x33) *(volatile uint8_t *)0xFFF0 = 1; }
  }
}",
        &["-g", "-Os"],
    );
    let (code, _, said) = check(folder.path(), &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("an access lies outside static memory"), "{said}");
}

#[test]
fn unknown_bytes_of_the_eeprom() {
    let settings = "
#include <avr/io.h>
#include <avr/eeprom.h>
#include <stdint.h>
uint8_t setting;
int main(void) {
    DDRB = 0xFF; ADMUX = 0x20; ADCSRA = 0x87;
    for (uint8_t at = 0; ; at++) {
        ADCSRA |= 1 << ADSC;
        while (ADCSRA & (1 << ADSC));
        setting = ADCH;
        eeprom_update_byte((uint8_t *)(uint16_t)at, setting);
        PORTB = eeprom_read_byte((uint8_t *)(uint16_t)(PINA & 0x7F));
    }
}";
    holds_in(settings, 100, "--no-abstract-values", "100000");
}

#[test]
fn directions_that_are_unknown() {
    let pins = "
#include <avr/io.h>
#include <stdint.h>
static volatile uint8_t *const directions[] = { &DDRA, &DDRB, &DDRC };
static uint16_t steps;
int main(void) {
    for (;;) {
        uint8_t pin = PIND & 7;
        *directions[steps % 3] |= 1 << pin;
        *directions[(steps + 1) % 3] &= ~(1 << pin);
        steps++;
        if (PINB & 1) PORTC ^= 1 << pin;
    }
}";
    holds_in(pins, 5_000, "--no-abstract-values", "100000");
}

/// Loops that call what reads a table are no loops through memory.
#[test]
fn loops_that_do_not_advance() {
    let wait = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <stdint.h>
static const uint8_t masks[] PROGMEM = { 1, 2, 4, 8 };
static volatile uint32_t ticks;
ISR(TIMER0_OVF_vect) { ticks++; }
static uint32_t now(void) {
    uint8_t before = SREG;
    cli();
    uint32_t t = ticks;
    SREG = before;
    return t;
}
int main(void) {
    TCCR0 = 5; TIMSK = 1; DDRB = 0x0F;
    sei();
    for (uint8_t pin = 0; ; pin = (pin + 1) & 3) {
        PORTB ^= pgm_read_byte(&masks[pin]);
        uint32_t start = now();
        while (now() - start < 100)
            PORTB ^= pgm_read_byte(&masks[PINA & 3]);
    }
}";
    holds_in(wait, 10_000, "--no-widening", "100000");
}

/// Of a value that is copied, one copy is compared and the other one used: where it is copied, it has a value
/// after all, and nothing else has.
#[test]
fn copies_of_what_is_compared() {
    let in_memory = "
#include <avr/io.h>
volatile unsigned char n;
int main(void) {
    DDRB = 0xFF;
    for (;;) {
        n = PINC;
        if (n > 10) n = 10;
        PORTB = n;
    }
}";
    let in_registers = "
#include <avr/io.h>
#include <avr/eeprom.h>
int main(void) {
    DDRB = 0xFF;
    for (unsigned char *at = 0;; at = at < (unsigned char *)3 ? at + 1 : 0) {
        unsigned char value = eeprom_read_byte(at);
        unsigned char copy = value;
        __asm__ volatile(\"\" : \"+r\"(copy));
        if (value <= 10) PORTB = copy;
    }
}";
    for source in [in_memory, in_registers] {
        let folder = compile(source, &["-g", "-Os"]);
        let asked = [
            "--property",
            "small",
            "--invariant",
            "small: {PORTB <= 10}",
            "--verbose",
        ];
        let (code, _, said) = check(folder.path(), &asked);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("kept precise are"), "{said}");
        assert!(!said.contains("all values are decided"), "{said}");
        let (code, _, said) = check(
            folder.path(),
            &["--property", "few", "--invariant", "few: {PORTB < 10}"],
        );
        assert_eq!(code, Some(1), "{said}");
    }
}
