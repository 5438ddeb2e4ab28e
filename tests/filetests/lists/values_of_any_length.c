// kripke: check
// verdict: holds
// What is put into every node is found in every node.
#include <stdlib.h>
#include <assert.h>
struct node { int value; struct node *next; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *n = malloc(sizeof *n);
        if (!n) return 0;
        int v = __VERIFIER_nondet_int();
        if (v < 0 || v > 9) v = 0;
        n->value = v;
        n->next = head;
        head = n;
    }
    for (struct node *p = head; p; p = p->next)
        assert(p->value >= 0 && p->value <= 9);
    return 0;
}
