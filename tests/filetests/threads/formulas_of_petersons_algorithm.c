// kripke: check --check none --fair weak
// verdict: holds
// ltl: exclusion: G !({inside[0]} && {inside[1]})
// ltl: response: G({wants[0]} -> F {inside[0]})
// ltl: again: G F {inside[1]}

#include <pthread.h>

static volatile int wants[2], turn, inside[2];

static void *left(void *unused)
{
    for (;;) {
        wants[0] = 1;
        turn = 1;
        while (wants[1] && turn == 1)
            ;
        inside[0] = 1;
        inside[0] = 0;
        wants[0] = 0;
    }
    return unused;
}

static void *right(void *unused)
{
    for (;;) {
        wants[1] = 1;
        turn = 0;
        while (wants[0] && turn == 0)
            ;
        inside[1] = 1;
        inside[1] = 0;
        wants[1] = 0;
    }
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, left, 0);
    pthread_create(&second, 0, right, 0);
    pthread_join(first, 0);
    return 0;
}
