// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@21

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static int get(void)
{
    pthread_mutex_lock(&lock);
    int value = sum;
    pthread_mutex_unlock(&lock);
    return value;
}

static void set(int value)
{
    pthread_mutex_lock(&lock);
    sum = value;
    pthread_mutex_unlock(&lock);
}

static void *other(void *unused)
{
    set(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    set(get() + 1);
    pthread_join(thread, 0);
    return 0;
}
