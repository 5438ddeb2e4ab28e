// kripke: check --replace-calls length
// verdict: unknown
// prints: a contract in the place of a call with a `list` that `length` is not checked with

#include <assert.h>

struct node {
    struct node *next;
};

static int length(const struct node *list) __CPROVER_ensures(__CPROVER_return_value <= 2)
{
    int found = 0;
    for (; list; list = list->next)
        found++;
    return found;
}

int main(void)
{
    struct node last = {0}, middle = {&last}, first = {&middle};
    assert(length(&middle) <= 2);
    assert(length(&first) <= 2);
}
