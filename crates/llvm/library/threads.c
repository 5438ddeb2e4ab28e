/* <pthread.h>, <sched.h>: threads and their attributes. What they wait for is in thread_locks.c and
 * thread_waits.c, which follow in the same module.
 *
 * Idea: other threads run only inside __kripke_thread_switch and the two waits, so what lies between two of
 * these is one step. Each operation that others can observe begins with one of them. A thread that waits for
 * something that never comes is found as a deadlock, so nothing here loops or looks twice.
 *
 * Invariant: an object of zeros is as its static initialiser says: free, empty, not begun. Objects fit into
 * those of glibc, and the kind of a mutex is where its static initialisers put it. `pthread_t` is the
 * number of the thread and 1, so that zero is nobody.
 *
 * Source: POSIX.1-2017, system interfaces; where that leaves a choice, what glibc does. */

#define THREADS 32
#define EPERM 1
#define EBUSY 16
#define EINVAL 22
#define EDEADLK 35
#define ETIMEDOUT 110

typedef unsigned long kripke_thread;

/* Statements in a row: a loop would have to be unwound wherever they stand. */
#define FOR_4(statement, thread)                                                                   \
    statement(thread); statement(thread + 1); statement(thread + 2); statement(thread + 3)
#define FOR_ALL(statement)                                                                         \
    FOR_4(statement, 0); FOR_4(statement, 4); FOR_4(statement, 8); FOR_4(statement, 12);           \
    FOR_4(statement, 16); FOR_4(statement, 20); FOR_4(statement, 24); FOR_4(statement, 28)

#if defined(__AVR__)
typedef uint32_t kripke_time;
#else
typedef long kripke_time;
#endif

struct kripke_fine_time {
    kripke_time seconds;
    long fraction;
};

_Noreturn void exit(int status);

/* An operation with a time limit that would have to wait gives up at a moment that the schedule chooses: it
 * is at its switch as long as it waits. */

static _Bool is_no_time(const struct kripke_fine_time *time)
{
    return (time->fraction < 0) | (time->fraction >= 1000000000);
}

/* What an operation returns that did not get what it wanted until a time. */
static int too_late(const struct kripke_fine_time *time)
{
    return is_no_time(time) ? EINVAL : ETIMEDOUT;
}

/* The running thread in the words that say who holds something. */
static unsigned myself(void)
{
    return __kripke_thread_self() + 1;
}

/* Threads. */

struct kripke_attributes {
    int detached;
    int scope;
    int inherits;
    int policy;
    int priority;
    size_t stack_size;
    size_t guard_size;
    void *stack;
};

enum { NO_THREAD, JOINABLE, DETACHED, JOINED };

static unsigned char state[THREADS] = {JOINABLE};
static uint32_t ended[THREADS];
static void *results[THREADS];
/* The threads that have not ended; the last one ends the program, where main called pthread_exit. */
static unsigned running = 1;

/* Calls the destructors of thread-specific data; thread_keys.c has the one that does. */
__attribute__((weak)) void __kripke_thread_destructors(void)
{
}

/* The running thread has its result. */
static void finish(void *result)
{
    unsigned self = __kripke_thread_self();
    __kripke_thread_destructors();
    __kripke_thread_switch();
    results[self] = result;
    ended[self] = 1;
    if (--running == 0 && ended[0])
        exit(0);
}

static void __kripke_priority_begins(unsigned number, const struct kripke_attributes *attributes);

static int create(kripke_thread *thread, const struct kripke_attributes *attributes,
                  void *(*function)(void *), void *argument)
{
    unsigned number;
    _Bool detached = attributes != NULL && attributes->detached;
    __kripke_rely(1, "pthread_create and thrd_create succeed");
    __kripke_thread_publishes();
    number = __kripke_thread_create(function, argument, finish);
    state[number] = detached ? DETACHED : JOINABLE;
    __kripke_priority_begins(number, attributes);
    running++;
    /* POSIX does not say that the number is there before the thread runs. */
    __kripke_thread_write(thread, sizeof *thread);
    *thread = number + 1;
    return 0;
}

