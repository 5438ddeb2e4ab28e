// kripke: check
// verdict: violated
// violates: assertion@10
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t barrier;
static int phase;
static void *work(void *unused)
{
    assert(phase == 1);
    pthread_barrier_wait(&barrier);
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, work, NULL);
    phase = 1;
    pthread_barrier_wait(&barrier);
    pthread_join(a, NULL);
    return 0;
}
