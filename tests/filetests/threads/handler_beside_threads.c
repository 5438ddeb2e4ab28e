// kripke: check --interrupt tick
// verdict: violated
// violates: assertion@20
// What a thread reads before another one, the handler changes in between.
#include <assert.h>
#include <pthread.h>

static volatile int ticks;
static int seen;

void tick(void) { ticks = 1; }

static void *work(void *unused) {
    seen = ticks;
    return unused;
}

static void *check(void *unused) {
    int now = ticks;
    assert(now == ticks);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, check, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
