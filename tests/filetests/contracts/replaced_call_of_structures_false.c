// kripke: check --replace-calls all --all
// verdict: violated
// violates: assertion@34
// violates: assertion@36

#include <assert.h>

struct big {
    int values[9];
};
struct node {
    struct node *next;
    int value;
};

static struct big make(int first)
    __CPROVER_ensures(__CPROVER_return_value.values[0] == first)
{
    struct big all = {{first}};
    return all;
}

static void renew(struct node *node)
    __CPROVER_requires(node)
    __CPROVER_assigns(*node)
    __CPROVER_ensures(node->value >= 0)
{
    node->value = 1;
}
int main(void)
{
    struct node node = {0, -1};
    renew(&node);
    assert(node.next == 0);
    struct big big = make(3);
    assert(big.values[1] == 0);
}
