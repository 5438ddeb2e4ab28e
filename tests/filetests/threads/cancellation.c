// kripke: check
// verdict: unknown
#include <assert.h>
#include <pthread.h>
static void *work(void *unused)
{
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_cancel(a);
    pthread_join(a, NULL);
    return 0;
}
