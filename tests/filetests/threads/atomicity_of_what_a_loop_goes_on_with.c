// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@18

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *adder(void *unused)
{
    int seen;
    pthread_mutex_lock(&lock);
    seen = sum;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        sum = seen + i;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, adder, 0);
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
