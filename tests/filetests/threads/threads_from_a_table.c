// kripke: check
// verdict: violated
// violates: assertion@26
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
int x;
void *a(void *p)
{
    x |= 1;
    return 0;
}
void *b(void *p)
{
    x |= 2;
    return 0;
}
void *(*const table[2])(void*) = {a, b};
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i],0,table[i],0);
    for (int i = 0; i < 2; i++) pthread_join(t[i],0);
    assert(x == 3);
    return 0;
}
