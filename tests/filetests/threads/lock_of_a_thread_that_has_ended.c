// kripke: check
// verdict: violated
// violates: main.deadlock.1
// prints: which has ended
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *keeps(void *unused)
{
    pthread_mutex_lock(&mutex);
    return NULL;
}

static void *waits(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, keeps, NULL);
    pthread_create(&second, NULL, waits, NULL);
    for (;;)
        sched_yield();
}
