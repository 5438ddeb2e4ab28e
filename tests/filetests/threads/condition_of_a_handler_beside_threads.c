// kripke: check --interrupt tick --interrupt-if tick:enabled
// verdict: violated
// violates: assertion@23
// A thread enables the handler by a variable.
#include <assert.h>
#include <pthread.h>

static volatile int enabled;
static volatile int ticks;

void tick(void) {
    ticks = 1;
    enabled = 0;
}

static void *work(void *unused) { enabled = 1; return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    int seen = ticks;
    assert(seen == 0);
}
