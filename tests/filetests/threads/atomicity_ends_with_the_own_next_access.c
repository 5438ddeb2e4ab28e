// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, seen;

static void *fill(void *unused)
{
    level = 1;
    pthread_mutex_lock(&lock);
    level++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    pthread_mutex_lock(&lock);
    seen = level;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
