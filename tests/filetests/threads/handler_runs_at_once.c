// kripke: check --interrupt tick
// verdict: holds
// No thread sees what a handler has not finished, nor does a handler of the same priority.
#include <assert.h>
#include <pthread.h>

static volatile int first, second;

void tick(void) {
    first ^= 1;
    second ^= 1;
    assert(first == second);
}

void __disable_irq(void);
void __enable_irq(void);

static void *work(void *unused) {
    __disable_irq();
    assert(first == second);
    __enable_irq();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
