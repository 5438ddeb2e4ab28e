/* <pthread.h>, <semaphore.h>: condition variables, barriers, semaphores. A part of the module of
 * threads.c. */

/* Condition variables and barriers: the object has a bit for each thread that waits, and each thread, which
 * waits for one thing at a time, a word that says that it was woken. So a signal is for those that wait when
 * it comes, and nobody takes it from them. */

static uint32_t woken[THREADS];

static uint32_t my_bit(void)
{
    return (uint32_t)1 << __kripke_thread_self();
}

#define WAKE(thread) woken[thread] |= (unsigned)(threads >> (thread)) & 1
static void wake(uint32_t threads)
{
    FOR_ALL(WAKE);
}

#define FIND_KEPT(thread) kept |= (thread) != 0 && ended[thread] && state[thread] == JOINABLE
/* The program ends. */
void __kripke_thread_leaks(void)
{
    _Bool kept = 0;
    __kripke_thread_switch();
    FOR_ALL(FIND_KEPT);
    __kripke_assert_thread_leak(!kept, "a thread has ended that was neither joined nor detached");
}

struct kripke_condition {
    uint32_t waiting;
    struct kripke_mutex *mutex; /* that of those who wait */
};

static _Bool has_woken[THREADS];

/* POSIX lets a thread go on without a signal. If it could do so again and again, a loop around the wait
 * would have no last iteration. */
static _Bool wakes_by_itself(void)
{
    unsigned self = __kripke_thread_self();
    if (!__kripke_nondet_bool("pthread_cond_wait"))
        return 0;
    __kripke_rely(!has_woken[self], "pthread_cond_wait: each thread wakes up without a signal once at most");
    has_woken[self] = 1;
    return 1;
}

/* From one step to the next: the thread waits, and the mutex is free. */
static int begin_waiting(struct kripke_condition *condition, struct kripke_mutex *mutex)
{
    int error;
    __kripke_thread_switch();
    error = release(mutex);
    if (error)
        return error;
    __kripke_assert(condition->waiting == 0 || condition->mutex == mutex,
                    "another thread waits for the condition variable with another mutex");
    __kripke_thread_waited();
    condition->mutex = mutex;
    woken[__kripke_thread_self()] = 0;
    condition->waiting |= my_bit();
    return 0;
}

/* A thread that was woken may find the condition variable gone. */
static void stop_waiting(struct kripke_condition *condition)
{
    if (!woken[__kripke_thread_self()])
        condition->waiting &= ~my_bit();
}

/* A recursive mutex that was locked several times was not free meanwhile. */
static void lock_after_waiting(struct kripke_condition *condition, struct kripke_mutex *mutex)
{
    if (mutex->holder == myself()) {
        __kripke_thread_switch();
        stop_waiting(condition);
        mutex->depth++;
        return;
    }
    __kripke_priority_before(mutex);
    __kripke_lock_order_before(mutex, 1);
    __kripke_thread_wait_free(&mutex->holder);
    stop_waiting(condition);
    take(mutex);
}

int pthread_cond_wait(struct kripke_condition *condition, struct kripke_mutex *mutex)
{
    int error = begin_waiting(condition, mutex);
    if (error)
        return error;
    /* One that wakes up by itself waits for the mutex only. A signal until then may be for it or for another
     * one, as if it woke up before or after. */
    if (!wakes_by_itself())
        __kripke_thread_wait_nonzero(&woken[__kripke_thread_self()]);
    lock_after_waiting(condition, mutex);
    return 0;
}

int pthread_cond_timedwait(struct kripke_condition *condition, struct kripke_mutex *mutex,
                           const struct kripke_fine_time *time)
{
    int result = is_no_time(time) ? EINVAL : begin_waiting(condition, mutex);
    if (result)
        return result;
    /* It has to be said when the time is over: a signal after that is for another thread. */
    if (__kripke_nondet_bool("pthread_cond_timedwait")) {
        __kripke_thread_switch();
        if (!woken[__kripke_thread_self()]) {
            condition->waiting &= ~my_bit();
            woken[__kripke_thread_self()] = 1;
            result = ETIMEDOUT;
        }
    }
    lock_after_waiting(condition, mutex);
    return result;
}

int pthread_cond_clockwait(struct kripke_condition *condition, struct kripke_mutex *mutex, int clock,
                           const struct kripke_fine_time *time)
{
    (void)clock;
    return pthread_cond_timedwait(condition, mutex, time);
}

/* Any one of the threads; none of none. */
#define CONSIDER(thread)                                                                           \
    if ((threads >> (thread)) & 1 && (!one || __kripke_nondet_bool("pthread_cond_signal")))        \
        one = (uint32_t)1 << (thread)
static uint32_t one_of(uint32_t threads)
{
    uint32_t one = 0;
    FOR_ALL(CONSIDER);
    return one;
}

int pthread_cond_signal(struct kripke_condition *condition)
{
    uint32_t one;
    __kripke_thread_switch();
    __kripke_thread_publishes();
    one = one_of(condition->waiting);
    condition->waiting &= ~one;
    wake(one);
    return 0;
}

int pthread_cond_broadcast(struct kripke_condition *condition)
{
    __kripke_thread_switch();
    __kripke_thread_publishes();
    wake(condition->waiting);
    condition->waiting = 0;
    return 0;
}

int pthread_cond_init(struct kripke_condition *condition, const unsigned *attributes)
{
    __kripke_thread_switch();
    if (attributes != NULL)
        READ(*attributes);
    condition->waiting = 0;
    condition->mutex = NULL;
    return 0;
}

