// kripke: check
// verdict: violated
// violates: pointer@22

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *last;

static void keep(int *value)
{
    last = value;
}

static void *work(void *unused)
{
    for (int i = 0; i < 2; i++) {
        int value = i;
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        if (last != NULL)
            *last = 1;
        keep(&value);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
