// kripke: check --check assertion
// verdict: unknown
#include <assert.h>
#include <pthread.h>
volatile int x;
static int *nowhere(void)
{
    return 0;
}
static void *writer(void *unused)
{
    x = 1;
    *nowhere() = 2;
    return unused;
}
static void *reader(void *unused)
{
    if (x)
        assert(0);
    return unused;
}
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, writer, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_join(s, 0);
    return 0;
}