int pthread_cond_destroy(struct kripke_condition *condition)
{
    __kripke_thread_switch();
    __kripke_assert(condition->waiting == 0, "pthread_cond_destroy: a thread waits");
    return 0;
}

int pthread_condattr_init(unsigned *attributes)
{
    return clear(attributes);
}

int pthread_condattr_destroy(unsigned *attributes)
{
    READ(*attributes);
    return 0;
}

int pthread_condattr_setpshared(unsigned *attributes, int value)
{
    return value & ~1 ? EINVAL : put(attributes, 0, 1, (unsigned)value);
}

int pthread_condattr_getpshared(const unsigned *attributes, int *value)
{
    return get(attributes, 0, 1, value);
}

int pthread_condattr_setclock(unsigned *attributes, int value)
{
    return value & ~1 ? EINVAL : put(attributes, 1, 1, (unsigned)value);
}

int pthread_condattr_getclock(const unsigned *attributes, int *value)
{
    return get(attributes, 1, 1, value);
}

struct kripke_barrier {
    unsigned count; /* 0 unless it is initialised */
    unsigned arrived;
    uint32_t waiting;
};

int pthread_barrier_init(struct kripke_barrier *barrier, const unsigned *attributes, unsigned count)
{
    __kripke_thread_switch();
    if (attributes != NULL)
        READ(*attributes);
    if (count == 0)
        return EINVAL;
    barrier->count = count;
    barrier->arrived = 0;
    barrier->waiting = 0;
    return 0;
}

static void require_barrier(const struct kripke_barrier *barrier)
{
    __kripke_assert(barrier->count > 0, "the barrier is not initialised");
}

int pthread_barrier_destroy(struct kripke_barrier *barrier)
{
    __kripke_thread_switch();
    require_barrier(barrier);
    __kripke_assert(barrier->arrived == 0, "pthread_barrier_destroy: a thread waits");
    barrier->count = 0;
    return 0;
}

int pthread_barrier_wait(struct kripke_barrier *barrier)
{
    __kripke_thread_switch();
    require_barrier(barrier);
    __kripke_thread_waited();
    if (++barrier->arrived < barrier->count) {
        woken[__kripke_thread_self()] = 0;
        barrier->waiting |= my_bit();
        __kripke_thread_wait_nonzero(&woken[__kripke_thread_self()]);
        return 0;
    }
    wake(barrier->waiting);
    barrier->arrived = 0;
    barrier->waiting = 0;
    return -1; /* PTHREAD_BARRIER_SERIAL_THREAD */
}

int pthread_barrierattr_init(unsigned *attributes)
{
    return clear(attributes);
}

int pthread_barrierattr_destroy(unsigned *attributes)
{
    READ(*attributes);
    return 0;
}

int pthread_barrierattr_setpshared(unsigned *attributes, int value)
{
    return value & ~1 ? EINVAL : put(attributes, 0, 1, (unsigned)value);
}

int pthread_barrierattr_getpshared(const unsigned *attributes, int *value)
{
    return get(attributes, 0, 1, value);
}

/* Semaphores. */

#define EAGAIN 11
#define EOVERFLOW 75
#define LARGEST_VALUE ((unsigned)__INT_MAX__)

int *__errno_location(void);

struct kripke_semaphore {
    uint32_t value;
};

static int fail(int error)
{
    *__errno_location() = error;
    return -1;
}

int sem_init(struct kripke_semaphore *semaphore, int shared, unsigned value)
{
    (void)shared;
    __kripke_thread_switch();
    if (value > LARGEST_VALUE)
        return fail(EINVAL);
    semaphore->value = value;
    return 0;
}

int sem_destroy(struct kripke_semaphore *semaphore)
{
    __kripke_thread_switch();
    READ(semaphore->value);
    return 0;
}

int sem_wait(struct kripke_semaphore *semaphore)
{
    __kripke_thread_waited();
    __kripke_thread_wait_nonzero(&semaphore->value);
    semaphore->value--;
    return 0;
}

/* 0 where the semaphore could be had without waiting. */
static int wait_until(struct kripke_semaphore *semaphore, int error)
{
    __kripke_thread_switch();
    if (semaphore->value == 0)
        return fail(error);
    __kripke_thread_waited();
    semaphore->value--;
    return 0;
}

int sem_trywait(struct kripke_semaphore *semaphore)
{
    return wait_until(semaphore, EAGAIN);
}

int sem_timedwait(struct kripke_semaphore *semaphore, const struct kripke_fine_time *time)
{
    return wait_until(semaphore, too_late(time));
}

int sem_clockwait(struct kripke_semaphore *semaphore, int clock, const struct kripke_fine_time *time)
{
    (void)clock;
    return wait_until(semaphore, too_late(time));
}

int sem_post(struct kripke_semaphore *semaphore)
{
    __kripke_thread_switch();
    if (semaphore->value == LARGEST_VALUE)
        return fail(EOVERFLOW);
    __kripke_thread_publishes();
    semaphore->value++;
    return 0;
}

int sem_getvalue(struct kripke_semaphore *semaphore, int *value)
{
    __kripke_thread_write(value, sizeof *value);
    *value = (int)semaphore->value;
    return 0;
}

/* Other processes use them. */
struct kripke_semaphore *sem_open(const char *name, int flags, ...)
{
    (void)name;
    (void)flags;
    __kripke_unsupported("sem_open");
}
