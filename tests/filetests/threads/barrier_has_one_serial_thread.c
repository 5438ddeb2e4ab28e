// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t barrier;
static void *work(void *unused)
{
    return pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD ? &barrier : unused;
}
int main(void)
{
    pthread_t a;
    void *serial;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, work, NULL);
    int result = pthread_barrier_wait(&barrier);
    pthread_join(a, &serial);
    assert((result == PTHREAD_BARRIER_SERIAL_THREAD) != (serial != NULL));
    pthread_barrier_destroy(&barrier);
    return 0;
}
