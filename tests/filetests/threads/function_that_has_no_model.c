// kripke: check --check assertion
// verdict: unknown
// prints: `pthread_getconcurrency`, a function of POSIX threads that has no model
#include <assert.h>
#include <pthread.h>

int pthread_getconcurrency(void);

static int count;

static void *work(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int level = pthread_getconcurrency();
    pthread_join(thread, 0);
    assert(count == 1);
    return level;
}
