// kripke: check --check data-race
// verdict: violated
// violates: data-race@14

#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x;
static void *first(void *unused)
{
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    return unused;
}

static void *second(void *unused)
{
    x = 2;
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
