// kripke: check --unwind 2 --check assertion --no-k-induction
// verdict: violated
// violates: assertion@26
// Each loop of a thread is followed twice, however often others come between: both have gone round twice.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rounds[2];

static void *works(void *which)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        ++*(int *)which;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, works, &rounds[0]);
    pthread_create(&second, 0, works, &rounds[1]);
    pthread_mutex_lock(&lock);
    assert(rounds[0] < 2 || rounds[1] < 2);
    pthread_mutex_unlock(&lock);
    return 0;
}
