// kripke: check
// verdict: violated
// violates: uninitialised@22
// One of the nodes has no value.
#include <stdlib.h>
struct node { int value; struct node *next; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
int sum;
int main(void) {
    struct node *head = NULL;
    unsigned count = 0;
    while (__VERIFIER_nondet_bool()) {
        struct node *n = malloc(sizeof *n);
        if (count != 4)
            n->value = 1;
        n->next = head;
        head = n;
        count++;
    }
    for (struct node *p = head; p; p = p->next)
        if (p->value == 1)
            sum ^= 1;
    return sum;
}
