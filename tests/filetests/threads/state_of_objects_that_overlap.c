// kripke: check --check assertion
// verdict: violated
// violates: assertion@37
// No two objects share a byte, so no run comes to the first branch.

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

int other, seen;
char x[64], y[64];

static void *work(void *unused) {
    seen = 1;
    other = 1;
    seen = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int flag = 0;
    if ((uintptr_t)x + 32 == (uintptr_t)y) {
        flag = 1;
    } else {
        int last = other;
        last = 0;
        flag = 1;
        last = other;
        last = 0;
        (void)last;
    }
    int last = seen;
    last = 0;
    (void)last;
    assert(flag == 0);
    return 0;
}
