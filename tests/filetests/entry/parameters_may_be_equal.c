// kripke: check --entry set
// verdict: violated
// violates: assertion@12

#include <assert.h>

void set(int *left, const int *right)
{
    if (!left || !right || *right != 1)
        return;
    *left = 2;
    assert(*right == 1);
}
