// kripke: check --interrupt tick --fair weak
// ltl: p: G F {ticks}
// verdict: violated
// violates: ltl@17
// A handler need not come.
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
    for (;;) {
    }
    return 0;
}
