// kripke: check
// verdict: holds
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
void *b(void *p)
{
    int *q = p;
    *q = *q + 1;
    return 0;
}
int main(void)
{
    int l = 3;
    pthread_t t;
    pthread_create(&t,0,b,&l);
    pthread_join(t,0);
    assert(l == 4);
    return 0;
}
