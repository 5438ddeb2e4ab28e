// kripke: check
// verdict: holds

#include <assert.h>

struct node {
    int value;
    struct node *next;
};
extern struct node second;
struct node first = {1, &second};
struct node second = {2, &first};

int main(void)
{
    assert(first.next->next == &first);
    assert(first.next->value == 2);
    return 0;
}
