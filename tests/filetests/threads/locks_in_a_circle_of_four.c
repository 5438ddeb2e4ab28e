// kripke: check --check lock-order
// verdict: violated
// violates: lock-order@16
// No two links that come one after the other are neighbours in the circle.
#include <pthread.h>
static pthread_mutex_t locks[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int order[4] = {0, 2, 1, 3};

static void *use(void *number)
{
    int first = *(int *)number;
    pthread_mutex_t *outer = &locks[first], *inner = &locks[(first + 1) % 4];
    pthread_mutex_lock(outer);
    /* The last of them closes the circle. */
    pthread_mutex_lock(inner);
    pthread_mutex_unlock(inner);
    pthread_mutex_unlock(outer);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, &order[0]);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, use, &order[1]);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, use, &order[2]);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, use, &order[3]);
    pthread_join(thread, NULL);
    return 0;
}
