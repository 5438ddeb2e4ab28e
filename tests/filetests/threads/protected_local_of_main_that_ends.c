// kripke: check --check pointer --all
// verdict: violated
// violates: pointer@15
// violates: pointer@16
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static void *work(void *argument)
{
    int *local = argument;
    pthread_mutex_lock(&lock);
    (*local)++;
    sem_post(&done);
    *local = 1;
    *local = 2;
    pthread_mutex_unlock(&lock);
    return 0;
}
static void ends(void)
{
    pthread_exit(0);
}
int main(void)
{
    pthread_t thread;
    int local = 0;
    sem_init(&done, 0, 0);
    pthread_create(&thread, 0, work, &local);
    pthread_mutex_lock(&lock);
    local = 5;
    pthread_mutex_unlock(&lock);
    sem_wait(&done);
    ends();
    return 0;
}
