// kripke: check
// verdict: violated
// violates: library-contract@18
#include <assert.h>
#include <pthread.h>
static void *work(void *unused)
{
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&a, &attributes, work, NULL);
    pthread_attr_destroy(&attributes);
    pthread_join(a, NULL);
    return 0;
}
