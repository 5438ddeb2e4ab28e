// kripke: check
// verdict: holds
/* At most one of them sees that the other one does not want to. */
#include <assert.h>
#include <pthread.h>
static volatile int wants[2], shared;
static void *first(void *unused)
{
    wants[0] = 1;
    if (!wants[1])
        shared = shared + 1;
    return unused;
}
static void *second(void *unused)
{
    wants[1] = 1;
    if (!wants[0])
        shared = shared + 1;
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared <= 1);
    return 0;
}
