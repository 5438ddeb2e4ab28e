/* <pthread.h> and <threads.h>: thread-specific data. A module of its own, so that threads of programs
 * without it have no destructors to look for when they end. */

#define THREADS 32
#define KEYS 8
#define ROUNDS 4 /* PTHREAD_DESTRUCTOR_ITERATIONS */
#define EINVAL 22

/* Numbers of keys are not used again, so that a new key is null in all threads. */
static unsigned key_count;
static _Bool is_valid[KEYS];
static void (*destructors[KEYS])(void *);
static void *values[KEYS][THREADS];

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    __kripke_thread_switch();
    if (key_count == KEYS)
        __kripke_unsupported("more than 8 keys of pthread_key_create");
    is_valid[key_count] = 1;
    destructors[key_count] = destructor;
    *key = key_count++;
    return 0;
}

int pthread_key_delete(unsigned key)
{
    __kripke_thread_switch();
    if (key >= KEYS || !is_valid[key])
        return EINVAL;
    is_valid[key] = 0;
    return 0;
}

void *pthread_getspecific(unsigned key)
{
    __kripke_thread_switch();
    __kripke_assert(key < KEYS && is_valid[key], "pthread_getspecific: there is no such key");
    return values[key][__kripke_thread_self()];
}

int pthread_setspecific(unsigned key, const void *value)
{
    __kripke_thread_switch();
    if (key >= KEYS || !is_valid[key])
        return EINVAL;
    values[key][__kripke_thread_self()] = (void *)value;
    return 0;
}

/* Calls the destructors of this thread's values once; some of them may set values again. */
static _Bool destroy_values(void)
{
    _Bool called = 0;
    for (unsigned key = 0; key < key_count; key++) {
        void **place = &values[key][__kripke_thread_self()];
        void *value = *place;
        if (!is_valid[key] || destructors[key] == NULL || value == NULL)
            continue;
        *place = NULL;
        destructors[key](value);
        called = 1;
    }
    return called;
}

/* Called by a thread that ends. */
void __kripke_thread_destructors(void)
{
    __kripke_thread_switch();
    for (unsigned round = 0; round < ROUNDS && destroy_values(); round++) {
    }
}

int tss_create(unsigned *key, void (*destructor)(void *))
{
    return pthread_key_create(key, destructor);
}

void tss_delete(unsigned key)
{
    (void)pthread_key_delete(key);
}

void *tss_get(unsigned key)
{
    return pthread_getspecific(key);
}

int tss_set(unsigned key, void *value)
{
    return pthread_setspecific(key, value) ? 2 : 0;
}
