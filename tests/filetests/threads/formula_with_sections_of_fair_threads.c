// kripke: check --check none --fair weak
// verdict: holds
// ltl: p: F {g}

/* Nobody waits for a section: the other thread goes on where none is. */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int y, g;

static void *sets(void *unused)
{
    y = 3;
    g = 1;
    return unused;
}

static void *toggles(void *unused)
{
    for (;;) {
        __VERIFIER_atomic_begin();
        y = 1;
        y = 0;
        __VERIFIER_atomic_end();
    }
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, sets, 0);
    pthread_create(&other, 0, toggles, 0);
    pthread_join(other, 0);
    return 0;
}
