// kripke: check
// verdict: violated
// violates: assertion@23
#include <assert.h>
#include <pthread.h>
static int sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument)
{
    pthread_mutex_lock(&mutex);
    sum += *(int *)argument;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &i);
    for (int j = 0; j < 2; j++)
        pthread_join(threads[j], NULL);
    assert(sum == 1);
    return 0;
}
