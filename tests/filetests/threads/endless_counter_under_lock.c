// kripke: check
// verdict: holds
// prints: abstract states cover all states of the threads
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
bool event(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned count, shown;
static void *counter(void *unused)
{
    for (;;) {
        if (!event())
            continue;
        pthread_mutex_lock(&lock);
        if (count < 1000)
            count++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, counter, NULL);
    for (;;) {
        pthread_mutex_lock(&lock);
        shown = count;
        count = 0;
        pthread_mutex_unlock(&lock);
        assert(shown <= 1000);
    }
}
