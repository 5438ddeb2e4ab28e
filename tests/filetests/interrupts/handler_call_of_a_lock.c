// kripke: check --interrupt tick --check handler-call
// verdict: violated
// violates: tick.handler-call.1
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int n;
void tick(void)
{
    if (pthread_mutex_trylock(&lock) == 0) {
        n++;
        pthread_mutex_unlock(&lock);
    }
}
int main(void)
{
    return 0;
}
