// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t filled, empty;
static int box;
static void *produce(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        sem_wait(&empty);
        box = i;
        sem_post(&filled);
    }
    return unused;
}
int main(void)
{
    pthread_t a;
    sem_init(&filled, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_create(&a, NULL, produce, NULL);
    for (int i = 1; i <= 2; i++) {
        sem_wait(&filled);
        assert(box == i);
        sem_post(&empty);
    }
    pthread_join(a, NULL);
    sem_destroy(&filled);
    sem_destroy(&empty);
    return 0;
}
