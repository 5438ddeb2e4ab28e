// kripke: check
// verdict: holds
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
int x;
void *w(void *p)
{
    for(;;) x = 1 - x;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t,0,w,0);
    return 0;
}
