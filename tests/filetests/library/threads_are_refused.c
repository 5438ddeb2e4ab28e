// kripke: check
// verdict: unknown
// prints: pthread_create

#include <assert.h>
#include <pthread.h>

static int shared;

static void *work(void *argument)
{
    shared = 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    assert(shared == 0);
    return 0;
}
