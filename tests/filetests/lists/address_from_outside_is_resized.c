// kripke: check
// options: --only-invariants
// verdict: unknown
// An address from outside may be that of any node; what it is the address of is not told.
#include <stdlib.h>
struct node {
    struct node *next;
};
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    struct node *head = NULL;
    for (;;) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        head = n;
        char *q = (char *)__VERIFIER_nondet_ulong();
        q = realloc(q, 5);
    }
}
