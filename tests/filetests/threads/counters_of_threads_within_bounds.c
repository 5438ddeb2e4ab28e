// Numbers of threads that guards keep within bounds, while others see what they publish.
// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
int any(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void *up(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        shared++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
static void *down(void *unused)
{
    for (int i = 3; i > 0; i--) {
        pthread_mutex_lock(&lock);
        shared--;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
static void *far(void *unused)
{
    int step = any();
    if (step < 1 || step > 100)
        step = 1;
    for (int i = 0; i < 100; i += step)
        step++;
    return unused;
}
int main(void)
{
    pthread_t ids[3];
    pthread_create(&ids[0], 0, up, 0);
    pthread_create(&ids[1], 0, down, 0);
    pthread_create(&ids[2], 0, far, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(ids[i], 0);
    assert(shared == 0);
    return 0;
}
