/* <pthread.h>: mutexes, locks for readers and writers, spin locks. A part of the module of threads.c. */

/* Words of attributes. */

static int clear(unsigned *word)
{
    __kripke_thread_switch();
    *word = 0;
    return 0;
}

static int put(unsigned *word, unsigned shift, unsigned mask, unsigned value)
{
    __kripke_thread_switch();
    *word = (*word & ~(mask << shift)) | ((value & mask) << shift);
    return 0;
}

static int get(const unsigned *word, unsigned shift, unsigned mask, int *value)
{
    __kripke_thread_switch();
    *value = (int)(*word >> shift & mask);
    return 0;
}

/* Mutexes. */

enum { NORMAL, RECURSIVE, ERROR_CHECKING, ADAPTIVE };
#define DESTROYED (-1)

struct kripke_mutex {
    uint32_t holder; /* 0 while it is free */
    uint32_t depth;  /* how often its holder locked it again */
    uint32_t inherits; /* its holder gets the priorities of those who wait */
#if __SIZEOF_LONG__ == 8 || defined(__x86_64__)
    uint32_t unused[1];
#endif
    int kind;
};

/* The priority of a thread is that of its attributes, or of the one that starts it. */
static unsigned priorities[THREADS];
#define PRIORITY(thread) priorities[thread]

static void __kripke_priority_begins(unsigned number, const struct kripke_attributes *attributes)
{
    int given = attributes == NULL ? -1 : attributes->priority;
    priorities[number] = given < 0 ? priorities[__kripke_thread_self()] : (unsigned)given;
}

static void __kripke_priority_set(unsigned number, int priority)
{
    priorities[number] = (unsigned)priority;
}

static _Bool is_ready_between(unsigned long low, unsigned long high);

/* A thread is about to wait for a mutex. A harness, which calls this always, has no such switch unless the
 * counterexample has it. */
static void __kripke_priority_before(const struct kripke_mutex *mutex)
{
    unsigned holder;
#ifdef KRIPKE_LEAVES_OUT_PRIORITIES
    return;
#endif
    __kripke_thread_switch();
    holder = mutex->holder;
    if (mutex->inherits || holder == 0)
        return;
    __kripke_assert_priority_inversion(
        !is_ready_between(PRIORITY(holder - 1), PRIORITY(__kripke_thread_self())),
        "a thread waits here for one of lower priority, while one in between can run");
}

static _Bool is_checked(const struct kripke_mutex *mutex)
{
    return (mutex->kind == RECURSIVE) | (mutex->kind == ERROR_CHECKING);
}

static void require_mutex(const struct kripke_mutex *mutex)
{
    __kripke_assert((mutex->kind >= NORMAL) & (mutex->kind <= ADAPTIVE), "the mutex is not initialised");
}

/* Its holder locks a mutex that knows about that: no other thread can tell when. */
static int lock_again(struct kripke_mutex *mutex)
{
    if (mutex->kind == ERROR_CHECKING)
        return EDEADLK;
    mutex->depth++;
    return 0;
}

static void take(struct kripke_mutex *mutex)
{
    require_mutex(mutex);
    mutex->holder = myself();
    __kripke_lock_order_after(mutex, 1);
}

int pthread_mutex_init(struct kripke_mutex *mutex, const unsigned *attributes)
{
    __kripke_thread_switch();
    mutex->holder = 0;
    mutex->depth = 0;
    mutex->inherits = attributes == NULL ? 0 : *attributes >> 3 & 1;
    mutex->kind = attributes == NULL ? NORMAL : (int)(*attributes & 3);
    return 0;
}

int pthread_mutex_destroy(struct kripke_mutex *mutex)
{
    __kripke_thread_switch();
    require_mutex(mutex);
    __kripke_assert(mutex->holder == 0, "pthread_mutex_destroy: the mutex is locked");
    mutex->kind = DESTROYED;
    return 0;
}

/* Locks a mutex that this thread does not hold, or that does not know about that. */
static int wait_and_take(struct kripke_mutex *mutex)
{
    __kripke_priority_before(mutex);
    __kripke_lock_order_before(mutex, 1);
    __kripke_thread_wait_free(&mutex->holder);
    take(mutex);
    return 0;
}

/* Whether this thread holds it only this thread can change, which may look before it waits. */
int pthread_mutex_lock(struct kripke_mutex *mutex)
{
    if (is_checked(mutex) && mutex->holder == myself())
        return lock_again(mutex);
    return wait_and_take(mutex);
}

int pthread_mutex_trylock(struct kripke_mutex *mutex)
{
    __kripke_thread_switch();
    if (mutex->holder == 0) {
        take(mutex);
        return 0;
    }
    if (mutex->kind == RECURSIVE && mutex->holder == myself())
        return lock_again(mutex);
    return EBUSY;
}

