// kripke: check --target i386-linux-gnu --check torn-access
// verdict: holds

#include <pthread.h>
#include <stdint.h>

static uint64_t moment;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *clock_of_all(void *unused)
{
    pthread_mutex_lock(&mutex);
    moment = 5;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, clock_of_all, 0);
    pthread_mutex_lock(&mutex);
    uint64_t now = moment;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return now == 5;
}
