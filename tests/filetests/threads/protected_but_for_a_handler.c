// kripke: check --check assertion --interrupt tick
// verdict: violated
// violates: assertion@17
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
void tick(void)
{
    x++;
}
static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    int seen = x;
    x = seen + 1;
    assert(x == seen + 1);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    return 0;
}
