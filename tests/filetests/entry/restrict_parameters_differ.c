// kripke: check --entry set
// verdict: holds

#include <assert.h>

void set(int *restrict left, const int *restrict right)
{
    if (!left || !right || *right != 1)
        return;
    *left = 2;
    assert(*right == 1);
}
