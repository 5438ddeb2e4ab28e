// kripke: check
// options: --max-unwind 4
// verdict: unknown
// Where nodes lie in memory is not told of lists of any length: their next ones are kept as numbers.
#include <stdint.h>
#include <stdlib.h>
struct node { int value; uintptr_t next; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
static struct node *head;
int main(void) {
    for (;;) {
        if (__VERIFIER_nondet_bool()) {
            struct node *n = malloc(sizeof *n);
            n->value = __VERIFIER_nondet_int();
            n->next = (uintptr_t)head;
            head = n;
        } else if (head) {
            struct node *n = head;
            head = (struct node *)n->next;
            free(n);
        }
    }
}
