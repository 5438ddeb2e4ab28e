// kripke: check --check none
// verdict: violated
// ltl: p: G({g == 1} -> F {g == 2})
// violates: p

#include <pthread.h>

static int g;

static void *writes(void *unused)
{
    g = 1;
    g = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    return 0;
}
