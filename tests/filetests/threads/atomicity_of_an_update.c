// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@13
// prints: read-write-write: another thread writes between the read at

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *counter(void *unused)
{
    count++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, counter, 0);
    count++;
    pthread_join(thread, 0);
    return 0;
}
