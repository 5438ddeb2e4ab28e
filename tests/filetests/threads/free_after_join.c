// kripke: check
// verdict: holds
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *work(void *unused)
{
    *shared = 1;
    return unused;
}
int main(void)
{
    pthread_t a;
    shared = malloc(sizeof *shared);
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    free(shared);
    return 0;
}
