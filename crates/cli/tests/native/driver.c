/* Runs a program with inputs from many seeds, each in a process of its own: a line per seed. `V value` where
 * it observed a value, `S line` where it was stopped (by a sanitizer, a signal, an assertion), after the line
 * that it noted; `E` where it ended otherwise, `T` where it did not end in time.
 *
 * Arguments: the number of seeds; with a second one runs end at the first that is stopped or has no input,
 * inputs lie near the ends of their types more often, and standard error tells why the run was stopped. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STOPPED = 99 }; /* What a sanitizer exits with; its options say so. */

/* Linked with `--wrap=main`: the program's main, which keeps its name, as only main returns 0 at its end. */
int __real_main(int count, char **arguments);
volatile int *native_line;
volatile unsigned *native_value;
static uint64_t state;
static int at_the_ends;
static volatile int *asked; /* Whether the run has had an input. */

static uint64_t next(void)
{
    *asked = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t mixed = (state ^ state >> 33) * 0xff51afd7ed558ccdu;
    return mixed ^ mixed >> 33;
}

static uint64_t input(int bits)
{
    uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1, value = next();
    if (!at_the_ends)
        return value & mask;
    switch (value >> 60) {
    case 0: case 1: case 2: case 3:
        return value % 5;
    case 4: case 5: case 6: case 7:
        return value % 20;
    case 8:
        return mask & -(value % 5);
    case 9:
        return (mask >> 1) - value % 3;
    case 10:
        return ((mask >> 1) + 1 + value % 3) & mask;
    case 11:
        return value % 1000 & mask;
    default:
        return value & mask;
    }
}

static double number(int is_double)
{
    uint64_t kind = next() % 8;
    if (kind < 2)
        return (double)(int)(next() % 41) - 20;
    if (kind < 5)
        return ((double)next() / 1e18 - 9) * (kind == 4 ? 1000 : 1);
    uint64_t bits = next();
    uint32_t half = (uint32_t)bits;
    float small;
    double value;
    memcpy(&small, &half, sizeof small);
    memcpy(&value, &bits, sizeof value);
    return is_double ? value : small;
}

static void stop(const char *why)
{
    fprintf(stderr, "driver: %s\n", why);
    _exit(STOPPED);
}

/* What the program may define itself. */
#define WEAK __attribute__((weak))
#define INPUT(type, name, bits) \
    WEAK type __VERIFIER_nondet_##name(void) { return (type)input(bits); } \
    WEAK type nondet_##name(void) { return (type)input(bits); }
INPUT(_Bool, bool, 1)
INPUT(char, char, 8)
INPUT(signed char, schar, 8)
INPUT(unsigned char, uchar, 8)
INPUT(short, short, 16)
INPUT(unsigned short, ushort, 16)
INPUT(int, int, 32)
INPUT(unsigned, uint, 32)
INPUT(unsigned, unsigned, 32)
INPUT(long, long, 64)
INPUT(unsigned long, ulong, 64)
INPUT(long long, longlong, 64)
INPUT(unsigned long long, ulonglong, 64)
INPUT(size_t, size_t, 64)
WEAK float __VERIFIER_nondet_float(void) { return (float)number(0); }
WEAK float nondet_float(void) { return (float)number(0); }
WEAK double __VERIFIER_nondet_double(void) { return number(1); }
WEAK double nondet_double(void) { return number(1); }

WEAK void __VERIFIER_assume(int holds) { if (!holds) _exit(0); }
WEAK void __ESBMC_assume(_Bool holds) { if (!holds) _exit(0); }
WEAK void __CPROVER_assume(_Bool holds) { if (!holds) _exit(0); }
WEAK void __VERIFIER_assert(int holds) { if (!holds) stop("assertion"); }
WEAK void __ESBMC_assert(_Bool holds, const char *text) { (void)text; if (!holds) stop("assertion"); }
WEAK void __CPROVER_assert(_Bool holds, const char *text) { (void)text; if (!holds) stop("assertion"); }
WEAK void __VERIFIER_error(void) { stop("error"); }
WEAK void reach_error(void) { stop("error"); }
void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    fprintf(stderr, "driver: assertion %s:%u: %s: %s\n", file, line, function, text);
    _exit(STOPPED);
}
/* A program that ends itself does nothing wrong. */
void abort(void) { _exit(0); }

static void run(FILE *said)
{
    static char *arguments[] = {"program", 0};
    struct itimerval limit = {.it_value.tv_usec = 300000};
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, 1);
    if (said)
        dup2(fileno(said), 2);
    if (at_the_ends)
        setitimer(ITIMER_VIRTUAL, &limit, 0);
    alarm(at_the_ends ? 5 : 2);
    _exit(__real_main(1, arguments) & 0);
}

static void tell(FILE *said)
{
    char text[4096];
    size_t length;
    rewind(said);
    while ((length = fread(text, 1, sizeof text, said)) > 0)
        fwrite(text, 1, length, stderr);
}

int __wrap_main(int count, char **arguments)
{
    int seeds = count > 1 ? atoi(arguments[1]) : 1, late = 0;
    void *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    native_line = shared;
    native_value = (unsigned *)shared + 1;
    asked = (int *)shared + 2;
    at_the_ends = count > 2;
    *asked = 1;
    for (int seed = 0; seed < seeds && (!at_the_ends || (late < 3 && *asked)); seed++) {
        int status;
        FILE *said = at_the_ends ? tmpfile() : 0;
        native_value[0] = 0;
        *asked = 0;
        state = (uint64_t)seed * 0x9e3779b97f4a7c15u + 1;
        pid_t child = fork();
        if (child == 0)
            run(said);
        waitpid(child, &status, 0);
        int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        int stopped = 0;
        if (signal == SIGALRM || signal == SIGVTALRM) {
            printf("T\n");
            late++;
        } else if (signal || WEXITSTATUS(status) == STOPPED) {
            printf("S %d\n", *native_line);
            stopped = 1;
        } else if (native_value[0]) {
            printf("V %u\n", native_value[1]);
        } else {
            printf("E\n");
        }
        fflush(stdout);
        if (at_the_ends && stopped) {
            if (signal)
                fprintf(stderr, "driver: signal %d\n", signal);
            tell(said);
            return 0;
        }
        if (said)
            fclose(said);
    }
    return 0;
}
