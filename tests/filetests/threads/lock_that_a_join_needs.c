// kripke: check
// verdict: violated
// violates: main.deadlock.1
// prints: thread 2 (waits) waits in pthread_join for thread 1
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first;

static void *works(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *waits(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_join(first, NULL);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t second;
    pthread_create(&first, NULL, works, NULL);
    pthread_create(&second, NULL, waits, NULL);
    for (;;)
        sched_yield();
}
