// kripke: check --replace-calls all
// verdict: holds

#include <assert.h>

struct big {
    int values[9];
};
struct node {
    struct node *next;
    int value;
};

static int cells[4];

static struct big make(int first)
    __CPROVER_ensures(__CPROVER_return_value.values[0] == first)
{
    struct big all = {{first}};
    return all;
}

static void renew(struct node *node)
    __CPROVER_requires(node)
    __CPROVER_assigns(node->value)
    __CPROVER_ensures(node->value >= 0)
{
    node->value = 1;
}

static int *pick(int index)
    __CPROVER_requires(index >= 0 && index < 4)
    __CPROVER_ensures(__CPROVER_return_value == &cells[index])
{
    return &cells[index];
}

static void maybe(int *place) __CPROVER_assigns(*place)
{
    if (place)
        *place = 0;
}

int main(void)
{
    struct node node = {0, -1};
    renew(&node);
    assert(node.value >= 0 && node.next == 0);
    assert(make(3).values[0] == 3);
    *pick(2) = 5;
    assert(cells[2] == 5);
    maybe(0);
}
