//! The kinds of properties of a single thread, explained.

use kripke_model::PropertyKind;

use super::Explanation;
use super::threads::{
    ATOMICITY, DATA_RACE, DEADLOCK, HANDLER_CALL, LOCK_ORDER, PRIORITY_INVERSION, THREAD_LEAK, TORN_ACCESS,
};

/// No wildcard: a new kind does not build until it is explained.
pub fn of(kind: PropertyKind) -> &'static Explanation {
    match kind {
        PropertyKind::Assertion => &ASSERTION,
        PropertyKind::Overflow => &OVERFLOW,
        PropertyKind::DivisionByZero => &DIVISION_BY_ZERO,
        PropertyKind::Shift => &SHIFT,
        PropertyKind::Bounds => &BOUNDS,
        PropertyKind::Pointer => &POINTER,
        PropertyKind::PointerArithmetic => &POINTER_ARITHMETIC,
        PropertyKind::Free => &FREE,
        PropertyKind::Leak => &LEAK,
        PropertyKind::Uninitialised => &UNINITIALISED,
        PropertyKind::FloatCast => &FLOAT_CAST,
        PropertyKind::MissingReturn => &MISSING_RETURN,
        PropertyKind::Unreachable => &UNREACHABLE,
        PropertyKind::VlaBound => &VLA_BOUND,
        PropertyKind::FunctionPointer => &FUNCTION_POINTER,
        PropertyKind::LibraryContract => &LIBRARY_CONTRACT,
        PropertyKind::Deadlock => &DEADLOCK,
        PropertyKind::LockOrder => &LOCK_ORDER,
        PropertyKind::PriorityInversion => &PRIORITY_INVERSION,
        PropertyKind::ThreadLeak => &THREAD_LEAK,
        PropertyKind::DataRace => &DATA_RACE,
        PropertyKind::TornAccess => &TORN_ACCESS,
        PropertyKind::Atomicity => &ATOMICITY,
        PropertyKind::HandlerCall => &HANDLER_CALL,
        PropertyKind::Format => &FORMAT,
        PropertyKind::LoopInvariant => &LOOP_INVARIANT,
        PropertyKind::Precondition => &PRECONDITION,
        PropertyKind::Postcondition => &POSTCONDITION,
        PropertyKind::Assigns => &ASSIGNS,
        PropertyKind::Firmware => &FIRMWARE,
        PropertyKind::Invariant => &INVARIANT,
        PropertyKind::Ctl => &CTL,
        PropertyKind::Ltl => &LTL,
    }
}

const ASSERTION: Explanation = Explanation {
    name: "assertion",
    title: "an assertion fails",
    meaning: "There is a run in which the asserted condition is false: of `assert`, `__VERIFIER_assert` and \
        their kin, or a call of `reach_error` that must not happen.",
    example: "\
/* kripke check example.c */
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char level = __VERIFIER_nondet_uchar();
    assert(level <= 100);
}",
    cure: "Follow the trace to the first value that you did not expect. Either the program lets it through, \
        then mend it there; or no environment gives it, then say so: `__VERIFIER_assume(level <= 100)`.",
};

const OVERFLOW: Explanation = Explanation {
    name: "overflow",
    title: "signed integer arithmetic overflows",
    meaning: "The exact result does not fit the type of the expression, which is undefined behaviour: \
        compilers assume that it never happens, and drop tests for it.",
    example: "\
/* kripke check example.c */
int __VERIFIER_nondet_int(void);
int main(void) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    return (low + high) / 2 == 0;
}",
    cure: "Check the operands before (`if (high > INT_MAX - low)`), compute in a wider or an unsigned type, \
        or rearrange (`low + (high - low) / 2` for ordered non-negative operands).",
};

