// kripke: check
// verdict: violated
// violates: pointer@21

#include <pthread.h>

static int *place;

static void *worker(void *unused)
{
    int own = 1;
    place = &own;
    pthread_exit(unused);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return *place;
}
