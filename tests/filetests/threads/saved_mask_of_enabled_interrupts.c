// kripke: check --interrupt tick
// verdict: violated
// violates: assertion@29
// The mask that was saved is one of enabled interrupts.
#include <assert.h>
#include <pthread.h>

void __disable_irq(void);
void __enable_irq(void);
unsigned __get_PRIMASK(void);
void __set_PRIMASK(unsigned mask);

static volatile unsigned char count;

void tick(void) { count ^= 1; }

static unsigned char read(void) {
    unsigned mask = __get_PRIMASK();
    __disable_irq();
    unsigned char value = count;
    assert(value == count);
    __set_PRIMASK(mask);
    return value;
}

static void *work(void *unused) {
    __enable_irq();
    unsigned char value = read();
    assert(value == count);
    __enable_irq();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    (void)read();
    pthread_join(thread, 0);
    return 0;
}