const DIVISION_BY_ZERO: Explanation = Explanation {
    name: "division-by-zero",
    title: "an integer is divided by zero",
    meaning: "The divisor of `/` or `%` is 0 (or the least integer is divided by -1), which is undefined: \
        some processors trap, others go on with any value.",
    example: "\
/* kripke check example.c */
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char count = __VERIFIER_nondet_uchar();
    return 1000 / count;
}",
    cure: "Ask for 0 before the division, and decide what the result is then.",
};

const SHIFT: Explanation = Explanation {
    name: "shift",
    title: "a shift is undefined",
    meaning: "The distance is negative or not less than the width of the promoted left operand, or a signed \
        value is shifted so that it does not fit. Processors take distances modulo something, each another.",
    example: "\
/* kripke check example.c */
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned mask = 1u << __VERIFIER_nondet_uchar();
    return mask == 0;
}",
    cure: "Bound the distance (`n & 31`, or a test), and shift unsigned values: `1u << n`, on an 8-bit \
        machine `1ul << n`.",
};

const BOUNDS: Explanation = Explanation {
    name: "bounds",
    title: "an array index is out of bounds",
    meaning: "The index lies outside the array that its type declares, so the access reads or writes what \
        lies beside it.",
    example: "\
/* kripke check example.c */
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    int table[4] = {1, 2, 3, 4};
    return table[__VERIFIER_nondet_uchar()];
}",
    cure: "Test the index before the access; if it comes from a loop or a counter, look in the trace for the \
        step at which it passes the end.",
};

const POINTER: Explanation = Explanation {
    name: "pointer",
    title: "an access through an invalid pointer",
    meaning: "The pointer is null, points to something that has been freed or has gone out of scope, is \
        misaligned, or leads outside of its object; or what is written to is constant.",
    example: "\
/* kripke check example.c --malloc-may-fail */
#include <stdlib.h>
int main(void) {
    int *cell = malloc(sizeof *cell);
    *cell = 1;
    free(cell);
}",
    cure: "Test what may be null where it comes from, keep the object alive as long as pointers to it are in \
        use, and check offsets against its size.",
};

const POINTER_ARITHMETIC: Explanation = Explanation {
    name: "pointer-arithmetic",
    title: "a pointer is moved out of its object",
    meaning: "The result points neither into the object nor one past its end, which C forbids (C11 6.5.6) \
        even where nobody follows the pointer. Not in the default, as compiled code rarely minds.",
    example: "\
/* kripke check example.c --check pointer-arithmetic */
int main(void) {
    char buffer[4] = \"abc\";
    char *before = buffer - 1;
    return before[1];
}",
    cure: "Count with an index instead of moving the pointer past the ends.",
};

const FREE: Explanation = Explanation {
    name: "free",
    title: "something is freed that is no live heap object",
    meaning: "`free` or `realloc` gets a pointer that no allocation returned, one into the middle of an \
        object, or one that was freed before. That corrupts the heap.",
    example: "\
/* kripke check example.c */
#include <stdlib.h>
int main(void) {
    char *buffer = malloc(8);
    free(buffer);
    free(buffer);
}",
    cure: "Let one owner free each object, and set the pointer to NULL when it has.",
};

const LEAK: Explanation = Explanation {
    name: "leak",
    title: "heap memory is not freed when the program ends",
    meaning: "An object is still allocated at the program's end. Not in the default: firmware that never \
        ends may never free.",
    example: "\
/* kripke check example.c --check leak */
#include <stdlib.h>
int main(void) {
    char *buffer = malloc(8);
    return buffer == NULL;
}",
    cure: "Free it on every path that leaves its scope, those after errors included.",
};

const UNINITIALISED: Explanation = Explanation {
    name: "uninitialised",
    title: "a value is read that was never written",
    meaning: "On the path that is shown nothing was stored in the variable (or the heap's cell) before it is \
        read: its value is what happened to be there.",
    example: "\
/* kripke check example.c */
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int mode;
    if (__VERIFIER_nondet_bool())
        mode = 1;
    return mode;
}",
    cure: "Give it a value where it is declared, or on the path that lacks one.",
};

