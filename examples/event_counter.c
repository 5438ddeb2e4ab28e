/* A thread counts up to three events, until the main one takes what was counted. Both run for ever. With
   -D UNLOCKED the count may grow after it was looked at. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool event(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned count, all;

static void *counter(void *unused)
{
    for (;;) {
        if (!event())
            continue;
#ifndef UNLOCKED
        pthread_mutex_lock(&lock);
#endif
        if (count < 3)
            count++;
#ifndef UNLOCKED
        pthread_mutex_unlock(&lock);
#endif
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, counter, NULL);
    for (;;) {
        pthread_mutex_lock(&lock);
        all += count;
        count = 0;
        assert(count == 0);
        pthread_mutex_unlock(&lock);
    }
}
