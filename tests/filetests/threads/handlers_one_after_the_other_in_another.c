// kripke: check --interrupt tick --interrupt tock:2
// verdict: violated
// violates: assertion@14
// The handler of the higher priority comes twice between two reads of the other one.
#include <assert.h>
#include <pthread.h>

static int b, c;

void tick(void) {
    int before = b;
    int after = b;
    if (before == 0)
        assert(after != 2);
}

void tock(void) {
    b++;
    if (b > 3)
        b = 0;
}

static void *work(void *unused) { c++; return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
