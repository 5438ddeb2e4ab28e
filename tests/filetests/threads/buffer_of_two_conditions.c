// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int box;
static void put(int value)
{
    pthread_mutex_lock(&mutex);
    while (box != 0)
        pthread_cond_wait(&emptied, &mutex);
    box = value;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
}
static int take(void)
{
    int value;
    pthread_mutex_lock(&mutex);
    while (box == 0)
        pthread_cond_wait(&filled, &mutex);
    value = box;
    box = 0;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&mutex);
    return value;
}
static void *produce(void *unused)
{
    put(1);
    put(2);
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, produce, NULL);
    assert(take() == 1);
    assert(take() == 2);
    pthread_join(a, NULL);
    return 0;
}
