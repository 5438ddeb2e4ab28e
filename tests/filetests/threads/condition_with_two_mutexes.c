// kripke: check
// verdict: violated
// violates: library-contract@15
// prints: another thread waits for the condition variable with another mutex

#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *waits(void *argument)
{
    pthread_mutex_t *mutex = argument;
    pthread_mutex_lock(mutex);
    pthread_cond_wait(&condition, mutex);
    pthread_mutex_unlock(mutex);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, waits, &one);
    pthread_create(&second, 0, waits, &other);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
