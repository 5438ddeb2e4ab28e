// kripke: check
// verdict: error
// exit: 3
// prints: this contract of `doubled` returns from within a condition
// The body, with what is wrong in it, would not be executed.

#include <assert.h>

int doubled(int x)
    __CPROVER_requires(({ if (x > 3) return 8; 1; }))
{
    assert(x < 10);
    return 2 * x;
}

int main(void)
{
    return doubled(11);
}
