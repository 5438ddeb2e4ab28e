// kripke: check
// verdict: violated
// violates: pointer@22
// As stack_of_any_length.c, but where seven are there the first stays though it is freed.
#include <stdlib.h>
struct node { int value; struct node *next; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
static struct node *head;
int main(void) {
    int count = 0;
    for (;;) {
        if (__VERIFIER_nondet_bool()) {
            struct node *n = malloc(sizeof *n);
            n->value = __VERIFIER_nondet_int();
            n->next = head;
            head = n;
            if (count < 1000)
                count++;
        } else if (head) {
            struct node *n = head;
            struct node *next = n->next;
            if (count != 7)
                head = next;
            free(n);
            if (count)
                count--;
        }
    }
}
