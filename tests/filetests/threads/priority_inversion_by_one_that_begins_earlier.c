// kripke: check --check priority-inversion
// verdict: violated
// violates: priority-inversion@29

#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_attr_t attributes[4];
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

static void *high(void *unused)
{
    pthread_t thread;
    pthread_create(&thread, &attributes[2], middle, NULL);
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 1; i < 4; i++) {
        struct sched_param parameters = {.sched_priority = i};
        pthread_attr_init(&attributes[i]);
        pthread_attr_setschedparam(&attributes[i], &parameters);
    }
    pthread_create(&threads[0], &attributes[1], low, NULL);
    pthread_create(&threads[1], &attributes[3], high, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
