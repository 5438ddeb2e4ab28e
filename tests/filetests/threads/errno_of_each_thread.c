// kripke: check
// verdict: holds
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
void *b(void *p)
{
    errno = 3;
    assert(errno == 3);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t,0,b,0);
    errno = 4;
    assert(errno == 4);
    pthread_join(t,0);
    return 0;
}
