// kripke: check --check +lock-order,thread-leak
// verdict: holds
// One thread cannot wait for itself so; the other one keeps to one of the orders.
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&c);
    return unused;
}
int main(void)
{
    pthread_t first;
    pthread_create(&first, NULL, one, NULL);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&a);
    if (pthread_mutex_trylock(&a) == 0)
        pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(first, NULL);
    return 0;
}
