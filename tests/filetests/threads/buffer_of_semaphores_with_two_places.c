// kripke: check
// verdict: violated
// violates: assertion@25
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
    sem_init(&empty, 0, 2);
    pthread_create(&a, NULL, produce, NULL);
    sem_wait(&filled);
    assert(box == 1);
    pthread_join(a, NULL);
    return 0;
}
