// kripke: check
// verdict: holds
// What is pointed to points back, so a node is unlinked wherever it is.
#include <stdlib.h>
struct node { int value; struct node *next, *prev; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
static struct node *head;
int main(void) {
    for (;;) {
        if (__VERIFIER_nondet_bool()) {
            struct node *n = malloc(sizeof *n);
            if (!n) continue;
            n->value = __VERIFIER_nondet_int();
            n->prev = NULL;
            n->next = head;
            if (head) head->prev = n;
            head = n;
        } else {
            int v = __VERIFIER_nondet_int();
            struct node *p = head;
            while (p && p->value != v) p = p->next;
            if (p) {
                if (p->prev) p->prev->next = p->next; else head = p->next;
                if (p->next) p->next->prev = p->prev;
                free(p);
            }
        }
    }
}
