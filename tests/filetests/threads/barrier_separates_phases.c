// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t barrier;
static int phase[2];
static void *work(void *unused)
{
    phase[1] = 1;
    pthread_barrier_wait(&barrier);
    assert(phase[0] == 1);
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, work, NULL);
    phase[0] = 1;
    pthread_barrier_wait(&barrier);
    pthread_join(a, NULL);
    return 0;
}
