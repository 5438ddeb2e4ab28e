// kripke: check
// verdict: holds
// No node is freed twice, and none is read after it was freed.
#include <stdlib.h>
struct node { int value; struct node *next; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *n = malloc(sizeof *n);
        if (!n) return 0;
        n->value = __VERIFIER_nondet_int();
        n->next = head;
        head = n;
    }
    while (head) {
        struct node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
