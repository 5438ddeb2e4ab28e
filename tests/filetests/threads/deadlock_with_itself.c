// kripke: check
// verdict: violated
// violates: main.deadlock.1
// prints: thread 1 (locks) waits in pthread_mutex_lock for itself
// The program does not wait for the thread.
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *locks(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, locks, NULL);
    for (;;)
        sched_yield();
}
