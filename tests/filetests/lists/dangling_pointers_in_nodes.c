// kripke: check
// options: --only-invariants
// verdict: unknown
// Each node keeps the address of a variable that is dead by then; these need not be one address.
#include <assert.h>
#include <stdlib.h>
struct node {
    char *stale;
    int value;
};
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
static void put(struct node *n) {
    char c = (char)__VERIFIER_nondet_int();
    n->stale = &c;
}
static void deep(struct node *n) {
    volatile char big[100];
    big[7] = 1;
    put(n);
}
static struct node *one, *two;
int main(void) {
    for (unsigned count = 0;; count++) {
        assert(!(one && two && one->stale && two->stale) || one->stale == two->stale);
        struct node *n = calloc(1, sizeof *n);
        if (count & 1)
            deep(n);
        else
            put(n);
        if (__VERIFIER_nondet_bool())
            one = n;
        else
            two = n;
    }
}
