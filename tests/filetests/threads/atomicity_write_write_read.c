// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@22
// prints: write-write-read: another thread writes between

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int last, seen;

static void *other(void *unused)
{
    last = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    last = 1;
    seen = last;
    pthread_join(thread, 0);
    return 0;
}
