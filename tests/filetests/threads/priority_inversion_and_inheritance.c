// kripke: check --check priority-inversion
// verdict: holds

#define MIDDLE 2
#define PROTOCOL PTHREAD_PRIO_INHERIT
#include "three_priorities.h"

static void *high(void *unused)
{
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    return unused;
}
