// kripke: check
// verdict: holds
// A node is unlinked behind the one that was passed before.
#include <stdlib.h>
struct node { int value; struct node *next; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
static struct node *head;
static void add(int v) {
    struct node *n = malloc(sizeof *n);
    if (!n) return;
    n->value = v; n->next = head; head = n;
}
static void take(int v) {
    struct node *prev = NULL;
    for (struct node *p = head; p; prev = p, p = p->next)
        if (p->value == v) {
            if (prev) prev->next = p->next; else head = p->next;
            free(p);
            return;
        }
}
int main(void) {
    for (;;) {
        if (__VERIFIER_nondet_bool()) add(__VERIFIER_nondet_int());
        else take(__VERIFIER_nondet_int());
    }
}
