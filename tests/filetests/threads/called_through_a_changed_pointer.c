// kripke: check
// verdict: violated
// violates: assertion@14
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
void f(void)
{
}
void g(void)
{
    assert(0);
}
void (*volatile h)(void) = f;
void *w(void *p)
{
    h();
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t,0,w,0);
    h = g;
    pthread_join(t,0);
    return 0;
}
