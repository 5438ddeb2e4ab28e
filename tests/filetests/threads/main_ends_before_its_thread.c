// kripke: check
// verdict: violated
// violates: assertion@10
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *unused)
{
    x = 1;
    assert(x == 0);
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_exit(NULL);
}
