
/* One thread runs at a time: the others wait until their turns begin. The functions of the thread library
 * below are kripke's models, by which the counterexample was found; they make other threads run only where
 * they call the functions here. */

typedef __UINT32_TYPE__ uint32_t;
#ifndef NULL
#define NULL ((void *)0)
#endif
#define __kripke_havoc(at, size, function) ((void)0)
#define READ(object) ((void)*(const volatile __typeof__(object) *)&(object))

static __thread unsigned kripke_self;

static unsigned kripke_runner(void) {
    return kripke_self;
}

static unsigned kripke_stack(void) {
    return kripke_self;
}

enum { NOBODY_KNOWN = -2, THE_HOLDER = -1 };

/* What a thread is doing. */
static struct kripke_thread_state {
    int pipe[2];
    int is_there, has_ended;
    const unsigned *word; /* what it waits for */
    int for_zero;
    int whom; /* for whose end it waits, or one of these */
    void *(*function)(void *);
    void *argument;
    void (*finish)(void *);
} kripke_threads[KRIPKE_RUNNERS] = {{.is_there = 1}};

static void kripke_prepare(unsigned thread) {
    int (*make)(int *) = kripke_library("pipe");
    if (!kripke_threads[thread].pipe[1] && make(kripke_threads[thread].pipe))
        kripke_leaves("no pipe can be made");
}

static void kripke_sleep(void) {
    static long (*receive)(int, void *, size_t);
    char byte;
    if (!receive)
        receive = kripke_library("read");
    while (receive(kripke_threads[kripke_self].pipe[0], &byte, 1) != 1)
        ;
}

static void kripke_wake(unsigned thread) {
    long (*send)(int, const void *, size_t) = kripke_library("write");
    if (!kripke_threads[thread].is_there || kripke_threads[thread].has_ended)
        kripke_leaves("a thread does not run that should go on");
    kripke_prepare(thread);
    if (send(kripke_threads[thread].pipe[1], "", 1) != 1)
        kripke_leaves("a thread cannot be woken");
}

static void kripke_switch_to(unsigned thread) {
    if (thread == kripke_self)
        return;
    kripke_prepare(kripke_self);
    kripke_wake(thread);
    kripke_sleep();
}

static void kripke_handle(void);

/* The thread that runs has disabled interrupts, or is in an atomic section: nobody else runs. */
static int kripke_masked, kripke_in_section;

/* A turn of a handler that returns lasts until it does. */
static void kripke_point(void) {
    while (kripke_ready && kripke_now + 1 < KRIPKE_TURNS && kripke_is_done() && !kripke_masked &&
           !kripke_in_section && !kripke_turns[kripke_now].returns) {
        kripke_next_turn();
        if (kripke_turns[kripke_now].begins && kripke_turns[kripke_now].runner == kripke_self)
            kripke_handle();
        else
            kripke_switch_to(kripke_turns[kripke_now].runner);
    }
#ifdef KRIPKE_SHOWS
    if (kripke_ready && kripke_now + 1 == KRIPKE_TURNS && kripke_turns[kripke_now].last.count &&
        kripke_self == kripke_turns[kripke_now].runner && kripke_is_done())
        kripke_violated(KRIPKE_SHOWS);
#endif
}

/* The handler of this turn comes. */
static void kripke_handle(void) {
    ((void (*)(void))kripke_symbol(kripke_turns[kripke_now].begins, 0, 2))();
    kripke_point();
    if (kripke_self != kripke_turns[kripke_now].runner || !kripke_turns[kripke_now].returns)
        kripke_leaves("the handler returns");
    if (kripke_now + 1 == KRIPKE_TURNS)
        kripke_leaves("the last handler returns");
    kripke_next_turn();
}

__attribute__((unused)) static void kripke_mask(int masked) {
    if (masked)
        kripke_point();
    kripke_masked = masked;
    kripke_point();
}

/* Threads go on wherever their turns begin. */
static void kripke_check_turn(const volatile void *at) {
    (void)at;
}

static void kripke_passes(void) {
    kripke_passed++;
    kripke_counted = 0;
}

