// kripke: check
// verdict: violated
// violates: assertion@22
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
char g[8] = "aaaa";
void *w(void *p)
{
    strcpy(g, "bbbb");
    return 0;
}
int main(void)
{
    pthread_t t;
    char c[8];
    pthread_create(&t,0,w,0);
    memcpy(c, g, 5);
    pthread_join(t,0);
    assert(!(c[0] == 'a' && c[3] == 'b'));
    return 0;
}
