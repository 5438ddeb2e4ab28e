// kripke: check --check none
// verdict: violated
// ltl: p: G({g} -> F !{g})
// violates: p

#include <pthread.h>
#include <stdlib.h>

static int g;

static void *ends(void *unused)
{
    (void)unused;
    exit(1);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, ends, 0);
    g = 1;
    g = 0;
    pthread_join(thread, 0);
    return 0;
}
