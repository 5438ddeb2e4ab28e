// kripke: check
// verdict: holds
// Two objects that live at the same time have different addresses, whichever schedules were looked at before.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static volatile int other;
int input(void);

static void *work(void *unused) {
    for (int i = 0; i < 2; i++) {
        int *dead = malloc(4);
        free(dead);
        int *first = malloc(4);
        int *second = malloc(4);
        assert((uintptr_t)first != (uintptr_t)second);
        free(first);
        free(second);
        other = input();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    for (int i = 0; i < 2; i++)
        other = input();
}
