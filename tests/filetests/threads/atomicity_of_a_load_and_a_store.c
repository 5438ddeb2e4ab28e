// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@13

#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *adder(void *unused)
{
    int old = atomic_load(&sum);
    atomic_store(&sum, old + 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, adder, 0);
    adder(0);
    pthread_join(thread, 0);
    return 0;
}