static int kripke_is_blocked(unsigned thread) {
    const struct kripke_thread_state *of = &kripke_threads[thread];
    return of->word && (*of->word == 0) != of->for_zero;
}

/* Does a thread wait for one that has ended, or that waits so? */
static int kripke_is_stuck(unsigned thread) {
    for (unsigned steps = 0; steps <= KRIPKE_RUNNERS; steps++) {
        const struct kripke_thread_state *of = &kripke_threads[thread];
        if (of->has_ended)
            return steps > 0;
        if (!of->is_there || !kripke_is_blocked(thread) || of->whom == NOBODY_KNOWN)
            return 0;
        thread = of->whom == THE_HOLDER ? *of->word - 1 : (unsigned)of->whom;
        if (thread >= KRIPKE_RUNNERS)
            return 0;
    }
    return 1;
}

/* Behind the last turn none can go on, if all is as in the counterexample; or some wait for ever. */
static void kripke_next_thread(void) {
    int waits = 0;
    for (unsigned thread = 0; thread < KRIPKE_RUNNERS; thread++)
        if (kripke_is_stuck(thread))
            kripke_violated("threads wait for each other, and none can go on");
    for (unsigned thread = 0; thread < KRIPKE_RUNNERS; thread++) {
        if (thread == KRIPKE_HARDWARE || !kripke_threads[thread].is_there || kripke_threads[thread].has_ended)
            continue;
        if (!kripke_is_blocked(thread))
            return kripke_switch_to(thread);
        waits = 1;
    }
    if (waits)
        kripke_violated("the threads wait for each other, and none can go on");
    kripke_leaves("all threads have ended");
}

static void kripke_wait(const unsigned *word, int for_zero, int whom) {
    kripke_threads[kripke_self].word = word;
    kripke_threads[kripke_self].for_zero = for_zero;
    kripke_threads[kripke_self].whom = whom;
    kripke_point();
    kripke_check_heap(word, sizeof *word);
    while (kripke_is_blocked(kripke_self)) {
        if (kripke_turns[kripke_now].passed == -1u && kripke_now + 1 < KRIPKE_TURNS) {
            kripke_next_turn();
            kripke_switch_to(kripke_turns[kripke_now].runner);
            continue;
        }
        if (!KRIPKE_DEADLOCK || kripke_now + 1 < KRIPKE_TURNS)
            kripke_leaves("a thread waits that should go on");
        kripke_next_thread();
    }
    kripke_threads[kripke_self].word = 0;
    kripke_passes();
}

static _Noreturn void __kripke_thread_end(void) {
    kripke_threads[kripke_self].has_ended = 1;
    if (kripke_self != 0)
        kripke_stack_of[kripke_self] = kripke_tops[kripke_self];
    kripke_point();
    if (!KRIPKE_DEADLOCK || kripke_now + 1 < KRIPKE_TURNS)
        kripke_leaves("a thread ends");
    kripke_next_thread();
    for (;;)
        kripke_sleep();
}

static void *kripke_start(void *at) {
    struct kripke_thread_state *of = at;
    kripke_self = of - kripke_threads;
    kripke_tops[kripke_self] = __builtin_frame_address(0);
    kripke_sleep();
    of->finish(of->function(of->argument));
    __kripke_thread_end();
}

typedef int kripke_create(unsigned long *, const void *, void *(*)(void *), void *);

#ifdef KRIPKE_HAS_HANDLERS
#ifdef KRIPKE_RACE
static unsigned kripke_first_to_race(void);
#else
#define kripke_first_to_race() KRIPKE_HARDWARE
#endif

/* Who goes on behind a handler: behind the last turn only those that race. */
static unsigned kripke_goes_on(void) {
    unsigned next = kripke_turns[kripke_now].runner;
    if (next == KRIPKE_HARDWARE)
        next = kripke_first_to_race();
    if (next == KRIPKE_HARDWARE)
        kripke_leaves("no handler comes any more");
    return next;
}

