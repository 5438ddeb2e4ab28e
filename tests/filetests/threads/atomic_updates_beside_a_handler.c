// kripke: check --interrupt tick
// verdict: holds
// What is done at once is so for other threads, too, where there are handlers.
#include <assert.h>
#include <pthread.h>

static unsigned char updates;
static volatile int ticks;

void tick(void) { ticks ^= 1; }

static void *work(void *unused) {
    __atomic_fetch_add(&updates, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    __atomic_fetch_add(&updates, 1, __ATOMIC_SEQ_CST);
    pthread_join(thread, 0);
    assert(updates == 2);
}
