// kripke: check --check torn-access
// verdict: holds

#include <pthread.h>
#include <stdint.h>

static volatile uint64_t moment;

static void *clock_of_all(void *unused)
{
    moment = 5;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, clock_of_all, 0);
    uint64_t now = moment;
    pthread_join(thread, 0);
    return now == 5;
}
