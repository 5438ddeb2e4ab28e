// kripke: check --interrupt tick
// verdict: holds
// On one core nothing switches to another thread while interrupts are disabled, nor does a handler come.
#include <assert.h>
#include <pthread.h>

void __disable_irq(void);
void __enable_irq(void);

static volatile unsigned char count;

static void add(void) {
    unsigned char before = count;
    count = before + 1;
    assert(count == (unsigned char)(before + 1));
}

void tick(void) { add(); }

static void *work(void *unused) {
    for (;;) {
        __disable_irq();
        add();
        __enable_irq();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    return 0;
}
