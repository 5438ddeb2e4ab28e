// kripke: check --interrupt tick --check +leak
// verdict: violated
// violates: leak@13
// The program ends with its last thread, whatever handlers do.
#include <pthread.h>
#include <stdlib.h>

static volatile int ticks;
static int *held;

void tick(void) { ticks = 1; }

static void *work(void *unused) {
    *held = ticks;
    held = 0;
    return unused;
}

int main(void) {
    held = malloc(sizeof *held);
    if (held == 0)
        return 1;
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
    pthread_exit(0);
}
