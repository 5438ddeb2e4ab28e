// kripke: check --check assertion
// verdict: violated
// violates: assertion@37
// No sine is 2, so no run comes to the first branch.

#include <assert.h>
#include <math.h>
#include <pthread.h>

int other, seen;
extern double angle(void);

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
    if (sin(angle()) == 2.0) {
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
