//! The errors of every firmware, explained. A torn access is explained among the kinds.

use super::Explanation;

/// Those with a name of their own.
pub const FAULTS: &[Explanation] = &[
    Explanation {
        name: "stack-overflow",
        title: "the stack grows into static data",
        meaning: "A push or a call writes below the stack's room, over variables. What the firmware does \
            then depends on which variable it hits. Interrupt handlers come on top of the deepest call, so \
            measurements rarely show it.",
        example: "void walk(uint8_t depth) { uint8_t buffer[64]; use(buffer); if (depth) walk(depth - 1); }",
        cure: "Make buffers static or smaller, bound the recursion, let fewer handlers nest. \
            `kripke stack FILE.elf` shows the deepest path and what each function on it takes.",
    },
    Explanation {
        name: "stack-underflow",
        title: "more is popped than was pushed",
        meaning: "The stack pointer rises above where it began: a `pop` or `ret` without its push. In \
            compiled C this comes of inline assembly, of a naked function without its own prologue, or of \
            code that was overwritten.",
        example: "__attribute__((naked)) void f(void) { asm(\"pop r24\\n ret\"); }",
        cure: "Balance pushes and pops on every path, and end naked handlers with `reti`.",
    },
    Explanation {
        name: "return-to-nowhere",
        title: "a return takes an address that was never pushed",
        meaning: "What `ret` or `reti` pops is no return address: the stack was overwritten, often by an \
            index beyond a local array, or code was entered by a jump.",
        example: "void f(uint8_t n) { uint8_t b[2]; for (uint8_t i = 0; i <= n; i++) b[i] = 0; }",
        cure: "Look in the trace for the write that hits the stack; check the index before it.",
    },
    Explanation {
        name: "outside-program",
        title: "the program counter leaves the program",
        meaning: "The processor comes to an address where the image has no code: a call through a pointer \
            that is not set, a jump table with an index too large, or a function without a return at the end \
            of the image.",
        example: "void (*callback)(void); int main(void) { callback(); }",
        cure: "Set the pointer before interrupts are enabled, or ask whether it is set before the call.",
    },
    Explanation {
        name: "undefined-instruction",
        title: "a word that is no instruction is executed",
        meaning: "The word at the program counter is no instruction of this chip: data is executed, or the \
            image is for another device.",
        example: "const uint16_t table[] PROGMEM = {0xFF0F}; ((void (*)(void))table)();",
        cure: "Compare the device of the build (`-mmcu`) with the one that is checked (`--mcu`); then look \
            where the trace leaves the code.",
    },
    Explanation {
        name: "reserved-write",
        title: "a reserved bit or address is written",
        meaning: "The data sheet reserves the bit or the address: on another revision of the chip it may \
            mean something. Often it is the register of another device.",
        example: "UCSR0A = 0xFF;   // on a chip where some of these bits are reserved",
        cure: "Write only bits that the data sheet names, and leave the others as they are read: \
            `UCSR0A |= 1 << U2X0`.",
    },
    Explanation {
        name: "uninitialised-read",
        title: "memory is read that was never written",
        meaning: "Static memory holds anything after power-up. The firmware reads a byte before anything has \
            written it, and what it then does depends on chance.",
        example: "uint8_t mode __attribute__((section(\".noinit\"))); int main(void) { if (mode) go(); }",
        cure: "Give the variable a value at the start, or ask why the chip was reset (`MCUSR`) before it is \
            read.",
    },
    Explanation {
        name: "outside-memory",
        title: "an access lies outside static memory",
        meaning: "A load or store goes to an address at which this chip has no memory: a pointer that is not \
            set or was computed wrongly.",
        example: "*(volatile uint8_t *)0x2000 = 1;   // behind the memory of an ATmega16",
        cure: "Check the pointer or index before the access; compare the device of the build with the one \
            that is checked.",
    },
    Explanation {
        name: "missing-handler",
        title: "an interrupt is enabled that has no handler",
        meaning: "The interrupt comes, and its vector leads to the default handler, which resets the \
            firmware (avr-libc's `__bad_interrupt`) or to nowhere.",
        example: "TIMSK |= 1 << TOIE0; sei();   // and no ISR(TIMER0_OVF_vect)",
        cure: "Write the handler, or do not enable the interrupt. `--never INTERRUPT` says that it cannot \
            come for a reason that the image does not show.",
    },
];
