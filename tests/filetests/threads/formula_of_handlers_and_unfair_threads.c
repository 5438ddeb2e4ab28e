// kripke: check --interrupt tick
// ltl: p: G F {ticks == 1}
// verdict: error
// prints: need --fair weak
#include <pthread.h>

static volatile int ticks;

void tick(void) { ticks = 1; }

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
