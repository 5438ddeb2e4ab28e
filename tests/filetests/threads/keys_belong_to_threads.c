// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
static pthread_key_t key;
static int destroyed;
static void destroy(void *value)
{
    destroyed = *(int *)value;
}
static void *work(void *value)
{
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, value);
    assert(pthread_getspecific(key) == value);
    return NULL;
}
int main(void)
{
    pthread_t a;
    int one = 1, two = 2;
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &one);
    pthread_create(&a, NULL, work, &two);
    pthread_join(a, NULL);
    assert(destroyed == 2);
    assert(pthread_getspecific(key) == &one);
    return 0;
}
