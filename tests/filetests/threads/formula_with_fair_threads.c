// kripke: check --check none --fair weak
// verdict: holds
// ltl: p: F {done}

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
