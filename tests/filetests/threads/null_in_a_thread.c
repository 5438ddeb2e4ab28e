// kripke: check
// verdict: violated
// violates: pointer@7
#include <pthread.h>
static void *work(void *argument)
{
    *(int *)argument = 1;
    return NULL;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    return 0;
}
