// Lamport's bakery: who wants to go in takes a number that is larger than all others', and waits for those of
// smaller numbers. Two may take the same number: then the one with the smaller index goes first.
//
// kripke check examples/threads/bakery.c # holds
// kripke check examples/threads/bakery.c -D HASTY # violated: assertion
// kripke check examples/threads/bakery.c -D NO_TIES # violated: assertion
// kripke check examples/threads/bakery.c -D TIED --check none --ltl 'F{came==2}' --fair weak # violated: ltl
//
// HASTY does not wait for those that are choosing a number, NO_TIES lets threads of the same number go in
// together, TIED has them wait for each other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif

static atomic_int is_choosing[THREADS], number[THREADS], came;
static int inside;

static void enter(int me)
{
    int largest = 0;
    is_choosing[me] = 1;
    for (int other = 0; other < THREADS; other++) {
        int theirs = number[other];
        if (largest < theirs)
            largest = theirs;
    }
    number[me] = largest + 1;
    is_choosing[me] = 0;
    for (int other = 0; other < THREADS; other++) {
        int theirs, mine = largest + 1;
        if (other == me)
            continue;
#ifndef HASTY
        while (is_choosing[other])
            ;
#endif
        do
            theirs = number[other];
#if defined(NO_TIES)
        while (theirs != 0 && theirs < mine);
#elif defined(TIED)
        while (theirs != 0 && theirs <= mine);
#else
        while (theirs != 0 && (theirs < mine || (theirs == mine && other < me)));
#endif
    }
}

static void *visitor(void *argument)
{
    int me = *(int *)argument;
    enter(me);
    inside++;
    assert(inside == 1);
    inside--;
    came++;
    number[me] = 0;
    return argument;
}

int main(void)
{
    static int numbers[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, visitor, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
