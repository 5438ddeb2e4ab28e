// kripke: check
// verdict: unknown
// prints: rounding mode
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
static volatile float one = 1.0f, three = 3.0f;
static void *sets(void *unused)
{
    fesetround(FE_DOWNWARD);
    return unused;
}
int main(void)
{
    pthread_t thread;
    float before = one / three;
    pthread_create(&thread, 0, sets, 0);
    pthread_join(thread, 0);
    float after = one / three;
    assert(before != after);
    return 0;
}
