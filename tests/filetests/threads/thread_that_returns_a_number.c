// kripke: check
// verdict: holds
// Old programs start functions that return `int`, or nothing.
#include <assert.h>
#include <pthread.h>

static int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int counts(void *step)
{
    pthread_mutex_lock(&lock);
    done += *(int *)step;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void counts_twice(void *step)
{
    counts(step);
    counts(step);
}

int main(void)
{
    static int step = 2;
    pthread_t first, second;
    pthread_create(&first, 0, (void *(*)(void *))counts, &step);
    pthread_create(&second, 0, (void *(*)(void *))counts_twice, &step);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(done == 6);
    return 0;
}
