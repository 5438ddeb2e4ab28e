// kripke: check --check data-race
// verdict: violated
// violates: data-race@12

#include <pthread.h>
#include <stdlib.h>

static int *place;

static void write(int *at)
{
    *at = 1;
}

static void *first(void *unused)
{
    write(place);
    return unused;
}

static void *second(void *unused)
{
    *place = 2;
    return unused;
}

int main(void)
{
    pthread_t one, other;
    place = malloc(sizeof *place);
    if (!place)
        return 1;
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    free(place);
    return 0;
}
