// kripke: check --entry half
// verdict: holds
// prints: `half` is called as its contract requires

#include <assert.h>

int half(int x)
    __CPROVER_requires(x % 2 == 0)
    __CPROVER_ensures(2 * __CPROVER_return_value == __CPROVER_old(x))
{
    x /= 2;
    assert(x != 1 || x * 2 == 2);
    return x;
}
