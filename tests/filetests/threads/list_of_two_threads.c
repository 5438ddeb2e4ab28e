// kripke: check
// verdict: holds
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
struct n {
    int v;
    struct n *next;
} *head;
pthread_mutex_t m;
void *w(void *p)
{
    struct n *e = malloc(sizeof *e);
    if (!e) return 0;
    e->v = 1;
    pthread_mutex_lock(&m);
    e->next = head;
    head = e;
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
    int c = 0;
    for (struct n *e = head; e; e = e->next) c += e->v;
    assert(c == 2);
    return 0;
}
