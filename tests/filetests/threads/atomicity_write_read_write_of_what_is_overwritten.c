// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int state, seen;

static void *look(void *unused)
{
    __VERIFIER_atomic_begin();
    state = 3;
    seen = state;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    state = 1;
    state = 2;
    pthread_join(thread, 0);
    return 0;
}
