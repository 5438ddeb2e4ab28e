// kripke: check
// verdict: violated
// violates: pointer@27
// A cursor stays at a node that is taken from the list.
#include <stdlib.h>
struct node { int value; struct node *next; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
static struct node *head, *cursor;
int main(void) {
    for (;;) {
        int what = __VERIFIER_nondet_int();
        if (what == 0) {
            struct node *n = malloc(sizeof *n);
            n->value = 0;
            n->next = head;
            head = n;
        } else if (what == 1) {
            cursor = head;
        } else if (what == 2) {
            struct node *n = head;
            if (n) {
                head = n->next;
                free(n);
            }
        } else if (cursor) {
            cursor = cursor->next;
        }
    }
}
