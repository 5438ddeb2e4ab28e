// kripke: check
// verdict: violated
// violates: pointer@17

#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->next = 0;
    while (list) {
        free(list);
        list = list->next;
    }
    return 0;
}
