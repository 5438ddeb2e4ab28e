/* For gcc: threads are coroutines, and each step asks the scheduler first. A handler runs at once, as the
 * scheduler chooses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define THREADS 3
#define STATES (1u << 18)

/* What a thread waits for before its next step. */
enum { NOTHING, MUTEX, SEMAPHORE, WAKING, THE_END };

static struct thread {
    ucontext_t context;
    int waits;
    unsigned object;
    /* A summary of all that it has seen, which says where it is and what its locals are. */
    uint64_t seen;
    unsigned woken, woke_by_itself, begun, ended;
    void (*function)(void);
} threads[THREADS];
static char stacks[THREADS][1 << 16];
static ucontext_t scheduler;
static unsigned self;

static unsigned holder[2], value, waiting;
/* The thread that has disabled interrupts, and 1; how often the handler came; whether it runs. */
static unsigned masked, fired, is_in_handler;
static int failed;

static unsigned char tape[4096], width[4096];
static unsigned at, used;

static unsigned choose(unsigned n)
{
    if (n == 1)
        return 0;
    if (at >= sizeof tape)
        abort();
    if (at >= used) {
        tape[at] = 0;
        used = at + 1;
    }
    width[at] = (unsigned char)n;
    return tape[at++];
}

static uint64_t mixed(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static void to_scheduler(void)
{
    swapcontext(&threads[self].context, &scheduler);
}

static void step(int waits, unsigned object)
{
    if (is_in_handler)
        return;
    threads[self].waits = waits;
    threads[self].object = object;
    threads[self].seen = mixed(threads[self].seen, 1);
    to_scheduler();
    threads[self].waits = NOTHING;
}

static unsigned saw(unsigned result)
{
    if (is_in_handler)
        return result;
    threads[self].seen = mixed(threads[self].seen, result + 2);
    return result;
}

static void __VERIFIER_assert(int holds)
{
    if (!holds) {
        failed = 1;
        if (!is_in_handler)
            to_scheduler();
    }
}

static unsigned char read_place(unsigned char *place)
{
    step(NOTHING, 0);
    return (unsigned char)saw(*place);
}

static void write_place(unsigned char *place, unsigned char new)
{
    step(NOTHING, 0);
    *place = new;
}

static void add(unsigned char *place)
{
    step(NOTHING, 0);
    ++*place;
}

static void lock(unsigned n)
{
    step(MUTEX, n);
    holder[n] = self + 1;
}

static void unlock(unsigned n)
{
    step(NOTHING, 0);
    if (holder[n] != self + 1)
        abort();
    holder[n] = 0;
}

static int try_lock(unsigned n)
{
    step(NOTHING, 0);
    if (saw(holder[n] == 0))
        holder[n] = self + 1;
    return holder[n] == self + 1;
}

static void wait_for_signal(void)
{
    unlock(0);
    waiting |= 1u << self;
    threads[self].woken = 0;
    step(WAKING, 0);
    if (!threads[self].woken) {
        waiting &= ~(1u << self);
        threads[self].woke_by_itself = 1;
    }
    lock(0);
}

static void wake(unsigned who)
{
    waiting &= ~(1u << who);
    threads[who].woken = 1;
}

static void wake_one(void)
{
    unsigned may[THREADS], n = 0;
    step(NOTHING, 0);
    for (unsigned i = 0; i < THREADS; i++)
        if (waiting >> i & 1)
            may[n++] = i;
    if (n > 0)
        wake(may[choose(n)]);
}

static void wake_all(void)
{
    step(NOTHING, 0);
    for (unsigned i = 0; i < THREADS; i++)
        if (waiting >> i & 1)
            wake(i);
}

static void take(void)
{
    step(SEMAPHORE, 0);
    value--;
}

static void post(void)
{
    step(NOTHING, 0);
    value++;
}

static void mask(unsigned by)
{
    step(NOTHING, 0);
    masked = by;
}

static void run_thread(void)
{
    threads[self].function();
    threads[self].ended = 1;
    to_scheduler();
}

static void begin(unsigned number, void (*function)(void))
{
    struct thread *thread = &threads[number];
    thread->function = function;
    thread->begun = 1;
    getcontext(&thread->context);
    thread->context.uc_stack.ss_sp = stacks[number];
    thread->context.uc_stack.ss_size = sizeof stacks[number];
    thread->context.uc_link = NULL;
    makecontext(&thread->context, run_thread, 0);
}

static void create(unsigned number, void (*function)(void))
{
    step(NOTHING, 0);
    begin(number + 1, function);
}

#define R(place) read_place(&(place))
#define W(place, value) write_place(&(place), (unsigned char)((value)&3))
#define INCREMENT(place)                                                                                  \
    do {                                                                                                  \
        unsigned char old = R(place);                                                                     \
        write_place(&(place), (unsigned char)(old + 1));                                                  \
    } while (0)
#define ADD(place) add(&(place))
#define LOCK(n) lock(n)
#define UNLOCK(n) unlock(n)
#define TRY(n) try_lock(n)
#define WAIT() wait_for_signal()
#define SIGNAL() wake_one()
#define BROADCAST() wake_all()
#define TAKE() take()
#define POST() post()
#define DISABLE() mask(self + 1)
#define ENABLE() mask(0)
#define HANDLER static void tick(void)
#define THREAD(name) static void name(void)
#define END return
#define CREATE(n, function) create(n, function)
#define JOIN(n) step(THE_END, (n) + 1)
#define MAIN static void program(void)
#define BEGIN value = INITIAL
#define END_OF_MAIN return

static void program(void);

static int can_go(const struct thread *thread)
{
    if (!thread->begun || thread->ended)
        return 0;
    switch (thread->waits) {
    case MUTEX:
        return holder[thread->object] == 0;
    case SEMAPHORE:
        return value > 0;
    case WAKING:
        return thread->woken;
    case THE_END:
        return threads[thread->object].ended;
    default:
        return 1;
    }
}

static int can_wake_up(const struct thread *thread)
{
    return thread->waits == WAKING && !thread->woken && !thread->woke_by_itself;
}

/* Does a thread wait for ever, whoever else goes on: for a lock that a thread holds which has ended or waits
   so itself, or for the end of such a thread? */
static int is_stuck(unsigned number)
{
    for (unsigned steps = 0; steps <= THREADS; steps++) {
        const struct thread *thread = &threads[number];
        if (thread->ended)
            return steps > 0;
        if (!thread->begun || can_go(thread))
            return 0;
        if (thread->waits == MUTEX)
            number = holder[thread->object] - 1;
        else if (thread->waits == THE_END)
            number = thread->object;
        else
            return 0;
    }
    return 1;
}

static uint64_t known[STATES];
static unsigned known_count;

/* Is it a state that was met before? */
static int is_known(void)
{
    uint64_t hash = 1;
    for (unsigned i = 0; i < THREADS; i++) {
        const struct thread *thread = &threads[i];
        hash = mixed(hash, thread->seen);
        hash = mixed(hash, thread->begun | thread->ended << 1 | thread->woken << 2 |
                               thread->woke_by_itself << 3);
    }
    hash = mixed(hash, holder[0] | holder[1] << 4 | value << 8 | waiting << 16);
    hash = mixed(hash, masked | fired << 8);
    hash = mixed(hash, x | y << 8 | z << 16 | (uint64_t)flag << 24);
    for (uint64_t i = hash;; i++) {
        if (known[i % STATES] == hash)
            return 1;
        if (known[i % STATES] == 0) {
            known[i % STATES] = hash;
            known_count++;
            return 0;
        }
    }
}

static int deadlocks, failures;

static int is_kept(unsigned number)
{
    return masked != 0 && masked != number + 1;
}

static void interrupt(void)
{
    fired++;
    is_in_handler = 1;
    tick();
    is_in_handler = 0;
}

/* Runs one schedule; its main thread ends it. */
static void run(void)
{
    memset(threads, 0, sizeof threads);
    at = failed = holder[0] = holder[1] = value = waiting = masked = fired = 0;
    x = y = z = flag = 0;
    begin(0, program);
    while (!threads[0].ended) {
        unsigned may[2 * THREADS + 1], n = 0;
        if (at >= used && is_known())
            return;
        for (unsigned i = 0; i < THREADS; i++)
            if (can_go(&threads[i]) && !is_kept(i))
                may[n++] = i;
        for (unsigned i = 0; i < THREADS; i++)
            deadlocks |= is_stuck(i);
        if (n == 0)
            deadlocks = 1;
        for (unsigned i = 0; i < THREADS; i++)
            if (can_wake_up(&threads[i]) && !is_kept(i))
                may[n++] = i;
        if (masked == 0 && fired < FIRINGS)
            may[n++] = THREADS;
        if (n == 0)
            return;
        unsigned chosen = may[choose(n)];
        if (chosen == THREADS) {
            interrupt();
        } else {
            self = chosen;
            swapcontext(&scheduler, &threads[self].context);
        }
        if (failed) {
            failures = 1;
            return;
        }
    }
}

int main(void)
{
    unsigned long runs = 0;
    do {
        run();
        runs++;
        used = at;
        while (used > 0 && tape[used - 1] + 1 >= width[used - 1])
            used--;
        if (used > 0)
            tape[used - 1]++;
    } while (used > 0 && known_count < STATES / 2);
    if (failures)
        puts("assertion");
    if (deadlocks)
        puts("deadlock");
    puts(used > 0 ? "many" : "done");
    printf("%lu schedules, %u states\n", runs, known_count);
    return 0;
}
