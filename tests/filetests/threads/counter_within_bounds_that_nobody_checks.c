// What a check says of a number is so only where somebody asks for it: the shift by any number is as the
// machine does it, and one more than that number may overflow.
// kripke: check --property thread.overflow.1
// verdict: violated
// violates: overflow@14
#include <pthread.h>
int any(void);
static unsigned shared;
static int next;
static void *thread(void *unused)
{
    int by = any() ^ 1;
    shared = 1u << by;
    next = by + 1;
    return unused;
}
int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
    return 0;
}
