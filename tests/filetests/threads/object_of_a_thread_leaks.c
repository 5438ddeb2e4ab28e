// kripke: check --check leak
// verdict: violated
// violates: main.leak.1
#include <pthread.h>
#include <stdlib.h>
static void *work(void *unused)
{
    int *own = malloc(sizeof *own);
    *own = 1;
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    return 0;
}