int pthread_create(kripke_thread *thread, const struct kripke_attributes *attributes,
                   void *(*function)(void *), void *argument)
{
    __kripke_thread_switch();
    return create(thread, attributes, function, argument);
}

_Noreturn void pthread_exit(void *result)
{
    finish(result);
    __kripke_thread_end();
}

static _Bool is_thread(kripke_thread thread)
{
    return thread - 1 < THREADS && state[thread - 1] != NO_THREAD;
}

/* Waits for the end of a thread. The checks come before the wait, which might hide them; of two threads that
 * join or detach a third one, at least the second finds that. */
static unsigned join(kripke_thread thread)
{
    unsigned number = (unsigned)(thread - 1);
    __kripke_assert(thread != myself(), "pthread_join: the thread is the one that joins");
    __kripke_assert(is_thread(thread), "pthread_join: there is no such thread");
    __kripke_assert(state[number] != DETACHED, "pthread_join: the thread is detached");
    __kripke_assert(state[number] != JOINED, "pthread_join: the thread is joined already");
    state[number] = JOINED;
    __kripke_thread_waited();
    __kripke_thread_wait_end(&ended[number]);
    return number;
}

int pthread_join(kripke_thread thread, void **result)
{
    unsigned number = join(thread);
    if (result != NULL) {
        __kripke_thread_write(result, sizeof *result);
        *result = results[number];
    }
    return 0;
}

int pthread_tryjoin_np(kripke_thread thread, void **result)
{
    __kripke_thread_switch();
    __kripke_assert(is_thread(thread), "pthread_tryjoin_np: there is no such thread");
    if (!ended[thread - 1])
        return EBUSY;
    return pthread_join(thread, result);
}

int pthread_timedjoin_np(kripke_thread thread, void **result, const struct kripke_fine_time *time)
{
    int busy = pthread_tryjoin_np(thread, result);
    return busy ? too_late(time) : 0;
}

int pthread_detach(kripke_thread thread)
{
    __kripke_thread_switch();
    __kripke_assert(is_thread(thread), "pthread_detach: there is no such thread");
    __kripke_assert(state[thread - 1] != DETACHED, "pthread_detach: the thread is detached already");
    __kripke_assert(state[thread - 1] != JOINED, "pthread_detach: the thread is joined already");
    state[thread - 1] = DETACHED;
    return 0;
}

kripke_thread pthread_self(void)
{
    return myself();
}

int pthread_equal(kripke_thread a, kripke_thread b)
{
    return a == b;
}

int pthread_cancel(kripke_thread thread)
{
    (void)thread;
    __kripke_unsupported("pthread_cancel");
}

/* Nobody is cancelled, so that it does not matter whether a thread could be. */

static int cancel_state[THREADS];
static int cancel_type[THREADS];

static int exchange(int *place, int value, int *old)
{
    if (value != 0 && value != 1)
        return EINVAL;
    if (old != NULL)
        *old = *place;
    *place = value;
    return 0;
}

int pthread_setcancelstate(int value, int *old)
{
    return exchange(&cancel_state[__kripke_thread_self()], value, old);
}

int pthread_setcanceltype(int value, int *old)
{
    return exchange(&cancel_type[__kripke_thread_self()], value, old);
}

void pthread_testcancel(void)
{
}

int pthread_attr_init(struct kripke_attributes *attributes)
{
    __kripke_thread_switch();
    attributes->detached = 0;
    attributes->scope = 0;
    attributes->inherits = 0;
    attributes->policy = 0;
    attributes->priority = 0;
    attributes->stack_size = (size_t)8 << (sizeof(int) == 2 ? 7 : 20);
    attributes->guard_size = 4096;
    attributes->stack = NULL;
    return 0;
}

int pthread_attr_destroy(struct kripke_attributes *attributes)
{
    READ(attributes->detached);
    return 0;
}

/* Each attribute is set to one of a few numbers from 0 on. */
static int set(int *place, int value, int most)
{
    __kripke_thread_switch();
    if (value < 0 || value > most)
        return EINVAL;
    *place = value;
    return 0;
}

static int read_out(const int *place, int *value)
{
    __kripke_thread_switch();
    *value = *place;
    return 0;
}

int pthread_attr_setdetachstate(struct kripke_attributes *attributes, int value)
{
    return set(&attributes->detached, value, 1);
}

