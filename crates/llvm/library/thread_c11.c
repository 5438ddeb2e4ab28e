/* C11 7.26, <threads.h>, over the functions of POSIX. A part of the module of threads.c. */

enum { SUCCESS, BUSY, ERROR, NO_MEMORY, TIMED_OUT };

static int outcome(int error)
{
    return error == 0 ? SUCCESS : error == EBUSY ? BUSY : error == ETIMEDOUT ? TIMED_OUT : ERROR;
}

/* What the threads of C11 execute, in the order of their creation. */
static struct beginning {
    int (*function)(void *);
    void *argument;
} beginnings[THREADS];
static unsigned beginning_count;

static void *begin(void *argument)
{
    const struct beginning *beginning = argument;
    return (void *)(ptrdiff_t)beginning->function(beginning->argument);
}

int thrd_create(kripke_thread *thread, int (*function)(void *), void *argument)
{
    struct beginning *beginning;
    __kripke_thread_switch();
    if (beginning_count == THREADS)
        __kripke_unsupported("more than 32 threads");
    beginning = &beginnings[beginning_count++];
    beginning->function = function;
    beginning->argument = argument;
    return create(thread, 0, begin, beginning);
}

_Noreturn void thrd_exit(int result)
{
    pthread_exit((void *)(ptrdiff_t)result);
}

int thrd_join(kripke_thread thread, int *result)
{
    unsigned number = join(thread);
    if (result != NULL)
        *result = (int)(ptrdiff_t)results[number];
    return SUCCESS;
}

int thrd_detach(kripke_thread thread)
{
    return outcome(pthread_detach(thread));
}

kripke_thread thrd_current(void)
{
    return myself();
}

int thrd_equal(kripke_thread a, kripke_thread b)
{
    return a == b;
}

void thrd_yield(void)
{
    __kripke_thread_switch();
}

int thrd_sleep(const struct kripke_fine_time *wanted, struct kripke_fine_time *rest)
{
    READ(wanted->seconds);
    __kripke_thread_switch();
    if (!__kripke_nondet_bool("thrd_sleep"))
        return 0;
    /* A signal came before the time had passed. */
    if (rest != NULL)
        __kripke_havoc(rest, sizeof *rest, "thrd_sleep");
    return -1;
}

void call_once(int *once, void (*routine)(void))
{
    (void)pthread_once(once, routine);
}

int mtx_init(struct kripke_mutex *mutex, int type)
{
    const unsigned kind = type & 1 ? RECURSIVE : NORMAL;
    if (type & ~3)
        return ERROR;
    return outcome(pthread_mutex_init(mutex, &kind));
}

void mtx_destroy(struct kripke_mutex *mutex)
{
    (void)pthread_mutex_destroy(mutex);
}

int mtx_lock(struct kripke_mutex *mutex)
{
    return outcome(pthread_mutex_lock(mutex));
}

int mtx_trylock(struct kripke_mutex *mutex)
{
    return outcome(pthread_mutex_trylock(mutex));
}

int mtx_timedlock(struct kripke_mutex *mutex, const struct kripke_fine_time *time)
{
    return outcome(pthread_mutex_timedlock(mutex, time));
}

int mtx_unlock(struct kripke_mutex *mutex)
{
    return outcome(pthread_mutex_unlock(mutex));
}

int cnd_init(struct kripke_condition *condition)
{
    return outcome(pthread_cond_init(condition, NULL));
}

void cnd_destroy(struct kripke_condition *condition)
{
    (void)pthread_cond_destroy(condition);
}

int cnd_wait(struct kripke_condition *condition, struct kripke_mutex *mutex)
{
    return outcome(pthread_cond_wait(condition, mutex));
}

int cnd_timedwait(struct kripke_condition *condition, struct kripke_mutex *mutex,
                  const struct kripke_fine_time *time)
{
    return outcome(pthread_cond_timedwait(condition, mutex, time));
}

int cnd_signal(struct kripke_condition *condition)
{
    return outcome(pthread_cond_signal(condition));
}

int cnd_broadcast(struct kripke_condition *condition)
{
    return outcome(pthread_cond_broadcast(condition));
}