int pthread_mutex_timedlock(struct kripke_mutex *mutex, const struct kripke_fine_time *time)
{
    if (mutex->kind == ERROR_CHECKING && mutex->holder == myself())
        return EDEADLK;
    __kripke_priority_before(mutex);
    return pthread_mutex_trylock(mutex) ? too_late(time) : 0;
}

int pthread_mutex_clocklock(struct kripke_mutex *mutex, int clock, const struct kripke_fine_time *time)
{
    (void)clock;
    return pthread_mutex_timedlock(mutex, time);
}

static int release(struct kripke_mutex *mutex)
{
    require_mutex(mutex);
    if (is_checked(mutex) && mutex->holder != myself())
        return EPERM;
    __kripke_assert(mutex->holder == myself(), "the mutex is not locked by the thread that unlocks it");
    if (mutex->depth > 0) {
        mutex->depth--;
        return 0;
    }
    __kripke_thread_publishes();
    mutex->holder = 0;
    __kripke_lock_order_release(mutex);
    return 0;
}

int pthread_mutex_unlock(struct kripke_mutex *mutex)
{
    __kripke_thread_switch();
    return release(mutex);
}

int pthread_mutex_consistent(struct kripke_mutex *mutex)
{
    READ(mutex->kind);
    return EINVAL;
}

int pthread_mutexattr_init(unsigned *attributes)
{
    return clear(attributes);
}

int pthread_mutexattr_destroy(unsigned *attributes)
{
    READ(*attributes);
    return 0;
}

int pthread_mutexattr_settype(unsigned *attributes, int value)
{
    if (value < NORMAL || value > ADAPTIVE)
        return EINVAL;
    return put(attributes, 0, 3, (unsigned)value);
}

int pthread_mutexattr_gettype(const unsigned *attributes, int *value)
{
    return get(attributes, 0, 3, value);
}

int pthread_mutexattr_setpshared(unsigned *attributes, int value)
{
    return value & ~1 ? EINVAL : put(attributes, 2, 1, (unsigned)value);
}

int pthread_mutexattr_getpshared(const unsigned *attributes, int *value)
{
    return get(attributes, 2, 1, value);
}

/* Inheritance changes only which thread is likely to run; a ceiling makes locking fail. */
int pthread_mutexattr_setprotocol(unsigned *attributes, int value)
{
    if (value == 2)
        __kripke_unsupported("a mutex with PTHREAD_PRIO_PROTECT");
    return value & ~1 ? EINVAL : put(attributes, 3, 1, (unsigned)value);
}

int pthread_mutexattr_getprotocol(const unsigned *attributes, int *value)
{
    return get(attributes, 3, 1, value);
}

int pthread_mutexattr_setrobust(unsigned *attributes, int value)
{
    READ(*attributes);
    if (value == 1)
        __kripke_unsupported("a mutex with PTHREAD_MUTEX_ROBUST");
    return value == 0 ? 0 : EINVAL;
}

int pthread_mutexattr_getrobust(const unsigned *attributes, int *value)
{
    READ(*attributes);
    *value = 0;
    return 0;
}

/* Locks for readers and writers. A reader comes in while nobody writes, even if a writer waits, as in
 * glibc. */

struct kripke_read_write_lock {
    uint32_t users;  /* readers, or one writer */
    uint32_t writer; /* 0 unless one writes */
    /* How often each thread reads: 4 bits for each. */
    uint32_t readers[2];
};

/* The program's own thread is number 0. */
static uint32_t *readers_with_me(struct kripke_read_write_lock *lock)
{
    return &lock->readers[__kripke_thread_self() / 8 & 1];
}

static uint32_t my_share(void)
{
    return (uint32_t)1 << (__kripke_thread_self() % 8 * 4);
}

static int enter_to_read(struct kripke_read_write_lock *lock)
{
    uint32_t *readers = readers_with_me(lock);
    if ((*readers / my_share() & 15) == 15)
        __kripke_unsupported("a thread that locks a lock to read more than 15 times");
    *readers += my_share();
    lock->users++;
    __kripke_lock_order_after(lock, 0);
    return 0;
}

static int enter_to_write(struct kripke_read_write_lock *lock)
{
    lock->users = 1;
    lock->writer = myself();
    __kripke_lock_order_after(lock, 1);
    return 0;
}

int pthread_rwlock_init(struct kripke_read_write_lock *lock, const unsigned *attributes)
{
    __kripke_thread_switch();
    if (attributes != NULL)
        READ(*attributes);
    lock->users = 0;
    lock->writer = 0;
    lock->readers[0] = 0;
    lock->readers[1] = 0;
    return 0;
}

