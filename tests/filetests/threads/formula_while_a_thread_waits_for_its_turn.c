// kripke: check --check none
// verdict: violated
// ltl: p: F {done}
// violates: p
// prints: no run violates the formula in which each thread goes on again and again

#include <pthread.h>

static volatile int flag, done;

static void *waiter(void *unused)
{
    while (!flag)
        ;
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    flag = 1;
    pthread_join(thread, 0);
    return 0;
}
