// kripke: check --interrupt tick --check atomicity
// verdict: violated
// violates: atomicity@13
// The thread writes back what it read before the handler.
#include <pthread.h>

static volatile unsigned count;

void tick(void) { count++; }

static void *work(void *unused) {
    (void)unused;
    count++;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
