// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
static _Thread_local int own = 5;
static int shared;
static void *work(void *unused)
{
    own++;
    shared = own;
    return unused;
}
int main(void)
{
    pthread_t a;
    own = 7;
    pthread_create(&a, NULL, work, NULL);
    assert(own == 7);
    pthread_join(a, NULL);
    assert(own == 7);
    assert(shared == 6);
    return 0;
}
