// Dekker's algorithm: two threads go into a section one at a time, by nothing but reads and writes. Who wants
// to and sees that the other one wants to as well steps back while it is not its turn.
//
// kripke check examples/threads/dekker.c # holds
// kripke check examples/threads/dekker.c --check +data-race # holds
// kripke check examples/threads/dekker.c -D WANTS_LATE # violated: assertion
//
// WANTS_LATE says that it wants to only when it has seen that the other one does not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void enter(int me)
{
    int other = 1 - me;
#ifndef WANTS_LATE
    wants[me] = 1;
#endif
    while (wants[other]) {
        if (turn == me)
            continue;
        wants[me] = 0;
        while (turn != me)
            ;
        wants[me] = 1;
    }
#ifdef WANTS_LATE
    wants[me] = 1;
#endif
}

static void leave(int me)
{
    turn = 1 - me;
    wants[me] = 0;
}

static void *visitor(void *number)
{
    int me = *(int *)number;
    for (;;) {
        enter(me);
        inside++;
        assert(inside == 1);
        inside--;
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
