// kripke: check
// options: --only-invariants
// verdict: holds
// A list both of whose ends are an object by itself; nodes are found from a member in them.
#include <stdlib.h>
#include <stddef.h>
struct list_head { struct list_head *next, *prev; };
struct item { int value; struct list_head link; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
static struct list_head list = { &list, &list };
static void list_add(struct list_head *n, struct list_head *head) {
    n->next = head->next;
    n->prev = head;
    head->next->prev = n;
    head->next = n;
}
static void list_del(struct list_head *e) {
    e->prev->next = e->next;
    e->next->prev = e->prev;
}
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
int main(void) {
    for (;;) {
        if (__VERIFIER_nondet_bool()) {
            struct item *i = malloc(sizeof *i);
            i->value = __VERIFIER_nondet_int();
            list_add(&i->link, &list);
        } else if (list.next != &list) {
            struct list_head *last = list.prev;
            list_del(last);
            free(container_of(last, struct item, link));
        }
    }
}
