// kripke: check
// verdict: violated
// violates: library-contract@15
#include <assert.h>
#include <pthread.h>
static void *work(void *unused)
{
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(a, NULL);
    return 0;
}
