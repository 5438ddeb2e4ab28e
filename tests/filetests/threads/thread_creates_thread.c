// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
static int x;
static void *inner(void *unused)
{
    x++;
    return unused;
}
static void *outer(void *unused)
{
    pthread_t a;
    x++;
    pthread_create(&a, NULL, inner, NULL);
    pthread_join(a, NULL);
    x++;
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, outer, NULL);
    pthread_join(a, NULL);
    assert(x == 3);
    return 0;
}
