// kripke: check
// options: --only-invariants
// verdict: holds
// The first node is made at another place than the others.
#include <stdlib.h>
struct node { int value; struct node *next; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    struct node *dummy = malloc(sizeof *dummy);
    dummy->next = NULL;
    struct node *last = dummy;
    while (__VERIFIER_nondet_bool()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = NULL;
        last->next = n;
        last = n;
    }
    struct node *p = dummy;
    while (p) {
        struct node *next = p->next;
        free(p);
        p = next;
    }
    return 0;
}
