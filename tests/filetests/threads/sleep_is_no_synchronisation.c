// kripke: check
// verdict: violated
// violates: assertion@18
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static int ready;
static void *work(void *unused)
{
    ready = 1;
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    sleep(1);
    assert(ready);
    pthread_join(a, NULL);
    return 0;
}
