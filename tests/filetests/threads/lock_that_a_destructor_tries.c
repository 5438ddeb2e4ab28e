// kripke: check --check assertion
// verdict: violated
// violates: assertion@30
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int x;
static void *keeps(void *unused)
{
    pthread_setspecific(key, &lock);
    return unused;
}
static void *locks(void *unused)
{
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t first, second;
    pthread_key_create(&key, (void (*)(void *))pthread_mutex_trylock);
    pthread_create(&first, 0, keeps, 0);
    pthread_create(&second, 0, locks, 0);
    pthread_join(first, 0);
    pthread_mutex_lock(&lock);
    x = 5;
    assert(0);
    return 0;
}
