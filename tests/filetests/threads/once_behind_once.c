// kripke: check
// verdict: holds

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_once_t first = PTHREAD_ONCE_INIT, second = PTHREAD_ONCE_INIT;
static sem_t passed;
static int count;

static void counts(void)
{
    count++;
}

/* The other thread waits for the first routine only, which has returned. */
static void waits(void)
{
    sem_wait(&passed);
}

static void *worker(void *unused)
{
    pthread_once(&first, counts);
    sem_post(&passed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&passed, 0, 0);
    pthread_create(&thread, 0, worker, 0);
    pthread_once(&first, counts);
    pthread_once(&second, waits);
    pthread_join(thread, 0);
    assert(count == 1);
    return 0;
}
