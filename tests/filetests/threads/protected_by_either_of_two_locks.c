// kripke: check --check assertion
// verdict: violated
// violates: assertion@24
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *which)
{
    pthread_mutex_t *mine = which;
    pthread_mutex_lock(mine);
    x++;
    pthread_mutex_unlock(mine);
    return 0;
}
int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, work, &lock);
    pthread_create(&second, 0, work, &other);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(x == 2);
    return 0;
}
