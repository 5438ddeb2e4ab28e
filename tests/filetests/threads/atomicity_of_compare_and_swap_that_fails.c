// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;
static int old, now;

static void *other(void *unused)
{
    int never = 5;
    atomic_compare_exchange_strong(&sum, &never, 6);
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
