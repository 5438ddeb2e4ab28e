// kripke: check
// verdict: violated
// violates: assertion@19
#include <assert.h>
#include <pthread.h>
static int counter;
static void *work(void *unused)
{
    counter++;
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
