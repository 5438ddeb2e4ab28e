// kripke: check --interrupt tick --check assertion
// verdict: unknown
// prints: a wait inside an atomic section, or where interrupts are disabled
// What a kernel does then, nothing says.
#include <assert.h>
#include <pthread.h>

void __disable_irq(void);

static volatile int ticks;

void tick(void) { ticks = 1; }

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    __disable_irq();
    pthread_join(thread, 0);
    assert(ticks == 0 || ticks == 1);
    return 0;
}
