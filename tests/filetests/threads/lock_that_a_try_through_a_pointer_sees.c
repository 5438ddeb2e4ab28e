// kripke: check --check assertion
// verdict: violated
// violates: assertion@23
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int (*volatile try)(pthread_mutex_t *) = pthread_mutex_trylock;
static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    int busy = try(&lock);
    assert(!busy);
    return 0;
}
