// kripke: check
// verdict: violated
// violates: assertion@22
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *work(void *mutex)
{
    pthread_mutex_lock(mutex);
    counter++;
    pthread_mutex_unlock(mutex);
    return NULL;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, &one);
    pthread_create(&b, NULL, work, &other);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
