// kripke: check --check data-race
// verdict: holds

#include <pthread.h>

static int array[4];
int nondet_int(void);

static void *first(void *unused)
{
    unsigned index = (unsigned)nondet_int() % 3;
    array[index] = 1;
    return unused;
}

static void *second(void *unused)
{
    array[3] = 2;
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
