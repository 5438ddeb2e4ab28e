// kripke: check
// verdict: violated
// violates: assertion@17
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *unused)
{
    x = 1;
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_detach(a);
    assert(x == 0);
    return 0;
}