const FLOAT_CAST: Explanation = Explanation {
    name: "float-cast",
    title: "a float is converted to an integer type that cannot hold it",
    meaning: "The value without its fraction does not fit the integer type (or is not a number), which is \
        undefined: processors saturate, wrap or give a mark.",
    example: "\
/* kripke check example.c */
float __VERIFIER_nondet_float(void);
int main(void) {
    float volts = __VERIFIER_nondet_float();
    return (unsigned char)volts;
}",
    cure: "Compare with the limits of the integer type before the conversion; `isnan` first, as comparisons \
        with no number are false.",
};

const MISSING_RETURN: Explanation = Explanation {
    name: "missing-return",
    title: "a function ends without the value that its caller uses",
    meaning: "Control comes to the closing brace of a function that returns a value, and the caller uses it.",
    example: "\
/* kripke check example.c */
int __VERIFIER_nondet_int(void);
int sign(int x) {
    if (x > 0) return 1;
    if (x < 0) return -1;
}
int main(void) { return sign(__VERIFIER_nondet_int()); }",
    cure: "Return a value on every path; `-Wreturn-type` warns of most such functions.",
};

const UNREACHABLE: Explanation = Explanation {
    name: "unreachable",
    title: "code is reached that was promised to be unreachable",
    meaning: "`__builtin_unreachable()` is reached, or what `__builtin_assume` says is false. The compiler \
        has relied on the promise, so anything may happen.",
    example: "\
/* kripke check example.c */
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    switch (__VERIFIER_nondet_uchar() & 3) {
    case 0: case 1: case 2: return 0;
    default: __builtin_unreachable();
    }
}",
    cure: "Handle the case, or exclude it where the value comes from.",
};

const VLA_BOUND: Explanation = Explanation {
    name: "vla-bound",
    title: "a variable length array has no or a negative size",
    meaning: "The size of the array is evaluated to 0 or less when its declaration is reached.",
    example: "\
/* kripke check example.c */
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    int count = __VERIFIER_nondet_uchar();
    int samples[count];
    return sizeof samples == 0;
}",
    cure: "Test the size before the declaration, or use an array of the largest size.",
};

const FUNCTION_POINTER: Explanation = Explanation {
    name: "function-pointer",
    title: "a call through a pointer that is no function of that shape",
    meaning: "The pointer is null, points to data, or to a function with other parameters or another result.",
    example: "\
/* kripke check example.c */
static void (*callback)(void);
int main(void) {
    callback();
}",
    cure: "Set the pointer before the first call, or test it; where the shapes differ, write a function of \
        the right one around it.",
};

const LIBRARY_CONTRACT: Explanation = Explanation {
    name: "library-contract",
    title: "a library function is used against its contract",
    meaning: "The C standard asks something of the arguments that is not so: `memcpy` with overlapping \
        objects, a character outside `unsigned char` for `isdigit`, and the like.",
    example: "\
/* kripke check example.c */
#include <string.h>
int main(void) {
    char text[8] = \"abcdefg\";
    memcpy(text + 1, text, 4);
}",
    cure: "Use the function that allows it (`memmove`), or convert the argument (`(unsigned char)c`).",
};

