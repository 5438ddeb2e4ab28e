// kripke: check --check leak
// verdict: violated
// violates: leak@16
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;
static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    shared = malloc(4);
    if (shared) { *shared = 1; free(shared); shared = 0; }
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    if (shared) *shared = 2;
    pthread_mutex_unlock(&lock);
    return 0;
}
