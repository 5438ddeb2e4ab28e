/* Explores all reachable states of a random program with an endless loop (see mod.rs), breadth first.
   Inputs stand on a tape, which is counted up until all inputs of an iteration were tried. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUTS = 10, MOST_STATES = 40000, MOST_STEPS = 4000000, MOST_BYTES = 400, TABLE = 1 << 17 };
enum { POINTS = 2, MOST_PREDICATES = 512, MOST_INVARIANTS = 1024 };
enum ending { GOES_ON, ENDED, FAULT, FAILED, TOO_LONG };

static unsigned char tape[MOST_INPUTS], last[MOST_INPUTS];
static int position, length;
static jmp_buf out;
static unsigned char failed[POINTS][MOST_PREDICATES], stops[POINTS][MOST_PREDICATES];
static unsigned char reached[MOST_INVARIANTS], broken[MOST_INVARIANTS];

/* An input of so many bits. */
static unsigned in(unsigned bits) {
    if (position == MOST_INPUTS)
        longjmp(out, TOO_LONG);
    if (position == length) {
        tape[length] = 0;
        last[length++] = (1 << bits) - 1;
    }
    return tape[position++];
}

static unsigned index_below(unsigned index, unsigned count) {
    if (index >= count)
        longjmp(out, FAULT);
    return index;
}

static void *not_null(void *pointer) {
    if (!pointer)
        longjmp(out, FAULT);
    return pointer;
}

static unsigned divisor(unsigned value) {
    if (!value)
        longjmp(out, FAULT);
    return value;
}

static void tell(int point, int predicate, int holds) {
    failed[point][predicate] |= !holds;
    if (!holds && stops[point][predicate])
        longjmp(out, FAILED);
}

/* An invariant of a loop, whenever an iteration starts. */
static void invariant(int number, int holds) {
    reached[number] = 1;
    broken[number] |= !holds;
}

static void point(int number);
#define assert(condition) \
    do { \
        if (!(condition)) \
            longjmp(out, FAILED); \
    } while (0)
#define POINT(number) point(number)
#define IN(bits) in(bits)
#define AT(index, count) index_below(index, count)
#define POINTER(pointer) ((__typeof__(pointer))not_null(pointer))
#define DIVISOR(value) divisor(value)
#define END longjmp(out, ENDED)
