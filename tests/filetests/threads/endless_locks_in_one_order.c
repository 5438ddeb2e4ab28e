// kripke: check
// verdict: holds
// prints: abstract states cover all states of the threads
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static unsigned rounds;
static void use(pthread_mutex_t *outer, pthread_mutex_t *inner)
{
    pthread_mutex_lock(outer);
    pthread_mutex_lock(inner);
    rounds++;
    pthread_mutex_unlock(inner);
    pthread_mutex_unlock(outer);
}
static void *work(void *unused)
{
    for (;;)
        use(&first, &second);
    return unused;
}


int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (;;)
        use(&first, &second);
}
