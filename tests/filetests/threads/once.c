// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int times;
static void begin(void)
{
    times++;
}
static void *work(void *unused)
{
    pthread_once(&once, begin);
    assert(times == 1);
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_once(&once, begin);
    assert(times == 1);
    pthread_join(a, NULL);
    return 0;
}
