// kripke: check
// verdict: holds
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
    int numbers[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int j = 0; j < 2; j++)
        pthread_join(threads[j], NULL);
    assert(sum == numbers[0] + numbers[1]);
    return 0;
}
