// kripke: check
// verdict: holds
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static void *work(void *unused)
{
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return unused;
}
int main(void)
{
    pthread_t a;
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == EDEADLK);
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return 0;
}
