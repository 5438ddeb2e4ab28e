// kripke: check --check pointer --all
// verdict: violated
// violates: pointer@26
// violates: pointer@27
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static _Thread_local int own;
static int *shared;
static void *shares(void *unused)
{
    pthread_mutex_lock(&lock);
    shared = &own;
    own = 1;
    pthread_mutex_unlock(&lock);
    sem_wait(&done);
    return unused;
}
static void *writes(void *unused)
{
    pthread_mutex_lock(&lock);
    if (shared) {
        *shared = 2;
        sem_post(&done);
        *shared = 3;
        *shared = 4;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t first, second;
    sem_init(&done, 0, 0);
    pthread_create(&first, 0, shares, 0);
    pthread_create(&second, 0, writes, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
