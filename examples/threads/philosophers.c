// Dining philosophers: each of SEATS philosophers eats with the forks to the left and to the right. All take
// the fork of the smaller number first, so that no circle of waiting closes.
//
// kripke check examples/threads/philosophers.c # holds
// kripke check examples/threads/philosophers.c -D LEFT_FIRST # violated: deadlock
//
// LEFT_FIRST has each take the left fork first: all may hold one and wait for ever.
#include <assert.h>
#include <pthread.h>

enum { SEATS = 3 };

static pthread_mutex_t fork_of[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER};
static int eats[SEATS];

static void eat(int seat)
{
    int left = (seat + SEATS - 1) % SEATS, right = (seat + 1) % SEATS;
    eats[seat] = 1;
    assert(!eats[left] && !eats[right]);
    eats[seat] = 0;
}

static void *philosopher(void *number)
{
    int seat = *(int *)number;
    int first = seat, second = (seat + 1) % SEATS;
#ifndef LEFT_FIRST
    if (second < first) {
        first = second;
        second = seat;
    }
#endif
    for (;;) {
        pthread_mutex_lock(&fork_of[first]);
        pthread_mutex_lock(&fork_of[second]);
        eat(seat);
        pthread_mutex_unlock(&fork_of[second]);
        pthread_mutex_unlock(&fork_of[first]);
    }
    return number;
}

int main(void)
{
    static int numbers[SEATS] = {0, 1, 2};
    pthread_t threads[SEATS];
    pthread_create(&threads[0], NULL, philosopher, &numbers[0]);
    pthread_create(&threads[1], NULL, philosopher, &numbers[1]);
    pthread_create(&threads[2], NULL, philosopher, &numbers[2]);
    pthread_join(threads[0], NULL);
    return 0;
}
