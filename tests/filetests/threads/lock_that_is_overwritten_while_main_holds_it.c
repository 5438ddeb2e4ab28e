// kripke: check --check assertion
// verdict: violated
// violates: assertion@23
#include <assert.h>
#include <pthread.h>
#include <string.h>
static struct { pthread_mutex_t guard; int value; } shared;
static void *work(void *unused)
{
    pthread_mutex_lock(&shared.guard);
    shared.value = 1;
    shared.value = 0;
    pthread_mutex_unlock(&shared.guard);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_mutex_init(&shared.guard, 0);
    pthread_mutex_lock(&shared.guard);
    memset(&shared, 0, sizeof shared);
    pthread_create(&thread, 0, work, 0);
    assert(shared.value == 0);
    return 0;
}
