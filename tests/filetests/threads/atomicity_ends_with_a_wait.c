// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int level, taken;

static void *fill(void *unused)
{
    pthread_mutex_lock(&lock);
    level = 2;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    pthread_mutex_lock(&lock);
    while (level == 0)
        pthread_cond_wait(&filled, &lock);
    taken = level;
    level = taken - 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
