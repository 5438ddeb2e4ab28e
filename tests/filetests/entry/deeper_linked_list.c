// kripke: check --entry length --entry-depth 4
// verdict: violated
// violates: assertion@17

#include <assert.h>

struct node {
    int value;
    struct node *next;
};

void length(const struct node *list)
{
    unsigned count = 0;
    for (; list; list = list->next)
        count += list->value == 9;
    assert(count <= 3);
}
