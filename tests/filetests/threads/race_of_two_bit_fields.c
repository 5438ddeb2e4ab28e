// kripke: check --check data-race
// verdict: violated
// violates: data-race@13

#include <pthread.h>

static struct {
    unsigned a : 4, b : 4;
} s;

static void *first(void *unused)
{
    s.a = 1;
    return unused;
}

static void *second(void *unused)
{
    s.b = 2;
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
