// kripke: check
// verdict: violated
// violates: assertion@18
void __VERIFIER_assume(int condition);
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
volatile int x;
static void *writer(void *unused)
{
    x = 1;
    __VERIFIER_assume(0);
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