/* Handlers come as if a thread of their own ran them. */
static void *kripke_run_handlers(void *unused) {
    kripke_self = KRIPKE_HARDWARE;
    kripke_tops[kripke_self] = __builtin_frame_address(0);
    for (;;) {
        kripke_sleep();
        while (kripke_turns[kripke_now].runner == kripke_self && kripke_turns[kripke_now].begins)
            kripke_handle();
        kripke_wake(kripke_goes_on());
    }
    return unused;
}

__attribute__((constructor(102))) static void kripke_start_hardware(void) {
    kripke_create *create = (kripke_create *)kripke_library("pthread_create");
    unsigned long handle;
    kripke_threads[KRIPKE_HARDWARE].is_there = 1;
    kripke_prepare(KRIPKE_HARDWARE);
    if (create(&handle, 0, kripke_run_handlers, 0))
        kripke_leaves("no thread can be started");
}
#endif

static unsigned kripke_created_count;

static unsigned __kripke_thread_create(void *(*function)(void *), void *argument, void (*finish)(void *)) {
    kripke_create *create = (kripke_create *)kripke_library("pthread_create");
    struct kripke_thread_state *of;
    unsigned long handle;
    unsigned number = 0;
    if (kripke_created_count < sizeof kripke_created / sizeof *kripke_created)
        number = kripke_created[kripke_created_count++];
    if (number == 0 || number >= KRIPKE_RUNNERS || kripke_threads[number].is_there)
        kripke_leaves("it starts another thread");
    of = &kripke_threads[number];
    of->function = function;
    of->argument = argument;
    of->finish = finish;
    of->is_there = 1;
    kripke_arguments[number] = argument;
    kripke_prepare(number);
    if (create(&handle, 0, kripke_start, of))
        kripke_leaves("no thread can be started");
    return number;
}

#define __kripke_thread_self() kripke_self
#define __kripke_thread_switch() (kripke_point(), kripke_passes())
#define __kripke_thread_write(at, size) (kripke_point(), kripke_meet(at, size, 1, 0), kripke_passes())
#if KRIPKE_RACES
#define __kripke_thread_races_to_read(at, size)                                                    \
    (kripke_point(), kripke_meet(at, size, 0, 0), kripke_passes())
#define __kripke_thread_races_to_write(at, size) __kripke_thread_write(at, size)
#else
#define __kripke_thread_races_to_read(at, size) ((void)0)
#define __kripke_thread_races_to_write(at, size) ((void)0)
#endif
#define __kripke_thread_wait_zero(word) kripke_wait(word, 1, NOBODY_KNOWN)
#define __kripke_thread_wait_nonzero(word) kripke_wait(word, 0, NOBODY_KNOWN)
#define __kripke_thread_wait_free(word) kripke_wait(word, 1, THE_HOLDER)
#define __kripke_thread_wait_end(word) kripke_wait(word, 0, (int)((word) - ended))
#define __kripke_thread_publishes() ((void)0)
#define __kripke_thread_waited() ((void)0)
#define __kripke_thread_section_begins() ((void)0)
#define __kripke_thread_section_ends() ((void)0)

static void __kripke_assert(int condition, const char *message) {
    if (!condition)
        kripke_violated(message);
}

static void __kripke_assert_lock_order(int condition, const char *message) {
    (void)condition;
    (void)message;
}

static void __kripke_assert_thread_leak(int condition, const char *message) {
    (void)condition;
    (void)message;
}

/* In the last turn all is as in the counterexample, so the thread in between could run. */
static void __kripke_assert_priority_inversion(int condition, const char *message) {
    if (!condition && kripke_now + 1 == KRIPKE_TURNS)
        kripke_violated(message);
}

static int __kripke_thread_is_ready(unsigned thread) {
    return kripke_threads[thread < KRIPKE_RUNNERS ? thread : 0].is_there;
}

static int __kripke_choose(void) {
    return 0;
}

static void __kripke_rely(int condition, const char *what) {
    if (!condition)
        kripke_leaves(what);
}

static _Noreturn void __kripke_unsupported(const char *what) {
    kripke_leaves(what);
    abort();
}

WEAK void __VERIFIER_atomic_begin(void) {
    kripke_point();
    kripke_in_section = 1;
}
WEAK void __VERIFIER_atomic_end(void) {
    kripke_in_section = 0;
    kripke_point();
}
