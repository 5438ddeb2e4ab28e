// kripke: check --interrupt tick --check torn-access --target thumbv7m-none-eabi
// verdict: violated
// violates: torn-access@14
// The handler comes between the halves of what the thread reads.
#include <pthread.h>
#include <stdint.h>

static volatile uint64_t now;

void tick(void) { now++; }

static void *work(void *unused) {
    static uint64_t seen;
    seen = now;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
