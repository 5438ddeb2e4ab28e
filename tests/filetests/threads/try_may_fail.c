// kripke: check
// verdict: violated
// violates: assertion@23
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *work(void *unused)
{
    if (pthread_mutex_trylock(&mutex) == 0) {
        counter++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    work(NULL);
    pthread_join(a, NULL);
    assert(counter == 1 || counter == 2);
    assert(counter == 2);
    return 0;
}
