// kripke: check --target avr --entry longest --entry-depth 3
// verdict: violated
// violates: assertion@16

#include <assert.h>

struct node {
    struct node *next;
    int value;
};

void longest(const struct node *list)
{
    int sum = 0;
    for (; list; list = list->next) sum ^= list->value;
    assert(sum != 0x7abc || sizeof(struct node) != 4);
}
