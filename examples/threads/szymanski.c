// Szymanski's algorithm: who wants to go in waits outside of an open door, then in a waiting room until the
// last one has closed the door, and all in the room go in before the door opens again.
//
// kripke check examples/threads/szymanski.c # holds
// kripke check examples/threads/szymanski.c --check +data-race # holds
// kripke check examples/threads/szymanski.c --check none --ltl 'G F {inside[0]}' --fair weak # holds
// kripke check examples/threads/szymanski.c -D NO_ORDER # violated: assertion
// kripke check examples/threads/szymanski.c -D OPEN_DOOR # violated: assertion
//
// NO_ORDER has nobody wait for those of smaller numbers that are in the room, too; OPEN_DOOR lets people in
// who come late.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { AWAY, OUTSIDE, WAITS_FOR_OTHERS, IN_DOOR, IN_ROOM };

static atomic_int stands[2];
static int visitors;
static atomic_int inside[2];

static void enter(int me)
{
    int other = 1 - me;
    stands[me] = OUTSIDE;
#ifndef OPEN_DOOR
    while (stands[other] >= IN_DOOR)
        ;
#endif
    stands[me] = IN_DOOR;
    if (stands[other] == OUTSIDE) {
        stands[me] = WAITS_FOR_OTHERS;
        while (stands[other] != IN_ROOM)
            ;
    }
    stands[me] = IN_ROOM;
#ifndef NO_ORDER
    if (other < me)
        while (stands[other] >= WAITS_FOR_OTHERS)
            ;
#endif
}

static void leave(int me)
{
    int other = 1 - me;
    if (other > me)
        for (;;) {
            int there = stands[other];
            if (there != WAITS_FOR_OTHERS && there != IN_DOOR)
                break;
        }
    stands[me] = AWAY;
}

static void *visitor(void *number)
{
    int me = *(int *)number;
    for (;;) {
        enter(me);
        inside[me] = 1;
        visitors++;
        assert(visitors == 1);
        visitors--;
        inside[me] = 0;
        leave(me);
    }
    return number;
}

int main(void)
{
    static int numbers[2] = {0, 1};
    pthread_t first, second;
    pthread_create(&first, NULL, visitor, &numbers[0]);
    pthread_create(&second, NULL, visitor, &numbers[1]);
    pthread_join(first, NULL);
    return 0;
}
