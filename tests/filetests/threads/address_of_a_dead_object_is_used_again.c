// kripke: check
// verdict: violated
// violates: assertion@18
// The heap may give the second object the place of the first one, also where other schedules were looked at.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static volatile int other;
int input(void);

static void *work(void *unused) {
    int *dead = malloc(4);
    uintptr_t address = (uintptr_t)dead;
    free(dead);
    int *next = malloc(4);
    assert((uintptr_t)next != address);
    free(next);
    return unused;
}

static void *more(void *unused) {
    other = input();
    other = 3;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, more, 0);
    pthread_join(first, 0);
    other = 2;
    pthread_join(second, 0);
    return 0;
}
