// Three threads, two of which count in one variable: Figure 3 of the paper on state hashing (SEFM 2011),
// written anew. How many schedules are there, and how many are left where they come to a state that was seen?
//
// kripke check examples/threads/figure3.c --explore interleavings # holds
// kripke check examples/threads/figure3.c --explore interleavings -D LAST # violated: assertion
// kripke check examples/threads/figure3.c --explore interleavings -D LAST --context-bound 0 # holds
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y;

static void *first(void *unused)
{
    x++;
    return unused;
}

static void *second(void *unused)
{
    x++;
    return unused;
}

static void *third(void *unused)
{
    y++;
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_create(&c, NULL, third, NULL);
#ifdef LAST
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2); /* both may read 0 */
#endif
    return 0;
}
