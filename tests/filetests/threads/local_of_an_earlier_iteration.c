// kripke: check
// verdict: violated
// violates: pointer@17

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    int *last = NULL;
    for (int i = 0; i < 2; i++) {
        int value = i;
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        if (last != NULL)
            *last = 1;
        last = &value;
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
