// kripke: check
// verdict: violated
// violates: pointer@27
// The function's variable is over when it returns, whatever the thread has done before.
#include <pthread.h>
static int *last;
static int keep(int value)
{
    int local = value;
    last = &local;
    return local;
}
static volatile int turn;
static void *taker(void *unused)
{
    (void)unused;
    turn = 1;
    return 0;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, taker, 0);
    int kept = turn;
    kept = keep(kept);
    if (kept == 1)
        return *last;
    pthread_join(thread, 0);
    return 0;
}
