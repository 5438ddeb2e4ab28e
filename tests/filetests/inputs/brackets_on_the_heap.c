// kripke: check
// verdict: holds
// A parser over unknown bytes that makes a list of what it finds. Where it stands in the text, and which
// nodes there are, is a constant on every path, and many paths have the same: they need not become one state
// whose every access may be anywhere.
#include <assert.h>
#include <stdlib.h>

char __VERIFIER_nondet_char(void);

#define LENGTH 6

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
    assert(covered(nodes) == at);
    return 0;
}