int pthread_attr_getdetachstate(const struct kripke_attributes *attributes, int *value)
{
    return read_out(&attributes->detached, value);
}

int pthread_attr_setscope(struct kripke_attributes *attributes, int value)
{
    return set(&attributes->scope, value, 1);
}

int pthread_attr_getscope(const struct kripke_attributes *attributes, int *value)
{
    return read_out(&attributes->scope, value);
}

int pthread_attr_setinheritsched(struct kripke_attributes *attributes, int value)
{
    return set(&attributes->inherits, value, 1);
}

int pthread_attr_getinheritsched(const struct kripke_attributes *attributes, int *value)
{
    return read_out(&attributes->inherits, value);
}

int pthread_attr_setschedpolicy(struct kripke_attributes *attributes, int value)
{
    return set(&attributes->policy, value, 2);
}

int pthread_attr_getschedpolicy(const struct kripke_attributes *attributes, int *value)
{
    return read_out(&attributes->policy, value);
}

int pthread_attr_setschedparam(struct kripke_attributes *attributes, const int *value)
{
    return set(&attributes->priority, *value, 99);
}

int pthread_attr_getschedparam(const struct kripke_attributes *attributes, int *value)
{
    return read_out(&attributes->priority, value);
}

static void __kripke_priority_set(unsigned number, int priority);

/* The parameters have only a priority. */
int pthread_setschedparam(kripke_thread thread, int policy, const int *value)
{
    __kripke_thread_switch();
    __kripke_assert(is_thread(thread), "pthread_setschedparam: there is no such thread");
    if (policy < 0 || policy > 2 || *value < 0 || *value > 99)
        return EINVAL;
    __kripke_rely(1, "pthread_setschedparam and pthread_setschedprio are allowed");
    __kripke_priority_set(thread - 1, *value);
    return 0;
}

int pthread_setschedprio(kripke_thread thread, int value)
{
    __kripke_thread_switch();
    __kripke_assert(is_thread(thread), "pthread_setschedprio: there is no such thread");
    if (value < 0 || value > 99)
        return EINVAL;
    __kripke_rely(1, "pthread_setschedparam and pthread_setschedprio are allowed");
    __kripke_priority_set(thread - 1, value);
    return 0;
}

int pthread_attr_setstacksize(struct kripke_attributes *attributes, size_t value)
{
    __kripke_thread_switch();
    attributes->stack_size = value;
    return 0;
}

int pthread_attr_getstacksize(const struct kripke_attributes *attributes, size_t *value)
{
    __kripke_thread_switch();
    *value = attributes->stack_size;
    return 0;
}

int pthread_attr_setguardsize(struct kripke_attributes *attributes, size_t value)
{
    __kripke_thread_switch();
    attributes->guard_size = value;
    return 0;
}

int pthread_attr_getguardsize(const struct kripke_attributes *attributes, size_t *value)
{
    __kripke_thread_switch();
    *value = attributes->guard_size;
    return 0;
}

int pthread_attr_setstack(struct kripke_attributes *attributes, void *stack, size_t size)
{
    __kripke_thread_switch();
    attributes->stack = stack;
    attributes->stack_size = size;
    return 0;
}

int sched_yield(void)
{
    __kripke_thread_switch();
    return 0;
}

int pthread_yield(void)
{
    __kripke_thread_switch();
    return 0;
}

/* Once. The word is 0, 1 when the routine has returned, and meanwhile 2 and the number of the run of the
 * routine, for whose end the others wait. */

#define ROUTINES 32
static uint32_t runs[ROUTINES];
static unsigned routine_count;

int pthread_once(int *once, void (*routine)(void))
{
    __kripke_thread_switch();
    if (*once == 0) {
        unsigned number = routine_count++;
        if (number == ROUTINES)
            __kripke_unsupported("more than 32 routines of pthread_once");
        *once = (int)(2 + number);
        runs[number] = 1;
        routine();
        runs[number] = 0;
        *once = 1;
    } else if (*once != 1) {
        __kripke_thread_waited();
        __kripke_thread_wait_zero(&runs[*once - 2]);
    }
    return 0;
}
