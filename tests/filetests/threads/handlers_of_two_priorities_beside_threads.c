// kripke: check --interrupt low:1 --interrupt high:2
// verdict: holds
// The urgent handler comes into the other one as often as it likes.
#include <assert.h>
#include <pthread.h>

static volatile unsigned char value;

void high(void) { value = (value + 1) & 3; }

void low(void) {
    unsigned char before = value;
    assert(before <= 3);
    assert(value <= 3);
}

static void *work(void *unused) {
    for (;;)
        assert(value < 4);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
