// kripke: check
// verdict: violated
// violates: assertion@14
#include <assert.h>
#include <pthread.h>
static volatile int wants[2], turn, inside;
static void enter(int me)
{
    wants[me] = 1;
    turn = me;
    if (wants[!me] && turn != me)
        return;
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
}
static void *first(void *unused)
{
    enter(0);
    return unused;
}
static void *second(void *unused)
{
    enter(1);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
