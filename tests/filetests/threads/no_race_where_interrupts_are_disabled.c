// kripke: check --interrupt tick --check data-race
// verdict: holds
// All accesses are where interrupts are disabled, or the handler's.
#include <pthread.h>

void __disable_irq(void);
void __enable_irq(void);

static int ticks, other;

void tick(void) { ticks++; }

static void *work(void *unused) {
    __disable_irq();
    other++;
    __enable_irq();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    __disable_irq();
    other++;
    int seen = ticks;
    __enable_irq();
    pthread_join(thread, 0);
    return seen;
}
