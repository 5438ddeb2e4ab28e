// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@24
#include <assert.h>
#include <stdlib.h>
struct node {
    int value;
    struct node *next;
};
static struct node *first;
void tick(void)
{
    if (first && first->next)
        first->next->value = 1;
}
int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    b->value = 0;
    b->next = 0;
    a->next = b;
    first = a;
    b->value = 0;
    assert(b->value == 0);
    return 0;
}
