// kripke: check
// verdict: holds

#include <assert.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *t, int key)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->key = key;
        t->left = t->right = 0;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        t->right = insert(t->right, key);
    }
    return t;
}

static int size(const struct tree *t)
{
    return t ? size(t->left) + 1 + size(t->right) : 0;
}

int main(void)
{
    struct tree *t = 0;
    int keys[] = {5, 2, 8, 2, 9};
    for (int i = 0; i < 5; i++)
        t = insert(t, keys[i]);
    assert(size(t) == 4);
    assert(t->right->right->key == 9);
    return 0;
}
