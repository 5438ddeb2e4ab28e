// kripke: check
// verdict: violated
// violates: assertion@21
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;
static void *write_both(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    x = 1;
    y = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, write_both, NULL);
    pthread_rwlock_rdlock(&lock);
    assert(x == y);
    pthread_rwlock_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
