// kripke: check --check data-race
// verdict: violated
// violates: data-race@13

#include <pthread.h>
#include <semaphore.h>

static int value;
static sem_t semaphore;

static void *reads(void *unused)
{
    if (value)
        return unused;
    return &value;
}

int main(void)
{
    pthread_t thread;
    sem_init(&semaphore, 0, 1);
    pthread_create(&thread, 0, reads, 0);
    sem_getvalue(&semaphore, &value);
    pthread_join(thread, 0);
    return 0;
}
