// kripke: check
// verdict: violated
// violates: assertion@53
// As brackets_on_the_heap.c, and four bytes of five may well be brackets.
#include <assert.h>
#include <stdlib.h>

char __VERIFIER_nondet_char(void);

#define LENGTH 5

struct node {
    struct node *next, *child;
    int from, to;
};

static char text[LENGTH + 1];
static int at;

static struct node *list(int depth) {
    struct node *first = NULL, **last = &first;
    while (text[at] == '[' && depth < LENGTH) {
        struct node *node = malloc(sizeof *node);
        node->next = NULL;
        node->from = at++;
        node->child = list(depth + 1);
        if (text[at] == ']')
            at++;
        node->to = at;
        *last = node;
        last = &node->next;
    }
    return first;
}

static int covered(struct node *node) {
    int sum = 0;
    while (node) {
        struct node *next = node->next;
        assert(node->from < node->to && node->to <= LENGTH);
        sum += node->to - node->from;
        covered(node->child);
        free(node);
        node = next;
    }
    return sum;
}

int main(void) {
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    struct node *nodes = list(0);
    assert(covered(nodes) != 4);
    return 0;
}
