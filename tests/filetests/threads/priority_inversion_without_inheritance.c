// kripke: check --check priority-inversion
// verdict: violated
// violates: priority-inversion@11

#define MIDDLE 2
#define PROTOCOL PTHREAD_PRIO_NONE
#include "three_priorities.h"

static void *high(void *unused)
{
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    return unused;
}
