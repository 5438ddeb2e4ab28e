// kripke: check
// verdict: violated
// violates: pointer@32
// The block's variable is another one each time round. That is seen only after many steps: no abstract state
// may make one variable of them.
#include <pthread.h>
#include <stdbool.h>
bool event(void);
static volatile int count;
static int *volatile last;
static void *counter(void *unused)
{
    (void)unused;
    for (;;) {
        count++;
        if (count > 100)
            count = 0;
    }
    return 0;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, counter, 0);
    int rounds = 0;
    for (;;) {
        int local = 1;
        int sum = 0;
        if (rounds < 1000)
            rounds++;
        if (rounds > 300 && last)
            sum = *last;
        last = &local;
        if (event())
            sum++;
        if (sum < 0)
            return 1;
    }
}
