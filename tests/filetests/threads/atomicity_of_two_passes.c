// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static int seen[2];

static void *adder(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        seen[i] = sum;
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
