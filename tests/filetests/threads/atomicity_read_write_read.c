// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@22
// prints: read-write-read: another thread writes between

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int limit = 4, share;

static void *forbid(void *unused)
{
    limit = 0;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, forbid, 0);
    if (limit != 0)
        share = 100 / limit;
    pthread_join(thread, 0);
    return 0;
}
