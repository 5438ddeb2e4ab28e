// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int limit = 4, share;

static void *forbid(void *unused)
{
    pthread_mutex_lock(&lock);
    limit = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, forbid, 0);
    pthread_mutex_lock(&lock);
    if (limit != 0)
        share = 100 / limit;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
