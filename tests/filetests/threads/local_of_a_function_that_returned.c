// kripke: check
// verdict: violated
// violates: pointer@8
#include <pthread.h>
static pthread_t a;
static void *work(void *argument)
{
    *(int *)argument = 1;
    return NULL;
}
static void start(void)
{
    int local = 0;
    pthread_create(&a, NULL, work, &local);
}
int main(void)
{
    start();
    pthread_join(a, NULL);
    return 0;
}
