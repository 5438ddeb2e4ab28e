// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>

static volatile int stop, passes;

static void *worker(void *unused)
{
    while (!stop)
        ;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    stop = 1;
    pthread_join(thread, 0);
    return 0;
}
