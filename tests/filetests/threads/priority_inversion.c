// kripke: check --check priority-inversion
// verdict: violated
// violates: priority-inversion@10

#define MIDDLE 2
#include "three_priorities.h"

static void *high(void *unused)
{
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    return unused;
}
