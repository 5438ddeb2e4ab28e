// Readers and writers: the first reader keeps writers out, the last one lets them in again. Readers read
// together, so that a writer may wait for ever while they take turns.
//
// kripke check examples/threads/readers_writers.c # holds
// kripke check examples/threads/readers_writers.c --check +data-race # holds
// kripke check examples/threads/readers_writers.c -D UNCOUNTED # violated: assertion
// kripke check examples/threads/readers_writers.c -D KEPT # violated: deadlock
// kripke check examples/threads/readers_writers.c --check none --ltl 'GF{writes}' --fair weak # violated: ltl
//
// UNCOUNTED has readers count themselves without a lock; with KEPT the last one does not let writers in.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
static int readers;
static int first_half, second_half;
static atomic_int writes;

static void begin_to_read(void)
{
#ifndef UNCOUNTED
    pthread_mutex_lock(&counting);
#endif
    readers++;
    if (readers == 1)
        sem_wait(&room);
#ifndef UNCOUNTED
    pthread_mutex_unlock(&counting);
#endif
}

static void end_to_read(void)
{
#ifndef UNCOUNTED
    pthread_mutex_lock(&counting);
#endif
    readers--;
#ifndef KEPT
    if (readers == 0)
        sem_post(&room);
#endif
#ifndef UNCOUNTED
    pthread_mutex_unlock(&counting);
#endif
}

static void *reader(void *unused)
{
    for (;;) {
        begin_to_read();
        assert(first_half == second_half);
        end_to_read();
    }
    return unused;
}

static void *writer(void *unused)
{
    for (;;) {
        sem_wait(&room);
        writes = 1;
        first_half = !first_half;
        second_half = !second_half;
        writes = 0;
        sem_post(&room);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    sem_init(&room, 0, 1);
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    pthread_join(threads[0], NULL);
    return 0;
}
