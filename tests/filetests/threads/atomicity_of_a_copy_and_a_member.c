// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@22

#include <pthread.h>

static struct pair {
    int a, b;
} shared, copy;

static void *other(void *unused)
{
    shared.b = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    copy = shared;
    copy.a += shared.b;
    pthread_join(thread, 0);
    return 0;
}
