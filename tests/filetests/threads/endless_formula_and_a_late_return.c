// kripke: check --check none --timeout 3s
// verdict: unknown
// ltl: p: G({requested} -> F {served})

// Only after many rounds main returns with a request that nobody serves: the last letter of a program that
// ends repeats, and abstract states have to see the end.
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static bool requested, served;
static volatile int last;

static void *listen(void *unused)
{
    for (;;)
        last = 1;
    return unused;
}

int main(void)
{
    pthread_t listener;
    pthread_create(&listener, NULL, listen, NULL);
    for (int rounds = 0; rounds < 3000; rounds++)
        last = 2;
    requested = true;
    return 0;
}
