// kripke: check
// verdict: violated
// violates: assertion@14

#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *argument)
{
    pthread_key_t key = *(pthread_key_t *)argument;
    x = 1;
    assert(pthread_setspecific(key, &x) == 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_t key, passed;
    pthread_key_create(&key, 0);
    passed = key;
    pthread_create(&thread, 0, worker, &passed);
    if (x == 1)
        pthread_key_delete(key);
    pthread_join(thread, 0);
    return 0;
}
