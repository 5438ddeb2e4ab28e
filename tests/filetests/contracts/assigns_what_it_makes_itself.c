// kripke: check
// verdict: holds
// Objects that were made since the call need no name, nor do variables that only the function knows.

#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

static void put(int *place) { *place = 3; }

static unsigned length(unsigned count)
    __CPROVER_assigns()
{
    static unsigned calls;
    calls++;
    int here, all[4];
    put(&here);
    memset(all, 0, sizeof all);
    put(&all[here]);
    struct node *list = NULL;
    for (unsigned i = 0; i < count; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    list->next->value = 1;
    unsigned length = 0;
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
        length++;
    }
    return length;
}

int main(void)
{
    return length(3) == length(2);
}
