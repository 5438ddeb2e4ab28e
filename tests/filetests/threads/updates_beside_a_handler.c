// kripke: check --interrupt tick
// verdict: violated
// violates: assertion@23
// Two updates of which each is a read and a write lose one, where there are handlers, too.
#include <assert.h>
#include <pthread.h>

static unsigned char updates;
static volatile int ticks;

void tick(void) { ticks ^= 1; }

static void *work(void *unused) {
    updates++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    updates++;
    pthread_join(thread, 0);
    assert(updates == 2);
}
