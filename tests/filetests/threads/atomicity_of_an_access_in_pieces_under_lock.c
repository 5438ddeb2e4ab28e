// kripke: check --target i386-linux-gnu --check atomicity
// verdict: holds

#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile uint64_t moment;
static uint64_t first, second;

static void *clock_of_all(void *unused)
{
    pthread_mutex_lock(&lock);
    moment = 5;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, clock_of_all, 0);
    pthread_mutex_lock(&lock);
    first = moment;
    second = moment;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
