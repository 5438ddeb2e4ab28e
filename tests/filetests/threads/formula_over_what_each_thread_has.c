// kripke: check
// verdict: error
// ltl: p: F {count == 1}
// prints: each thread has a `count` of its own

#include <pthread.h>

static _Thread_local int count;

static void *other(void *unused)
{
    count = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    return count;
}
