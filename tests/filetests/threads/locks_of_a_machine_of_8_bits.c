// kripke: check --target avr
// verdict: holds
// What threads wait for has 32 bits, also where an `int` has 16.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int neighbour = 7, n;

static void *count(void *unused)
{
    pthread_mutex_lock(&mutex);
    n++;
    pthread_mutex_unlock(&mutex);
    sem_post(&semaphore);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, count, NULL);
    pthread_mutex_lock(&mutex);
    n++;
    pthread_mutex_unlock(&mutex);
    sem_wait(&semaphore);
    pthread_rwlock_wrlock(&lock);
    assert(n == 2 && neighbour == 7);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
