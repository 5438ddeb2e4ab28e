// kripke: check --check atomicity
// verdict: holds

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state, seen;

static void *look(void *unused)
{
    pthread_mutex_lock(&lock);
    seen = state;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    pthread_mutex_lock(&lock);
    state = 1;
    state = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
