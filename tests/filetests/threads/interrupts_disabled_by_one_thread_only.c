// kripke: check --interrupt tick --interrupt-bound 1
// verdict: violated
// violates: assertion@17
// The other thread does not disable them, and is interrupted.
#include <assert.h>
#include <pthread.h>

void __disable_irq(void);
void __enable_irq(void);

static volatile unsigned char count;

void tick(void) { count++; }

static void *work(void *unused) {
    unsigned char before = count;
    assert(count == before);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    __disable_irq();
    unsigned char before = count;
    assert(count == before);
    __enable_irq();
    pthread_join(thread, 0);
    return 0;
}
