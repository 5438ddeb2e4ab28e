// kripke: check
// verdict: holds
// A stack of which nobody knows how deep it is; nothing in it was freed.
#include <stdlib.h>
struct node { int value; struct node *next; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
static struct node *head;
int main(void) {
    for (;;) {
        if (__VERIFIER_nondet_bool()) {
            struct node *n = malloc(sizeof *n);
            if (!n) continue;
            n->value = __VERIFIER_nondet_int();
            n->next = head;
            head = n;
        } else if (head) {
            struct node *n = head;
            head = n->next;
            free(n);
        }
    }
}
