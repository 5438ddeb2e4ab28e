// kripke: check --interrupt tick
// verdict: error
// prints: the handlers use `own`, of which each thread has its own
#include <pthread.h>

static _Thread_local int own;

void tick(void) { own = 1; }

static void *work(void *unused) {
    own = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
