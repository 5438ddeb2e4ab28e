// kripke: check
// verdict: holds

#include <assert.h>
#include <pthread.h>

static pthread_once_t inner = PTHREAD_ONCE_INIT, outer = PTHREAD_ONCE_INIT;
static int count;

static void counts(void)
{
    count++;
}

static void nests(void)
{
    pthread_once(&inner, counts);
}

static void *worker(void *unused)
{
    pthread_once(&outer, nests);
    assert(count == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_once(&inner, counts);
    pthread_join(thread, 0);
    return 0;
}
