// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@13

#include <pthread.h>

static volatile int stop, passes;

static void *worker(void *unused)
{
    for (int i = 0; i < 2; i++)
        if (!stop)
            passes = stop;
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
