// kripke: check --target i386-linux-gnu --check atomicity
// verdict: violated
// violates: atomicity@22

#include <pthread.h>
#include <stdint.h>

static volatile uint64_t moment;
static uint64_t first, second;

static void *clock_of_all(void *unused)
{
    moment = 5;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, clock_of_all, 0);
    first = moment;
    second = moment;
    pthread_join(thread, 0);
    return 0;
}
