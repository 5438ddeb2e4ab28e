// kripke: check
// verdict: holds
// prints: abstract states cover all states of the threads
// A loop of main in which no other thread can tell anything has no end.
#include <pthread.h>
int event(void);
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static unsigned idle;

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
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        if (y > 10)
            x = 0;
        pthread_mutex_unlock(&a);
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
        idle++;
}
