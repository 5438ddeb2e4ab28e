// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@16

#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int sum;

static void *adder(void *unused)
{
    __VERIFIER_atomic_begin();
    int old = sum;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    sum = old + 1;
    __VERIFIER_atomic_end();
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
