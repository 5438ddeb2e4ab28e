// kripke: check --check assertion
// verdict: holds
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static struct { pthread_mutex_t guard; int value, other; } shared;
static void *work(void *unused)
{
    pthread_mutex_lock(&shared.guard);
    shared.value++;
    shared.other = shared.value;
    pthread_mutex_unlock(&shared.guard);
    return unused;
}
int main(void)
{
    pthread_t first, second;
    pthread_mutex_init(&shared.guard, 0);
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(shared.other == 2);
    return 0;
}
