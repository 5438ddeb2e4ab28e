// kripke: check --target i386-linux-gnu --check torn-access
// verdict: violated
// violates: torn-access@21
// prints: `clock_of_all` writes at torn_access_of_64_bits.c:13 between the 2 pieces of this access

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
