/* Builds a list of N unknown values, reverses it and compares; frees it. */
#include <assert.h>
#include <stdlib.h>
#ifndef N
#define N 10
#endif
int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    int values[N];
    struct node *list = NULL;
    for (int i = 0; i < N; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            return 0;
        node->value = values[i] = __VERIFIER_nondet_int();
        node->next = list;
        list = node;
    }
    struct node *reversed = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    int i = 0;
    while (reversed) {
        assert(i < N && reversed->value == values[i]);
        struct node *next = reversed->next;
        free(reversed);
        reversed = next;
        i++;
    }
    assert(i == N);
    return 0;
}
