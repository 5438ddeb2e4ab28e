// kripke: check
// verdict: holds

#include <assert.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node c = {3, 0}, b = {2, &c}, a = {1, &b};
    int sum = 0;
    for (struct node *n = &a; n; n = n->next)
        sum = sum * 10 + n->value;
    assert(sum == 123);
    return 0;
}
