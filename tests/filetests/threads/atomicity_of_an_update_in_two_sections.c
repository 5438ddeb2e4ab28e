// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@16

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *adder(void *unused)
{
    pthread_mutex_lock(&lock);
    int old = sum;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    sum = old + 1;
    pthread_mutex_unlock(&lock);
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
