// kripke: check --check lock-order
// verdict: violated
// violates: lock-order@14
// The link that closes the circle is neither the first nor the last one of the chain when it comes.
#include <pthread.h>
static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static int left[3] = {0, 2, 1};

static void *use(void *number)
{
    int first = *(int *)number;
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[(first + 1) % 3]);
    pthread_mutex_unlock(&locks[(first + 1) % 3]);
    pthread_mutex_unlock(&locks[first]);
    return NULL;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, &left[0]);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, use, &left[1]);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, use, &left[2]);
    pthread_join(thread, NULL);
    return 0;
}
