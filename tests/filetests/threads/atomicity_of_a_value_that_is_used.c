// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@21

#include <pthread.h>

static volatile int last;

static void *other(void *unused)
{
    last = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    int old = last;
    old += 1;
    last = old;
    pthread_join(thread, 0);
    return 0;
}
