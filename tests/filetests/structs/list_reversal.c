// kripke: check
// verdict: holds

#include <assert.h>

struct node {
    int value;
    struct node *next;
};

static struct node *reverse(struct node *list)
{
    struct node *result = 0;
    while (list) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

int main(void)
{
    struct node nodes[4];
    for (int i = 0; i < 4; i++) {
        nodes[i].value = i;
        nodes[i].next = i < 3 ? &nodes[i + 1] : 0;
    }
    struct node *list = reverse(nodes);
    for (int i = 3; i >= 0; i--) {
        assert(list->value == i);
        list = list->next;
    }
    assert(!list);
    return 0;
}
