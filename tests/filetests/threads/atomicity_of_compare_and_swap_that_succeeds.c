// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@23

#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;
static int old, now;

static void *other(void *unused)
{
    int zero = 0;
    atomic_compare_exchange_strong(&sum, &zero, 6);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    old = atomic_load(&sum);
    now = atomic_load(&sum);
    pthread_join(thread, 0);
    return 0;
}
