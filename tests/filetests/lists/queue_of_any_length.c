// kripke: check
// verdict: holds
// First in, first out: the last one lives wherever there is a first.
#include <stdlib.h>
#include <assert.h>
struct node { int value; struct node *next; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
static struct node *head, *tail;
static void put(int value) {
    struct node *n = malloc(sizeof *n);
    if (!n) return;
    n->value = value;
    n->next = NULL;
    if (tail) tail->next = n; else head = n;
    tail = n;
}
static int get(void) {
    struct node *n = head;
    int value = n->value;
    head = n->next;
    if (!head) tail = NULL;
    free(n);
    return value;
}
int main(void) {
    for (;;) {
        if (__VERIFIER_nondet_bool()) put(7);
        else if (head) assert(get() == 7);
    }
}
