// kripke: check --check none --fair weak
// verdict: holds
// ltl: p: F {done}

#include <pthread.h>
#include <stdlib.h>

static volatile int done;

static void *writes(void *unused)
{
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    pthread_join(thread, 0);
    for (int i = 0; i < 5; i++)
        ;
    exit(0);
}
