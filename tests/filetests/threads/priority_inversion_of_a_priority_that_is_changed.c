// kripke: check --check priority-inversion
// verdict: violated
// violates: priority-inversion@33

#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    struct sched_param two = {.sched_priority = 2};
    pthread_setschedprio(pthread_self(), 3);
    pthread_create(&threads[0], NULL, low, NULL);
    pthread_create(&threads[1], NULL, middle, NULL);
    pthread_setschedprio(threads[0], 1);
    pthread_setschedparam(threads[1], SCHED_FIFO, &two);
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
