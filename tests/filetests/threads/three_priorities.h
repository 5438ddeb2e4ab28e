/* A thread of little priority holds a lock that one of much wants; a third one, of the priority MIDDLE, needs
 * no lock. PROTOCOL, if it is defined, is that of the lock. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock;
static int shared;

static void *low(void *unused)
{
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *middle(void *unused)
{
    volatile int work = 0;
    work++;
    return unused;
}

static void *high(void *unused);

static pthread_t start(void *(*function)(void *), int priority)
{
    pthread_attr_t attributes;
    struct sched_param parameters = {.sched_priority = priority};
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &parameters);
    pthread_create(&thread, &attributes, function, NULL);
    return thread;
}

int main(void)
{
    pthread_t threads[3];
#ifdef PROTOCOL
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PROTOCOL);
    pthread_mutex_init(&lock, &attributes);
#else
    pthread_mutex_init(&lock, NULL);
#endif
    threads[0] = start(low, 1);
    threads[1] = start(middle, MIDDLE);
    threads[2] = start(high, 3);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
