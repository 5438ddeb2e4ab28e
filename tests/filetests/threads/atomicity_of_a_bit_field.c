// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@13

#include <pthread.h>

static struct flags {
    unsigned a : 3, b : 5;
} flags;

static void *other(void *unused)
{
    flags.b = 3;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    flags.a = 1;
    pthread_join(thread, 0);
    return 0;
}
