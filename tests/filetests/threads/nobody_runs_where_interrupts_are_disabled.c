// kripke: check --interrupt tick
// verdict: violated
// violates: assertion@32
// All writes are made before another thread runs, and the last two are what it sees.
#include <assert.h>
#include <pthread.h>

void __disable_irq(void);
void __enable_irq(void);

static int x, y, ticks;

void tick(void) { ticks = 1; }

static void *work(void *unused) {
    if (x == 0 && y == 1)
        y = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    __disable_irq();
    x = 1;
    x = 0;
    y = 1;
    __enable_irq();
    pthread_join(thread, 0);
    __disable_irq();
    int seen = y;
    assert(seen != 2);
    __enable_irq();
}
