// kripke: check --check +lock-order
// verdict: violated
// violates: lock-order@22
// No schedule has a deadlock, as main waits for the thread.
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
int main(void)
{
    pthread_t first;
    pthread_create(&first, NULL, one, NULL);
    pthread_join(first, NULL);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}
