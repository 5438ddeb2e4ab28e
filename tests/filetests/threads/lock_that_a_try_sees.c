// kripke: check --check assertion
// verdict: violated
// violates: assertion@22
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    x = 1;
    x = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int busy = pthread_mutex_trylock(&lock);
    assert(!busy);
    return 0;
}
