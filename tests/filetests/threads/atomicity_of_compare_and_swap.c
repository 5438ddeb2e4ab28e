// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *adder(void *unused)
{
    int old = atomic_load(&sum);
    while (!atomic_compare_exchange_strong(&sum, &old, old + 1))
        ;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, adder, 0);
    int old = atomic_load(&sum);
    while (!atomic_compare_exchange_strong(&sum, &old, old + 1))
        ;
    pthread_join(thread, 0);
    return 0;
}
