// kripke: check --timeout 5s
// verdict: unknown
// The function's variable is another one at each call, which abstract states must not forget.
#include <pthread.h>
static volatile int count;
static int *last;
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
static int previous(int rounds, int depth)
{
    int local = 1;
    int sum = 0;
    if (depth > 0)
        return previous(rounds, depth - 1);
    if (rounds > 300 && last)
        sum = *last;
    last = &local;
    return sum;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, counter, 0);
    int rounds = 0;
    for (;;) {
        if (rounds < 1000)
            rounds++;
        count = 1;
        if (previous(rounds, 1) < 0)
            return 1;
    }
}
