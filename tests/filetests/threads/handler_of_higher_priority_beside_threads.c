// kripke: check --interrupt low:1 --interrupt high:2
// verdict: violated
// violates: assertion@16
// One handler interrupts the other.
#include <assert.h>
#include <pthread.h>

static volatile int value;

void high(void) { value = 2; }

static void set(void) { value = 1; }

void low(void) {
    set();
    assert(value == 1);
}

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return value > 2;
}
