// kripke: check --check assertion --all
// verdict: violated
// violates: assertion@15
// violates: assertion@23
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int y;
static void *work(void *unused)
{
    y = 1;
    pthread_mutex_lock(&lock);
    x = 1;
    assert(x == 0);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    assert(y == 0);
    return 0;
}
