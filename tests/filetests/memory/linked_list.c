// kripke: check --check default,leak
// verdict: holds

#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = 0;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = list;
        list = n;
    }
    int sum = 0;
    while (list) {
        struct node *next = list->next;
        sum = sum * 10 + list->value;
        free(list);
        list = next;
    }
    assert(sum == 3210);
    return 0;
}
