// kripke: check
// verdict: violated
// violates: assertion@14
// One place starts the thread, but it is come to twice: two threads of the same function race.
#include <assert.h>
#include <pthread.h>

static int depth;
static volatile int shared;
static void *writer(void *unused)
{
    int first = shared;
    int second = shared;
    assert(first == second);
    shared = first + 1;
    return unused;
}
int main(void)
{
    pthread_t thread;
    if (depth++ < 1)
        main();
    pthread_create(&thread, 0, writer, 0);
    return 0;
}
