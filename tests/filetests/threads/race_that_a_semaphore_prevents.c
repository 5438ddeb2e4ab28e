// kripke: check --check data-race
// verdict: holds

#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int x;

static void *first(void *unused)
{
    x = 1;
    sem_post(&ready);
    return unused;
}

static void *second(void *unused)
{
    sem_wait(&ready);
    x++;
    return unused;
}

int main(void)
{
    pthread_t one, other;
    sem_init(&ready, 0, 0);
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
