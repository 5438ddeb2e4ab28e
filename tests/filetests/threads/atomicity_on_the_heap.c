// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@21

#include <pthread.h>
#include <stdlib.h>

static void *other(void *place)
{
    *(volatile int *)place = 5;
    return 0;
}

int main(void)
{
    volatile int *place = calloc(2, sizeof *place);
    pthread_t thread;
    if (place == 0)
        return 1;
    pthread_create(&thread, 0, other, (void *)(place + 1));
    place[1]++;
    pthread_join(thread, 0);
    free((void *)place);
    return 0;
}
