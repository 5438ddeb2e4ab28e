// kripke: check --entry length
// verdict: holds
// prints: pointers behind 2 others, or to more than 1000 objects, are null: list->next->next (--entry-depth)

#include <assert.h>

struct node {
    int value;
    struct node *next;
};

void length(const struct node *list)
{
    unsigned count = 0;
    for (; list; list = list->next)
        count++;
    assert(count <= 2);
}
