// kripke: check
// verdict: violated
// violates: assertion@26
/* POSIX lets a thread wake up without a signal. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int box, full;
static void *produce(void *unused)
{
    pthread_mutex_lock(&mutex);
    box = 42;
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, produce, NULL);
    pthread_mutex_lock(&mutex);
    if (!full)
        pthread_cond_wait(&filled, &mutex);
    assert(box == 42);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    return 0;
}
