// kripke: check --interrupt received
// verdict: violated
// violates: assertion@27
// What the handler writes is any byte.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t there;
static volatile unsigned char byte;
static volatile int is_full;

unsigned char data(void);

void received(void) {
    if (is_full)
        return;
    sem_post(&there);
    byte = data();
    is_full = 1;
}

static void *work(void *unused) {
    for (;;) {
        sem_wait(&there);
        assert(is_full);
        assert(byte < 64);
        is_full = 0;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&there, 0, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
