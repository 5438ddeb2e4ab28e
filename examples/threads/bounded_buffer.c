// A bounded buffer: the producer waits for a free place and the consumer for a number, each by a condition
// variable of its own, under one mutex.
//
// kripke check examples/threads/bounded_buffer.c # holds
// kripke check examples/threads/bounded_buffer.c --check +data-race # holds
// kripke check examples/threads/bounded_buffer.c --ltl 'G({used == 1} -> F {used == 0})' --fair weak # holds
// kripke check examples/threads/bounded_buffer.c -D ASKS_ONCE # violated: assertion
// kripke check examples/threads/bounded_buffer.c -D SILENT # violated: deadlock
//
// ASKS_ONCE does not ask again when it wakes up whether there is what it waited for; SILENT does not signal
// that a place is free.
#include <assert.h>
#include <pthread.h>

enum { PLACES = 1, NUMBERS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int buffer[PLACES];
static int used;

#ifdef ASKS_ONCE
#define WHILE if
#else
#define WHILE while
#endif

static void put(int number)
{
    pthread_mutex_lock(&lock);
    WHILE (used == PLACES)
        pthread_cond_wait(&emptied, &lock);
    assert(used < PLACES);
    buffer[used++] = number;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    pthread_mutex_lock(&lock);
    WHILE (used == 0)
        pthread_cond_wait(&filled, &lock);
    assert(used > 0);
    int number = buffer[--used];
#ifndef SILENT
    pthread_cond_signal(&emptied);
#endif
    pthread_mutex_unlock(&lock);
    return number;
}

static void *consumer(void *unused)
{
    int sum = 0;
    for (int i = 0; i < NUMBERS; i++)
        sum += take();
    assert(sum == NUMBERS * (NUMBERS + 1) / 2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    for (int number = 1; number <= NUMBERS; number++)
        put(number);
    pthread_join(thread, NULL);
    return 0;
}
