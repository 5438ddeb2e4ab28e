// kripke: check
// options: --only-invariants
// verdict: holds
// Nodes of a tree that grows for ever are found by their keys.
#include <stdlib.h>
struct node { int key; struct node *left, *right; };
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
static struct node *root;
static void insert(int key) {
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->left = n->right = NULL;
    if (!root) { root = n; return; }
    struct node *p = root;
    for (;;) {
        if (key < p->key) {
            if (!p->left) { p->left = n; return; }
            p = p->left;
        } else {
            if (!p->right) { p->right = n; return; }
            p = p->right;
        }
    }
}
static _Bool find(int key) {
    struct node *p = root;
    while (p && p->key != key)
        p = key < p->key ? p->left : p->right;
    return p != NULL;
}
int main(void) {
    for (;;) {
        if (__VERIFIER_nondet_bool()) insert(__VERIFIER_nondet_int());
        else find(__VERIFIER_nondet_int());
    }
}
