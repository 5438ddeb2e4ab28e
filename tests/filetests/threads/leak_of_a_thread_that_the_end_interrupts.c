// kripke: check --check leak
// verdict: violated
// violates: leak@12
#include <pthread.h>
#include <stdlib.h>
static void *work(void *unused)
{
    int *own = malloc(4);
    if (own) { *own = 1; free(own); }
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    return 0;
}
