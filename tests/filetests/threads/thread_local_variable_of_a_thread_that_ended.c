// kripke: check
// verdict: violated
// violates: pointer@21

#include <pthread.h>

static _Thread_local int own;

static void *worker(void *unused)
{
    own = 1;
    return &own;
}

int main(void)
{
    pthread_t thread;
    void *place;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, &place);
    return *(int *)place;
}
