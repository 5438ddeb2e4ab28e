// kripke: check
// verdict: violated
// violates: free@24
// A node that is in both lists is freed with each of them.
#include <stdlib.h>
struct node { int value; struct node *next; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
static struct node *first, *second;
int main(void) {
    while (__VERIFIER_nondet_bool()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = first;
        first = n;
        if (n->value == 12345)
            second = n;
    }
    while (first) {
        struct node *n = first;
        first = n->next;
        free(n);
    }
    free(second);
    return 0;
}
