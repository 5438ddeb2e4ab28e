// kripke: check --interrupt tick --check data-race
// verdict: violated
// violates: data-race@12
// One access is a thread's, the other one the handler's.
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
    __enable_irq();
    int seen = ticks;
    pthread_join(thread, 0);
    return seen;
}
