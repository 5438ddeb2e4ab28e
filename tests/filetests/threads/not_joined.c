// kripke: check
// verdict: violated
// violates: assertion@16
#include <assert.h>
#include <pthread.h>
static int done;
static void *work(void *unused)
{
    done = 1;
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    assert(done);
    return 0;
}
