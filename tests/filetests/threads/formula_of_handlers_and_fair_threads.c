// kripke: check --interrupt tick --fair weak
// ltl: p: F {done}
// verdict: holds
// The handler comes again and again, and does not keep the thread from going on.
#include <pthread.h>

static volatile int ticks, done;

void tick(void) { ticks ^= 1; }

static void *work(void *unused) {
    done = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    while (!done) {
    }
    return 0;
}
