// kripke: check --check assertion
// verdict: violated
// violates: assertion@28
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
#include <stdlib.h>
struct shared { pthread_mutex_t guard; int value; };
static void *work(void *argument)
{
    struct shared *own = argument;
    pthread_mutex_lock(&own->guard);
    x++;
    pthread_mutex_unlock(&own->guard);
    return 0;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        struct shared *one = malloc(sizeof *one);
        pthread_mutex_init(&one->guard, 0);
        pthread_create(&threads[i], 0, work, one);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(x == 2);
    return 0;
}
