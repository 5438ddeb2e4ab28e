/* Two threads count received packets. Without -D LOCKED an update is lost. */
#include <assert.h>
#include <pthread.h>

static unsigned packets;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *receiver(void *unused)
{
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    packets++;
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void)
{
    pthread_t wired, wireless;
    pthread_create(&wired, NULL, receiver, NULL);
    pthread_create(&wireless, NULL, receiver, NULL);
    pthread_join(wired, NULL);
    pthread_join(wireless, NULL);
    assert(packets == 2);
    return 0;
}