int pthread_rwlock_destroy(struct kripke_read_write_lock *lock)
{
    __kripke_thread_switch();
    __kripke_assert(lock->users == 0, "pthread_rwlock_destroy: the lock is held");
    return 0;
}

int pthread_rwlock_rdlock(struct kripke_read_write_lock *lock)
{
    if (lock->writer == myself())
        return EDEADLK;
    __kripke_lock_order_before(lock, 0);
    __kripke_thread_wait_free(&lock->writer);
    return enter_to_read(lock);
}

int pthread_rwlock_wrlock(struct kripke_read_write_lock *lock)
{
    if (lock->writer == myself())
        return EDEADLK;
    __kripke_lock_order_before(lock, 1);
    __kripke_thread_wait_zero(&lock->users);
    return enter_to_write(lock);
}

int pthread_rwlock_tryrdlock(struct kripke_read_write_lock *lock)
{
    __kripke_thread_switch();
    return lock->writer ? EBUSY : enter_to_read(lock);
}

int pthread_rwlock_trywrlock(struct kripke_read_write_lock *lock)
{
    __kripke_thread_switch();
    return lock->users ? EBUSY : enter_to_write(lock);
}

int pthread_rwlock_timedrdlock(struct kripke_read_write_lock *lock, const struct kripke_fine_time *time)
{
    if (lock->writer == myself())
        return EDEADLK;
    return pthread_rwlock_tryrdlock(lock) ? too_late(time) : 0;
}

int pthread_rwlock_timedwrlock(struct kripke_read_write_lock *lock, const struct kripke_fine_time *time)
{
    if (lock->writer == myself())
        return EDEADLK;
    return pthread_rwlock_trywrlock(lock) ? too_late(time) : 0;
}

int pthread_rwlock_unlock(struct kripke_read_write_lock *lock)
{
    __kripke_thread_switch();
    __kripke_thread_publishes();
    if (lock->writer == myself()) {
        lock->writer = 0;
        __kripke_lock_order_release(lock);
    } else {
        uint32_t *readers = readers_with_me(lock);
        __kripke_assert((*readers / my_share() & 15) > 0,
                        "pthread_rwlock_unlock: the thread does not hold the lock");
        *readers -= my_share();
        if ((*readers / my_share() & 15) == 0)
            __kripke_lock_order_release(lock);
    }
    lock->users--;
    return 0;
}

int pthread_rwlockattr_init(unsigned *attributes)
{
    return clear(attributes);
}

int pthread_rwlockattr_destroy(unsigned *attributes)
{
    READ(*attributes);
    return 0;
}

int pthread_rwlockattr_setpshared(unsigned *attributes, int value)
{
    return value & ~1 ? EINVAL : put(attributes, 0, 1, (unsigned)value);
}

int pthread_rwlockattr_getpshared(const unsigned *attributes, int *value)
{
    return get(attributes, 0, 1, value);
}

/* PTHREAD_RWLOCK_PREFER_WRITER_NP is without effect in glibc. */
int pthread_rwlockattr_setkind_np(unsigned *attributes, int value)
{
    if (value == 2)
        __kripke_unsupported("a lock with PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP");
    return value & ~1 ? EINVAL : put(attributes, 1, 1, (unsigned)value);
}

int pthread_rwlockattr_getkind_np(const unsigned *attributes, int *value)
{
    return get(attributes, 1, 1, value);
}

/* Spin locks. */

int pthread_spin_init(volatile uint32_t *lock, int shared)
{
    (void)shared;
    __kripke_thread_switch();
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(volatile uint32_t *lock)
{
    __kripke_thread_switch();
    __kripke_assert(*lock == 0, "pthread_spin_destroy: the lock is held");
    return 0;
}

int pthread_spin_lock(volatile uint32_t *lock)
{
    __kripke_lock_order_before((const void *)lock, 1);
    __kripke_thread_wait_free((const uint32_t *)lock);
    *lock = myself();
    __kripke_lock_order_after((const void *)lock, 1);
    return 0;
}

int pthread_spin_trylock(volatile uint32_t *lock)
{
    __kripke_thread_switch();
    if (*lock != 0)
        return EBUSY;
    *lock = myself();
    __kripke_lock_order_after((const void *)lock, 1);
    return 0;
}

int pthread_spin_unlock(volatile uint32_t *lock)
{
    __kripke_thread_switch();
    __kripke_assert(*lock == myself(), "pthread_spin_unlock: the thread does not hold the lock");
    __kripke_thread_publishes();
    *lock = 0;
    __kripke_lock_order_release((const void *)lock);
    return 0;
}
