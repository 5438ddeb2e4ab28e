// kripke: check --target i386-linux-gnu --check torn-access
// verdict: holds

#include <pthread.h>
#include <stdint.h>

static volatile uint64_t moment = 5, seen;

static void *reader(void *unused)
{
    seen = moment;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    uint64_t now = moment;
    pthread_join(thread, 0);
    return now == 5;
}
