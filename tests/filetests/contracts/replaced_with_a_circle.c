// kripke: check --replace-calls other
// verdict: unknown
// prints: a contract in the place of a call with a `node` that `other` is not checked with

#include <assert.h>

struct node {
    struct node *next;
    int value;
};

static int other(struct node *node)
    __CPROVER_requires(node)
    __CPROVER_assigns(node->value)
    __CPROVER_ensures(__CPROVER_return_value == __CPROVER_old(node->next == 0 ? 0 : node->next->value))
{
    node->value = 5;
    return node->next ? node->next->value : 0;
}

int main(void)
{
    struct node node = {0, 1};
    node.next = &node;
    assert(other(&node) == 1);
}
