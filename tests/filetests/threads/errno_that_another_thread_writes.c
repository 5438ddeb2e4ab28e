// kripke: check
// verdict: violated
// violates: assertion@20

#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *worker(void *place)
{
    *(int *)place = 5;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, &errno);
    int first = errno, second = errno;
    assert(first == second);
    pthread_join(thread, 0);
    return 0;
}
