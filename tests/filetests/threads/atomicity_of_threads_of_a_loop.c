// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@11

#include <pthread.h>

static int sum;

static void *adder(void *unused)
{
    sum++;
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], 0, adder, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], 0);
    return 0;
}
