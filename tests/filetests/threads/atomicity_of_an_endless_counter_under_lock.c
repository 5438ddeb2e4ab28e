// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned sum;

static void *adder(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        sum++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, adder, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        sum = 0;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, 0);
    return 0;
}
