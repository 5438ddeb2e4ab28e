// kripke: check
// verdict: violated
// violates: deadlock@17

/* The wait gives back one lock of two: the other thread never has the mutex. */
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signals(void *unused)
{
    pthread_mutex_lock(&mutex); ready = 1; pthread_cond_signal(&condition); pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, 0, signals, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
