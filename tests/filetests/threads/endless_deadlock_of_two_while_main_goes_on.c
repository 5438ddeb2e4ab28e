// kripke: check
// verdict: violated
// violates: main.deadlock.1
// prints: thread 1 (one) waits in pthread_mutex_lock for thread 2
// prints: thread 2 (two) waits in pthread_mutex_lock for thread 1
// Two threads wait for each other; the third one never ends, and needs neither lock.
#include <pthread.h>
int event(void);
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y, idle;

static void *one(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&a);
        x = event();
        pthread_mutex_lock(&b);
        y = x;
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
    }
    return NULL;
}

static void *two(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&b);
        if (y > 10) {
            pthread_mutex_lock(&a);
            x = 0;
            pthread_mutex_unlock(&a);
        }
        pthread_mutex_unlock(&b);
    }
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, two, NULL);
    for (;;)
        idle = event();
}
