// kripke: check --check assertion
// verdict: violated
// violates: assertion@14
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_cond_wait(&condition, &lock);
    assert(x == 1);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    x = 2;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return 0;
}
