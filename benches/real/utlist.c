// uthash: utlist.h sorts a doubly linked list of N unknown numbers by merging.
#include <assert.h>
#include <stddef.h>
#include "utlist.h"

int __VERIFIER_nondet_int(void);

struct element {
    int value;
    struct element *prev, *next;
};

static int order(struct element *a, struct element *b) {
    return (a->value > b->value) - (a->value < b->value);
}

int main(void) {
    struct element elements[N], *list = NULL, *element;
    for (int i = 0; i < N; i++) {
        elements[i].value = __VERIFIER_nondet_int();
        DL_APPEND(list, &elements[i]);
    }
    DL_SORT(list, order);
    int count = 0;
    DL_FOREACH(list, element) {
        count++;
        assert(element->next == NULL || element->value <= element->next->value);
        assert(element->next == NULL || element->next->prev == element);
    }
    assert(count == N);
    return 0;
}
