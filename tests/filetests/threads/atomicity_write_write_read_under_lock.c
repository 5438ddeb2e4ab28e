// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int last, seen;

static void *other(void *unused)
{
    pthread_mutex_lock(&lock);
    last = 2;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&lock);
    last = 1;
    seen = last;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
