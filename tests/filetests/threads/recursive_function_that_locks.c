// kripke: check
// verdict: holds
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
int x;
pthread_mutex_t m;
void rec(int n)
{
    if (n == 0) return;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    rec(n-1);
}
void *b(void *p)
{
    rec(2);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t,0,b,0);
    rec(1);
    pthread_join(t,0);
    assert(x==3);
    return 0;
}
