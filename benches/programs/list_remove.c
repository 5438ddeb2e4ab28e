/* Removes the element at an unknown position from a list in static memory. */
#include <assert.h>
#include <stddef.h>
#ifndef N
#define N 6
#endif
unsigned __VERIFIER_nondet_uint(void);

struct node {
    unsigned value;
    struct node *next;
};

static struct node pool[N];

int main(void) {
    for (unsigned i = 0; i < N; i++) {
        pool[i].value = i;
        pool[i].next = i + 1 < N ? &pool[i + 1] : NULL;
    }
    unsigned victim = __VERIFIER_nondet_uint() % N;
    struct node *list = pool;
    struct node **link = &list;
    while (*link && (*link)->value != victim)
        link = &(*link)->next;
    if (*link)
        *link = (*link)->next;
    unsigned count = 0, sum = 0;
    for (struct node *node = list; node; node = node->next) {
        assert(node->value != victim);
        count++;
        sum += node->value;
    }
    assert(count == N - 1);
    assert(sum + victim == N * (N - 1) / 2);
    return 0;
}
