// kripke: check --check assertion
// verdict: violated
// violates: assertion@25
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    x = 2;
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    y = 1;
    return unused;
}
int main(void)
{
    pthread_t thread;
    lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(y == 0);
    return 0;
}
