// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@22
// prints: write-read-write: another thread reads between

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state, seen;

static void *look(void *unused)
{
    seen = state;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    state = 1;
    state = 2;
    pthread_join(thread, 0);
    return 0;
}