const FORMAT: Explanation = Explanation {
    name: "format",
    title: "a format does not fit its arguments",
    meaning: "A conversion of `printf` or `scanf` takes an argument of another type or width than is passed, \
        or one more than there are. What is read then is chance, and `scanf` writes too much.",
    example: "\
/* kripke check example.c */
#include <stdio.h>
int main(void) {
    long total = 1;
    printf(\"%d\\n\", total);
}",
    cure: "Take the conversion of the argument's type: `%ld`, `%zu`, and `PRIu32` of <inttypes.h> for types \
        of a fixed width.",
};

const LOOP_INVARIANT: Explanation = Explanation {
    name: "loop-invariant",
    title: "a loop invariant is false where the loop's head is passed",
    meaning: "What was stated of every iteration is not so of the one that is shown: at the start, or \
        because an iteration breaks it.",
    example: "\
/* kripke check example.c */
int main(void) {
    unsigned i = 0, sum = 0;
    while (i < 10)
        __CPROVER_loop_invariant(sum <= 4 * i)
    {
        sum += i++;
    }
    return sum > 100;
}",
    cure: "Correct the invariant (it has to hold before the first iteration and after each), or the loop.",
};

const PRECONDITION: Explanation = Explanation {
    name: "precondition",
    title: "a function is called otherwise than its contract requires",
    meaning: "At the call that is shown, what `__CPROVER_requires` asks of callers is false.",
    example: "\
/* kripke check example.c */
unsigned char __VERIFIER_nondet_uchar(void);
unsigned scaled(unsigned char percent)
    __CPROVER_requires(percent <= 100)
{
    return percent * 10u;
}
int main(void) { return scaled(__VERIFIER_nondet_uchar()) > 1000; }",
    cure: "Mend the caller, or weaken the contract if the function can do with less.",
};

const POSTCONDITION: Explanation = Explanation {
    name: "postcondition",
    title: "a function returns, and what its contract ensures is false",
    meaning: "The function was called as its contract requires, and does not keep what `__CPROVER_ensures` \
        promises.",
    example: "\
/* kripke check example.c */
int __VERIFIER_nondet_int(void);
int clamped(int x)
    __CPROVER_ensures(__CPROVER_return_value <= 100)
{
    return x > 100 ? 101 : x;
}
int main(void) { return clamped(__VERIFIER_nondet_int()) > 0; }",
    cure: "Mend the function, or promise what it does.",
};

const ASSIGNS: Explanation = Explanation {
    name: "assigns",
    title: "a function writes something that its contract does not name",
    meaning: "The function, or what it calls, writes or frees an object that is not among those of \
        `__CPROVER_assigns`; callers count on it to stay as it is.",
    example: "\
/* kripke check example.c */
int level, calls;
void set(int x)
    __CPROVER_assigns(level)
{
    level = x;
    calls++;
}
int main(void) { set(1); }",
    cure: "Name it in the contract, or do not write it.",
};

const FIRMWARE: Explanation = Explanation {
    name: "firmware",
    title: "an error in every firmware",
    meaning: "What no firmware may do, whatever it is for: its stack grows into static data, it leaves the \
        program, reads memory that was never written, and the like. Each fault is explained by its own name.",
    example: "kripke check firmware.elf --list-properties",
    cure: "`kripke explain` lists the faults; the trace shows the run, instruction by instruction.",
};

const INVARIANT: Explanation = Explanation {
    name: "invariant",
    title: "an expression is false in a reachable state",
    meaning: "A state of the firmware is reached in which the expression given by --invariant is false.",
    example: "kripke check firmware.elf --invariant '{(PORTB & 3) != 3}'",
    cure: "Follow the trace to the instruction that makes it false, and look which interrupt or input came \
        before. Where the environment never does that: --constraint, --never.",
};

const CTL: Explanation = Explanation {
    name: "ctl",
    title: "a formula of branching time is false",
    meaning: "The formula is false where it begins. For a formula `AG` or `AF` a run shows it; for `EF`, no \
        run leads to what it asks for.",
    example: "kripke check firmware.elf --ctl 'AG EF {PORTB == 0}'",
    cure: "`--evidence FILE` draws why the formula is false. Is a way missing, look for the condition on it \
        that never becomes true.",
};

const LTL: Explanation = Explanation {
    name: "ltl",
    title: "a run violates a formula of linear time",
    meaning: "There is a run, which ends or goes on for ever, whose sequence of values does not satisfy the \
        formula. Of a run that goes on for ever the part that repeats is marked.",
    example: "kripke check main.c --ltl 'G({request} -> F {grant})'",
    cure: "Follow the letters in the trace to the last one at which all was well. Does the run only wait for \
        ever, the formula may need fairness: --fair weak, or `(G F {tick}) -> ...`.",
};
