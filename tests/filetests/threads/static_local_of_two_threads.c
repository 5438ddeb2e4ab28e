// kripke: check
// verdict: violated
// violates: assertion@27
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
int next(void)
{
    static int n;
    return ++n;
}
int r[2];
void *a(void *p)
{
    r[(long)p] = next();
    return 0;
}
int main(void)
{
    pthread_t s,t;
    pthread_create(&t,0,a,(void*)0);
    pthread_create(&s,0,a,(void*)1);
    pthread_join(t,0);
    pthread_join(s,0);
    assert(r[0] != r[1]);
    return 0;
}
