// kripke: check --check none
// verdict: violated
// ltl: p: F {b > a}
// violates: p

#include <pthread.h>

static volatile unsigned char a, b;

/* Nobody writes `a`: the loop goes on for ever before the other thread has its turn. */
static void *spins(void *unused)
{
    while (a != 1)
        ;
    while (a != 2)
        ;
    return unused;
}

static void *writes(void *unused)
{
    b = 1;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, spins, 0);
    pthread_create(&second, 0, writes, 0);
    pthread_join(first, 0);
    return 0;
}
