// kripke: check --check torn-access --all
// verdict: violated
// violates: torn-access@12
// violates: torn-access@20

#include <pthread.h>

static struct { unsigned first : 3, second : 5; } flags;

static void *set_first(void *unused)
{
    flags.first = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set_first, 0);
    flags.second = 2;
    pthread_join(thread, 0);
    return flags.first;
}
