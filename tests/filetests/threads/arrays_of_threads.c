// kripke: check
// verdict: holds
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
int total;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *p)
{
    int a[4];
    int s = 0;
    for (int i = 0; i < 4; i++) a[i] = i;
    for (int i = 0; i < 4; i++) s += a[i];
    pthread_mutex_lock(&m);
    total += s;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t s,t;
    pthread_create(&t,0,w,0);
    pthread_create(&s,0,w,0);
    pthread_join(t,0);
    pthread_join(s,0);
    assert(total == 12);
    return 0;
}
