// kripke: check --check none
// verdict: holds
// ltl: p: G({requested} -> F {served})

// What main does after many rounds is served: what abstract states have proved of the formula stays settled.
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
    served = true;
    requested = true;
    return 0;
}
