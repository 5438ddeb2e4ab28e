// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@21

#include <pthread.h>

static volatile int result;
static int before;

static void *work(void *unused)
{
    result = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    before = result;
    before += result;
    pthread_join(thread, 0);
    return 0;
}
