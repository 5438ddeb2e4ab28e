// kripke: check --check assertion
// verdict: violated
// violates: assertion@26
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
_Bool careful(void);
static void *work(void *unused)
{
    _Bool locks = careful();
    if (locks)
        pthread_mutex_lock(&lock);
    x++;
    if (locks)
        pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(x == 2);
    return 0;
}
