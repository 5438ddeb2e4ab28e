// kripke: check --check data-race
// verdict: holds

#include <pthread.h>
#include <stdatomic.h>

static _Atomic int x;
static int y;

static void *first(void *unused)
{
    y = 1;
    atomic_store(&x, 1);
    return unused;
}

static void *second(void *unused)
{
    if (atomic_load(&x))
        y++;
    atomic_fetch_add(&x, 2);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
