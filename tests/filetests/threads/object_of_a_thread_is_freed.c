// kripke: check --check leak
// verdict: holds
#include <pthread.h>
#include <stdlib.h>
static void *work(void *unused)
{
    int *own = malloc(sizeof *own);
    *own = 1;
    free(own);
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    return 0;
}
