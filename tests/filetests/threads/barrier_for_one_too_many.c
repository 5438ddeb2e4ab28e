// kripke: check
// verdict: violated
// violates: main.deadlock.1
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t barrier;
static void *work(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&a, NULL, work, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(a, NULL);
    return 0;
}
