// kripke: check --interrupt tick:1:7 --interrupt-bound 1
// verdict: violated
// violates: assertion@22
// One thread disables the number, and the other one enables it again.
#include <assert.h>
#include <pthread.h>

void NVIC_EnableIRQ(int number);
void NVIC_DisableIRQ(int number);

static volatile int ticks;

void tick(void) { ticks++; }

static void *work(void *unused) {
    NVIC_EnableIRQ(7);
    return unused;
}

static void check(void) {
    int before = ticks;
    assert(before == ticks);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    NVIC_DisableIRQ(7);
    check();
    pthread_join(thread, 0);
    return 0;
}
