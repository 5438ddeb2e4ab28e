// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@16

#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int sum;

static void *adder(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int old = sum;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    sum = old + 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, adder, 0);
    adder(0);
    pthread_join(thread, 0);
    return 0;
}
