// kripke: check --interrupt tick --check assertion
// verdict: unknown
// prints: the end of a thread inside an atomic section, or where interrupts are disabled
// Whether anybody goes on then, nothing says.
#include <assert.h>
#include <pthread.h>

void __disable_irq(void);

static volatile int ticks;

void tick(void) { ticks = 1; }

static void *work(void *unused) {
    __disable_irq();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(ticks == 1);
    return 0;
}
